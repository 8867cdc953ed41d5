import type { Clock } from '../../core/ledger.ts';

/** A token bucket of allowed failures, refilled over time. */
export interface ThrottleLimit {
  readonly burst: number;
  readonly perSecond: number;
}

export interface ThrottleLimits {
  readonly perSource: ThrottleLimit;
  readonly perSourceAndToken: ThrottleLimit;
}

/** Far more than an app with an expired token needs, and too little to load the machine. */
export const defaultThrottleLimits: ThrottleLimits = {
  perSource: { burst: 3000, perSecond: 100 },
  perSourceAndToken: { burst: 500, perSecond: 10 },
};

interface Bucket {
  left: number;
  atMs: number;
}

/** How many sources and tokens are remembered; beyond that the one that failed longest ago is removed. */
const maxBuckets = 10_000;

/**
 * Counts failed authentications by source, and by source and token. A valid call is not counted, so failures of others
 * cannot slow it down.
 */
export class FailureThrottle {
  readonly #limits: ThrottleLimits;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  constructor(limits: ThrottleLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Counts a failure. Returns 0 if it may be answered, otherwise the seconds to wait. */
  fail(source: string, tokenDigest: string): number {
    return Math.max(
      this.#take(source, this.#limits.perSource),
      this.#take(`${source} ${tokenDigest}`, this.#limits.perSourceAndToken),
    );
  }

  /** Whether the next failure will be told to wait. */
  isSpent(source: string, tokenDigest: string): boolean {
    const { perSource, perSourceAndToken } = this.#limits;
    return this.#left(source, perSource) < 1 || this.#left(`${source} ${tokenDigest}`, perSourceAndToken) < 1;
  }

  #left(key: string, { burst, perSecond }: ThrottleLimit): number {
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) return burst;
    const elapsedMs = Math.max(0, this.#clock() - bucket.atMs);
    return Math.min(burst, bucket.left + (elapsedMs / 1000) * perSecond);
  }

  #take(key: string, limit: ThrottleLimit): number {
    const left = this.#left(key, limit);
    this.#buckets.delete(key);
    if (this.#buckets.size >= maxBuckets) {
      const [oldest] = this.#buckets.keys();
      if (oldest !== undefined) this.#buckets.delete(oldest);
    }
    this.#buckets.set(key, { left: Math.max(0, left - 1), atMs: this.#clock() });
    return left >= 1 ? 0 : Math.ceil((1 - left) / limit.perSecond);
  }
}
