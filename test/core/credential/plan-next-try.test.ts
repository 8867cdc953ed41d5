import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planNextTry } from '../../../src/core/credential/attempt-rotation.ts';
import { retryAt } from '../../../src/core/rotation/retry-at.ts';
import { anyLifetime, dayMs, hourMs, lifetimeOf, noon } from '../rotation/lifetimes.ts';

const lifetime = lifetimeOf(10 * dayMs);
/** So many failures that the next try is half an hour away at least. */
const failed = { lifetime, attempt: 9, nowMs: noon, retryAfterMs: null, seed: 'cred_a:1' };
const usualMs = retryAt(failed);

describe('what follows an attempt that failed', () => {
  it.each<[string, number | null, number]>([
    ['the first is what follows any', null, usualMs],
    ['at its time is what follows any', noon, usualMs],
    ['after its time is what follows any', noon - hourMs, usualMs],
    ['before its time is what was planned, sooner', noon + hourMs / 4, noon + hourMs / 4],
    ['before its time is what was planned, or later', noon + 2 * hourMs, noon + 2 * hourMs],
    ['right before its time is not right after it', noon + 1, noon + 30_000],
    ['by a clock that was set back since is what follows any', noon + dayMs + 1, usualMs],
  ])('%s', (_which, plannedMs, expectedMs) => {
    expect(planNextTry(failed, plannedMs)).toBe(expectedMs);
  });

  it('is when the service asked for it, whatever was planned', () => {
    const asked = { ...failed, retryAfterMs: 2 * hourMs };
    expect(planNextTry(asked, noon + hourMs / 4)).toBe(retryAt(asked));
  });

  it('is never past half of what is left, and never sooner than any attempt may follow another', () => {
    const planned = fc.option(fc.integer({ min: -dayMs, max: dayMs }));
    fc.assert(
      fc.property(anyLifetime, fc.nat(999), planned, (ofLifetime, thousandths, aheadMs) => {
        const lifetimeMs = ofLifetime.expiresAtMs - ofLifetime.obtainedAtMs;
        const nowMs = Math.floor(ofLifetime.obtainedAtMs + (lifetimeMs * thousandths) / 1_000);
        const attempt = { ...failed, lifetime: ofLifetime, nowMs };
        const nextMs = planNextTry(attempt, aheadMs === null ? null : nowMs + aheadMs);
        const leftMs = ofLifetime.expiresAtMs - nowMs;
        expect(nextMs - nowMs).toBeLessThanOrEqual(Math.max(Math.ceil(leftMs / 2), 30_000));
        expect(nextMs - nowMs).toBeGreaterThanOrEqual(Math.min(lifetimeMs / 100, 30_000));
      }),
    );
  });
});
