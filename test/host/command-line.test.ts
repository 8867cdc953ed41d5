import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { commandLineOf, withDataDir } from '../../src/host/command-line.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import type { CredentialView } from '../../src/contract/credential/credential-view.ts';
import type { DeliveryPreview } from '../../src/contract/credential/credential-checks.ts';
import { ownPlacesOf } from '../../src/host/host-process.ts';
import { startHost } from '../../src/host/start-host.ts';
import { cheapScrypt } from '../fixtures/cheap-scrypt.ts';
import { runtimeFileOf } from './runtime-file-of.ts';

/** A folder that looks like a checkout. */
function makeCheckout(name = 'checkout'): string {
  const checkout = join(makeFolder(), name);
  mkdirSync(join(checkout, 'src', 'launcher'), { recursive: true });
  writeFileSync(join(checkout, 'src', 'launcher', 'rotavox.ts'), '');
  return checkout;
}

const linux = { platform: 'linux' } as const;

/** An installed program with its command in a place. */
function makePackage(place: string, name = 'package'): { folder: string; own: string } {
  const folder = join(makeFolder(), name);
  const own = join(folder, place);
  mkdirSync(dirname(own), { recursive: true });
  writeFileSync(own, '');
  return { folder, own };
}

describe('how the command line is called', () => {
  it('is `rotavox` in a checkout, whatever it is called and whatever is on the path', () => {
    for (const name of ['checkout', "it's $HOME `id`"]) {
      expect(commandLineOf(makeCheckout(name), { ...linux, searchPath: '' })).toBe('rotavox');
      expect(commandLineOf(makeCheckout(name), { platform: 'win32', searchPath: '' })).toBe('rotavox');
    }
  });

  it('is nothing where there is neither a launcher nor a command', () => {
    expect(commandLineOf(makeFolder())).toBeNull();
  });

  it('is `rotavox` where a terminal finds this one, from an npm package and from a desktop package', () => {
    for (const place of ['out/cli/index.js', 'bin/rotavox']) {
      const { folder, own } = makePackage(place);
      const bin = makeFolder();
      symlinkSync(own, join(bin, 'rotavox'));
      expect(commandLineOf(folder, { ...linux, searchPath: [makeFolder(), bin].join(delimiter) })).toBe(
        'rotavox',
      );
    }
  });

  it('is the path where `rotavox` is not found, is another one, or is found by npm scripts only', () => {
    const { folder, own } = makePackage('out/cli/index.js');
    const other = makePackage('rotavox').folder;
    const ours = makeFolder();
    symlinkSync(own, join(ours, 'rotavox'));
    const local = join(folder, 'node_modules', '.bin');
    mkdirSync(local, { recursive: true });
    symlinkSync(own, join(local, 'rotavox'));
    for (const searchPath of ['', makeFolder(), [other, ours].join(delimiter), local])
      expect(commandLineOf(folder, { ...linux, searchPath })).toBe(`node '${own}'`);
    const desktop = makePackage('bin/rotavox');
    expect(commandLineOf(desktop.folder, { ...linux, searchPath: '' })).toBe(`'${desktop.own}'`);
  });

  it('is quoted for a shell whatever the folder is called', () => {
    const { folder } = makePackage('bin/rotavox', "it's $HOME `id`");
    expect(commandLineOf(folder, { ...linux, searchPath: '' })).toContain(
      `/it'\\''s $HOME \`id\`/bin/rotavox'`,
    );
  });

  it("is `rotavox` on Windows where npm's script for it is on the path", () => {
    const prefix = makeFolder();
    const folder = join(prefix, 'node_modules', 'rotavox');
    mkdirSync(join(folder, 'out', 'cli'), { recursive: true });
    writeFileSync(join(folder, 'out', 'cli', 'index.js'), '');
    writeFileSync(join(prefix, 'rotavox.cmd'), '');
    expect(commandLineOf(folder, { platform: 'win32', searchPath: prefix })).toBe('rotavox');
    const elsewhere = makePackage('out/cli/index.js');
    expect(commandLineOf(elsewhere.folder, { platform: 'win32', searchPath: prefix })).toBe(
      `node "${elsewhere.own}"`,
    );
  });
});

describe('the data folder in it', () => {
  const linux = { environment: {}, platform: 'linux', homeDir: '/home/me' } as const;
  const usual = '/home/me/.config/Rotavox/data';

  it('is left out for the default folder of the command line', () => {
    expect(withDataDir('rotavox', usual, linux)).toBe('rotavox');
    const windows = { environment: { APPDATA: 'C:\\Data' }, platform: 'win32', homeDir: 'C:\\me' } as const;
    expect(withDataDir('rotavox', 'C:\\Data\\Rotavox\\data', windows)).toBe('rotavox');
  });

  it('is named where another one was chosen, also by a variable that is not set where it is pasted', () => {
    expect(withDataDir('rotavox', '/srv/my data', linux)).toBe("rotavox --data-dir '/srv/my data'");
    const environment = { ROTAVOX_DATA_DIR: '/srv/data' };
    expect(withDataDir('rotavox', '/srv/data', { ...linux, environment })).toBe(
      "rotavox --data-dir '/srv/data'",
    );
    const windows = { environment: {}, platform: 'win32', homeDir: 'C:\\me' } as const;
    expect(withDataDir('rotavox', 'D:\\my data', windows)).toBe('rotavox --data-dir "D:\\my data"');
  });
});

