/**
 * Rotation: when the token of a credential is replaced, and when a failed attempt is repeated.
 *
 * The loop, the tray and the planned rotations all use these functions, so a person sees what will happen. Every result
 * is a wall-clock instant computed from the current facts. Nothing here stores anything, waits or reads a clock, so a
 * sleep or a clock change cannot skip a rotation. Start reading here; `retry-at.ts` computes the attempt after a failed
 * one.
 */
import type { RotationPolicy } from '../../contract/credential/credential.ts';

interface ValueToReplace {
  readonly lifetime: TokenLifetime;
  readonly policy: RotationPolicy;
  /** The credential's id and the token's generation: the seed of the jitter. */
  readonly seed: string;
}

/** The jitter, as a share of the wait: with a fraction of a tenth, the wait is about a tenth of the lifetime. */
const jitterShare = 0.05;

/**
 * The latest share of a lifetime at which a rotation is planned: the remaining tenth is enough for at least eight
 * attempts of `retryAt`.
 */
const latestShare = 0.9;

/**
 * Preferred hours move a rotation forward by half of the wait at most, so it never happens twice as often as requested.
 */
const earliestWaitShare = 0.5;

/** Preferred hours occur every day, except when a clock change skips them: a longer search finds no closer ones. */
const searchMs = 3 * 86_400_000;

/**
 * When a token is to be replaced.
 *
 * The ideal instant is the policy's share of the lifetime, 5 % of the wait earlier or later, so that credentials added
 * together are not due together. With preferred hours it moves to the next ones that begin by 90 % of the lifetime,
 * otherwise back to the last ones after half of the wait, otherwise it stays: safety comes before preference. Within
 * the hours, credentials are spread too.
 *
 * The result is strictly inside the lifetime, in whole milliseconds (or a fraction, for a lifetime of one millisecond).
 * A token without a lifetime, or with an infinite one, is due when it was obtained.
 */
export function dueAt(value: ValueToReplace, zone: ZoneOffset): number {
  const { lifetime, policy, seed } = value;
  const lifetimeMs = lifetime.expiresAtMs - lifetime.obtainedAtMs;
  if (!(lifetimeMs > 0 && lifetimeMs < Infinity)) return lifetime.obtainedAtMs;

  const idealMs = wholeInside(
    lifetime,
    lifetime.obtainedAtMs + lifetimeMs * idealShare(policy.fraction, seed),
  );
  const hours = policy.preferred_hours;
  if (hours === null) return idealMs;

  const after = { fromMs: idealMs, untilMs: Math.min(latestInstantMs(lifetime), idealMs + searchMs) };
  const next = preferredSpans(hours, after, zone)[0];
  if (next?.fromMs === idealMs) return idealMs;
  if (next !== undefined) return wholeInside(lifetime, placeIn(next, seed));

  const earliestMs = lifetime.obtainedAtMs + (idealMs - lifetime.obtainedAtMs) * earliestWaitShare;
  const before = { fromMs: Math.max(earliestMs, idealMs - searchMs), untilMs: idealMs };
  const previous = preferredSpans(hours, before, zone).at(-1);
  return previous === undefined ? idealMs : wholeInside(lifetime, placeIn(previous, seed));
}

/** The latest instant at which a rotation is planned or waits for anything but its service. */
export function latestInstantMs({ obtainedAtMs, expiresAtMs }: TokenLifetime): number {
  return obtainedAtMs + (expiresAtMs - obtainedAtMs) * latestShare;
}

/** Late fractions get a narrower range of jitter, so that they do not all end at its limit. */
function idealShare(fraction: number, seed: string): number {
  const from = fraction * (1 - jitterShare);
  const until = Math.min(fraction * (1 + jitterShare), latestShare);
  return from + (until - from) * seededShare(seed);
}

/** Uses another seed than the ideal instant; otherwise the early ones would all be early again. */
function placeIn({ fromMs, untilMs }: Span, seed: string): number {
  return fromMs + (untilMs - fromMs) * seededShare(`${seed} within hours`);
}

function wholeInside(lifetime: TokenLifetime, atMs: number): number {
  const wholeMs = Math.floor(atMs);
  return wholeMs > lifetime.obtainedAtMs ? wholeMs : atMs;
}

/** From an instant (inclusive) to another (exclusive). */
interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

type PreferredHours = NonNullable<RotationPolicy['preferred_hours']>;

const minuteMs = 60_000;
const dayMs = 86_400_000;

/**
 * The parts of a span in which the local time is within the preferred hours, in order, without touching each other.
 *
 * Local time decides. An hour that summer time skips has no part on that day, and an hour that occurs twice in autumn
 * has two. Hours that begin and end at the same time of day are the whole day.
 */
export function preferredSpans(hours: PreferredHours, within: Span, zone: ZoneOffset): Span[] {
  const spans: Span[] = [];
  for (const stretch of steadyStretches(within, zone)) {
    for (const span of spansOfStretch(hours, stretch)) {
      const last = spans.at(-1);
      // A night that is cut by a clock change, or a whole day by midnight, is still one span.
      if (last?.untilMs === span.fromMs) spans[spans.length - 1] = { ...last, untilMs: span.untilMs };
      else spans.push(span);
    }
  }
  return spans;
}

