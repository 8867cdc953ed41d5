import { describe, expect, it } from 'vitest';
import { MovableVault } from '../../../src/agent/vault/movable-vault.ts';
import { VaultWatch } from '../../../src/agent/vault/vault-watch.ts';
import { MemoryVault, vaultProblems } from '../../fakes/memory-vault.ts';

const entry = { service: 'rotavox', account: 'a' };

function watched() {
  const vault = new MemoryVault();
  const watch = new VaultWatch(vault);
  const changes: (string | null)[] = [];
  watch.onChange(() => changes.push(watch.problem?.code ?? null));
  return { vault, watch, changes };
}

describe('the contact before a person stores a token', () => {
  it('finds out that there is no vault, and that there is one again', async () => {
    const { vault, watch, changes } = watched();
    vault.fail('absent');
    await watch.contact();
    await watch.contact();
    expect(watch.problem).toEqual(vaultProblems.absent);
    vault.heal();
    await watch.contact();
    expect(changes).toEqual([vaultProblems.absent.code, null]);
  });

  it('does not take a locked vault for one that works', async () => {
    const { vault, watch, changes } = watched();
    vault.fail('locked');
    await expect(watch.read(entry)).rejects.toThrow();
    vault.heal();
    await watch.contact();
    expect(watch.problem).toEqual(vaultProblems.locked);
    await watch.read(entry);
    expect(changes).toEqual([vaultProblems.locked.code, null]);
  });
});

describe('a move to another place', () => {
  it('is announced when it is done, and ends what was wrong with the place before', async () => {
    const before = new MemoryVault();
    const movable = new MovableVault(before);
    const watch = new VaultWatch(movable);
    const changes: (string | null)[] = [];
    watch.onChange(() => changes.push(watch.problem?.code ?? null));
    before.fail('locked');
    await expect(watch.read(entry)).rejects.toThrow();
    await movable.move(async () => new MemoryVault());
    expect(changes).toEqual([vaultProblems.locked.code, null]);
    await movable.move(async () => new MemoryVault());
    expect(changes).toHaveLength(3);
  });

  it('is not announced when it failed', async () => {
    const movable = new MovableVault(new MemoryVault());
    const watch = new VaultWatch(movable);
    let told = 0;
    watch.onChange(() => (told += 1));
    await expect(movable.move(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(told).toBe(0);
  });
});
