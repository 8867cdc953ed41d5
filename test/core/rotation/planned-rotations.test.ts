import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '../../../src/contract/credential/credential.ts';
import { dueAt } from '../../../src/core/rotation/due-at.ts';
import { type CredentialToPlan, plannedRotations } from '../../../src/core/credential/plan-rotations.ts';
import {
  anyFraction,
  anyHours,
  anyLifetime,
  countsByTenth,
  dayMs,
  lifetimeOf,
  lifetimes,
  noon,
  thousandSeeds,
  unevenTenths,
  zoneOf,
} from './lifetimes.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { urgencyOf } from '../../../src/core/rotation/due-at.ts';

const utc = () => 0;
const seedOf = (generation: number) => `crd_a:${generation}`;

function weekly(over: Partial<CredentialToPlan> = {}): CredentialToPlan {
  return {
    lifetime: lifetimeOf(7 * dayMs),
    standby: null,
    policy: defaultPolicy,
    seedOf,
    generation: 3,
    nextLifetimeMs: 7 * dayMs,
    ...over,
  };
}

describe('the dry run', () => {
  it.each([
    // 90 days hold 90 / (lifetime x 2/3) rotations; the last may be jittered out or in.
    ['1 day', dayMs, 133, 137],
    ['7 days', 7 * dayMs, 18, 20],
    ['15 days', 15 * dayMs, 8, 9],
    ['30 days', 30 * dayMs, 4, 4],
    ['90 days', 90 * dayMs, 1, 1],
  ])(
    'of 90 days replaces a value of %s as often as 2/3 of its lifetime says',
    (_name, lifetimeMs, least, most) => {
      const credential = weekly({ lifetime: lifetimeOf(lifetimeMs), nextLifetimeMs: lifetimeMs });
      const planned = plannedRotations(credential, { nowMs: noon, untilMs: noon + 90 * dayMs }, utc);
      expect(planned.length).toBeGreaterThanOrEqual(least);
      expect(planned.length).toBeLessThanOrEqual(most);
    },
  );

  it('is the due time of the loop, applied step by step', () => {
    const zone = zoneOf('Europe/Berlin');
    fc.assert(
      fc.property(
        anyLifetime,
        anyFraction,
        fc.option(anyHours),
        fc.record({
          nextLifetimeMs: fc.integer({ min: 10_000, max: 90 * dayMs }),
          lateMs: fc.integer({ min: -90 * dayMs, max: 90 * dayMs }),
          aheadMs: fc.integer({ min: 0, max: 200 * dayMs }),
        }),
        (lifetime, fraction, preferred_hours, { nextLifetimeMs, lateMs, aheadMs }) => {
          const policy = { fraction, preferred_hours };
          const nowMs = lifetime.obtainedAtMs + lateMs;
          const untilMs = nowMs + aheadMs;
          const credential = { lifetime, standby: null, policy, seedOf, generation: 7, nextLifetimeMs };
          const planned = plannedRotations(credential, { nowMs, untilMs }, zone);

          let held = lifetime;
          for (const [step, at] of planned.entries()) {
            expect(at).toBe(Math.max(nowMs, dueAt({ lifetime: held, policy, seed: seedOf(7 + step) }, zone)));
            if (step > 0) expect(at).toBeGreaterThan(planned[step - 1]!);
            expect(at).toBeLessThanOrEqual(untilMs);
            held = lifetimeOf(nextLifetimeMs, at);
          }
          const following = dueAt({ lifetime: held, policy, seed: seedOf(7 + planned.length) }, zone);
          if (planned.length < 2000) expect(Math.max(nowMs, following)).toBeGreaterThan(untilMs);
        },
      ),
      { numRuns: propertyRuns(60) },
    );
  });

  it.each([
    ['is overdue', noon + 6 * dayMs],
    ['has expired', noon + 60 * dayMs],
  ])('begins now where the token %s', (_name, nowMs) => {
    const [first, second] = plannedRotations(weekly(), { nowMs, untilMs: nowMs + 30 * dayMs }, utc);
    expect(first).toBe(nowMs);
    expect(second).toBe(
      dueAt({ lifetime: lifetimeOf(7 * dayMs, nowMs), policy: defaultPolicy, seed: 'crd_a:4' }, utc),
    );
  });

  it('is empty where nothing falls due', () => {
    expect(plannedRotations(weekly(), { nowMs: noon, untilMs: noon + dayMs }, utc)).toEqual([]);
  });

  it('goes up to and including its last instant', () => {
    const [first] = plannedRotations(weekly(), { nowMs: noon, untilMs: noon + 7 * dayMs }, utc);
    expect(plannedRotations(weekly(), { nowMs: noon, untilMs: first! }, utc)).toEqual([first]);
    expect(plannedRotations(weekly(), { nowMs: noon, untilMs: first! - 1 }, utc)).toEqual([]);
  });

  it('ends after 2,000 rotations: ten seconds would make a million of 90 days', () => {
    const credential = weekly({ lifetime: lifetimeOf(10_000), nextLifetimeMs: 10_000 });
    const planned = plannedRotations(credential, { nowMs: noon, untilMs: noon + 90 * dayMs }, utc);
    expect(planned).toHaveLength(2000);
  });

  it.each([0, -1, Number.NaN])('ends before tokens that would be valid for %d ms', (nextLifetimeMs) => {
    const planned = plannedRotations(
      weekly({ nextLifetimeMs }),
      { nowMs: noon, untilMs: noon + 90 * dayMs },
      utc,
    );
    expect(planned).toHaveLength(1);
  });
});

