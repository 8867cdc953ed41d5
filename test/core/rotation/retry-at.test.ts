import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dueAt, type TokenLifetime, urgencyOf } from '../../../src/core/rotation/due-at.ts';
import { type FailedAttempt, retryAt } from '../../../src/core/rotation/retry-at.ts';
import {
  anyFraction,
  anyLifetime,
  countsByTenth,
  dayMs,
  hourMs,
  lifetimeOf,
  lifetimes,
  noon,
  thousandSeeds,
  unevenTenths,
} from './lifetimes.ts';

function waitAfter(failure: Partial<FailedAttempt> = {}): number {
  const whole = {
    lifetime: lifetimeOf(dayMs),
    attempt: 1,
    nowMs: noon,
    retryAfterMs: null,
    seed: 'crd_a:1',
    ...failure,
  };
  return retryAt(whole) - whole.nowMs;
}

/** When a service that never answers is asked: from the due time to the end of the lifetime. */
function attemptsUntilExpiry(
  lifetime: TokenLifetime,
  { fraction = 2 / 3, seed = 'crd_a:1', retryAfterMs = null as number | null } = {},
): number[] {
  const attempts: number[] = [];
  const policy = { fraction, preferred_hours: null };
  let at = dueAt({ lifetime, policy, seed }, () => 0);
  while (at < lifetime.expiresAtMs) {
    attempts.push(at);
    at = retryAt({ lifetime, attempt: attempts.length, nowMs: at, retryAfterMs, seed });
  }
  return attempts;
}

function gapsOf(attempts: readonly number[]): number[] {
  return attempts.slice(1).map((at, place) => at - attempts[place]!);
}

describe.each([
  // The first wait, and how often the service is asked from 2/3 of the lifetime to its end.
  ['10 seconds', 10_000, [100, 200], [15, 40]],
  ['1 day', dayMs, [30_000, 60_000], [40, 100]],
  ['7 days', 7 * dayMs, [30_000, 60_000], [80, 180]],
  ['15 days', 15 * dayMs, [30_000, 60_000], [150, 300]],
  ['30 days', 30 * dayMs, [30_000, 60_000], [300, 500]],
  ['90 days', 90 * dayMs, [30_000, 60_000], [800, 1300]],
] as const)('a failing service with a token of %s', (_name, lifetimeMs, [soonest, latest], [least, most]) => {
  it('is asked again soon, by the measure of the lifetime', () => {
    for (const seed of thousandSeeds) {
      const wait = waitAfter({ lifetime: lifetimeOf(lifetimeMs), seed });
      expect(wait).toBeGreaterThanOrEqual(soonest);
      expect(wait).toBeLessThanOrEqual(latest);
    }
  });

  it('is asked many times until the token expires, and not too often', () => {
    for (const seed of thousandSeeds.slice(0, 20)) {
      const { length } = attemptsUntilExpiry(lifetimeOf(lifetimeMs), { seed });
      expect(length).toBeGreaterThanOrEqual(least);
      expect(length).toBeLessThanOrEqual(most);
    }
  });
});

describe('the next attempt', () => {
  it('happens at least eight times in any lifetime, however late the policy, never two close together or hours apart', () => {
    fc.assert(
      fc.property(anyLifetime, anyFraction, fc.string(), (lifetime, fraction, seed) => {
        const attempts = attemptsUntilExpiry(lifetime, { fraction, seed });
        const lifetimeMs = lifetime.expiresAtMs - lifetime.obtainedAtMs;
        expect(attempts.length).toBeGreaterThanOrEqual(8);
        expect(Math.min(...gapsOf(attempts))).toBeGreaterThanOrEqual(Math.min(lifetimeMs / 100, 30_000));
        expect(Math.max(...gapsOf(attempts))).toBeLessThanOrEqual(hourMs);
      }),
    );
  });

  it('never takes more than an eighth of what is left, unless that is too short to wait', () => {
    fc.assert(
      fc.property(anyLifetime, anyFraction, fc.string(), (lifetime, fraction, seed) => {
        const shortest = Math.min((lifetime.expiresAtMs - lifetime.obtainedAtMs) / 100, 30_000);
        const attempts = attemptsUntilExpiry(lifetime, { fraction, seed });
        for (const [place, gap] of gapsOf(attempts).entries()) {
          const eighth = (lifetime.expiresAtMs - attempts[place]!) / 8;
          expect(gap).toBeLessThanOrEqual(Math.ceil(Math.max(eighth, shortest)));
        }
      }),
    );
  });

  it('falls into every stage of urgency, so that each is warned of, whatever the service asks for', () => {
    const asked = fc.option(fc.integer({ min: 0, max: 200 * dayMs }));
    fc.assert(
      fc.property(anyLifetime, asked, fc.string(), (lifetime, retryAfterMs, seed) => {
        const attempts = attemptsUntilExpiry(lifetime, { retryAfterMs, seed });
        const stages = new Set(attempts.map((at) => urgencyOf(lifetime, at)));
        expect([...stages]).toEqual([null, 20, 10, 2]);
      }),
    );
  });

  it('backs off: no wait is shorter than the one before, until half of the longest is reached', () => {
    fc.assert(
      fc.property(
        anyLifetime,
        fc.double({ min: 0, max: 0.99, noNaN: true }),
        fc.string(),
        (lifetime, spent, seed) => {
          const nowMs = Math.round(
            lifetime.obtainedAtMs + (lifetime.expiresAtMs - lifetime.obtainedAtMs) * spent,
          );
          const longest = Math.min((lifetime.expiresAtMs - nowMs) / 8, hourMs);
          let before = 0;
          for (let attempt = 1; attempt <= 40; attempt += 1) {
            const wait = waitAfter({ lifetime, attempt, nowMs, seed });
            expect(wait).toBeGreaterThanOrEqual(Math.floor(Math.min(before, longest / 2)));
            before = wait;
          }
        },
      ),
    );
  });

  it('reaches an hour, jittered, where there is time for it', () => {
    const lifetime = lifetimeOf(90 * dayMs);
    const waits = thousandSeeds.map((seed) => waitAfter({ lifetime, attempt: 30, seed }));
    expect(unevenTenths(countsByTenth(waits, hourMs / 2, hourMs + 1))).toEqual([]);
  });

  it('does not move in step with other credentials, or with its own attempts before', () => {
    const lifetime = lifetimeOf(90 * dayMs);
    const first = thousandSeeds.map((seed) => waitAfter({ lifetime, seed }));
    expect(unevenTenths(countsByTenth(first, 30_000, 60_001))).toEqual([]);
    const own = thousandSeeds.map((_, place) => waitAfter({ lifetime, attempt: 30 + place }));
    expect(unevenTenths(countsByTenth(own, hourMs / 2, hourMs + 1))).toEqual([]);
  });

  it('is the same for the same failure', () => {
    expect(waitAfter({ attempt: 5 })).toBe(waitAfter({ attempt: 5 }));
  });

  it('is in the future and a whole millisecond, for any input', () => {
    const instant = fc.integer({ min: -8_640_000_000_000, max: 8_640_000_000_000 });
    const lifetime = fc.option(fc.record({ obtainedAtMs: instant, expiresAtMs: instant }));
    const retryAfterMs = fc.option(fc.double());
    fc.assert(
      fc.property(lifetime, instant, fc.integer({ min: 1 }), retryAfterMs, (held, nowMs, attempt, asked) => {
        const at = retryAt({ lifetime: held, attempt, nowMs, retryAfterMs: asked, seed: 'a' });
        expect(at).toBeGreaterThan(nowMs);
        expect(at).toBeLessThanOrEqual(nowMs + dayMs);
        expect(Number.isInteger(at)).toBe(true);
      }),
    );
  });
});

