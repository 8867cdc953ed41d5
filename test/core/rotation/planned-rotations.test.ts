import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '../../../src/contract/credential/credential.ts';
import { dueAt } from '../../../src/core/rotation/due-at.ts';
import { type CredentialToPlan, plannedRotations } from '../../../src/core/credential/plan-rotations.ts';
import { anyFraction, anyHours, anyLifetime, dayMs, lifetimeOf, noon } from './lifetimes.ts';
import { zoneOf } from './zone-of.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';

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
