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
import { defaultDestinationRules } from '../../src/contract/calls/pbx.ts';
import { flowOfStored } from '../../src/core/calls/flow-of-stored.ts';
import { telephoneKeys } from '../../src/core/ivr/edit/edit-keys.ts';
import type { Flow } from '../../src/core/ivr/flow.ts';
import { routeOf } from '../../src/core/ivr/destination-route.ts';
import { dialplanNames } from '../../src/core/ivr/export/dialplan-names.ts';
import type { Heard } from '../core/ivr/export/call-engine.ts';
import { type ExportedFlow, installExports, playCall, simulatedCall } from '../fixtures/exported-calls.ts';
import { type AriEvent, AsteriskCallers } from '../tools/asterisk-callers.ts';
import { type Asterisk, startAsterisk } from '../tools/asterisk.ts';
import { CallHost } from './call-host.ts';
import { callSteps, simulatedSteps } from './call-steps.ts';

const seed = Number(process.env['ROTAVOX_SEED'] ?? Date.now());

/** Hands calls over, and says where they come out. */
const dialplan = `
[live]
exten => _ivr_.,1,Set(TIMEOUT(absolute)=15)
 same => n,Stasis(rotavox,\${EXTEN})
 same => n,Goto(T,1)
exten => T,1,NoOp(fallback)
 same => n,Hangup()
[from-internal]
exten => _[0-9A-Za-z*#+]!,1,NoOp(arrived)
 same => n,Hangup()
[timeconditions]
exten => _X!,1,NoOp(arrived)
 same => n,Hangup()
`;

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
    extensions: dialplan,
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

/** The keys that a caller pressed once a menu waited, and where the call arrived in the dialplan. */
async function callLive(id: string, pressed: readonly string[]): Promise<{ call: string; arrived: string }> {
  const caller = await callers.call(`${id}@live`);
  let call = '';
  const left = [...pressed];
  for (;;) {
    const event = await caller.next(
      (one) => isWaiting(one) || one.type === 'ChannelDestroyed' || arrival(one) !== null,
    );
    if (!isWaiting(event)) return { call, arrived: arrival(event) ?? 'hung up' };
    call = (JSON.parse(event.value ?? '') as { id: string }).id;
    const key = left.shift() ?? '-';
    if (key !== '-') await caller.press(key);
  }
}

function isWaiting({ type, variable, value = '' }: AriEvent): boolean {
  return type === 'ChannelVarset' && variable === 'ROTAVOX_CALL' && value.includes('"kind":"waiting"');
}

function arrival({ type, dialplan_app: app, dialplan_app_data: data, channel }: AriEvent): string | null {
  if (type !== 'ChannelDialplan' || app !== 'NoOp') return null;
  const { context = '', exten = '' } = channel?.dialplan ?? {};
  return data === 'arrived' ? `${context},${exten},1` : (data ?? null);
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
  await installExports(asterisk, exported, dialplan);

  const reached = new Set<string>();
  const late: [number, ExportedFlow][] = [];
  const callOneAfterAnother = async (next: Iterable<[number, ExportedFlow]>): Promise<void> => {
    for (const [place, one] of next) {
      const script = [...scripts[place]!, ...Array.from({ length: mostTimeouts }, () => '-' as const)];
      const note = `seed ${seed}, set ${place}: ${scripts[place]!.join(' ')}`;
      const deeds = script.map((input) => ({ input, during: 'wait' as const }));
      const [live, fallback] = await Promise.all([
        callLive(one.name, script),
        playCall(callers, one, { deeds }),
      ]);
      const simulated = simulatedSteps(one.flow, script);
      const record = await host.record(({ id }) => id === live.call);
      expect({ heard: fallback.heard, end: fallback.end }, note).toEqual(simulatedCall(one, fallback));
      // A key that comes after the second in which a menu waited for it is another call than the one that was meant.
      if (![record.keys, [...fallback.received.values()]].every((did) => isStartOf(did, script))) {
        late.push([place, one]);
        continue;
      }
      expect(callSteps(record), note).toEqual(simulated);
      expect(promptsIn(one.flow, fallback.heard), note).toEqual(
        simulated.filter((step) => step.startsWith('played ')),
      );
      const arrives = placeIn(simulated);
      expect(live.arrived, note).toBe(arrives ?? 'hung up');
      expect(fallback.ledTo, note).toEqual(arrives === null ? [] : [arrives]);
      reached.add(arrives ?? 'hung up');
    }
  };
  const callAll = async (all: readonly [number, ExportedFlow][]): Promise<void> => {
    const next = all.values();
    await Promise.all(Array.from({ length: 40 }, () => callOneAfterAnother(next)));
  };
  await callAll([...exported.entries()]);
  // Those are called again, fewer at once.
  for (let round = 0; late.length > 0; round += 1) {
    expect(round, 'keys come in time').toBeLessThan(5);
    await callAll(late.splice(0));
  }
  expect(reached.size).toBeGreaterThan(2);
  expect(Math.max(...exported.map(({ flow }) => flow.menus.size))).toBeGreaterThan(2);
}

function isStartOf(did: readonly string[], script: readonly string[]): boolean {
  return did.every((input, place) => input === script[place]);
}

/** More than any of these callers has to wait. */
const mostTimeouts = 40;

/** The prompts of a report, as the simulator names them. */
function promptsIn(flow: Flow, heard: readonly Heard[]): string[] {
  const files = dialplanNames(flow, '').prompts;
  const recordings = new Map(Array.from(files, ([prompt, file]) => [`rotavox/${file}`, prompt]));
  return heard.flatMap((one) => ('plays' in one ? [`played ${recordings.get(one.plays) ?? one.plays}`] : []));
}

/** The place of the dialplan at which a simulated call ends; null when it is hung up. */
function placeIn(steps: readonly string[]): string | null {
  const [, destination = ''] = /^to (\S+)$/.exec(steps.at(-1) ?? '') ?? [];
  const route = routeOf(destination, defaultDestinationRules);
  return route.kind === 'dialplan' ? `${route.context},${route.extension},1` : null;
}

test('stored menus lead live callers, callers of their export and the simulator the same way', () =>
  agree(12));

test(
  'hundreds of stored menus lead live callers, callers of their export and the simulator the same way',
  { tags: ['long'] },
  () => agree(500),
);
