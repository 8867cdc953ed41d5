import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Vault, type VaultEntry, VaultUnavailable } from '../../src/core/vault.ts';
import { allEntriesOf, type KeychainTarget, proxyLoginEntry } from '../../src/host/vault-entries.ts';
import { moveVault } from '../../src/host/move-vault.ts';
import { clientCertificateEntry } from '../../src/agent/vault/client-certificates.ts';
import { openVaultChoice } from '../../src/host/open-vault-choice.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { Keychain } from './keychain.ts';
import { changePassphrase, whatOpensFolder } from '../../src/host/change-passphrase.ts';

const entries = ['a', 'b (pending)', 'c'].map((account) => ({ service: 'rotavox', account }));
const valueOf = ({ account }: VaultEntry): string => `token of ${account}`;

class Machine {
  readonly dataDir = makeFolder();
  readonly keychain = new Keychain();
  readonly said: string[] = [];
  hasKeychain = false;
  /** What a move to a file would break. */
  keychainTargets: KeychainTarget[] = [];

  start(): Promise<Vault> {
    const contact = (): Promise<void> =>
      this.hasKeychain ? Promise.resolve() : Promise.reject(new VaultUnavailable({ code: 'no_session_bus' }));
    return openVaultChoice(undefined, {
      dataDir: this.dataDir,
      entries: this.keychain.stored.size > 0 ? entries : [],
      say: (message) => this.said.push(message),
      surroundings: { platform: 'linux', environment: {}, keychain: { contact } },
      keychain: this.keychain,
    });
  }

  async move(to: 'keychain' | 'file', onStep?: () => void): Promise<Vault> {
    const { dataDir, keychain, keychainTargets } = this;
    const from = await this.start();
    const say = (message: string): void => void this.said.push(message);
    return (await moveVault({ dataDir, to, from, entries, keychainTargets, say, keychain, onStep })).vault;
  }

  /** Where the tokens are; fails unless all are there, and nothing is left at the other place. */
  async place(): Promise<'keychain' | 'file'> {
    const vault = await this.start();
    for (const entry of entries) expect(await vault.read(entry)).toBe(valueOf(entry));
    const files = await readdir(this.dataDir);
    const choice = await readFile(join(this.dataDir, 'vault-choice.json'), 'utf8').catch(() => '');
    expect(choice).not.toContain('leftover');
    if (vault.kind === 'keychain') {
      expect(files.filter((name) => name !== 'vault-choice.json')).toEqual([]);
      return 'keychain';
    }
    expect(this.keychain.stored.size).toBe(0);
    expect(files.sort()).toEqual(['vault-choice.json', 'vault.json', 'vault.key']);
    return 'file';
  }
}

/** A machine with tokens in one place. */
async function machineWith(kind: 'keychain' | 'file'): Promise<Machine> {
  const machine = new Machine();
  machine.hasKeychain = kind === 'keychain';
  const vault = await machine.start();
  expect(vault.kind).toBe(kind);
  for (const entry of entries) await vault.write(entry, valueOf(entry));
  machine.hasKeychain = true;
  return machine;
}

const directions = [
  ['file', 'keychain'],
  ['keychain', 'file'],
] as const;

describe.each(directions)('moving tokens from the %s to the %s', (from, to) => {
  it('has all of them there, and none where they were', async () => {
    const machine = await machineWith(from);
    expect((await machine.move(to)).kind).toBe(to);
    expect(await machine.place()).toBe(to);
    machine.hasKeychain = false;
    expect(await machine.place()).toBe(to);
    machine.hasKeychain = true;
    expect((await machine.move(from)).kind).toBe(from);
    expect(await machine.place()).toBe(from);
  });

  it('is taken back or finished by the next start, wherever it was killed, and then can be made', async () => {
    let places: string[] = [];
    for (let nth = 1; ; nth += 1) {
      const machine = await machineWith(from);
      let steps = 0;
      const dead = new Error('killed');
      const kill = (): void => {
        steps += 1;
        if (steps >= nth) throw dead;
      };
      const outcome = await machine.move(to, kill).catch((error: unknown) => error);
      if (outcome !== dead) break;
      places = [...places, await machine.place()];
      if (places.at(-1) === from) await machine.move(to);
      expect(await machine.place()).toBe(to);
    }
    expect(places.length).toBeGreaterThan(entries.length + 4);
    expect(places).toEqual([...places].sort((one) => (one === from ? -1 : 1)));
    expect(new Set(places)).toEqual(new Set([from, to]));
  });

  it('changes nothing while the keychain is locked', async () => {
    const machine = await machineWith(from);
    machine.keychain.isLocked = true;
    await expect(machine.move(to)).rejects.toThrow('The tokens are where they were.');
    machine.keychain.isLocked = false;
    expect(await machine.place()).toBe(from);
  });
});

