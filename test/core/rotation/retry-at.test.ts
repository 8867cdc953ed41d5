import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dueAt, type ValueLife } from '../../../src/core/rotation/due-at.ts';
import { type FailedAttempt, retryAt } from '../../../src/core/rotation/retry-at.ts';
import { urgencyOf } from '../../../src/core/rotation/urgency-of.ts';
import {
  anyFraction,
  anyLife,
  countsByTenth,
  dayMs,
  hourMs,
  lifeOf,
  lifetimes,
  noon,
  thousandSeeds,
  unevenTenths,
} from './lives.ts';

function waitAfter(failure: Partial<FailedAttempt> = {}): number {
  const whole = {
    life: lifeOf(dayMs),
    attempt: 1,
    nowMs: noon,
    retryAfterMs: null,
    seed: 'crd_a:1',
    ...failure,
  };
  return retryAt(whole) - whole.nowMs;
}

/** When a service that never answers is asked: from the due time to the end of the life. */
function attemptsUntilExpiry(
  life: ValueLife,
  { fraction = 2 / 3, seed = 'crd_a:1', retryAfterMs = null as number | null } = {},
): number[] {
  const attempts: number[] = [];
  const policy = { fraction, preferred_hours: null };
  let at = dueAt({ life, policy, seed }, () => 0);
  while (at < life.expiresAtMs) {
    attempts.push(at);
    at = retryAt({ life, attempt: attempts.length, nowMs: at, retryAfterMs, seed });
  }
  return attempts;
}

function gapsOf(attempts: readonly number[]): number[] {
  return attempts.slice(1).map((at, place) => at - attempts[place]!);
}

describe.each([
  // The first wait, and how often the service is asked from 2/3 of the life to its end.
  ['10 seconds', 10_000, [100, 200], [15, 40]],
  ['1 day', dayMs, [30_000, 60_000], [40, 100]],
  ['7 days', 7 * dayMs, [30_000, 60_000], [80, 180]],
  ['15 days', 15 * dayMs, [30_000, 60_000], [150, 300]],
  ['30 days', 30 * dayMs, [30_000, 60_000], [300, 500]],
  ['90 days', 90 * dayMs, [30_000, 60_000], [800, 1300]],
] as const)('a failing service with a value of %s', (_name, lifeMs, [soonest, latest], [least, most]) => {
  it('is asked again soon, by the measure of the life', () => {
    for (const seed of thousandSeeds) {
      const wait = waitAfter({ life: lifeOf(lifeMs), seed });
      expect(wait).toBeGreaterThanOrEqual(soonest);
      expect(wait).toBeLessThanOrEqual(latest);
    }
  });

  it('is asked many times until the value expires, and not too often', () => {
    for (const seed of thousandSeeds.slice(0, 20)) {
      const { length } = attemptsUntilExpiry(lifeOf(lifeMs), { seed });
      expect(length).toBeGreaterThanOrEqual(least);
      expect(length).toBeLessThanOrEqual(most);
    }
  });
});

describe('the next attempt', () => {
  it('comes at least eight times in any life, however late the policy, never two close together or hours apart', () => {
    fc.assert(
      fc.property(anyLife, anyFraction, fc.string(), (life, fraction, seed) => {
        const attempts = attemptsUntilExpiry(life, { fraction, seed });
        const lifeMs = life.expiresAtMs - life.obtainedAtMs;
        expect(attempts.length).toBeGreaterThanOrEqual(8);
        expect(Math.min(...gapsOf(attempts))).toBeGreaterThanOrEqual(Math.min(lifeMs / 100, 30_000));
        expect(Math.max(...gapsOf(attempts))).toBeLessThanOrEqual(hourMs);
      }),
    );
  });

  it('never takes more than an eighth of what is left, unless that is too short to wait', () => {
    fc.assert(
      fc.property(anyLife, anyFraction, fc.string(), (life, fraction, seed) => {
        const shortest = Math.min((life.expiresAtMs - life.obtainedAtMs) / 100, 30_000);
        const attempts = attemptsUntilExpiry(life, { fraction, seed });
        for (const [place, gap] of gapsOf(attempts).entries()) {
          const eighth = (life.expiresAtMs - attempts[place]!) / 8;
          expect(gap).toBeLessThanOrEqual(Math.ceil(Math.max(eighth, shortest)));
        }
      }),
    );
  });

  it('falls into every stage of urgency, so that each is warned of, whatever the service asks for', () => {
    const asked = fc.option(fc.integer({ min: 0, max: 200 * dayMs }));
    fc.assert(
      fc.property(anyLife, asked, fc.string(), (life, retryAfterMs, seed) => {
        const attempts = attemptsUntilExpiry(life, { retryAfterMs, seed });
        const stages = new Set(attempts.map((at) => urgencyOf(life, at)));
        expect([...stages]).toEqual([null, 20, 10, 2]);
      }),
    );
  });

  it('backs off: no wait is shorter than the one before, until half of the longest is reached', () => {
    fc.assert(
      fc.property(
        anyLife,
        fc.double({ min: 0, max: 0.99, noNaN: true }),
        fc.string(),
        (life, spent, seed) => {
          const nowMs = Math.round(life.obtainedAtMs + (life.expiresAtMs - life.obtainedAtMs) * spent);
          const longest = Math.min((life.expiresAtMs - nowMs) / 8, hourMs);
          let before = 0;
          for (let attempt = 1; attempt <= 40; attempt += 1) {
            const wait = waitAfter({ life, attempt, nowMs, seed });
            expect(wait).toBeGreaterThanOrEqual(Math.floor(Math.min(before, longest / 2)));
            before = wait;
          }
        },
      ),
    );
  });

  it('reaches an hour, jittered, where there is time for it', () => {
    const life = lifeOf(90 * dayMs);
    const waits = thousandSeeds.map((seed) => waitAfter({ life, attempt: 30, seed }));
    expect(unevenTenths(countsByTenth(waits, hourMs / 2, hourMs + 1))).toEqual([]);
  });

  it('does not move in step with other credentials, or with its own attempts before', () => {
    const life = lifeOf(90 * dayMs);
    const first = thousandSeeds.map((seed) => waitAfter({ life, seed }));
    expect(unevenTenths(countsByTenth(first, 30_000, 60_001))).toEqual([]);
    const own = thousandSeeds.map((_, place) => waitAfter({ life, attempt: 30 + place }));
    expect(unevenTenths(countsByTenth(own, hourMs / 2, hourMs + 1))).toEqual([]);
  });

  it('is the same for the same failure', () => {
    expect(waitAfter({ attempt: 5 })).toBe(waitAfter({ attempt: 5 }));
  });

  it('lies in the future and is a whole millisecond, whatever it is told', () => {
    const instant = fc.integer({ min: -8_640_000_000_000, max: 8_640_000_000_000 });
    const life = fc.option(fc.record({ obtainedAtMs: instant, expiresAtMs: instant }));
    const retryAfterMs = fc.option(fc.double());
    fc.assert(
      fc.property(life, instant, fc.integer({ min: 1 }), retryAfterMs, (held, nowMs, attempt, asked) => {
        const at = retryAt({ life: held, attempt, nowMs, retryAfterMs: asked, seed: 'a' });
        expect(at).toBeGreaterThan(nowMs);
        expect(at).toBeLessThanOrEqual(nowMs + dayMs);
        expect(Number.isInteger(at)).toBe(true);
      }),
    );
  });
});