const checkout = join(import.meta.dirname, '../..');

/** The program as in `rotavox serve --vault file`, with one credential. */
async function serve() {
  const folder = makeFolder();
  const passphraseFile = join(folder, 'passphrase');
  writeFileSync(passphraseFile, 'correct horse battery\n', { mode: 0o600 });
  const dataDir = join(folder, 'data');
  const host = await startHost({
    dataDir,
    port: 0,
    vault: { kind: 'file', passphraseFile, cost: cheapScrypt },
  });
  onTestFinished(() => host.close());
  const { portal_key: key } = runtimeFileOf(dataDir);
  const ask = async (method: string, path: string, body?: object) => {
    const reply = await fetch(`${host.baseUrl}/portal${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: reply.status, body: (await reply.json()) as unknown };
  };
  const { body } = await ask('POST', '/tokens', { name: 'app', validity_days: 7 });
  const { access_token: value } = body as { access_token: string };
  await ask('POST', '/credentials', { name: 'app', value });
  return { folder, dataDir, passphraseFile, host, ask, value };
}

describe('a delivery target that leads to our own files', () => {
  it('is refused when it is added and in its preview, and the vault and the journal are whole', async () => {
    const { folder, dataDir, passphraseFile, host, ask, value } = await serve();
    symlinkSync(join(dataDir, 'vault.json'), join(folder, 'link'));
    linkSync(join(dataDir, 'journal/00000001.jsonl'), join(folder, 'hard link'));
    symlinkSync(dataDir, join(folder, 'parent'));
    const vault = readFileSync(join(dataDir, 'vault.json'));
    const paths = [
      join(dataDir, 'vault.json'),
      join(dataDir, 'journal/00000001.jsonl'),
      join(dataDir, 'not there'),
      join(folder, 'link'),
      join(folder, 'hard link'),
      `${folder}/parent/../data/state.json`,
      join(folder, 'parent/vault.json'),
      passphraseFile,
    ];
    for (const path of paths) {
      const target = { kind: 'file', path };
      expect(await ask('POST', '/credentials/app/targets', target), path).toMatchObject({
        status: 400,
        body: {
          code: 'bad_request',
          message: expect.stringContaining(`${path} leads to files of Rotavox itself`) as string,
        },
      });
      const preview = await ask('POST', '/credentials/app/targets/preview', target);
      expect(preview.body as DeliveryPreview).toMatchObject({ possible: false });
    }
    expect(((await ask('GET', '/credentials/app')).body as CredentialView).targets).toEqual([]);
    expect(readFileSync(join(dataDir, 'vault.json')).equals(vault)).toBe(true);

    await host.close();
    const again = await startHost({
      dataDir,
      port: 0,
      vault: { kind: 'file', passphraseFile, cost: cheapScrypt },
    });
    onTestFinished(() => again.close());
    expect(again.repairs).toEqual([]);
    expect(await again.shellPort.valueOf('app')).toMatchObject({ ok: true, value });
  });

  it('is refused when there can be no file', async () => {
    const { folder, ask } = await serve();
    for (const path of [folder, '/dev/null', ...(existsSync('/proc/self') ? ['/proc/self/token'] : [])]) {
      const added = await ask('POST', '/credentials/app/targets', { kind: 'dotenv', path });
      expect(added, path).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining(`${path} is `) as string },
      });
    }
  });

  it('is no reason to refuse a place that may become one', async () => {
    const { folder, ask } = await serve();
    const path = join(folder, 'later/token');
    const target = { kind: 'file', path };
    const added = await ask('POST', '/credentials/app/targets', target);
    expect((added.body as CredentialView).targets).toMatchObject([{ target, status: 'failing' }]);
    mkdirSync(join(folder, 'later'));
    expect((await ask('POST', '/credentials/app/targets/preview', target)).body).toMatchObject({
      possible: true,
    });
  });
});

describe('the own places', () => {
  const referenceData = { environment: {}, platform: 'linux', homeDir: '/home/me' };

  it('are the data, the program, the profile of the desktop app, and the passphrase of the vault', () => {
    const { dataDir, others } = ownPlacesOf('/srv/data', '/home/me/passphrase', {
      ...referenceData,
      environment: { ROTAVOX_DATA_DIR: '/srv/data' },
    });
    expect(dataDir).toBe('/srv/data');
    expect(others).toEqual(
      expect.arrayContaining([
        '/srv/data/journal',
        '/home/me/.config/Rotavox',
        '/home/me/passphrase',
        join(checkout, 'node_modules'),
        join(checkout, 'src'),
      ]),
    );
  });

  it('leave the rest of a checkout to its owner', () => {
    const { others } = ownPlacesOf('/srv/data', undefined, referenceData);
    expect(others).not.toContain(checkout);
    for (const part of others.filter((one) => one.startsWith(`${checkout}/`) && !one.endsWith('/out')))
      expect(existsSync(part), part).toBe(true);
  });
});
