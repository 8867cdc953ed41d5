import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPkcs12, readPkcs12 } from '../../src/cli/read-pkcs12.ts';
import { makeCertificate } from '../fixtures/make-authority.ts';
import { rotavox } from './rotavox.ts';
import { serviceHere } from './service-here.ts';

const passphrase = 'Straße 1€';
let folder = '';
let pair = { certificate: '', key: '' };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rotavox-test-'));
  const { certFile, keyFile } = makeCertificate(folder);
  pair = { certificate: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As OpenSSL writes it with some options. */
function exported(options: readonly string[], word = passphrase): Buffer {
  const out = join(folder, 'out.p12');
  const files = ['-inkey', join(folder, 'key.pem'), '-in', join(folder, 'certificate.pem'), '-out', out];
  const args = ['pkcs12', '-export', ...files, '-passout', `pass:${word}`, ...options];
  execFileSync('openssl', args, { stdio: 'pipe' });
  return readFileSync(out);
}

const tripleDes = ['-certpbe', 'PBE-SHA1-3DES', '-keypbe', 'PBE-SHA1-3DES', '-macalg', 'sha1'];

describe('a PKCS#12 file', () => {
  it.each([
    ['as OpenSSL 3 writes it (AES)', []],
    ['as Windows exports it (3DES, SHA-1)', tripleDes],
    ['with AES-128 and SHA-512', ['-certpbe', 'AES-128-CBC', '-keypbe', 'AES-128-CBC', '-macalg', 'sha512']],
    ['without a MAC', ['-nomac']],
    ['whose certificate is not encrypted', ['-certpbe', 'NONE']],
  ])('%s gives the certificate and its key', (_how, options) => {
    const bytes = exported(options);
    expect(isPkcs12(bytes)).toBe(true);
    expect(readPkcs12(bytes, passphrase)).toEqual({ kind: 'read', ...pair });
    for (const word of ['', 'wrong']) expect(readPkcs12(bytes, word)).toEqual({ kind: 'wrong_passphrase' });
  });

  it('without a passphrase needs none', () => {
    expect(readPkcs12(exported([], ''), '')).toEqual({ kind: 'read', ...pair });
  });

  it('of a program that does not tell lengths (BER) is read too', () => {
    const bytes = exported([]);
    const header = 2 + ((bytes[1] ?? 0) & 0x7f);
    const open = Buffer.concat([Buffer.from([0x30, 0x80]), bytes.subarray(header), Buffer.alloc(2)]);
    expect(isPkcs12(open)).toBe(true);
    expect(readPkcs12(open, passphrase)).toEqual({ kind: 'read', ...pair });
  });

  it.each([
    ['encrypted as OpenSSL 1.1 and the keychain of macOS do (RC2)', ['-legacy'], 'old_cipher'],
    ['without a key', ['-nokeys'], 'no_key'],
    ['without a certificate', ['-nocerts'], 'no_certificate'],
  ])('%s says so', (_what, options, kind) => {
    expect(readPkcs12(exported(options), passphrase)).toEqual({ kind });
  });

  it('that is damaged is refused, whatever is wrong with it', () => {
    const bytes = exported([]);
    const damage = fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }));
    fc.assert(
      fc.property(damage, ([place, change]) => {
        const damaged = Buffer.from(bytes);
        damaged[place] = (damaged[place] ?? 0) ^ change;
        const read = readPkcs12(damaged, passphrase);
        return read.kind !== 'read' || read.key === pair.key;
      }),
      { numRuns: 60 },
    );
    for (const length of [0, 1, 2, 40, bytes.length - 1])
      expect(readPkcs12(bytes.subarray(0, length), passphrase).kind).not.toBe('read');
  });

  it('is not taken for one where it is text, or anything else', () => {
    for (const bytes of [
      Buffer.from(pair.certificate),
      Buffer.from('{}'),
      Buffer.alloc(0),
      Buffer.from([0x30]),
    ])
      expect(isPkcs12(bytes)).toBe(false);
  });
});

it('credential set takes one, with its passphrase in a file, and says what to do with an old one', async () => {
  const [running, elsewhere] = [await serviceHere(), await serviceHere()];
  const issued = (await elsewhere.json('token', 'issue', '--name', 'far', '--validity', '7')) as {
    access_token: string;
  };
  const add = ['credential', 'add', 'far', '--base-url', elsewhere.baseUrl];
  const { dataDir } = running;
  expect(await rotavox(add, { dataDir, stdin: issued.access_token })).toMatchObject({ code: 0 });
  const [file, old, word] = ['client.p12', 'old.p12', 'word'].map((name) => join(folder, name));
  if (file === undefined || old === undefined || word === undefined) throw new Error('no files');
  writeFileSync(file, exported(tripleDes));
  writeFileSync(old, exported(['-legacy']));
  writeFileSync(word, `${passphrase}\n`);
  const set = (...args: string[]) => running.cli('credential', 'set', 'far', 'client_certificate', ...args);
  const asked = await set(file);
  expect(asked).toMatchObject({ code: 2, stdout: '' });
  expect(asked.stderr).toContain('--key-passphrase-file');
  const key = join(folder, 'key.pem');
  expect((await set(file, key)).stderr).toContain(`Leave ${key} out`);
  const refused = await set(old, '--key-passphrase-file', word);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain(`openssl pkcs12 -legacy -in ${old} -out client.pem`);
  expect(await set(file, '--key-passphrase-file', word)).toMatchObject({ code: 0 });
  expect(await running.json('credential', 'show', 'far')).toMatchObject({
    provider: { inputs: { client_certificate: expect.stringMatching(/^(?:[0-9A-F]{2}:){31}/) as string } },
  });
});
