import { describe, expect, it } from 'vitest';
import { deliver } from '../../../src/agent/delivery/deliver.ts';
import { VaultUnavailable } from '../../../src/core/vault.ts';
import { makeContext, makeVault } from './make-context.ts';
import { old, preview, value } from './preview-ground.ts';

const entry = { service: 'billing-app', account: 'api' };
const target = { kind: 'keychain', ...entry } as const;
const place = 'keychain entry of service “billing-app”, account “api”';

describe('the preview of a keychain target', () => {
  it('says whether the entry is there, and writes nothing', async () => {
    const vault = makeVault('keychain', { write: () => Promise.reject(new Error('It was written')) });
    expect(await preview(target, vault)).toEqual({
      possible: true,
      message: `There is no ${place} yet: it is made.`,
      place,
      exists: false,
      lines: [{ number: null, before: null, after: '••••••' }],
    });
    expect(await preview(target, makeVault('keychain', { read: async () => old }))).toEqual({
      possible: true,
      message: `The ${place} is there: its value is replaced.`,
      place,
      exists: true,
      lines: [{ number: null, before: '••••••', after: '••••••' }],
    });
    expect(await preview(target, makeVault('keychain', { read: async () => value }))).toEqual({
      possible: true,
      message: `The ${place} has the present value already: nothing would change.`,
      place,
      exists: true,
      lines: [],
    });
  });

  it.each([
    ['an entry of Rotavox itself', { ...target, service: 'Rotavox' }, 'keychain'],
    ['a host with an encrypted file', target, 'file'],
  ] as const)('says in the words of the delivery why there can be none: %s', async (_, wanted, kind) => {
    const vault = makeVault(kind);
    const found = await preview(wanted, vault);
    expect(found).toMatchObject({ possible: false, exists: false, lines: [] });
    expect(await deliver(wanted, value, makeContext({ vault }))).toMatchObject({ message: found.message });
  });

  it('says that the keychain is locked', async () => {
    const locked = new VaultUnavailable('locked', 'The keychain is locked. Unlock it.');
    const vault = makeVault('keychain', { read: () => Promise.reject(locked) });
    expect(await preview(target, vault)).toMatchObject({
      possible: false,
      message: `The ${place} cannot be read now: The keychain is locked. Unlock it.`,
    });
  });

  it('lets a bug of the vault through', async () => {
    const vault = makeVault('keychain', { read: () => Promise.reject(new TypeError('a bug')) });
    await expect(preview(target, vault)).rejects.toThrow('a bug');
  });
});
