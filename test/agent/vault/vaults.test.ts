import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
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
import { CallHangs, CallQueue } from '../../../src/agent/vault/call-queue.ts';
import { faultOfPassphrase, readPassphraseFile } from '../../../src/agent/vault/read-passphrase-file.ts';

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

/** Long enough for any call that does not hang, short enough to wait for when one does. */
const limitMs = 50;

/** A call that returns when it is told to. */
function heldCall() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { call: () => promise, comeBack: resolve, breakDown: reject };
}

describe('a lane of calls', () => {
  it('makes one call at a time, in the order of the jobs', async () => {
    const lane = new CallQueue(60_000);
    const first = heldCall();
    const made: string[] = [];
    const one = lane.run((limited) => limited(first.call).then((answer) => made.push(answer)));
    const two = lane.run((limited) => limited(async () => made.push('second')));
    await Promise.resolve();
    first.comeBack('first');
    await Promise.all([one, two]);
    expect(made).toEqual(['first', 'second']);
  });

  it('runs the calls of one job without others between them', async () => {
    const lane = new CallQueue(60_000);
    const made: string[] = [];
    const job = (name: string) =>
      lane.run(async (limited) => {
        await limited(async () => made.push(`${name} 1`));
        await limited(async () => made.push(`${name} 2`));
      });
    await Promise.all([job('a'), job('b')]);
    expect(made).toEqual(['a 1', 'a 2', 'b 1', 'b 2']);
  });

  it('passes a failure on and continues with the next job', async () => {
    const lane = new CallQueue(60_000);
    const failing = lane.run((limited) => limited(() => Promise.reject(new Error('no'))));
    const next = lane.run((limited) => limited(async () => 'yes'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });

  it('ends the wait for a call after its limit, and makes none for those who wait or come later', async () => {
    const lane = new CallQueue(limitMs);
    const hanging = heldCall();
    let others = 0;
    const other = () => lane.run((limited) => limited(async () => (others += 1)));
    const given = lane.run((limited) => limited(hanging.call));
    const waiting = other();
    await expect(given).rejects.toThrow(CallHangs);
    await expect(waiting).rejects.toThrow(CallHangs);
    await expect(other()).rejects.toThrow(CallHangs);
    expect(others).toBe(0);
    hanging.comeBack('late');
  });

  it.each([
    ['comes back', (call: ReturnType<typeof heldCall>) => call.comeBack('late')],
    ['fails', (call: ReturnType<typeof heldCall>) => call.breakDown(new Error('late'))],
  ])('is free again when the call that hung %s', async (_, end) => {
    const lane = new CallQueue(limitMs);
    const hanging = heldCall();
    await expect(lane.run((limited) => limited(hanging.call))).rejects.toThrow(CallHangs);
    end(hanging);
    await new Promise(setImmediate);
    expect(await lane.run((limited) => limited(async () => 'free'))).toBe('free');
  });

  it('does not go on with a job whose call was given up', async () => {
    const lane = new CallQueue(limitMs);
    const hanging = heldCall();
    let wentOn = false;
    const job = lane.run(async (limited) => {
      await limited(hanging.call);
      wentOn = true;
    });
    await expect(job).rejects.toThrow(CallHangs);
    hanging.comeBack('late');
    await new Promise(setImmediate);
    expect(wentOn).toBe(false);
  });

  it('leaves nothing to be done at the end of the process once its calls are back', async () => {
    const before = process.listenerCount('exit');
    const lane = new CallQueue(60_000);
    const held = heldCall();
    const job = lane.run((limited) => limited(held.call));
    await new Promise(setImmediate);
    expect(process.listenerCount('exit')).toBe(before + 1);
    held.comeBack('back');
    await job;
    await new Promise(setImmediate);
    expect(process.listenerCount('exit')).toBe(before);
  });
});

function fileWith(content: string | Buffer, mode = 0o600): string {
  const path = join(makeFolder(), 'passphrase');
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

it.each([
  ['with a line break', 'correct horse\n', 'correct horse'],
  ['without one', 'correct horse', 'correct horse'],
  ['with the line break of Windows', 'correct horse\r\n', 'correct horse'],
  ['with more lines, which do not count', 'correct horse\nsecond line\n', 'correct horse'],
  ['with spaces, which do count', '  correct horse \n', '  correct horse '],
  ['with the mark that some editors put first', '\ufeffcorrect horse\n', 'correct horse'],
  ['of exactly eight characters, counted as people do', '🔑🔑🔑🔑🔑🔑🔑🔑\n', '🔑🔑🔑🔑🔑🔑🔑🔑'],
])('reads a first line %s', async (_, content, passphrase) => {
  expect(await readPassphraseFile(fileWith(content))).toBe(passphrase);
});

it.each([
  ['is empty', '', 'empty'],
  ['has an empty first line', '\nsecond line\n', 'empty'],
  ['has fewer than eight characters', 'seven77\n', 'too_short'],
  ['has fewer than eight characters, each of several bytes', '🔑🔑🔑🔑🔑🔑🔑\n', 'too_short'],
  ['is not text', Buffer.from([0xff, 0xfe, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46]), null],
])(
  'refuses a file that %s, says which and why, and does not repeat what is in it',
  async (_, content, fault) => {
    const path = fileWith(content);
    const reading = readPassphraseFile(path);
    await expect(reading).rejects.toMatchObject({ name: 'VaultUnavailable', code: 'locked' });
    const problem =
      fault === null
        ? { code: 'passphrase_file_not_text', path }
        : { code: 'passphrase_unsuitable', path, fault };
    await expect(reading).rejects.toHaveProperty('problem', problem);
  },
);

it.runIf(process.platform !== 'win32').each([
  ['read by its group', 0o640],
  ['read by everybody', 0o604],
  ['written by its group', 0o620],
  ['read by everybody, though written by nobody', 0o444],
])('refuses a file that may be %s, with the reason', async (_, mode) => {
  const path = fileWith('correct horse\n', mode);
  await expect(readPassphraseFile(path)).rejects.toMatchObject({
    code: 'locked',
    problem: { code: 'passphrase_file_shared', path },
  });
});

it('refuses what is not there, and what is no file', async () => {
  const folder = makeFolder();
  await expect(readPassphraseFile(join(folder, 'none'))).rejects.toMatchObject({
    problem: { code: 'passphrase_file_unreadable', path: join(folder, 'none'), systemCode: 'ENOENT' },
  });
  mkdirSync(join(folder, 'folder'), { mode: 0o700 });
  await expect(readPassphraseFile(join(folder, 'folder'))).rejects.toMatchObject({
    problem: { code: 'passphrase_file_unreadable', systemCode: 'EISDIR' },
  });
});

it('judges a passphrase that came another way by the same rule', () => {
  expect(faultOfPassphrase('')).toBe('empty');
  expect(faultOfPassphrase('1234567')).toBe('too_short');
  expect(faultOfPassphrase('12345678')).toBeNull();
});
