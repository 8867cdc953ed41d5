import { describe, expect, it } from 'vitest';
import { deliver } from '../../../src/agent/delivery/deliver.ts';
import { VaultUnavailable } from '../../../src/core/vault.ts';
import { makeContext, makeVault } from './make-context.ts';
import { old, preview, problemOf, value } from './preview-setup.ts';

const entry = { service: 'billing-app', account: 'api' };
const target = { kind: 'keychain', ...entry } as const;
const locked = { code: 'keychain_locked', platform: 'linux' } as const;

describe('the preview of a keychain target', () => {
  it('says whether the entry exists, and writes nothing', async () => {
    const vault = makeVault('keychain', { write: () => Promise.reject(new Error('It was written')) });
    expect(await preview(target, vault)).toEqual({
      possible: true,
      findings: [{ code: 'entry_created', ...entry }],
      place: target,
      exists: false,
      lines: [{ number: null, before: null, after: '••••••' }],
    });
    expect(await preview(target, makeVault('keychain', { read: async () => old }))).toEqual({
      possible: true,
      findings: [{ code: 'entry_replaced', ...entry }],
      place: target,
      exists: true,
      lines: [{ number: null, before: '••••••', after: '••••••' }],
    });
    expect(await preview(target, makeVault('keychain', { read: async () => value }))).toEqual({
      possible: true,
      findings: [{ code: 'entry_unchanged', ...entry }],
      place: target,
      exists: true,
      lines: [],
    });
  });

  it.each([
    ['an entry of Rotavox itself', { ...target, service: 'Rotavox' }, 'keychain'],
    ['a host with an encrypted file', target, 'file'],
  ] as const)('says for the reason of the delivery why there can be none: %s', async (_, wanted, kind) => {
    const vault = makeVault(kind);
    const found = await preview(wanted, vault);
    expect(found).toMatchObject({ possible: false, exists: false, lines: [] });
    const delivered = await deliver(wanted, value, makeContext({ vault }));
    expect(found.findings).toEqual([{ code: 'impossible', problem: problemOf(delivered) }]);
  });

  it('says that the keychain is locked', async () => {
    const vault = makeVault('keychain', { read: () => Promise.reject(new VaultUnavailable(locked)) });
    expect(await preview(target, vault)).toMatchObject({
      possible: false,
      findings: [{ code: 'impossible', problem: { code: 'entry_not_readable', ...entry, problem: locked } }],
    });
  });

  it('lets a bug of the vault through', async () => {
    const vault = makeVault('keychain', { read: () => Promise.reject(new TypeError('a bug')) });
    await expect(preview(target, vault)).rejects.toThrow('a bug');
  });
});
