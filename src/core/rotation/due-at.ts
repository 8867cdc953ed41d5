/**
 * Rotation: when the value of a credential is replaced, and when that is tried again. The loop, the tray and the dry run
 * all ask these functions, so what a person is shown is what happens. Everything is a wall-clock instant worked out
 * anew from what is known: nothing here remembers, waits or looks at a clock, so a sleep or a clock that jumps
 * cannot skip a rotation. Start reading here; `retry-at.ts` says what follows a failed attempt.
 */
import type { RotationPolicy } from '../../contract/credential.ts';

interface ValueToReplace {
  readonly lifetime: TokenLifetime;
  readonly policy: RotationPolicy;
  /** The credential's id and the value's generation: fixes the jitter. */
  readonly seed: string;
}

/** How far jitter moves a rotation, as a share of the wait: whoever sets a tenth of the lifetime waits about a tenth. */
const jitterShare = 0.05;

/** No rotation is planned later in a lifetime than this: `retryAt` gets eight attempts and more into the tenth that is left. */
const latestShare = 0.9;

/** Preferred hours bring a rotation forward by half of the wait at most: it never comes twice as often as asked for. */
const earliestWaitShare = 0.5;

/** Preferred hours come every day, but for one that a clock change swallows: looking further finds no nearer ones. */
const searchMs = 3 * 86_400_000;

/**
 * When this value is to be replaced.
 *
 * The ideal instant is the policy's share of the lifetime, 5 % of the wait earlier or later so that credentials added
 * together do not fall due together. With preferred hours it moves to the next ones that begin by 90 % of the lifetime,
 * else back to the last ones after half of the wait, else it stays: safety beats preference. Within the hours, too,
 * credentials are spread.
 *
 * Always strictly inside the lifetime, in whole milliseconds (of a lifetime of one millisecond, a part of it). A value without
 * a lifetime, or with one that never ends, is due when it was obtained.
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

  const latestMs = lifetime.obtainedAtMs + lifetimeMs * latestShare;
  const after = { fromMs: idealMs, untilMs: Math.min(latestMs, idealMs + searchMs) };
  const next = preferredSpans(hours, after, zone)[0];
  if (next?.fromMs === idealMs) return idealMs;
  if (next !== undefined) return wholeInside(lifetime, placeIn(next, seed));

  const earliestMs = lifetime.obtainedAtMs + (idealMs - lifetime.obtainedAtMs) * earliestWaitShare;
  const before = { fromMs: Math.max(earliestMs, idealMs - searchMs), untilMs: idealMs };
  const previous = preferredSpans(hours, before, zone).at(-1);
  return previous === undefined ? idealMs : wholeInside(lifetime, placeIn(previous, seed));
}

/** Late fractions jitter over a narrower band rather than all meet at its end. */
function idealShare(fraction: number, seed: string): number {
  const from = fraction * (1 - jitterShare);
  const until = Math.min(fraction * (1 + jitterShare), latestShare);
  return from + (until - from) * seededShare(seed);
}

/** Drawn apart from the ideal instant, or the early ones would all be early again. */
function placeIn({ fromMs, untilMs }: Span, seed: string): number {
  return fromMs + (untilMs - fromMs) * seededShare(`${seed} within hours`);
}

function wholeInside(lifetime: TokenLifetime, atMs: number): number {
  const wholeMs = Math.floor(atMs);
  return wholeMs > lifetime.obtainedAtMs ? wholeMs : atMs;
}

/** From an instant, and up to but not including another. */
interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

type PreferredHours = NonNullable<RotationPolicy['preferred_hours']>;

const minuteMs = 60_000;
const dayMs = 86_400_000;

/**
 * The parts of a span in which the person's clock shows one of the preferred hours, in order and never touching.
 *
 * The clock on the wall decides. An hour that summer time skips has no part on that day, and an hour that comes twice
 * in autumn has two. Hours that begin and end at the same time of day mean the whole day.
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

/** The span in pieces of a day at most, cut where the clock changes: within each, local time is UTC plus a constant. */
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
 * A share from 0 to below 1 that looks like chance and is the same for the same seed, on every machine.
 *
 * FNV-1a (32 bits, over UTF-16 units) ended by the finalizer of MurmurHash3. FNV-1a alone leaves seeds that differ in
 * their last character next to each other: generations 1 to 9 of a credential would all fall on one spot. Changing
 * this moves every due time; it protects nothing.
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

/** From when to when one value of a credential is good, by the wall clock. */
export interface TokenLifetime {
  readonly obtainedAtMs: number;
  readonly expiresAtMs: number;
}

/** The person's zone: minutes to add to UTC at an instant. East is positive; summer time is part of it. */
export type ZoneOffset = (atMs: number) => number;

/** Half a year, in milliseconds: of two instants so far apart, one is in summer time where there is any. */
const halfYearMs = 183 * 86_400_000;

/** The same for as long as the person's zone is: what was worked out for the hours of a day still holds. */
export function zoneMark(zone: ZoneOffset, nowMs: number): string {
  return `${zone(nowMs)} ${zone(nowMs + halfYearMs)}`;
}
