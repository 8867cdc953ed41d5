import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VaultUnavailable } from '../../../src/core/vault.ts';
import { MemoryVault, type VaultCall, vaultProblems } from '../../fakes/memory-vault.ts';
import { describeVaultSuite } from './vault-suite.ts';
import { openVault } from '../../../src/agent/vault/open-vault.ts';
import { cheapScrypt } from '../../fixtures/cheap-scrypt.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { MovableVault } from '../../../src/agent/vault/movable-vault.ts';
import { VaultWatch } from '../../../src/agent/vault/vault-watch.ts';

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

it('opens the keychain without asking it anything', async () => {
  expect((await openVault({ kind: 'keychain' })).kind).toBe('keychain');
});

it('opens an encrypted file only when that was chosen', async () => {
  const path = makeFolder();
  const vault = await openVault({ kind: 'file', path, passphrase: 'correct horse', cost: cheapScrypt });
  expect(vault.kind).toBe('file');
  expect(existsSync(join(path, 'vault.json'))).toBe(true);
  const opening = openVault({ kind: 'file', path, passphrase: 'wrong horse', cost: cheapScrypt });
  await expect(opening).rejects.toMatchObject({ code: 'locked' });
});

describeVaultSuite('a movable vault', () => ({ vault: new MovableVault(new MemoryVault()) }));

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
