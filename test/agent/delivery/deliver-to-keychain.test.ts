import { describe, expect, it } from 'vitest';
import { deliver } from '../../../src/agent/delivery/deliver.ts';
import { VaultUnavailable } from '../../../src/core/vault.ts';
import { makeContext, makeVault } from './make-context.ts';

const entry = { service: 'billing-app', account: 'api' };
const target = { kind: 'keychain', ...entry } as const;
const locked = { code: 'keychain_locked', platform: 'linux' } as const;

describe('a keychain target', () => {
  it.each(['keychain', 'memory'] as const)('gets the token through a vault of kind %s', async (kind) => {
    const vault = makeVault(kind);
    expect(await deliver(target, 'new', makeContext({ vault }))).toEqual({ ok: true, note: null });
    expect(await vault.read(entry)).toBe('new');
  });

  it('is impossible where tokens are kept in an encrypted file; nothing is written', async () => {
    const vault = makeVault('file');
    const outcome = await deliver(target, 'new', makeContext({ vault }));
    expect(outcome).toEqual({ ok: false, retry: false, problem: { code: 'no_keychain', ...entry } });
    expect(await vault.read(entry)).toBeNull();
  });

  it.each([
    { service: 'rotavox', account: 'billing' },
    { service: 'rotavox-probe', account: 'unlocked' },
    { service: 'Rotavox Safe Storage', account: 'Rotavox' },
  ])('may not be one of the entries of Rotavox itself: %j', async (own) => {
    const vault = makeVault('keychain');
    await vault.write(own, 'kept');
    expect(await deliver({ kind: 'keychain', ...own }, 'new', makeContext({ vault }))).toMatchObject({
      ok: false,
      retry: false,
      problem: { code: 'own_entry', ...own },
    });
    expect(await vault.read(own)).toBe('kept');
  });

  it('that is locked is reported, with the entry, and tried again', async () => {
    const vault = makeVault('keychain', {
      write: () => Promise.reject(new VaultUnavailable(locked)),
    });
    const outcome = await deliver(target, 'secret-value', makeContext({ vault }));
    const problem = { code: 'entry_not_written', ...entry, problem: locked };
    expect(outcome).toEqual({ ok: false, retry: true, problem });
  });

  it('does not count as delivered when something else is read back', async () => {
    for (const found of ['old', null]) {
      const vault = makeVault('keychain', { read: async () => found });
      expect(await deliver(target, 'new', makeContext({ vault }))).toMatchObject({ ok: false, retry: true });
    }
  });

  it('lets a bug of the vault through', async () => {
    const vault = makeVault('keychain', { write: () => Promise.reject(new TypeError('a bug')) });
    await expect(deliver(target, 'new', makeContext({ vault }))).rejects.toThrow('a bug');
  });
});
