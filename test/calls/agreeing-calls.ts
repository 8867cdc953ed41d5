/**
 * The same call three times: live, through the export on a real Asterisk, and in the simulator. Each prompt, each key and the place at which
 * the call leaves have to be the same.
 */
import { expect } from 'vitest';
import type { OutsideRules } from '../../src/contract/calls/outside-calls.ts';
import { defaultDestinationRules } from '../../src/contract/calls/pbx.ts';
import type { ScheduleId, ScheduleSwitch } from '../../src/contract/menu/schedule.ts';
import type { CallTime } from '../../src/core/ivr/call/step.ts';
import { routeOf } from '../../src/core/ivr/destination-route.ts';
import { dialplanNames } from '../../src/core/ivr/export/dialplan-names.ts';
import type { Flow } from '../../src/core/ivr/flow.ts';
import type { Heard } from '../core/ivr/export/call-engine.ts';
import { type ExportedFlow, playCall, simulatedCall } from '../fixtures/exported-calls.ts';
import type { AriEvent, AsteriskCaller, AsteriskCallers } from '../tools/asterisk-callers.ts';
import type { CallHost } from './call-host.ts';
import { callSteps, simulatedCaller } from './call-steps.ts';

/** Hands calls over by the id of what they begin with, and says where they come out. */
export const liveDialplan = `
[live]
exten => _[him].,1,Set(TIMEOUT(absolute)=15)
 same => n,Stasis(rotavox,\${EXTEN})
 same => n,Goto(T,1)
exten => T,1,NoOp(fallback)
 same => n,Hangup()
[from-internal]
exten => _[0-9A-Za-z*#+]!,1,NoOp(arrived)
 same => n,Hangup()
[ext-group]
exten => _X!,1,NoOp(arrived)
 same => n,Hangup()
[timeconditions]
exten => _X!,1,NoOp(arrived)
 same => n,Hangup()
`;

/** What a call that is made three times begins with, which no other one does, and what is entered in it each time that a menu waits. */
export interface WantedCall {
  /** Named by the id at which live calls begin. */
  readonly exported: ExportedFlow;
  readonly entries: readonly string[];
  /** For messages. */
  readonly note: string;
}

export interface Office {
  readonly host: CallHost;
  readonly callers: AsteriskCallers;
  readonly clock?: () => number;
  readonly switches?: ReadonlyMap<ScheduleId, ScheduleSwitch>;
  readonly outside?: OutsideRules;
  /** How many calls are made at once. */
  readonly atATime?: number;
}

/** More than any of these callers has to wait. */
const mostTimeouts = 40;

/** Makes all calls, and returns the places at which they arrived, each with the number of calls. */
export async function agreeOn(calls: readonly WantedCall[], office: Office): Promise<Map<string, number>> {
  const reached = new Map<string, number>();
  const late: WantedCall[] = [];
  /** The records of calls that were compared already. */
  const seen = new Set<string>();
  const callOneAfterAnother = async (next: Iterable<WantedCall>): Promise<void> => {
    for (const wanted of next) {
      const arrived = await agreeOnOne(wanted, office, seen);
      if (arrived === null) late.push(wanted);
      else reached.set(arrived, (reached.get(arrived) ?? 0) + 1);
    }
  };
  const callAll = async (all: readonly WantedCall[]): Promise<void> => {
    const next = all.values();
    const { atATime = 40 } = office;
    await Promise.all(Array.from({ length: atATime }, () => callOneAfterAnother(next)));
  };
  await callAll(calls);
  // Those are called again, fewer at once.
  for (let round = 0; late.length > 0; round += 1) {
    expect(round, 'keys come in time').toBeLessThan(5);
    await callAll(late.splice(0));
  }
  return reached;
}

/**
 * Where the call arrived; null: keys came too late, or opening hours changed meanwhile, so the live call was another than was meant. Callers of the
 * export type each entry to its end, also where its first keys lead on; live callers type what leads on.
 */
async function agreeOnOne(
  { exported, entries, note }: WantedCall,
  { host, callers, clock = Date.now, switches = new Map(), outside = noOutside }: Office,
  seen: Set<string>,
): Promise<string | null> {
  const { flow } = exported;
  const script = [...entries, ...Array.from({ length: mostTimeouts }, () => '-')];
  const simulate = (asked: readonly number[]) => simulatedCaller(flow, script, timesOf(asked, switches));
  const [live, fallback] = await Promise.all([
    callLive(callers, exported.name, simulate([clock()]).entered),
    playCall(callers, exported, { deeds: script.map((input) => ({ input, during: 'wait' })) }),
  ]);
  expect({ heard: fallback.heard, end: fallback.end }, `${note}\n${fallback.story}`).toEqual(
    simulatedCall(exported, fallback, switches),
  );
  const record = await host.record(({ id, ivr }) => ivr === exported.name && !seen.has(id));
  seen.add(record.id);
  const ofLive = simulate(
    record.moments.flatMap(({ kind, at_ms }) =>
      kind === 'hours' ? [Date.parse(record.started_at) + at_ms] : [],
    ),
  );
  const steps = callSteps(record);
  // Rotavox may learn of a key after the time for it: then it tells of a timeout that nobody meant.
  const isHeardInTime = countOf(steps, 'timeout') === countOf(live.entered.split(','), '-');
  if (!live.isInTime || !isHeardInTime || live.entered !== ofLive.entered.join()) return null;
  const arrives = placeIn(ofLive.steps, outside);
  const both = `live:      ${steps.join(', ')}\nsimulated: ${ofLive.steps.join(', ')}`;
  expect(steps, `${note}\n${both}\n${live.story}`).toEqual(ofLive.steps);
  expect(live.arrived, `${note}, live ${JSON.stringify(record.end)}\n${live.story}`).toBe(
    arrives ?? 'hung up',
  );

  const ofExport = simulate(fallback.asked);
  // The others had keys typed into what came next: the last of `2#` may look like those of a `#` that comes then.
  const isTypedWhole = ofExport.entered.every((keys, place) => keys === script[place]);
  const isReceived = [...fallback.received.values()].flat().join('') === ofExport.entered.join('');
  if (isTypedWhole && isReceived) {
    const led = placeIn(ofExport.steps, outside);
    expect(promptsIn(flow, fallback.heard), note).toEqual(
      ofExport.steps.filter((step) => step.startsWith('played ')),
    );
    expect(fallback.ledTo, note).toEqual(led === null ? [] : [led]);
  }
  return arrives ?? 'hung up';
}

