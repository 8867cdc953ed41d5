import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dueAt } from '../../../src/core/rotation/due-at.ts';
import {
  anyFraction,
  anyHours,
  anyLifetime,
  countsByTenth,
  dayMs,
  unevenTenths,
  lifetimeOf,
  lifetimes,
  noon,
  thousandSeeds,
} from './lifetimes.ts';
import { zoneOf } from './zone-of.ts';

const utc = () => 0;

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
