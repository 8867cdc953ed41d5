/**
 * Rotation: when the value of a credential is replaced, and when that is tried again. The loop, the tray and the dry run
 * all ask these functions, so what a person is shown is what happens. Everything is a wall-clock instant worked out
 * anew from what is known: nothing here remembers, waits or looks at a clock, so a sleep or a clock that jumps
 * cannot skip a rotation. Start reading here; `retry-at.ts` says what follows a failed attempt.
 */
import type { RotationPolicy } from '../../contract/credential.ts';
import { preferredSpans, type Span } from './preferred-spans.ts';
import { seededShare } from './seeded-share.ts';
import type { ValueLife } from './value-life.ts';
import type { ZoneOffset } from './zone-offset.ts';

interface ValueToReplace {
  readonly life: ValueLife;
  readonly policy: RotationPolicy;
  /** The credential's id and the value's generation: fixes the jitter. */
  readonly seed: string;
}

/** How far jitter moves a rotation, as a share of the wait: whoever sets a tenth of the life waits about a tenth. */
const jitterShare = 0.05;

/** No rotation is planned later in a life than this: `retryAt` gets eight attempts and more into the tenth that is left. */
const latestShare = 0.9;

/** Preferred hours bring a rotation forward by half of the wait at most: it never comes twice as often as asked for. */
const earliestWaitShare = 0.5;

/** Preferred hours come every day, but for one that a clock change swallows: looking further finds no nearer ones. */
const searchMs = 3 * 86_400_000;

/**
 * When this value is to be replaced.
 *
 * The ideal instant is the policy's share of the life, 5 % of the wait earlier or later so that credentials added
 * together do not fall due together. With preferred hours it moves to the next ones that begin by 90 % of the life,
 * else back to the last ones after half of the wait, else it stays: safety beats preference. Within the hours, too,
 * credentials are spread.
 *
 * Always strictly inside the life, in whole milliseconds (of a life of one millisecond, a part of it). A value without
 * a life, or with one that never ends, is due when it was obtained.
 */
export function dueAt(value: ValueToReplace, zone: ZoneOffset): number {
  const { life, policy, seed } = value;
  const lifeMs = life.expiresAtMs - life.obtainedAtMs;
  if (!(lifeMs > 0 && lifeMs < Infinity)) return life.obtainedAtMs;

  const idealMs = wholeInside(life, life.obtainedAtMs + lifeMs * idealShare(policy.fraction, seed));
  const hours = policy.preferred_hours;
  if (hours === null) return idealMs;

  const latestMs = life.obtainedAtMs + lifeMs * latestShare;
  const after = { fromMs: idealMs, untilMs: Math.min(latestMs, idealMs + searchMs) };
  const next = preferredSpans(hours, after, zone)[0];
  if (next?.fromMs === idealMs) return idealMs;
  if (next !== undefined) return wholeInside(life, placeIn(next, seed));

  const earliestMs = life.obtainedAtMs + (idealMs - life.obtainedAtMs) * earliestWaitShare;
  const before = { fromMs: Math.max(earliestMs, idealMs - searchMs), untilMs: idealMs };
  const previous = preferredSpans(hours, before, zone).at(-1);
  return previous === undefined ? idealMs : wholeInside(life, placeIn(previous, seed));
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

function wholeInside(life: ValueLife, atMs: number): number {
  const wholeMs = Math.floor(atMs);
  return wholeMs > life.obtainedAtMs ? wholeMs : atMs;
}
