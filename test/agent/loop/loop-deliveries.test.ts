import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CredentialId, DeliveryTarget, TargetId } from '../../../src/contract/credential/credential.ts';
import { addTarget } from '../../../src/core/credential/change-credential.ts';
import type { State } from '../../../src/core/state.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { type LoopSetup, setUpLoop } from './loop-setup.ts';

const isPosix = process.platform !== 'win32';

/** A credential of a week with targets that have not received anything yet. */
async function startDelivering(targets: readonly DeliveryTarget[], name = 'app'): Promise<LoopSetup> {
  const setup = await setUpLoop();
  await keepWith(setup, name, targets);
  setup.agent.start();
  return setup;
}

async function keepWith(setup: LoopSetup, name: string, targets: readonly DeliveryTarget[]): Promise<void> {
  const { value } = await setup.issue({ validity_days: 7 });
  await setup.keep({ name, value });
  for (const [place, target] of targets.entries()) {
    const added = await setup.store.transact((state) =>
      addTarget(state, name, `tgt_${name}_${place}` as TargetId, target),
    );
    expect(added.ok).toBe(true);
  }
}

const hook = { kind: 'hook', pass: 'stdin', variable: 'ROTAVOX_TOKEN', time_limit_seconds: 30 } as const;

/** Records a target without the checks of today. */
function addedTarget(_state: State, id: CredentialId, targetId: TargetId, target: DeliveryTarget) {
  const data = { credential_id: id, target_id: targetId, target };
  const event = { kind: 'credential.target_added', subject: id, actor: { kind: 'owner' }, data } as const;
  return { events: [event], value: null };
}

/** A file that can be written, and one whose folder is missing until the test creates it. */
function makeTargets() {
  const folder = makeFolder();
  const good = { kind: 'file', path: join(folder, 'good') } as const;
  const bad = { kind: 'file', path: join(folder, 'missing', 'bad') } as const;
  return { good, bad, mend: () => mkdirSync(join(folder, 'missing')) };
}

describe('a target that fails', () => {
  it('is tried again when it was said, and holds up neither the others nor the rotation', async () => {
    const { good, bad } = makeTargets();
    const setup = await startDelivering([bad, good]);
    const announced = setup.view('app').next_rotation_at ?? '';
    await setup.passUntil(Date.parse(announced) - 1);
    const failed = setup.eventsOf('credential.delivery_failed');
    expect(failed.length).toBeGreaterThan(24);
    expect(failed.slice(1).map(({ at }) => at)).toEqual(
      failed.slice(0, -1).map(({ data }) => data.next_try_at),
    );
    expect(setup.eventsOf('credential.delivered')).toHaveLength(1);
    expect(setup.view('app')).toMatchObject({
      state: 'delivery_failing',
      generation: 1,
      targets: [{ status: 'failing', attempts: failed.length, generation: 0 }, { status: 'delivered' }],
    });

    await setup.passUntil(announced);
    const { generation, last_rotated_at: rotated } = setup.view('app');
    expect({ generation, rotated }).toEqual({ generation: 2, rotated: announced });
    expect(readFileSync(good.path, 'utf8').trim()).toBe(await setup.valueOf('app'));
  });

  it('starts over with the next token, which is delivered to it at once', async () => {
    const { bad, mend } = makeTargets();
    const setup = await startDelivering([bad]);
    const announced = setup.view('app').next_rotation_at ?? '';
    await setup.passUntil(Date.parse(announced) - 1);
    expect(setup.view('app').targets[0]?.attempts).toBeGreaterThan(1);
    await setup.passUntil(announced);
    expect(setup.view('app').targets).toMatchObject([{ status: 'failing', attempts: 1 }]);
    expect(setup.eventsOf('credential.delivery_failed').at(-1)?.at).toBe(announced);

    mend();
    const next = setup.view('app').targets[0]?.next_try_at ?? '';
    await setup.passUntil(next);
    expect(setup.view('app')).toMatchObject({
      state: 'fine',
      targets: [{ status: 'delivered', generation: 2, delivered_at: next, message: null, attempts: 0 }],
    });
    expect(readFileSync(bad.path, 'utf8').trim()).toBe(await setup.valueOf('app'));
  });

  it('is left alone once it is removed', async () => {
    const { bad } = makeTargets();
    const setup = await startDelivering([bad]);
    await setup.pass(3_600_000);
    const failed = setup.eventsOf('credential.delivery_failed').length;
    expect(failed).toBeGreaterThan(0);
    await setup.wanted('DELETE', '/credentials/app/targets/tgt_app_0');
    await setup.pass(dayMs);
    expect(setup.eventsOf('credential.delivery_failed')).toHaveLength(failed);
    expect(setup.view('app').state).toBe('fine');
  });

  it('is tried again while rotations are paused', async () => {
    const { bad, mend } = makeTargets();
    const setup = await startDelivering([bad]);
    await setup.wanted('POST', '/credentials/app/pause');
    await setup.pass(0);
    mend();
    await setup.passUntil(setup.view('app').targets[0]?.next_try_at ?? '');
    expect(setup.view('app')).toMatchObject({ state: 'paused', targets: [{ status: 'delivered' }] });
  });
});

