import type { ServiceWait } from '../../contract/credential/rotation-trouble.ts';
import { isoInstant, isoInstantOrNull } from '../iso-instant.ts';
import { seededShare, type TokenLifetime } from './due-at.ts';

export interface FailedAttempt {
  /** Null if the service has not yet said when the token expires. */
  readonly lifetime: TokenLifetime | null;
  /** How many attempts have failed in a row, including this one: 1, 2, 3… */
  readonly attempt: number;
  readonly nowMs: number;
  /** The delay that the service asked for (`Retry-After`), or null. */
  readonly retryAfterMs: number | null;
  /** The credential's id and the token's generation: the seed of the jitter. */
  readonly seed: string;
}

/** The limits of the interval between attempts: in milliseconds, from this instant. */
interface Pace {
  /** The shortest interval, so that a failing service is not overloaded. */
  readonly shortestMs: number;
  /** The longest interval of the backoff. */
  readonly longestMs: number;
  /** The longest delay that a service may ask for. */
  readonly longestAskedMs: number;
}

const hourMs = 3_600_000;

/** How many attempts always fit into the remaining lifetime, if the service fails immediately. */
const attemptsKept = 8;
/** How many attempts still fit after the longest delay that a service may ask for. */
const attemptsKeptFromService = 4;
/** A service is asked again after a day, however long it asks to wait: a mistake of it must not end a credential. */
export const longestAskedMs = 24 * hourMs;

/**
 * When the next attempt is made after failed attempt number `attempt`.
 *
 * The wait doubles from two hundredths of the lifetime (a minute at most) and is cut to an eighth of what is left of it, and
 * to an hour; half of it is jitter. No two attempts are closer than a hundredth of the lifetime (100 ms at least, 30 s at
 * most). `Retry-After` is honoured, plus up to a tenth, but for no more than half of what is left and never so
 * that fewer than four attempts remain: halving also puts an attempt, and so a warning, into every stage of urgency.
 *
 * There is always a next attempt, even if no expiry is known or the token has expired: then from a minute on, up to an
 * hour apart. Whether an error is worth another attempt is for the caller to decide.
 */
export function retryAt({ lifetime, attempt, nowMs, retryAfterMs, seed }: FailedAttempt): number {
  const pace = paceOf(lifetime, nowMs);
  const share = seededShare(`${seed} attempt ${attempt}`);
  const ceilingMs = Math.min(pace.shortestMs * 2 ** attempt, pace.longestMs);
  const backoffMs = Math.max(ceilingMs * (0.5 + share / 2), pace.shortestMs);
  const askedMs = retryAfterMs !== null && retryAfterMs > 0 ? retryAfterMs * (1 + share / 10) : 0;
  return nowMs + Math.ceil(Math.max(backoffMs, Math.min(askedMs, pace.longestAskedMs)));
}

/** How far apart any two attempts are at least, in milliseconds: a hundredth of the lifetime, 100 ms at least, 30 s at most. */
export function shortestWaitMs(lifetime: TokenLifetime | null, nowMs: number): number {
  if (lifetime === null || !(lifetime.expiresAtMs > nowMs)) return 30_000;
  return Math.min(Math.max((lifetime.expiresAtMs - lifetime.obtainedAtMs) / 100, 100), 30_000);
}

function paceOf(lifetime: TokenLifetime | null, nowMs: number): Pace {
  const shortestMs = shortestWaitMs(lifetime, nowMs);
  const leftMs = lifetime === null ? 0 : lifetime.expiresAtMs - nowMs;
  if (!(leftMs > 0)) return { shortestMs, longestMs: hourMs, longestAskedMs };
  return {
    shortestMs,
    longestMs: Math.min(leftMs / attemptsKept, hourMs),
    longestAskedMs: Math.min(leftMs / 2, leftMs - attemptsKeptFromService * shortestMs, longestAskedMs),
  };
}

/** How long a service is waited for that asks for a delay after a failed attempt; what is over that is not granted. */
export function grantedWait(
  { lifetime, nowMs }: Pick<FailedAttempt, 'lifetime' | 'nowMs'>,
  askedMs: number,
): ServiceWait {
  const grantedMs = Math.min(askedMs, paceOf(lifetime, nowMs).longestAskedMs);
  return waitOf({ untilMs: nowMs + grantedMs, askedUntilMs: nowMs + askedMs });
}

/** While a service that got too many calls is not called about tokens. */
export interface ServiceHold {
  readonly untilMs: number;
  /** Until when it asks to wait; null: it does not say. */
  readonly askedUntilMs: number | null;
}

export function waitOf({ untilMs, askedUntilMs }: ServiceHold): ServiceWait {
  return { until: isoInstant(untilMs), asked: isoInstantOrNull(askedUntilMs) };
}
