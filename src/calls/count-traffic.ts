/**
 * What is counted of calls: for each menu what callers did in it, and for the menu where a call began how it ended and how
 * long it took. A count is a text, so that sums are stored in one table.
 */
import type { CallDetail, MenuTraffic, Traffic } from '../contract/call.ts';
import { instantMs } from '../core/iso-instant.ts';
import { invariant, unreachable } from '../core/unreachable.ts';

interface Counted {
  readonly atMs: number;
  readonly menu: string;
  readonly what: string;
}

/** Everything that is counted of one call. */
export function countedOf({ ivr, started_at, ended_at, end, moments }: CallDetail): Counted[] {
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
      return moment.by === 'key' ? null : `led ${moment.by}`;
    case 'played':
    case 'waited':
    case 'resumed':
    case 'sms':
      return null;
    default:
      return unreachable(moment);
  }
}

export function emptyTraffic(menu: string): MenuTraffic {
  const led = { wrong_key: 0, timeout: 0 };
  return { menu, entered: 0, keys: {}, wrong_keys: 0, timeouts: 0, hung_up: 0, led };
}

type CallSums = Pick<Traffic, 'calls' | 'reached' | 'hung_up' | 'failed'> & {
  /** How many calls reached their destination, by class of duration. */
  readonly took: Map<number, number>;
};

/** Adds a sum to the menu or, where it is about whole calls, to those. */
export function countInto(
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

export function addTo(counts: Map<number, number>, key: number, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

/** Each class of durations is a twentieth longer than the one before. */
const classStep = Math.log(1.05);

function durationClass(ms: number): number {
  return Math.round(Math.log(Math.max(ms, 1)) / classStep);
}

/** In milliseconds. */
export function classMiddleMs(duration: number): number {
  return Math.round(Math.exp(duration * classStep));
}

/** The class of the median; null without any. */
export function medianClass(took: ReadonlyMap<number, number>): number | null {
  const classes = [...took].toSorted(([a], [b]) => a - b);
  const all = classes.reduce((sum, [, count]) => sum + count, 0);
  let upTo = 0;
  for (const [duration, count] of classes) {
    upTo += count;
    if (upTo * 2 >= all) return duration;
  }
  return null;
}
