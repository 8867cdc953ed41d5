import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CredentialId, defaultPolicy } from '../../../src/contract/credential/credential.ts';
import type { Credential } from '../../../src/core/credential/credential-state.ts';
import { nextRotationMs } from '../../../src/core/credential/next-action.ts';
import { retryAt } from '../../../src/core/rotation/retry-at.ts';
import type { TokenLifetime } from '../../../src/core/rotation/due-at.ts';
import { anyLifetime, dayMs, hourMs, lifetimeOf, noon } from '../rotation/lifetimes.ts';
import { planNextTry } from '../../../src/core/credential/attempt-rotation.ts';

function failing(lifetime: TokenLifetime, nextTryMs: number): Credential {
  return {
    id: 'cred_a' as CredentialId,
    name: 'app',
    provider: { id: 'rotavox', inputs: {} },
    expiryAssumed: null,
    heldSinceMs: null,
    standby: null,
    upstreamId: null,
    retiring: [],
    baseUrl: null,
    policy: defaultPolicy,
    validityDays: 7,
    generation: 1,
    fingerprint: 'f',
    lifetime,
    canRotate: null,
    pastTokens: [],
    pause: null,
    rotation: { idempotencyKey: 'k', begunAtMs: lifetime.obtainedAtMs, cause: 'due', mayHaveActed: false },
    trouble: {
      kind: 'unreachable',
      message: 'Nothing answers.',
      sinceMs: lifetime.obtainedAtMs,
      attempts: 1,
      lastTryMs: null,
      nextTryMs,
    },
    lastRotatedAtMs: null,
    targets: [],
  };
}

/** A failed attempt at any share of a lifetime, or after it, and the next one as planned then. */
const anyPlan = fc
  .record({
    lifetime: anyLifetime,
    share: fc.double({ min: 0, max: 1.5, noNaN: true }),
    attempt: fc.integer({ min: 1, max: 60 }),
    retryAfterMs: fc.option(fc.integer({ min: 1, max: 10 * dayMs })),
  })
  .map(({ lifetime, share, attempt, retryAfterMs }) => {
    const failedMs = Math.floor(
      lifetime.obtainedAtMs + (lifetime.expiresAtMs - lifetime.obtainedAtMs) * share,
    );
    const plannedMs = retryAt({ lifetime, attempt, nowMs: failedMs, retryAfterMs, seed: 'cred_a:1' });
    return { lifetime, failedMs, plannedMs };
  });

describe('the next attempt', () => {
  it('is made when it was planned, whenever that is looked at', () => {
    fc.assert(
      fc.property(anyPlan, fc.double({ min: 0, max: 1, noNaN: true }), (plan, share) => {
        const { lifetime, failedMs, plannedMs } = plan;
        const nowMs = Math.floor(failedMs + (plannedMs - failedMs) * share);
        expect(nextRotationMs(failing(lifetime, plannedMs), nowMs, () => 0)).toBe(plannedMs);
      }),
    );
  });

  it('never waits past half of what is left, however far the clock was set back since', () => {
    fc.assert(
      fc.property(anyPlan, fc.integer({ min: 0, max: 400 * dayMs }), (plan, backMs) => {
        const { lifetime, failedMs, plannedMs } = plan;
        const nowMs = failedMs - backMs;
        const nextMs = nextRotationMs(failing(lifetime, plannedMs), nowMs, () => 0) ?? Infinity;
        const leftMs = lifetime.expiresAtMs - nowMs;
        const longestMs = leftMs > 0 ? Math.max(Math.ceil(leftMs / 2), 30_000) : dayMs;
        expect(nextMs - nowMs).toBeGreaterThanOrEqual(0);
        expect(nextMs - nowMs).toBeLessThanOrEqual(Math.min(longestMs, dayMs));
      }),
    );
  });
});

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
