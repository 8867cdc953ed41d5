/**
 * Random stored menus, three levels deep, called live and through their export on a real Asterisk: each prompt, each key and
 * the destination are those of the simulator, so they are the same in both.
 *
 * `ROTAVOX_SEED` repeats a run; a failure names its seed.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ScenarioInput } from '../../src/contract/menu/ivr-draft.ts';
import type { Ivr, IvrBodyInput, IvrId } from '../../src/contract/menu/ivr.ts';
import { flowOfStored } from '../../src/core/calls/flow-of-stored.ts';
import { telephoneKeys } from '../../src/core/ivr/edit/edit-keys.ts';
import { type ExportedFlow, installExports } from '../fixtures/exported-calls.ts';
import { AsteriskCallers } from '../tools/asterisk-callers.ts';
import { type Asterisk, startAsterisk } from '../tools/asterisk.ts';
import { agreeOn, liveDialplan } from './agreeing-calls.ts';
import { CallHost } from './call-host.ts';

const seed = Number(process.env['ROTAVOX_SEED'] ?? Date.now());

const destination = fc.constantFrom(
  'extension||101',
  'extension||*97',
  'extension||+4930555010',
  'extension||alice-2',
  'department||500',
  'voicemail||101',
  'time_condition||4',
  'hangup',
);
const recording = fc.constantFrom('recording||11', 'recording||12', 'recording||13');
const retries = fc.integer({ min: 0, max: 2 });
/** A menu whose keys lead to destinations, to the menus below it and to itself. */
const menu = fc.record({
  keys: fc.uniqueArray(fc.constantFrom(...telephoneKeys), { minLength: 1, maxLength: 4 }),
  to: fc.array(fc.oneof(destination, fc.constantFrom('below', 'below', 'other', 'self')), {
    minLength: 4,
    maxLength: 4,
  }),
  recording,
  invalid_recording: recording,
  timeout_recording: recording,
  timeout_retry_recording: recording,
  incorrect_count: retries,
  timeout_tries: retries,
  invalid_destination: fc.oneof(destination, fc.constant('below')),
  timeout_destination: destination,
});
type Menu = typeof menu extends fc.Arbitrary<infer M> ? M : never;
/** The first menu, two below it, and two below these. */
const levels = fc.tuple(menu, menu, menu, menu, menu);
const keys = fc.array(fc.constantFrom<ScenarioInput[]>(...telephoneKeys, '-'), { maxLength: 8 });

let host: CallHost;
let asterisk: Asterisk;
let callers: AsteriskCallers;

beforeAll(async () => {
  host = new CallHost();
  await host.start();
  for (const id of ['11', '12', '13']) await host.addRecording(id, 0.1);
  asterisk = await startAsterisk({
    modules: ['chan_bridge_media', 'func_dialplan', 'app_stasis'],
    extensions: liveDialplan,
  });
  await host.addPbx(asterisk);
  callers = await AsteriskCallers.connect(asterisk);
});

afterAll(async () => {
  await callers.close();
  await host.close();
  await host.remove();
  await asterisk.close();
});

/** Stores the menus from the lowest up, and returns the id of the first. */
async function store(menus: readonly Menu[], name: string): Promise<string> {
  const ids: string[] = [];
  for (const [place, one] of [...menus.entries()].reverse()) {
    const below = ids.slice(0, place === 0 ? undefined : 2);
    const named = (to: string): string => {
      if (to === 'below' || to === 'other')
        return below.length === 0
          ? 'extension||101'
          : `ivr||${below[to === 'below' ? 0 : below.length - 1]!}`;
      return to === 'self' ? 'extension||102' : to;
    };
    const body: Partial<IvrBodyInput> = {
      ...one,
      name: `${name}, ${place}`,
      timeout: 1,
      option: one.keys,
      destination: one.to.slice(0, one.keys.length).map(named),
      invalid_destination: named(one.invalid_destination),
    };
    ids.unshift(await host.addMenu(body));
  }
  return ids[0]!;
}

/** A caller of each set presses the keys of its script, and then nothing more. */
async function agree(count: number): Promise<void> {
  const sets = fc.sample(levels, { numRuns: count, seed });
  const scripts = fc.sample(keys, { numRuns: count, seed });
  const firsts: string[] = [];
  for (const [place, menus] of sets.entries()) firsts.push(await store(menus, `Set ${place}`));
  const { ivrs } = await host.ask('portalListIvrs');
  const stored = new Map<IvrId, Ivr>(ivrs.map((ivr) => [ivr.id, ivr]));
  const exported = firsts.map((id): ExportedFlow => ({ name: id, flow: flowOfStored(stored, id)! }));
  await installExports(asterisk, exported, liveDialplan);

  const reached = await agreeOn(
    exported.map((one, place) => ({
      exported: one,
      entries: scripts[place]!,
      note: `seed ${seed}, set ${place}: ${scripts[place]!.join(' ')}`,
    })),
    { host, callers },
  );
  expect(reached.size).toBeGreaterThan(2);
  expect(Math.max(...exported.map(({ flow }) => flow.menus.size))).toBeGreaterThan(2);
}

test('stored menus lead live callers, callers of their export and the simulator the same way', () =>
  agree(12));

test(
  'hundreds of stored menus lead live callers, callers of their export and the simulator the same way',
  // Five minutes are not enough on a slow machine with much else to do: it only ends what hangs.
  { tags: ['long'], timeout: 900_000 },
  () => agree(500),
);