interface SteadyStretch extends Span {
  readonly offsetMs: number;
}

/**
 * Splits a span into pieces of at most a day without a clock change: within each, local time is UTC plus a constant.
 */
function steadyStretches({ fromMs, untilMs }: Span, zone: ZoneOffset): SteadyStretch[] {
  const stretches: SteadyStretch[] = [];
  for (let startMs = fromMs; startMs < untilMs;) {
    const offset = zone(startMs);
    const dayLaterMs = Math.min(startMs + dayMs, untilMs);
    const endMs = zone(dayLaterMs) === offset ? dayLaterMs : clockChange(startMs, dayLaterMs, zone);
    stretches.push({ fromMs: startMs, untilMs: endMs, offsetMs: offset * minuteMs });
    startMs = endMs;
  }
  return stretches;
}

/** The first whole millisecond with another offset than `beforeMs` has, by halving. No zone changes twice within a day. */
function clockChange(beforeMs: number, afterMs: number, zone: ZoneOffset): number {
  const offset = zone(beforeMs);
  let low = Math.floor(beforeMs);
  let high = Math.ceil(afterMs);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (zone(middle) === offset) low = middle;
    else high = middle;
  }
  return high;
}

function spansOfStretch(hours: PreferredHours, { fromMs, untilMs, offsetMs }: SteadyStretch): Span[] {
  const openingMs = timeOfDayMs(hours.from);
  const lengthMs = (timeOfDayMs(hours.to) - openingMs + dayMs) % dayMs || dayMs;
  const spans: Span[] = [];
  // Yesterday's hours may reach over midnight into this stretch.
  const firstDay = Math.floor((fromMs + offsetMs) / dayMs) - 1;
  const lastDay = Math.floor((untilMs + offsetMs) / dayMs);
  for (let day = firstDay; day <= lastDay; day += 1) {
    const opensAtMs = day * dayMs + openingMs - offsetMs;
    const span = {
      fromMs: Math.max(opensAtMs, fromMs),
      untilMs: Math.min(opensAtMs + lengthMs, untilMs),
    };
    if (span.fromMs < span.untilMs) spans.push(span);
  }
  return spans;
}

function timeOfDayMs(clockTime: string): number {
  const [hour, minute] = clockTime.split(':').map(Number);
  return ((hour ?? 0) * 60 + (minute ?? 0)) * minuteMs;
}

/**
 * A pseudo-random share from 0 (inclusive) to 1 (exclusive), the same for the same seed on every machine.
 *
 * FNV-1a (32 bits, over UTF-16 units), then the finalizer of MurmurHash3. With FNV-1a alone, seeds that differ in their
 * last character have close results: generations 1 to 9 of a credential would be due together. Changing this moves
 * every due time. It is not cryptographic.
 */
export function seededShare(seed: string): number {
  return finalize(fnv1a(seed)) / 2 ** 32;
}

/** http://www.isthe.com/chongo/tech/comp/fnv/ */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let place = 0; place < text.length; place += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
  }
  return hash;
}

/** `fmix32` of https://github.com/aappleby/smhasher/blob/master/src/MurmurHash3.cpp */
function finalize(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** From when to when a token of a credential is valid, by the wall clock. */
export interface TokenLifetime {
  readonly obtainedAtMs: number;
  readonly expiresAtMs: number;
}

/** The person's time zone: minutes to add to UTC at an instant. East is positive; summer time is included. */
export type ZoneOffset = (atMs: number) => number;

/** Half a year, in milliseconds: of two instants this far apart, one is in summer time if the zone has it. */
const halfYearMs = 183 * 86_400_000;

/** Identifies a time zone: while it is unchanged, what was computed from local hours is still valid. */
export function zoneMark(zone: ZoneOffset, nowMs: number): string {
  return `${zone(nowMs)} ${zone(nowMs + halfYearMs)}`;
}

/** Percent of the lifetime left, the most urgent first. */
const warningPercents = [2, 10, 20] as const;

/**
 * How urgent a failing credential is: at most 20, 10 or 2 percent of its lifetime are left.
 *
 * Null while more is left. Call this after a failed attempt, not by time: a credential that rotates well is not urgent,
 * however soon it expires. A token that has expired, or that never had a lifetime, has the highest urgency.
 */
export function urgencyOf(lifetime: TokenLifetime, nowMs: number): 20 | 10 | 2 | null {
  const lifetimeMs = Math.max(lifetime.expiresAtMs - lifetime.obtainedAtMs, 0);
  const leftMs = lifetime.expiresAtMs - nowMs;
  if (lifetimeMs === 0) return 2;
  return warningPercents.find((percent) => leftMs * 100 <= lifetimeMs * percent) ?? null;
}

/** Until when the urgency stays the same without a change; Infinity for an expired token. */
export function urgencyLastsUntilMs({ obtainedAtMs, expiresAtMs }: TokenLifetime, nowMs: number): number {
  const lifetimeMs = Math.max(expiresAtMs - obtainedAtMs, 0);
  const changes = warningPercents.map((percent) => Math.ceil(expiresAtMs - (lifetimeMs * percent) / 100));
  return Math.min(...changes.filter((changeMs) => changeMs > nowMs));
}