describe('Retry-After', () => {
  it('is honoured, with a tenth at most on top so that all who were told the same do not return together', () => {
    const waits = thousandSeeds.map((seed) => waitAfter({ retryAfterMs: 2 * hourMs, seed }));
    expect(unevenTenths(countsByTenth(waits, 2 * hourMs, 2.2 * hourMs + 1))).toEqual([]);
  });

  it('does not make the next attempt come sooner', () => {
    const failure = { life: lifeOf(90 * dayMs), attempt: 9 };
    expect(waitAfter({ ...failure, retryAfterMs: 1000 })).toBe(waitAfter(failure));
    expect(waitAfter({ ...failure, retryAfterMs: -1 })).toBe(waitAfter(failure));
  });

  it.each(lifetimes)('takes no more than half of what is left of %s, and a day', (_name, lifeMs) => {
    const life = lifeOf(lifeMs);
    for (const share of [0.33, 0.1, 0.05]) {
      const leftMs = Math.round(lifeMs * share);
      const wait = waitAfter({
        life,
        nowMs: life.expiresAtMs - leftMs,
        retryAfterMs: Number.POSITIVE_INFINITY,
      });
      expect(wait).toBeLessThanOrEqual(Math.min(Math.ceil(leftMs / 2), dayMs));
    }
  });

  it('always leaves room for four attempts where there was room for five', () => {
    fc.assert(
      fc.property(
        anyLife,
        fc.double({ min: 0.051, max: 1, noNaN: true }),
        fc.string(),
        (life, share, seed) => {
          const lifeMs = life.expiresAtMs - life.obtainedAtMs;
          let at = Math.floor(life.expiresAtMs - lifeMs * share);
          at = retryAt({ life, attempt: 1, nowMs: at, retryAfterMs: 1000 * dayMs, seed });
          let left = 0;
          for (; at < life.expiresAtMs; left += 1) {
            at = retryAt({ life, attempt: left + 2, nowMs: at, retryAfterMs: null, seed });
          }
          expect(left).toBeGreaterThanOrEqual(4);
        },
      ),
    );
  });
});

describe('where no end is known, or the value has expired', () => {
  it.each([
    ['no end is known', null],
    ['ten seconds have expired', lifeOf(10_000, noon - 10_000)],
    ['90 days have expired', lifeOf(90 * dayMs, noon - 100 * dayMs)],
    ['there never was a life', lifeOf(-1000, noon - 1000)],
  ])('attempts go on, from half a minute up to an hour apart: %s', (_name, life) => {
    const first = waitAfter({ life });
    expect(first).toBeGreaterThanOrEqual(30_000);
    expect(first).toBeLessThanOrEqual(60_000);
    for (const attempt of [10, 1000, 1_000_000]) {
      const wait = waitAfter({ life, attempt });
      expect(wait).toBeGreaterThanOrEqual(hourMs / 2);
      expect(wait).toBeLessThanOrEqual(hourMs);
    }
  });

  it('a service may ask for a day at most', () => {
    expect(waitAfter({ life: null, retryAfterMs: 5 * hourMs })).toBeGreaterThanOrEqual(5 * hourMs);
    expect(waitAfter({ life: null, retryAfterMs: 1000 * dayMs })).toBe(dayMs);
  });
});