describe.runIf(isPosix)('a command', () => {
  const countRuns = (path: string) =>
    existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0;

  it('runs when every file has the token, whatever the order of the targets, and reads it there', async () => {
    const folder = makeFolder();
    const file = { kind: 'file', path: join(folder, 'token') } as const;
    const seen = join(folder, 'seen');
    const script = 'read -r new; [ "$new" = "$(cat "$1")" ] && echo fresh >> "$2" || echo stale >> "$2"';
    const setup = await startDelivering([
      { ...hook, command: ['sh', '-c', script, 'hook', file.path, seen] },
      file,
    ]);
    await setup.pass(0);
    for (let rotation = 0; rotation < 3; rotation += 1) {
      await setup.passUntil(setup.view('app').next_rotation_at ?? '');
    }
    expect(readFileSync(seen, 'utf8')).toBe('fresh\n'.repeat(4));
  });

  it('waits while a file does not have the token, says for which, and runs after it', async () => {
    const { bad, good, mend } = makeTargets();
    const runs = join(makeFolder(), 'runs');
    const command = ['sh', '-c', 'echo run >> "$1"', 'hook', runs];
    const setup = await startDelivering([{ ...hook, command }, bad, good]);
    await setup.pass(60_000);
    expect(countRuns(runs)).toBe(0);
    expect(setup.view('app').targets).toMatchObject([
      { status: 'owed', waits_for: [bad], next_try_at: null },
      { status: 'failing' },
      { status: 'delivered' },
    ]);
    await setup.wanted('POST', '/credentials/app/targets/tgt_app_0/deliver');
    expect(countRuns(runs), 'also when a person asks for it').toBe(0);
    mend();
    await setup.passUntil(setup.view('app').targets[1]?.next_try_at ?? '');
    expect(countRuns(runs)).toBe(1);
    expect(setup.view('app').targets.map(({ status }) => status)).toEqual([
      'delivered',
      'delivered',
      'delivered',
    ]);
  });

  it('of several targets runs once for a token', async () => {
    const runs = join(makeFolder(), 'runs');
    const command = ['sh', '-c', 'echo run >> "$1"', 'hook', runs];
    const setup = await startDelivering([]);
    // As an older version let it be added.
    for (const seconds of [20, 30, 40]) {
      await setup.store.transact((state) => {
        const { id } = setup.view('app');
        const target = { ...hook, command, time_limit_seconds: seconds } as const;
        return addedTarget(state, id, `tgt_${seconds}` as TargetId, target);
      });
    }
    await setup.pass(0);
    expect(countRuns(runs)).toBe(1);
    expect(setup.view('app').targets.map(({ status }) => status)).toEqual([
      'delivered',
      'delivered',
      'delivered',
    ]);
    expect(addTarget(setup.store.state, 'app', 'tgt_x' as TargetId, { ...hook, command }).value.ok).toBe(
      false,
    );
  });
});

describe('a target that is there already', () => {
  it('gets every token, generation by generation, with a receipt for each', async () => {
    const { good } = makeTargets();
    const setup = await startDelivering([good]);
    await setup.pass(0);
    for (const generation of [2, 3]) {
      await setup.passUntil(setup.view('app').next_rotation_at ?? '');
      expect(setup.view('app').targets).toMatchObject([{ status: 'delivered', generation }]);
      expect(readFileSync(good.path, 'utf8').trim()).toBe(await setup.valueOf('app'));
    }
    expect(setup.eventsOf('credential.delivered').map(({ data }) => data.generation)).toEqual([1, 2, 3]);
  });
});

