import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DeliveryTarget, TargetId } from '../../src/contract/credential.ts';
import { addTarget } from '../../src/core/credential/change-credential.ts';
import { dayMs } from '../../src/core/token/token.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { type LoopSetup, setUpLoop } from './loop-setup.ts';

const isPosix = process.platform !== 'win32';

/** A credential of a week with targets that nobody has brought anything to yet. */
async function startDelivering(targets: readonly DeliveryTarget[], name = 'app'): Promise<LoopSetup> {
  const ground = await setUpLoop();
  await keepWith(ground, name, targets);
  ground.agent.start();
  return ground;
}

async function keepWith(ground: LoopSetup, name: string, targets: readonly DeliveryTarget[]): Promise<void> {
  const { value } = await ground.issue({ validity_days: 7 });
  await ground.keep({ name, value });
  for (const [place, target] of targets.entries()) {
    const added = await ground.store.transact((state) =>
      addTarget(state, name, `tgt_${name}_${place}` as TargetId, target),
    );
    expect(added.ok).toBe(true);
  }
}

/** A file that can be written, and one whose folder is missing until somebody makes it. */
function makeTargets() {
  const folder = makeFolder();
  const good = { kind: 'file', path: join(folder, 'good') } as const;
  const bad = { kind: 'file', path: join(folder, 'missing', 'bad') } as const;
  return { good, bad, mend: () => mkdirSync(join(folder, 'missing')) };
}

describe('a target that fails', () => {
  it('is tried again when it was said, and holds up neither the others nor the rotation', async () => {
    const { good, bad } = makeTargets();
    const ground = await startDelivering([bad, good]);
    const announced = ground.view('app').next_rotation_at ?? '';
    await ground.passUntil(Date.parse(announced) - 1);
    const failed = ground.eventsOf('credential.delivery_failed');
    expect(failed.length).toBeGreaterThan(24);
    expect(failed.slice(1).map(({ at }) => at)).toEqual(
      failed.slice(0, -1).map(({ data }) => data.next_try_at),
    );
    expect(ground.eventsOf('credential.delivered')).toHaveLength(1);
    expect(ground.view('app')).toMatchObject({
      state: 'delivery_failing',
      generation: 1,
      targets: [{ status: 'failing', attempts: failed.length, generation: 0 }, { status: 'delivered' }],
    });

    await ground.passUntil(announced);
    const { generation, last_rotated_at: rotated } = ground.view('app');
    expect({ generation, rotated }).toEqual({ generation: 2, rotated: announced });
    expect(readFileSync(good.path, 'utf8').trim()).toBe(await ground.valueOf('app'));
  });

  it('begins anew with the next value, which is brought to it at once', async () => {
    const { bad, mend } = makeTargets();
    const ground = await startDelivering([bad]);
    const announced = ground.view('app').next_rotation_at ?? '';
    await ground.passUntil(Date.parse(announced) - 1);
    expect(ground.view('app').targets[0]?.attempts).toBeGreaterThan(1);
    await ground.passUntil(announced);
    expect(ground.view('app').targets).toMatchObject([{ status: 'failing', attempts: 1 }]);
    expect(ground.eventsOf('credential.delivery_failed').at(-1)?.at).toBe(announced);

    mend();
    const next = ground.view('app').targets[0]?.next_try_at ?? '';
    await ground.passUntil(next);
    expect(ground.view('app')).toMatchObject({
      state: 'fine',
      targets: [{ status: 'delivered', generation: 2, delivered_at: next, message: null, attempts: 0 }],
    });
    expect(readFileSync(bad.path, 'utf8').trim()).toBe(await ground.valueOf('app'));
  });

  it('is left alone once it is removed', async () => {
    const { bad } = makeTargets();
    const ground = await startDelivering([bad]);
    await ground.pass(3_600_000);
    const failed = ground.eventsOf('credential.delivery_failed').length;
    expect(failed).toBeGreaterThan(0);
    await ground.wanted('DELETE', '/credentials/app/targets/tgt_app_0');
    await ground.pass(dayMs);
    expect(ground.eventsOf('credential.delivery_failed')).toHaveLength(failed);
    expect(ground.view('app').state).toBe('fine');
  });

  it('is tried again while rotations are paused', async () => {
    const { bad, mend } = makeTargets();
    const ground = await startDelivering([bad]);
    await ground.wanted('POST', '/credentials/app/pause');
    await ground.pass(0);
    mend();
    await ground.passUntil(ground.view('app').targets[0]?.next_try_at ?? '');
    expect(ground.view('app')).toMatchObject({ state: 'paused', targets: [{ status: 'delivered' }] });
  });
});

