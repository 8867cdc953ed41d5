import { isIPv6 } from 'node:net';
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
 * Counts failed authentications by address, and by address and token. A valid call is not counted, so failures of others
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
  fail(address: string, tokenDigest: string): number {
    const source = sourceOf(address);
    return Math.max(
      this.#take(source, this.#limits.perSource),
      this.#take(`${source} ${tokenDigest}`, this.#limits.perSourceAndToken),
    );
  }

  /** Whether the next failure will be told to wait. */
  isSpent(address: string, tokenDigest: string): boolean {
    const source = sourceOf(address);
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

/**
 * The address; of IPv6 its first 64 bits, because a caller has all addresses that begin with them.
 *
 * see https://www.rfc-editor.org/rfc/rfc6177
 */
export function sourceOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [bare = ''] = address.split('%', 1);
  const [head = '', tail] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split('::');
  const first = head === '' ? [] : head.split(':');
  if (tail === undefined) return first.slice(0, 4).join(':');
  const last = tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}
