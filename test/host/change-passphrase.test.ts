import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { changePassphrase, whatOpensFolder } from '../../src/host/change-passphrase.ts';
import { openVaultChoice } from '../../src/host/open-vault-choice.ts';
import { VaultUnavailable } from '../../src/core/vault.ts';
import { makeFolder } from '../fixtures/make-folder.ts';

const entry = { service: 'rotavox', account: 'nightly' };
const passphrase = 'correct horse battery staple';

/** A start of a host: with a passphrase if it is given one. */
function open(dataDir: string, given?: string, entries = [entry]) {
  const contact = () => Promise.reject(new VaultUnavailable({ code: 'no_session_bus' }));
  return openVaultChoice(given === undefined ? undefined : { kind: 'file', passphrase: given }, {
    dataDir,
    entries,
    say: () => undefined,
    surroundings: { platform: 'linux', environment: {}, keychain: { contact } },
  });
}

async function folderWithKeyFile(): Promise<string> {
  const dataDir = makeFolder();
  await (await open(dataDir, undefined, [])).write(entry, 'a token');
  return dataDir;
}

const set = (dataDir: string, words = passphrase) =>
  changePassphrase({ place: { kind: 'file', dataDir }, old: null, changed: { passphrase: words } });

it('sets a passphrase in place of the key file, which is removed, and is asked for by later starts', async () => {
  const folder = await folderWithKeyFile();
  expect(await whatOpensFolder(folder)).toBe('file');
  expect(await set(folder)).toEqual({ place: join(folder, 'vault.json'), entries: 1 });
  expect((await readdir(folder)).sort()).toEqual(['vault-choice.json', 'vault.json']);
  expect(await whatOpensFolder(folder)).toBe('passphrase');
  await expect(open(folder)).rejects.toThrow('which a passphrase opens');
  const vault = await open(folder, passphrase);
  expect(vault).toMatchObject({ kind: 'file', openedBy: 'passphrase' });
  expect(await vault.read(entry)).toBe('a token');
});

it.each([
  ['the vault was encrypted', ['vault.json']],
  ['that was recorded', ['vault.json', 'vault-choice.json']],
])(
  'is finished by the next start, or by the same command, when it was killed after %s',
  { tags: ['long'] },
  async (_step, done) => {
    const before = await folderWithKeyFile();
    const after = makeFolder();
    await cp(before, after, { recursive: true });
    await set(after);
    for (const finish of [
      async (folder: string) => {
        await expect(open(folder)).rejects.toThrow('which a passphrase opens');
      },
      async (folder: string) => {
        expect(await set(folder)).toMatchObject({ entries: null });
      },
    ]) {
      const folder = makeFolder();
      await cp(before, folder, { recursive: true });
      for (const name of done) await cp(join(after, name), join(folder, name));
      await finish(folder);
      expect(await readdir(folder)).not.toContain('vault.key');
      expect(await (await open(folder, passphrase)).read(entry)).toBe('a token');
    }
  },
);

it('changes nothing without the key', async () => {
  const folder = await folderWithKeyFile();
  const content = await readFile(join(folder, 'vault.json'), 'utf8');
  await rm(join(folder, 'vault.key'));
  await expect(set(folder)).rejects.toThrow('vault.key is missing');
  expect(await readFile(join(folder, 'vault.json'), 'utf8')).toBe(content);
  expect(await readdir(folder)).not.toContain('vault.key');
});

it('a passphrase that was set is not set again by another one', { tags: ['long'] }, async () => {
  const folder = await folderWithKeyFile();
  await set(folder);
  await expect(set(folder, 'another passphrase')).rejects.toThrow('does not open');
  expect(await (await open(folder, passphrase)).read(entry)).toBe('a token');
});