describe('a target that is there already', () => {
  it('gets every value, generation by generation, with a receipt for each', async () => {
    const { good } = makeTargets();
    const ground = await startDelivering([good]);
    await ground.pass(0);
    for (const generation of [2, 3]) {
      await ground.passUntil(ground.view('app').next_rotation_at ?? '');
      expect(ground.view('app').targets).toMatchObject([{ status: 'delivered', generation }]);
      expect(readFileSync(good.path, 'utf8').trim()).toBe(await ground.valueOf('app'));
    }
    expect(ground.eventsOf('credential.delivered').map(({ data }) => data.generation)).toEqual([1, 2, 3]);
  });
});

describe.runIf(isPosix)('a target that is added', () => {
  it('is brought the value once, although the loop sees it too', async () => {
    const ground = await startDelivering([]);
    const runs = join(makeFolder(), 'runs');
    const added = ground.next('credential.target_added');
    const command = ['sh', '-c', 'echo run >> "$1"', 'hook', runs];
    const answer = ground.wanted('POST', '/credentials/app/targets', { kind: 'hook', command });
    await added;
    await ground.time.advance(0);
    expect(await answer).toMatchObject({ targets: [{ status: 'delivered' }] });
    await ground.settled();
    await ground.agent.close();
    expect(readFileSync(runs, 'utf8')).toBe('run\n');
    expect(ground.eventsOf('credential.delivered')).toHaveLength(1);
  });
});

describe.runIf(isPosix)('what a hook says', () => {
  function hook(code: string, ...args: string[]): DeliveryTarget {
    const command = ['sh', '-c', code, 'hook', ...args];
    return { kind: 'hook', command, pass: 'stdin', variable: 'TOKEN', time_limit_seconds: 30 };
  }

  it('when it took the value is kept with its receipt, in the history and after a restart', async () => {
    const ground = await startDelivering([hook('echo loaded; echo "2 hosts" >&2'), hook(':')]);
    await ground.pass(0);
    const notes = () => ground.view('app').targets.map(({ status, note }) => [status, note]);
    expect(notes()).toEqual([
      ['delivered', expect.stringMatching(/^(?:loaded\n2 hosts|2 hosts\nloaded)$/)],
      ['delivered', null],
    ]);
    const history = await ground.store.history({ limit: 1_000, kinds: ['credential.delivered'] });
    expect(history.map(({ data }) => data['note'])).toEqual(
      expect.arrayContaining(notes().map(([, note]) => note)),
    );
    const before = notes();
    await ground.agent.close();
    await ground.store.close();
    const again = await setUpLoop({ folder: ground.folder });
    expect(again.view('app').targets.map(({ status, note }) => [status, note])).toEqual(before);
  });

  it('never has the value in it, nor the part of it that cutting first would have left', async () => {
    // The value in two pieces, then so much that a cut of what was printed would go through it, or past it.
    const code =
      'read -r v; printf %.9s "$v"; sleep 0.05; printf %s "${v#?????????}"; head -c "$1" /dev/zero | tr "\\0" y';
    const ground = await startDelivering([60, 30, 9, 0].map((before) => hook(code, String(2_048 - before))));
    await ground.pass(0);
    const value = (await ground.valueOf('app')) ?? '';
    const notes = ground.view('app').targets.map(({ note }) => note);
    for (const note of notes) expect(note).toMatch(/^•{0,4}y+$/);
    const kept = readdirSync(ground.folder, { recursive: true, withFileTypes: true })
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
    const folder = makeFolder();
    const release = join(folder, 'release');
    const code = 'while [ ! -e "$1" ]; do sleep 0.02; done';
    const hooks = Array.from({ length: 17 }, (_, place): DeliveryTarget => ({
      kind: 'hook',
      command: ['sh', '-c', code, 'hook', release, String(place)],
      pass: 'stdin',
      variable: 'TOKEN',
      time_limit_seconds: 240,
    }));
    const { good } = makeTargets();
    const ground = await startDelivering(hooks);
    await keepWith(ground, 'other', [good]);
    await ground.time.advance(0);
    await ground.until(() => ground.view('other').targets[0]?.status === 'delivered');
    expect(existsSync(good.path)).toBe(true);
    await ground.wanted('POST', '/credentials/app/rotate');
    expect(ground.view('app')).toMatchObject({ generation: 2, trouble: null });
    expect(ground.view('app').targets.map(({ status }) => status)).toEqual(hooks.map(() => 'owed'));

    writeFileSync(release, '');
    await ground.settled();
    expect(ground.view('app').targets.map(({ generation }) => generation)).toEqual(hooks.map(() => 2));
  });
});