describe('Retry-After', () => {
  it('is honoured, with a tenth at most on top so that callers with the same delay do not return together', () => {
    const waits = thousandSeeds.map((seed) => waitAfter({ retryAfterMs: 2 * hourMs, seed }));
    expect(unevenTenths(countsByTenth(waits, 2 * hourMs, 2.2 * hourMs + 1))).toEqual([]);
  });

  it('does not make the next attempt come sooner', () => {
    const failure = { lifetime: lifetimeOf(90 * dayMs), attempt: 9 };
    expect(waitAfter({ ...failure, retryAfterMs: 1000 })).toBe(waitAfter(failure));
    expect(waitAfter({ ...failure, retryAfterMs: -1 })).toBe(waitAfter(failure));
  });

  it.each(lifetimes)('takes no more than half of what is left of %s, and a day', (_name, lifetimeMs) => {
    const lifetime = lifetimeOf(lifetimeMs);
    for (const share of [0.33, 0.1, 0.05]) {
      const leftMs = Math.round(lifetimeMs * share);
      const wait = waitAfter({
        lifetime,
        nowMs: lifetime.expiresAtMs - leftMs,
        retryAfterMs: Number.POSITIVE_INFINITY,
      });
      expect(wait).toBeLessThanOrEqual(Math.min(Math.ceil(leftMs / 2), dayMs));
    }
  });

  it('always leaves room for four attempts where there was room for five', () => {
    fc.assert(
      fc.property(
        anyLifetime,
        fc.double({ min: 0.051, max: 1, noNaN: true }),
        fc.string(),
        (lifetime, share, seed) => {
          const lifetimeMs = lifetime.expiresAtMs - lifetime.obtainedAtMs;
          let at = Math.floor(lifetime.expiresAtMs - lifetimeMs * share);
          at = retryAt({ lifetime, attempt: 1, nowMs: at, retryAfterMs: 1000 * dayMs, seed });
          let left = 0;
          for (; at < lifetime.expiresAtMs; left += 1) {
            at = retryAt({ lifetime, attempt: left + 2, nowMs: at, retryAfterMs: null, seed });
          }
          expect(left).toBeGreaterThanOrEqual(4);
        },
      ),
    );
  });
});

describe('where no expiry is known, or the token has expired', () => {
  it.each([
    ['no end is known', null],
    ['ten seconds have expired', lifetimeOf(10_000, noon - 10_000)],
    ['90 days have expired', lifetimeOf(90 * dayMs, noon - 100 * dayMs)],
    ['there never was a lifetime', lifetimeOf(-1000, noon - 1000)],
  ])('attempts go on, from half a minute up to an hour apart: %s', (_name, lifetime) => {
    const first = waitAfter({ lifetime });
    expect(first).toBeGreaterThanOrEqual(30_000);
    expect(first).toBeLessThanOrEqual(60_000);
    for (const attempt of [10, 1000, 1_000_000]) {
      const wait = waitAfter({ lifetime, attempt });
      expect(wait).toBeGreaterThanOrEqual(hourMs / 2);
      expect(wait).toBeLessThanOrEqual(hourMs);
    }
  });

  it('a service may ask for a day at most', () => {
    expect(waitAfter({ lifetime: null, retryAfterMs: 5 * hourMs })).toBeGreaterThanOrEqual(5 * hourMs);
    expect(waitAfter({ lifetime: null, retryAfterMs: 1000 * dayMs })).toBe(dayMs);
  });
});
