import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Keychain, KeychainVault } from '../../../src/agent/vault/keychain-vault.ts';
import { lookUpOutside } from './keychain-session.ts';
import { describeVaultSuite } from './vault-suite.ts';

const execute = promisify(execFile);

describeVaultSuite('the keychain vault', () => ({ vault: new KeychainVault() }));

describe.runIf(process.platform === 'linux')('the keychain vault, seen from outside', () => {
  function newEntry(vault: KeychainVault) {
    const entry = { service: 'rotavox', account: `test-${randomBytes(6).toString('hex')}` };
    onTestFinished(() => vault.remove(entry));
    return entry;
  }

  it('stores what secret-tool finds by service and account', async () => {
    const vault = new KeychainVault();
    const entry = newEntry(vault);
    expect(await lookUpOutside(entry)).toBeNull();
    await vault.write(entry, 'rvx_ключ');
    expect(await lookUpOutside(entry)).toBe('rvx_ключ');
    await vault.write(entry, 'second');
    expect(await lookUpOutside(entry)).toBe('second');
    await vault.remove(entry);
    expect(await lookUpOutside(entry)).toBeNull();
  });

  it('finds what secret-tool stored, replaces it and takes it away', async () => {
    const vault = new KeychainVault();
    const entry = newEntry(vault);
    // With its schema named: without it, gnome-keyring shows the entry to keytar only after a restart.
    const schema = ['xdg:schema', 'org.freedesktop.Secret.Generic'];
    const names = ['service', entry.service, 'account', entry.account, ...schema];
    const storing = execute('secret-tool', ['store', '--label=test', ...names]);
    storing.child.stdin?.end('from outside');
    await storing;
    expect(await vault.read(entry)).toBe('from outside');
    await vault.write(entry, 'from inside');
    expect(await lookUpOutside(entry)).toBe('from inside');
    await vault.remove(entry);
    expect(await lookUpOutside(entry)).toBeNull();
  });
});

