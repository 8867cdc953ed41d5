import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CredentialView } from '../../src/contract/credential/credential-view.ts';
import type { DeliveryPreview } from '../../src/contract/credential/credential-checks.ts';
import { ownPlacesOf } from '../../src/host/host-process.ts';
import { startHost } from '../../src/host/start-host.ts';
import { cheapScrypt } from '../fixtures/cheap-scrypt.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { runtimeFileOf } from './runtime-file-of.ts';

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
