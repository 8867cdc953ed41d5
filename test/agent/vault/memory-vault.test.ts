import { expect, it } from 'vitest';
import { VaultUnavailable } from '../../../src/core/vault.ts';
import { MemoryVault, type VaultCall } from '../../fakes/memory-vault.ts';
import { describeVaultSuite } from './vault-suite.ts';

describeVaultSuite('the memory vault', () => ({ vault: new MemoryVault() }));

const entry = { service: 'rotavox', account: 'a' };

it.each(['locked', 'absent', 'failed'] as const)(
  'fails as %s on demand, and has everything when healed',
  async (code) => {
    const vault = new MemoryVault();
    await vault.write(entry, 'kept');
    vault.fail(code);
    for (const refused of [vault.read(entry), vault.write(entry, 'lost'), vault.remove(entry)]) {
      await expect(refused).rejects.toThrow(VaultUnavailable);
      await expect(refused).rejects.toMatchObject({ code });
    }
    vault.heal();
    expect(await vault.read(entry)).toBe('kept');
  },
);

it('shows each call before it takes effect, and lets it be failed there', async () => {
  const seen: VaultCall['kind'][] = [];
  const vault = new MemoryVault((call) => {
    seen.push(call.kind);
    if (seen.length === 3) vault.fail('locked');
  });
  await vault.write(entry, 'first');
  await vault.read(entry);
  await expect(vault.write(entry, 'second')).rejects.toMatchObject({ code: 'locked' });
  vault.heal();
  expect(await vault.read(entry)).toBe('first');
  expect(seen).toEqual(['write', 'read', 'write', 'read']);
});

it('holds a call up, and those behind it, for as long as its hook takes', async () => {
  const { promise: held, resolve: letGo } = Promise.withResolvers();
  const vault = new MemoryVault(async ({ kind }) => {
    if (kind === 'write') await held;
  });
  const order: string[] = [];
  const write = vault.write(entry, 'late').then(() => order.push('written'));
  const read = vault.read(entry).then((value) => order.push(`read ${String(value)}`));
  order.push('let go');
  letGo(null);
  await Promise.all([write, read]);
  expect(order).toEqual(['let go', 'written', 'read late']);
});