function shareOf(lifetimeMs: number, fraction: number, seed: string): number {
  const value = { lifetime: lifetimeOf(lifetimeMs), policy: { fraction, preferred_hours: null }, seed };
  return (dueAt(value, utc) - noon) / lifetimeMs;
}

describe.each(lifetimes)('a token of %s', (_name, lifetimeMs) => {
  it.each([
    [0.1, 0.095, 0.105],
    [1 / 3, 0.3166, 0.35],
    [2 / 3, 0.6333, 0.7],
    // Later than 90 % of the lifetime is never planned, so the jitter only goes to the early side.
    [0.9, 0.855, 0.9],
  ])('with the fraction %d is due evenly between the shares %d and %d', (fraction, from, until) => {
    const shares = thousandSeeds.map((seed) => shareOf(lifetimeMs, fraction, seed));
    expect(unevenTenths(countsByTenth(shares, from, until))).toEqual([]);
  });
});

describe('the due time', () => {
  it('differs from one generation of a credential to the next', () => {
    const shares = thousandSeeds.map((_, generation) => shareOf(dayMs, 2 / 3, `crd_a:${generation}`));
    expect(unevenTenths(countsByTenth(shares, 0.6333, 0.7))).toEqual([]);
  });

  // A change of the hash would move every rotation that was shown to a person; computed independently of the code.
  it.each([
    ['crd_a:1', '2026-03-04T07:28:07.849Z'],
    ['crd_a:2', '2026-03-03T13:59:06.337Z'],
    ['crd_b:1', '2026-03-02T02:06:54.389Z'],
  ])('of the seed %s stays the same from version to version', (seed, at) => {
    const value = {
      lifetime: {
        obtainedAtMs: Date.parse('2026-01-01T00:00:00Z'),
        expiresAtMs: Date.parse('2026-04-01T00:00:00Z'),
      },
      policy: { fraction: 2 / 3, preferred_hours: null },
      seed,
    };
    expect(new Date(dueAt(value, utc)).toISOString()).toBe(at);
  });

  it('is strictly inside any positive lifetime, even of one millisecond, with and without preferred hours', () => {
    const zone = zoneOf('America/New_York');
    fc.assert(
      fc.property(
        fc.oneof(
          anyLifetime,
          fc.integer({ min: 1, max: 20 }).map((lifetimeMs) => lifetimeOf(lifetimeMs)),
        ),
        anyFraction,
        fc.option(anyHours),
        fc.string(),
        (lifetime, fraction, preferred_hours, seed) => {
          const at = dueAt({ lifetime, policy: { fraction, preferred_hours }, seed }, zone);
          expect(at).toBeGreaterThan(lifetime.obtainedAtMs);
          expect(at).toBeLessThan(lifetime.expiresAtMs);
          const lifetimeMs = lifetime.expiresAtMs - lifetime.obtainedAtMs;
          if (lifetimeMs > 20) expect(Number.isInteger(at)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each([
    ['ends when it begins', noon],
    ['ends before it begins', noon - dayMs],
    ['ends at no instant', Number.NaN],
    ['never ends', Number.POSITIVE_INFINITY],
  ])('of a lifetime that %s is its beginning', (_name, expiresAtMs) => {
    const policy = { fraction: 0.5, preferred_hours: { from: '02:00', to: '04:00' } };
    expect(dueAt({ lifetime: { obtainedAtMs: noon, expiresAtMs }, policy, seed: 'a' }, utc)).toBe(noon);
  });
});

describe.each(lifetimes)('a failing credential with a token of %s', (_name, lifetimeMs) => {
  it.each([
    [1.5, null],
    [1, null],
    [0.2001, null],
    [0.2, 20],
    [0.1001, 20],
    [0.1, 10],
    [0.0201, 10],
    [0.02, 2],
    [0, 2],
    [-3, 2],
  ])('and the share %d of it left is urgent at %s', (share, urgency) => {
    const lifetime = lifetimeOf(lifetimeMs);
    expect(urgencyOf(lifetime, lifetime.expiresAtMs - Math.round(lifetimeMs * share))).toBe(urgency);
  });
});

it('is as urgent as it gets where a token never had a lifetime', () => {
  expect(urgencyOf(lifetimeOf(0), noon - 1000)).toBe(2);
  expect(urgencyOf(lifetimeOf(-1000), noon - 5000)).toBe(2);
});
