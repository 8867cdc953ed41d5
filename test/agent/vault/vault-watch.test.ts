import { describe, expect, it } from 'vitest';
import { VaultWatch } from '../../../src/agent/vault-watch.ts';
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
