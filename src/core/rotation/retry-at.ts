import { seededShare, type TokenLifetime } from './due-at.ts';

export interface FailedAttempt {
  /** Null where the service has not said yet when the value expires. */
  readonly lifetime: TokenLifetime | null;
  /** How many attempts have failed in a row, this one included: 1, 2, 3… */
  readonly attempt: number;
  readonly nowMs: number;
  /** What the service asked for (`Retry-After`), or null. */
  readonly retryAfterMs: number | null;
  /** The credential's id and the value's generation: fixes the jitter. */
  readonly seed: string;
}

/** How fast attempts may follow each other: all in milliseconds, all from this instant on. */
interface Pace {
  /** Never sooner, so that a failing service is not hammered. */
  readonly shortestMs: number;
  /** Where the backoff stops growing. */
  readonly longestMs: number;
  /** How long a service may make us wait. */
  readonly longestAskedMs: number;
}

const hourMs = 3_600_000;

/** Attempts that always fit into what is left of the lifetime, as long as the service takes no time to fail. */
const attemptsKept = 8;
/** Attempts that still fit after the longest wait that a service may ask for. */
const attemptsKeptFromService = 4;
/** A service that asks for more than a day is asked again after one: a mistake of its must not end a credential. */
const longestAskedMs = 24 * hourMs;

/**
 * When the next attempt is made after failed attempt number `attempt`.
 *
 * The wait doubles from two hundredths of the lifetime (a minute at most) and is cut to an eighth of what is left of it, and
 * to an hour; half of it is jitter. No two attempts are closer than a hundredth of the lifetime (100 ms at least, 30 s at
 * most). `Retry-After` is honoured, plus up to a tenth, but for no more than half of what is left and never so
 * that fewer than four attempts remain: halving also brings an attempt, and so a warning, into every stage of urgency.
 *
 * There is always a next attempt, also where no end is known or the value has expired: then from a minute on, up to an
 * hour apart. Whether an error is worth another attempt is for the caller to say.
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