describe('moving tokens', () => {
  it('stays where it is when the keychain loses what is written', async () => {
    const machine = await machineWith('file');
    machine.keychain.losesWrites = true;
    await expect(machine.move('keychain')).rejects.toThrow('missing when read back');
    expect(await machine.place()).toBe('file');
  });

  it('replaces no entry of another data folder', async () => {
    const machine = await machineWith('file');
    machine.keychain.stored.set('c', 'of another folder');
    await expect(machine.move('keychain')).rejects.toThrow('another entry “c”');
    expect([...machine.keychain.stored]).toEqual([['c', 'of another folder']]);
    machine.keychain.stored.clear();
    expect(await machine.place()).toBe('file');
  });

  it('replaces no encrypted file that is there', async () => {
    const machine = await machineWith('keychain');
    await writeFile(join(machine.dataDir, 'vault.json'), '{}');
    await expect(machine.move('file')).rejects.toThrow('There is an encrypted file already');
    await rm(join(machine.dataDir, 'vault.json'));
    expect(await machine.place()).toBe('keychain');
  });

  it('says what cannot be removed yet, and removes it when it can', async () => {
    const machine = await machineWith('keychain');
    let writes = 0;
    // Locked after everything was written and read back.
    await machine.move('file', () => {
      writes += 1;
      if (writes === entries.length + 4) machine.keychain.isLocked = true;
    });
    expect(machine.said.join()).toContain('Copies of tokens are still in the OS keychain');
    expect((await machine.start()).kind).toBe('file');
    expect(machine.keychain.stored.size).toBe(entries.length);
    await expect(machine.move('keychain')).rejects.toThrow('An earlier move has left copies');
    machine.keychain.isLocked = false;
    expect(await machine.place()).toBe('file');
  });
});

it('takes along what no token is without: client certificates, keys of fingerprints, the login for the proxy of the network', () => {
  const of = (key: string) => ({ fingerprint: `h1.${key}${'x'.repeat(43)}` });
  const credential = {
    name: 'nightly',
    ...of('aaaaaaaa'),
    standby: of('bbbbbbbb'),
    retiring: [of('cccccccc')],
  };
  const older = { name: 'older', fingerprint: 'x'.repeat(43), standby: null, retiring: [] };
  const credentials = new Map([credential, older].map((one) => [one.name, one]));
  const state = { credentials, pbxs: new Map() };
  const accounts = allEntriesOf(state as never).map(({ account }) => account);
  expect(accounts).toContain('nightly');
  expect(accounts).toContain(clientCertificateEntry('nightly').account);
  expect(accounts).toContain(proxyLoginEntry.account);
  expect(accounts.filter((account) => account.startsWith('(fingerprints'))).toEqual([
    '(fingerprints aaaaaaaa)',
    '(fingerprints bbbbbbbb)',
    '(fingerprints cccccccc)',
  ]);
});

it('a move to a file is refused while a credential delivers to the keychain, and one to the keychain is not', async () => {
  const machine = await machineWith('keychain');
  machine.keychainTargets = [{ credential: 'crm', service: 'svc', account: 'acc' }];
  await expect(machine.move('file')).rejects.toThrow(/“crm” delivers to the keychain entry “acc”/);
  expect(await machine.place()).toBe('keychain');
  const other = await machineWith('file');
  other.hasKeychain = true;
  other.keychainTargets = machine.keychainTargets;
  await other.move('keychain');
  expect(await other.place()).toBe('keychain');
});

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