describe.runIf(isPosix)('a target that is added', () => {
  it('gets the token once, although the loop sees it too', async () => {
    const setup = await startDelivering([]);
    const runs = join(makeFolder(), 'runs');
    const added = setup.next('credential.target_added');
    const command = ['sh', '-c', 'echo run >> "$1"', 'hook', runs];
    const answer = setup.wanted('POST', '/credentials/app/targets', { kind: 'hook', command });
    await added;
    await setup.time.advance(0);
    expect(await answer).toMatchObject({ targets: [{ status: 'delivered' }] });
    await setup.settled();
    await setup.agent.close();
    expect(readFileSync(runs, 'utf8')).toBe('run\n');
    expect(setup.eventsOf('credential.delivered')).toHaveLength(1);
  });
});

describe.runIf(isPosix)('the output of a hook', () => {
  function hook(code: string, ...args: string[]): DeliveryTarget {
    const command = ['sh', '-c', code, 'hook', ...args];
    return { kind: 'hook', command, pass: 'stdin', variable: 'TOKEN', time_limit_seconds: 30 };
  }

  it('when it took the token is kept with its receipt, in the history and after a restart', async () => {
    const setup = await startDelivering([hook('echo loaded; echo "2 hosts" >&2'), hook(':')]);
    await setup.pass(0);
    const notes = () => setup.view('app').targets.map(({ status, note }) => [status, note]);
    expect(notes()).toEqual([
      ['delivered', expect.stringMatching(/^(?:loaded\n2 hosts|2 hosts\nloaded)$/)],
      ['delivered', null],
    ]);
    const history = await setup.store.history({ limit: 1_000, kinds: ['credential.delivered'] });
    expect(history.map(({ data }) => data['note'])).toEqual(
      expect.arrayContaining(notes().map(([, note]) => note)),
    );
    const before = notes();
    await setup.agent.close();
    await setup.store.close();
    const again = await setUpLoop({ folder: setup.folder });
    expect(again.view('app').targets.map(({ status, note }) => [status, note])).toEqual(before);
  });

  it('never has the token in it, nor the part of it that cutting first would have left', async () => {
    // The token in two pieces, then so much output that the kept part would begin inside it, or after it.
    const code =
      'read -r v; printf %.9s "$v"; sleep 0.05; printf %s "${v#?????????}"; head -c "$1" /dev/zero | tr "\\0" y';
    const setup = await startDelivering([60, 30, 9, 0].map((before) => hook(code, String(2_048 - before))));
    await setup.pass(0);
    const value = (await setup.valueOf('app')) ?? '';
    const notes = setup.view('app').targets.map(({ note }) => note);
    for (const note of notes) expect(note).toMatch(/^•{0,4}y+$/);
    const kept = readdirSync(setup.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
      .join('\n');
    expect(kept, 'the notes are in the journal').toContain('yyyyyyyy');
    for (let place = 0; place + 8 <= value.length; place += 1) {
      expect(kept).not.toContain(value.slice(place, place + 8));
    }
  });
});

describe.runIf(isPosix)('hooks that hang', () => {
  it('hold up no file of another credential, and no rotation', async () => {
    const gate = join(makeFolder(), 'gate');
    execFileSync('mkfifo', [gate]);
    // While it is open for writing, whoever reads from it waits.
    const held = openSync(gate, constants.O_RDWR);
    const code = 'cat "$1" || true';
    const hooks = Array.from({ length: 17 }, (_, place): DeliveryTarget => ({
      kind: 'hook',
      command: ['sh', '-c', code, 'hook', gate, String(place)],
      pass: 'stdin',
      variable: 'TOKEN',
      time_limit_seconds: 240,
    }));
    const { good } = makeTargets();
    const setup = await startDelivering(hooks);
    await keepWith(setup, 'other', [good]);
    await setup.time.advance(0);
    await setup.until(() => setup.view('other').targets[0]?.status === 'delivered');
    expect(existsSync(good.path)).toBe(true);
    await setup.wanted('POST', '/credentials/app/rotate');
    expect(setup.view('app')).toMatchObject({ generation: 2, trouble: null });
    expect(setup.view('app').targets.map(({ status }) => status)).toEqual(hooks.map(() => 'owed'));

    // Removed first: a hook that begins now finds nothing to wait for.
    rmSync(gate);
    closeSync(held);
    await setup.settled();
    expect(setup.view('app').targets.map(({ generation }) => generation)).toEqual(hooks.map(() => 2));
  });
});