function countOf(words: readonly string[], wanted: string): number {
  return words.filter((word) => word === wanted).length;
}

const noOutside: OutsideRules = { countries: [], perHour: 1 };

/** Opening hours are asked at these instants, one after the other. */
function timesOf(asked: readonly number[], switches: CallTime['switches']): CallTime {
  const left = [...asked];
  let last = 0;
  return {
    switches,
    get at() {
      last = left.shift() ?? last;
      return last;
    },
  };
}

interface LiveEnd {
  /** Separated by commas. */
  readonly entered: string;
  readonly arrived: string;
  /** Whether each key came within the second in which it was waited for. */
  readonly isInTime: boolean;
  readonly story: string;
}

/** Enters the next of `entered` each time that a menu waits. */
async function callLive(callers: AsteriskCallers, id: string, entered: readonly string[]): Promise<LiveEnd> {
  const caller = await callers.call(`${id}@live`);
  const left = [...entered];
  const typed: string[] = [];
  for (;;) {
    const event = await caller.next(
      (one) => isWaiting(one) || one.type === 'ChannelDestroyed' || arrival(one) !== null,
    );
    if (!isWaiting(event)) {
      const arrived = arrival(event) ?? 'hung up';
      return { entered: typed.join(), arrived, isInTime: isInTime(caller, typed), story: caller.story() };
    }
    const keys = left.shift() ?? '-';
    typed.push(keys);
    if (keys !== '-') await caller.press(keys);
  }
}

/** With some time for what Asterisk and Rotavox do. */
const inTimeMs = 800;

/**
 * A menu waits from the end of its prompt on; on a busy machine it says so later. A key that came after the call had left is none, and one of
 * which Asterisk told late came too late for whoever listens.
 */
function isInTime({ events }: AsteriskCaller, typed: readonly string[]): boolean {
  const received = events.flatMap(({ type, digit }) => (type === 'ChannelDtmfReceived' ? [digit] : []));
  if (received.join('') !== typed.join('').replaceAll('-', '')) return false;
  const ways = events.map(({ timestamp, heardAtMs }) => heardAtMs - Date.parse(timestamp));
  const shortestWay = Math.min(...ways);
  let since = Infinity;
  let played: number | null = null;
  for (const [place, event] of events.entries()) {
    const at = Date.parse(event.timestamp);
    const isKey = event.type === 'ChannelDtmfReceived';
    const delay = (ways[place] ?? 0) - shortestWay;
    if (isKey && at + delay - since > inTimeMs) return false;
    if (event.type === 'PlaybackFinished') played = at;
    if (!isKey && !isWaiting(event)) continue;
    since = isKey ? at : (played ?? at);
    played = null;
  }
  return true;
}

function isWaiting({ type, variable, value = '' }: AriEvent): boolean {
  return type === 'ChannelVarset' && variable === 'ROTAVOX_CALL' && value.includes('"kind":"waiting"');
}

function arrival({ type, dialplan_app: app, dialplan_app_data: data, channel }: AriEvent): string | null {
  if (type !== 'ChannelDialplan' || app !== 'NoOp') return null;
  const { context = '', exten = '' } = channel?.dialplan ?? {};
  return data === 'arrived' ? `${context},${exten},1` : (data ?? null);
}

/** The prompts of a report, as the simulator names them. */
function promptsIn(flow: Flow, heard: readonly Heard[]): string[] {
  const { prompts, sounds } = dialplanNames(flow, '');
  const recordings = new Map([
    ...Array.from(prompts, ([prompt, file]) => [`rotavox/${file}`, prompt] as const),
    ...Array.from(sounds, ([prompt, sound]) => [sound, prompt] as const),
  ]);
  return heard.flatMap((one) => ('plays' in one ? [`played ${recordings.get(one.plays) ?? one.plays}`] : []));
}

/** The place of the dialplan at which a simulated call ends; null when it is hung up. */
function placeIn(steps: readonly string[], outside: OutsideRules): string | null {
  const [, destination = ''] = /^to (\S+)$/.exec(steps.at(-1) ?? '') ?? [];
  const route = routeOf(destination, defaultDestinationRules, outside);
  return route.kind === 'dialplan' || route.kind === 'outside'
    ? `${route.context},${route.extension},1`
    : null;
}
