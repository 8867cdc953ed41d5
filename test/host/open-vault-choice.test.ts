import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileVault } from '../../src/agent/vault/file-vault.ts';
import { openKeyFile } from '../../src/agent/vault/key-file.ts';
import { keyFileCost } from '../../src/agent/vault/vault-file.ts';
import { VaultUnavailable } from '../../src/core/vault.ts';
import type { VaultProblem } from '../../src/contract/credential/vault-problem.ts';
import { HostError } from '../../src/host/host-error.ts';
import { type HostVault, openVaultChoice } from '../../src/host/open-vault-choice.ts';
import { cheapScrypt } from '../fixtures/cheap-scrypt.ts';
import { makeFolder } from '../fixtures/make-folder.ts';

const entry = { service: 'rotavox', account: 'nightly' };
const withPassphrase: HostVault = {
  kind: 'file',
  passphrase: 'correct horse battery staple',
  cost: cheapScrypt,
};

/** A start on a folder, on a machine whose keychain answers so. */
async function open(
  dataDir: string,
  {
    choice,
    keychain = { code: 'no_session_bus' },
    entries = [],
  }: {
    choice?: HostVault;
    keychain?: VaultProblem | 'there';
    entries?: (typeof entry)[];
  } = {},
) {
  const said: string[] = [];
  const contact = async (): Promise<void> => {
    if (keychain !== 'there') throw new VaultUnavailable(keychain);
  };
  const surroundings = { platform: 'linux', environment: {}, keychain: { contact } } as const;
  const vault = await openVaultChoice(choice, {
    dataDir,
    entries,
    say: (message) => said.push(message),
    surroundings,
  });
  return { vault, said };
}

const keyFileOf = (folder: string): string => join(folder, 'vault.key');

describe('a first start that nobody chose a vault for', () => {
  it('makes an encrypted file with a key of its own where there is no keychain, says so once, and opens it again', async () => {
    const folder = makeFolder();
    const first = await open(folder);
    expect(first.vault).toMatchObject({ kind: 'file', openedBy: 'file' });
    await first.vault.write(entry, 'a token');
    expect(first.said).toHaveLength(1);
    expect(first.said[0]).toContain(keyFileOf(folder));
    expect(first.said[0]).toContain("anyone who can read your account's files can use them");
    const key = (await readFile(keyFileOf(folder), 'utf8')).trim();
    expect(first.said[0]).not.toContain(key);
    expect((await stat(keyFileOf(folder))).mode & 0o777).toBe(0o600);
    for (const keychain of ['there', { code: 'no_session_bus' }] as const) {
      const later = await open(folder, { keychain, entries: [entry] });
      expect(later.said).toEqual([]);
      expect(await later.vault.read(entry)).toBe('a token');
    }
  });

  it('uses the keychain where there is one, and leaves nothing behind', async () => {
    const folder = makeFolder();
    expect((await open(folder, { keychain: 'there' })).vault.kind).toBe('keychain');
    expect(await readdir(folder)).toEqual([]);
  });

  it.each<VaultProblem>([
    { code: 'keychain_locked', platform: 'linux' },
    { code: 'keychain_not_answering' },
    { code: 'keychain_restarted' },
    { code: 'no_default_keyring' },
    { code: 'keychain_failed', said: 'prompt was refused' },
  ])('never bypasses a keychain that is there: $code', async (keychain) => {
    const folder = makeFolder();
    expect((await open(folder, { keychain })).vault.kind).toBe('keychain');
    expect(await readdir(folder)).toEqual([]);
  });

  it('never leaves a keychain that has tokens, also while it cannot be reached', async () => {
    const folder = makeFolder();
    expect((await open(folder, { entries: [entry] })).vault.kind).toBe('keychain');
    expect(await readdir(folder)).toEqual([]);
  });

  it('needs the passphrase of a file that has the tokens, when its option is missing', async () => {
    const folder = makeFolder();
    const { vault } = await open(folder, {
      choice: { kind: 'file', passphrase: 'correct horse battery' },
    });
    await vault.write(entry, 'a token');
    for (const keychain of ['there', { code: 'no_session_bus' }] as const)
      await expect(open(folder, { keychain, entries: [entry] })).rejects.toThrow('--vault-passphrase-file');
    expect(await readdir(folder)).toEqual(['vault.json']);
  });
});

describe('the choice of an option', () => {
  it('counts where nothing is recorded', async () => {
    const folder = makeFolder();
    expect((await open(folder, { choice: { kind: 'keychain' } })).vault.kind).toBe('keychain');
    expect((await open(folder, { choice: withPassphrase, keychain: 'there' })).vault).toMatchObject({
      kind: 'file',
      openedBy: 'passphrase',
    });
  });

  it('does not hide the tokens of a folder whose place is recorded', async () => {
    const folder = makeFolder();
    await open(folder);
    await expect(open(folder, { choice: { kind: 'keychain' } })).rejects.toThrow(
      '`rotavox vault move keychain`',
    );
    await expect(open(folder, { choice: withPassphrase })).rejects.toThrow('opened by its key file');
    expect((await open(folder, { choice: { kind: 'file' } })).vault.kind).toBe('file');
  });
});

