import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AppLimits, AppTokenId } from '../../../src/contract/credential/proxy.ts';
import { UseLimits } from '../../../src/core/proxy/use-limits.ts';

const id = 'app_a' as AppTokenId;

function app(limits: Partial<AppLimits>) {
  return { id, limits: { at_once: 100, per_minute: 1000, bytes_per_minute: 1000, ...limits } };
}

describe('the limits of an app', () => {
  it('allows so many requests at once, and another when one has ended', () => {
    const limits = new UseLimits();
    const two = app({ at_once: 2 });
    expect([limits.begin(two, 0).ok, limits.begin(two, 0).ok]).toEqual([true, true]);
    expect(limits.begin(two, 0)).toMatchObject({ refusal: { code: 'too_many_at_once' } });
    limits.end(id, 0);
    expect(limits.begin(two, 0).ok).toBe(true);
    expect(limits.running(id)).toBe(2);
  });

  it('refuses a burst, says how long to wait, and allows a request after that', () => {
    const limits = new UseLimits();
    const sixty = app({ per_minute: 6 });
    for (let at = 0; at < 6; at += 1) expect(limits.begin(sixty, 0).ok).toBe(true);
    expect(limits.begin(sixty, 0)).toEqual({
      ok: false,
      refusal: { code: 'too_many_requests', retryAfterSeconds: 10 },
    });
    expect(limits.begin(sixty, 9_999).ok).toBe(false);
    expect(limits.begin(sixty, 10_000).ok).toBe(true);
  });

  it('finishes a request that uses too much, and refuses later ones until that is made up for', () => {
    const limits = new UseLimits();
    const small = app({ bytes_per_minute: 100 });
    limits.begin(small, 0);
    limits.end(id, 300);
    expect(limits.begin(small, 0)).toMatchObject({
      refusal: { code: 'too_many_bytes', retryAfterSeconds: 120 },
    });
    expect(limits.begin(small, 120_000).ok).toBe(true);
  });

  it('gives nothing for a clock that is set back, and other apps keep their share', () => {
    const limits = new UseLimits();
    const one = app({ per_minute: 1 });
    expect(limits.begin(one, 60_000).ok).toBe(true);
    expect(limits.begin(one, 0).ok).toBe(false);
    expect(limits.begin({ ...one, id: 'app_b' as AppTokenId }, 0).ok).toBe(true);
  });

  it('never allows more than the share of the time that has passed, and one share more', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2_000), { maxLength: 300 }), (pauses) => {
        const limits = new UseLimits();
        let [nowMs, allowed] = [0, 0];
        for (const pause of pauses) {
          nowMs += pause;
          if (!limits.begin(app({ per_minute: 60, at_once: 1000 }), nowMs).ok) continue;
          allowed += 1;
          limits.end(id, 0);
        }
        expect(allowed).toBeLessThanOrEqual(60 + nowMs / 1000 + 0.001);
      }),
    );
  });
});
