/**
 * What is counted of calls: for each menu what callers did in it, and for the menu where a call began how it ended and how
 * long it took. A count is a text, so that sums are stored in one table.
 */
import type { CallDetail, MenuTraffic, Traffic, TrafficQuery } from '../contract/calls/call.ts';
import { instantMs, isoInstant } from '../core/iso-instant.ts';
import { dayMs } from '../core/token/token-record.ts';
import { invariant, unreachable } from '../core/unreachable.ts';

export const hourMs = 3_600_000;
const hoursOfDay = 24;
/** Up to this long, traffic is shown by hour. */
const shownByHourMs = 3 * dayMs;

interface Counted {
  readonly atMs: number;
  readonly menu: string;
  readonly what: string;
}

/** Everything that is counted of one call. */
function countedOf({ ivr, started_at, ended_at, end, moments }: CallDetail): Counted[] {
  const startedMs = instantMs(started_at);
  const endedMs = instantMs(ended_at);
  const counted: Counted[] = [{ atMs: startedMs, menu: ivr, what: 'calls' }];
  const begun = (what: string): unknown => counted.push({ atMs: startedMs, menu: ivr, what });
  switch (end.kind) {
    case 'destination':
      begun('reached');
      begun(`took ${durationClass(endedMs - startedMs)}`);
      break;
    case 'hung_up':
      begun('hung_up');
      counted.push({ atMs: endedMs, menu: end.menu, what: 'left here' });
      break;
    case 'failed':
      begun('failed');
      break;
    default:
      unreachable(end);
  }
  for (const moment of moments) {
    const what = whatOf(moment);
    if (what !== null) counted.push({ atMs: startedMs + moment.at_ms, menu: moment.menu, what });
  }
  return counted;
}

function whatOf(moment: CallDetail['moments'][number]): string | null {
  switch (moment.kind) {
    case 'entered':
      return 'entered';
    case 'key':
      return moment.used ? `key ${moment.key}` : 'wrong key';
    case 'timeout':
      return 'timeout';
    case 'led':
      return moment.by === 'wrong_key' || moment.by === 'timeout' ? `led ${moment.by}` : null;
    case 'hours':
    case 'played':
    case 'waited':
    case 'resumed':
    case 'sms':
      return null;
    default:
      return unreachable(moment);
  }
}

function emptyTraffic(menu: string): MenuTraffic {
  const led = { wrong_key: 0, timeout: 0 };
  return { menu, entered: 0, keys: {}, wrong_keys: 0, timeouts: 0, hung_up: 0, led };
}

type CallSums = Pick<Traffic, 'calls' | 'reached' | 'hung_up' | 'failed'> & {
  /** How many calls reached their destination, by class of duration. */
  readonly took: Map<number, number>;
};

/** Adds a sum to the menu or, where it is about whole calls, to those. */
function countInto(
  menu: MenuTraffic,
  calls: CallSums,
  { what, count }: { readonly what: string; readonly count: number },
): void {
  const [kind = '', detail = ''] = what.split(' ');
  switch (kind) {
    case 'calls':
    case 'reached':
    case 'hung_up':
    case 'failed':
      calls[kind] += count;
      return;
    case 'took':
      addTo(calls.took, Number(detail), count);
      return;
    case 'entered':
      menu.entered += count;
      return;
    case 'key':
      menu.keys[detail] = (menu.keys[detail] ?? 0) + count;
      return;
    case 'wrong':
      menu.wrong_keys += count;
      return;
    case 'timeout':
      menu.timeouts += count;
      return;
    case 'left':
      menu.hung_up += count;
      return;
    case 'led':
      menu.led[detail as keyof MenuTraffic['led']] += count;
      return;
    default:
      invariant(false, `a count is one of those above: ${what}`);
  }
}