describe('the key file', () => {
  async function folderWithToken(): Promise<string> {
    const folder = makeFolder();
    await (await open(folder)).vault.write(entry, 'a token');
    return folder;
  }

  it.each<[string, (folder: string) => Promise<void>, string]>([
    ['is missing', (folder) => rm(keyFileOf(folder)), 'is missing'],
    ['is another one', (folder) => writeFile(keyFileOf(folder), `${'A'.repeat(43)}\n`), 'is not the key of'],
    ['is cut off', (folder) => writeFile(keyFileOf(folder), 'abc'), 'is damaged'],
    ['is empty', (folder) => writeFile(keyFileOf(folder), ''), 'is damaged'],
  ])('is asked for, and no new one is made, when it %s', async (_what, harm, words) => {
    const folder = await folderWithToken();
    const key = await readFile(keyFileOf(folder));
    const vault = await readFile(join(folder, 'vault.json'));
    await harm(folder);
    const before = await readdir(folder);
    const failure = await open(folder, { entries: [entry] }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(HostError);
    expect((failure as Error).message).toContain(words);
    expect((failure as Error).message).toContain(`Restore ${keyFileOf(folder)}`);
    expect(await readdir(folder)).toEqual(before);
    expect(await readFile(join(folder, 'vault.json'))).toEqual(vault);
    await writeFile(keyFileOf(folder), key);
    expect(await (await open(folder, { entries: [entry] })).vault.read(entry)).toBe('a token');
  });

  it('is found without its record, which a backup may have left out', async () => {
    const folder = await folderWithToken();
    await rm(join(folder, 'vault-choice.json'));
    const { vault } = await open(folder, { keychain: 'there', entries: [entry] });
    expect(await vault.read(entry)).toBe('a token');
  });

  it('is closed to others again where a tool opened it, which is said', async () => {
    const folder = await folderWithToken();
    await chmod(keyFileOf(folder), 0o660);
    const { vault, said } = await open(folder);
    expect(await vault.read(entry)).toBe('a token');
    expect((await stat(keyFileOf(folder))).mode & 0o777).toBe(0o600);
    expect(said.join()).toContain('Other users of this machine might have read');
  });

  it('is one, and the same for both, when two make it at once', async () => {
    const folder = makeFolder();
    const [first, second] = await Promise.all([openKeyFile(folder), openKeyFile(folder)]);
    expect(second.key).toBe(first.key);
    expect((await openKeyFile(folder)).key).toBe(first.key);
    expect(await readdir(folder)).toEqual(['vault.key']);
  });

  it('is made after a start that was killed before it, or before the vault', async () => {
    for (const left of [['vault-choice.json'], ['vault-choice.json', 'vault.key']]) {
      const folder = await folderWithToken();
      for (const name of await readdir(folder)) if (!left.includes(name)) await rm(join(folder, name));
      await writeFile(join(folder, 'vault.key.0123456789abcdef.new'), 'torn');
      expect((await open(folder, { keychain: 'there' })).vault).toMatchObject({ openedBy: 'file' });
      expect((await readdir(folder)).sort()).toEqual(['vault-choice.json', 'vault.json', 'vault.key']);
    }
  });
});

it('a record that cannot be read is not guessed', async () => {
  const folder = makeFolder();
  await (await open(folder)).vault.write(entry, 'a token');
  const record = join(folder, 'vault-choice.json');
  await writeFile(record, '{"format":1,"place":');
  await expect(open(folder)).rejects.toThrow('Restore it from a backup');
  await writeFile(record, '{"format":2,"place":{"kind":"cloud"}}');
  await expect(open(folder)).rejects.toThrow('newer Rotavox');
});

it('a folder that cannot be written gets no vault, and the reason', async () => {
  const folder = makeFolder();
  await mkdir(join(folder, 'vault-choice.json'));
  await expect(open(folder)).rejects.toThrow(HostError);
  expect(await readdir(folder)).toEqual(['vault-choice.json']);
});

it('the key opens the file by itself, as the passphrase', async () => {
  const folder = makeFolder();
  await (await open(folder)).vault.write(entry, 'a token');
  const passphrase = (await readFile(keyFileOf(folder), 'utf8')).trim();
  const vault = await FileVault.open({ path: folder, passphrase, cost: keyFileCost });
  expect(await vault.read(entry)).toBe('a token');
});