describe('the keychain vault, whatever keychain is behind it', () => {
  const entry = { service: 'rotavox', account: 'a' };

  /** Records each call and answers like an empty keychain. */
  function noting(platform: NodeJS.Platform) {
    const calls: string[] = [];
    const keychain: Keychain = {
      getPassword: async (service) => (calls.push(`get ${service}`), null),
      setPassword: async (service) => void calls.push(`set ${service}`),
      deletePassword: async (service) => (calls.push(`delete ${service}`), false),
      findCredentials: async () => (calls.push('find'), []),
    };
    return { calls, vault: new KeychainVault({ platform, load: async () => keychain }) };
  }

  it('asks for nothing before its first use', async () => {
    let loads = 0;
    const vault = new KeychainVault({
      load: () => {
        loads += 1;
        return Promise.reject(new Error('not here'));
      },
    });
    expect(vault.kind).toBe('keychain');
    expect(loads).toBe(0);
    await expect(vault.read(entry)).rejects.toMatchObject({ name: 'VaultUnavailable' });
    expect(loads).toBe(1);
  });

  it('looks for the keychain without reading or writing an entry', async () => {
    const { calls, vault } = noting('linux');
    await vault.contact();
    await vault.contact();
    expect(calls).toEqual(['find']);
  });

  it('makes its first contact on Linux by a search, once', async () => {
    const { calls, vault } = noting('linux');
    await vault.write(entry, 'value');
    await vault.write(entry, 'value');
    expect(calls).toEqual(['find', 'set rotavox', 'set rotavox']);
  });

  it('believes a “no such entry” on Linux only after the probe', async () => {
    const { calls, vault } = noting('linux');
    expect(await vault.read(entry)).toBeNull();
    const probing = ['get rotavox-probe', 'set rotavox-probe'];
    expect(calls).toEqual(['find', 'get rotavox', ...probing, 'get rotavox']);
    calls.length = 0;
    await vault.remove(entry);
    expect(calls).toEqual(['delete rotavox', ...probing, 'delete rotavox']);
  });

  it.each(['darwin', 'win32'] as const)('believes it at once on %s', async (platform) => {
    const { calls, vault } = noting(platform);
    expect(await vault.read(entry)).toBeNull();
    await vault.remove(entry);
    // On Windows it may have parts.
    const looked = platform === 'win32' ? ['get rotavox'] : [];
    expect(calls).toEqual(['get rotavox', ...looked, 'delete rotavox']);
  });

  it('refuses on Windows what its keychain would not keep, in an entry that another program reads', async () => {
    const { calls, vault } = noting('win32');
    const other = { service: 'billing', account: 'a' };
    await vault.write(other, '鍵'.repeat(853));
    expect(calls).toEqual(['set billing']);
    await expect(vault.write(other, '鍵'.repeat(854))).rejects.toMatchObject({
      code: 'failed',
      problem: { code: 'token_too_long', limitBytes: 2560 },
    });
    expect(calls).toEqual(['set billing']);
  });

  it('splits on Windows what is too long for one entry, and leaves nothing of it behind', async () => {
    const { vault, entries } = windows();
    for (const value of ['short', 'a'.repeat(2560), 'a'.repeat(2561), '鍵'.repeat(9000), '😀'.repeat(700)]) {
      await vault.write(entry, value);
      expect(await vault.read(entry)).toBe(value);
      await vault.write(entry, `${value}!`);
      expect(await vault.read(entry)).toBe(`${value}!`);
      await vault.write(entry, 'x');
      expect([...entries]).toEqual([['rotavox/a', 'x']]);
    }
    // What looks like the head of parts is a value too.
    const head = `rotavox-parts/1 a 2 ${'x'.repeat(43)}`;
    await vault.write(entry, head);
    expect(await vault.read(entry)).toBe(head);
    await vault.remove(entry);
    expect(entries.size).toBe(0);
  });

  it('has the old value or the new one, complete, wherever a write on Windows was cut short', async () => {
    const values = ['short', 'a'.repeat(6000), 'b'.repeat(9000), 'c'];
    for (const old of values) {
      for (const next of values.filter((one) => one !== old)) {
        let isComplete = false;
        for (let calls = 0; !isComplete; calls += 1) {
          const { vault, entries, cutAfter } = windows();
          await vault.write(entry, old);
          cutAfter(calls);
          isComplete = await vault.write(entry, next).then(
            () => true,
            () => false,
          );
          cutAfter(Infinity);
          expect([old, next]).toContain(await vault.read(entry));
          // The next write goes through all the same.
          await vault.write(entry, 'after');
          expect(entries.get('rotavox/a')).toBe('after');
        }
      }
    }
  });

  /** The Credential Manager: it refuses more than 2,560 bytes. After so many calls that change something it fails. */
  function windows() {
    const entries = new Map<string, string>();
    let left = Infinity;
    const spend = () => {
      left -= 1;
      if (left < 0) throw new Error('cut short');
    };
    const keychain: Keychain = {
      getPassword: async (service, account) => entries.get(`${service}/${account}`) ?? null,
      async setPassword(service, account, value) {
        spend();
        if (Buffer.byteLength(value) > 2560) throw new Error('The stub received bad data.');
        entries.set(`${service}/${account}`, value);
      },
      async deletePassword(service, account) {
        spend();
        return entries.delete(`${service}/${account}`);
      },
      findCredentials: async () => [],
    };
    const vault = new KeychainVault({ platform: 'win32', load: async () => keychain });
    return { vault, entries, cutAfter: (calls: number) => (left = calls) };
  }

  it('lets a write that was given up happen before a later one, never after it', async () => {
    const { promise: prompt, resolve: answerPrompt } = Promise.withResolvers();
    let stored: string | null = null;
    const vault = new KeychainVault({
      platform: 'darwin',
      limitMs: 50,
      load: async () => ({
        getPassword: async () => stored,
        async setPassword(_service, _account, value) {
          if (value === 'first') await prompt;
          stored = value;
        },
        deletePassword: async () => false,
        findCredentials: async () => [],
      }),
    });
    await expect(vault.write(entry, 'first')).rejects.toMatchObject({ code: 'locked' });
    await expect(vault.write(entry, 'second')).rejects.toMatchObject({ code: 'locked' });
    answerPrompt(null);
    await new Promise(setImmediate);
    expect(await vault.read(entry)).toBe('first');
    await vault.write(entry, 'second');
    expect(await vault.read(entry)).toBe('second');
  });
});