function addTo(counts: Map<number, number>, key: number, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

/** Each class of durations is a twentieth longer than the one before. */
const classStep = Math.log(1.05);

function durationClass(ms: number): number {
  return Math.round(Math.log(Math.max(ms, 1)) / classStep);
}

/** In milliseconds. */
function classMiddleMs(duration: number): number {
  return Math.round(Math.exp(duration * classStep));
}

/** The class of the median; null without any. */
function medianClass(took: ReadonlyMap<number, number>): number | null {
  const classes = [...took].toSorted(([a], [b]) => a - b);
  const all = classes.reduce((sum, [, count]) => sum + count, 0);
  let upTo = 0;
  for (const [duration, count] of classes) {
    upTo += count;
    if (upTo * 2 >= all) return duration;
  }
  return null;
}

export interface TrafficSum {
  readonly menu: string;
  readonly what: string;
  readonly count: number;
}

/** How many calls began in an hour since 1970. */
export interface CallsInHour {
  readonly at: number;
  readonly count: number;
}

/** What a call adds to the stored sums: by hour (`span` 1) and by day in UTC (`span` 24), `at` in hours since 1970. */
export function sumsOf(call: CallDetail): { span: number; at: number; menu: string; what: string }[] {
  return countedOf(call).flatMap(({ atMs, menu, what }) => {
    const hour = Math.floor(atMs / hourMs);
    return [
      { span: 1, at: hour, menu, what },
      { span: hoursOfDay, at: hour - (hour % hoursOfDay), menu, what },
    ];
  });
}

/** Which sums traffic is made of: whole days from their own sums, the hours before and after one by one. */
export function trafficParts({ since, until, menus }: TrafficQuery): {
  readonly from: number;
  readonly to: number;
  readonly menus: readonly string[] | null;
  readonly spans: readonly (readonly [span: number, from: number, to: number])[];
} {
  const [from, to] = [Math.floor(Date.parse(since) / hourMs), Math.ceil(Date.parse(until) / hourMs)];
  const firstDay = Math.ceil(from / hoursOfDay) * hoursOfDay;
  const lastDay = Math.floor(to / hoursOfDay) * hoursOfDay;
  return {
    from,
    to,
    menus: menus === undefined ? null : menus.split(','),
    spans:
      firstDay < lastDay
        ? [
            [1, from, firstDay],
            [hoursOfDay, firstDay, lastDay],
            [1, lastDay, to],
          ]
        : [[1, from, to]],
  };
}

/** To the hour: what was counted in the hours that the time touches. The median is exact to 2.5 %. */
export function trafficOf(
  query: TrafficQuery,
  counted: readonly TrafficSum[],
  callsByHour: readonly CallsInHour[],
): Traffic {
  const wanted = query.menus === undefined ? null : new Set(query.menus.split(','));
  const ofMenus = new Map<string, MenuTraffic>();
  const calls = { calls: 0, reached: 0, hung_up: 0, failed: 0, took: new Map<number, number>() };
  for (const { menu, what, count } of counted) {
    if (wanted?.has(menu) === false) continue;
    const one = ofMenus.get(menu) ?? emptyTraffic(menu);
    ofMenus.set(menu, one);
    countInto(one, calls, { what, count });
  }
  const { took, ...sums } = calls;
  const median = medianClass(took);
  const by = Date.parse(query.until) - Date.parse(query.since) <= shownByHourMs ? 'hour' : 'day';
  const times = new Map<number, number>();
  for (const { at, count } of callsByHour)
    addTo(times, by === 'hour' ? at * hourMs : startOfDay(at * hourMs), count);
  return {
    menus: [...ofMenus.values()],
    ...sums,
    median_to_destination_ms: median === null ? null : classMiddleMs(median),
    by,
    times: Array.from(times, ([atMs, some]) => ({ at: isoInstant(atMs), calls: some })),
  };
}

/** Midnight on this machine's clock. */
function startOfDay(ms: number): number {
  const day = new Date(ms);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime();
}
