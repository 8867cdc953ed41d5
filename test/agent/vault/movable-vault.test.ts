import { expect, it } from 'vitest';
import { MovableVault } from '../../../src/agent/vault/movable-vault.ts';
import { MemoryVault } from '../../fakes/memory-vault.ts';
import { describeVaultSuite } from './vault-suite.ts';

describeVaultSuite('a movable vault', () => ({ vault: new MovableVault(new MemoryVault()) }));

const entry = { service: 'rotavox', account: 'a' };

it('has calls wait while its entries are moved, and then uses the new place', async () => {
  const [old, other] = [new MemoryVault(), new MemoryVault()];
  const vault = new MovableVault(old);
  await vault.write(entry, 'before');
  const { promise: released, resolve: release } = Promise.withResolvers<null>();
  const moving = vault.move(async (from, written) => {
    expect(from).toBe(old);
    // Also what no record names yet.
    expect(written).toEqual([entry]);
    await released;
    await other.write(entry, (await from.read(entry)) ?? '');
    return other;
  });
  const writing = vault.write(entry, 'after');
  const reading = vault.read(entry);
  release(null);
  await Promise.all([moving, writing]);
  expect(await reading).toBe('after');
  expect([await old.read(entry), await other.read(entry)]).toEqual(['before', 'after']);
});

it('begins to move when no call is under way', async () => {
  const order: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<null>();
  class Slow extends MemoryVault {
    override async write(...args: Parameters<MemoryVault['write']>): Promise<void> {
      await released;
      await super.write(...args);
      order.push('written');
    }
  }
  const vault = new MovableVault(new Slow());
  const writing = vault.write(entry, 'value');
  const moving = vault.move(async (from) => {
    order.push('moved');
    return from;
  });
  release(null);
  await Promise.all([writing, moving]);
  expect(order).toEqual(['written', 'moved']);
});

it('stays where it is after a move that failed, and says so to whoever asked for it only', async () => {
  const vault = new MovableVault(new MemoryVault());
  await vault.write(entry, 'value');
  const moving = vault.move(() => Promise.reject(new Error('refused')));
  const reading = vault.read(entry);
  await expect(moving).rejects.toThrow('refused');
  expect(await reading).toBe('value');
});
