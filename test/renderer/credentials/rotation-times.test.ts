import { describe, expect, it } from 'vitest';
import { dueUnder, policyError } from '../../../src/renderer/credentials/policy-fields.tsx';
import { outlastsToken } from '../../../src/renderer/credentials/pause-dialog.tsx';
import { pauseUntil } from '../../../src/text/time.ts';
import { shareAt, shareLeft } from '../../../src/renderer/credentials/state-sign.tsx';
import { policyChange } from '../../../src/renderer/credentials/page/policy-part.tsx';
import { policyText } from '../../../src/text/credential/credentials.ts';
import { credentialView, trouble } from './credential-view.ts';

const one = credentialView();
const began = Date.parse(one.obtained_at);
const dayMs = 86_400_000;

describe('a lifetime', () => {
  it('is left in shares from all of it to nothing', () => {
    const shares = [-1, 0, 3.5, 7, 8].map((days) => shareLeft(one, began + days * dayMs));
    expect(shares).toEqual([1, 1, 0.5, 0, 0]);
    expect(shareAt(one, '2026-01-04T12:00:00.000Z')).toBe(0.5);
  });
});

describe('another policy', () => {
  const half = { fraction: 0.5, preferred_hours: null };

  it('has its instant inside the lifetime, near its share of it', () => {
    const due = Date.parse(dueUnder(half, one, began, () => 0) ?? '');
    expect(Math.abs(due - (began + 3.5 * dayMs))).toBeLessThanOrEqual(0.05 * 3.5 * dayMs);
  });

  it('waits for the end of a pause, and has no instant while something else is waited for', () => {
    const until = '2026-01-06T00:00:00.000Z';
    expect(dueUnder(half, { ...one, paused: { until } }, began)).toBe(until);
    expect(dueUnder(half, { ...one, paused: { until: null } }, began)).toBeNull();
    expect(dueUnder(half, { ...one, trouble: trouble('unreachable') }, began)).toBeNull();
  });

  it('is refused in a sentence when a time is missing or the share is too large', () => {
    expect(policyError(half)).toBeUndefined();
    expect(policyError({ ...half, preferred_hours: { from: '', to: '04:00' } })).toMatch(
      /^Each of the two times must be a time of day/,
    );
    expect(policyError({ ...half, fraction: 0.95 })).toBe('The share must be a number from 0.1 to 0.9.');
  });

  it('is asked for with what changed', () => {
    expect(policyChange(one.policy, one.policy)).toEqual({});
    const hours = { from: '22:00', to: '04:00' };
    expect(policyChange(one.policy, { ...one.policy, preferred_hours: hours })).toEqual({
      preferred_hours: hours,
    });
    expect(policyText(one.policy)).toBe('after 67 % of its lifetime, at any hour');
    expect(policyText({ ...one.policy, validity_days: 90 })).toBe(
      'after 67 % of its lifetime, at any hour, new tokens for 90 days at most',
    );
  });
});

describe('a pause', () => {
  it('ends after an hour, in the next morning, or when a person resumes', () => {
    const now = new Date(2026, 2, 28, 23, 30);
    expect(pauseUntil('hour', now)).toBe(new Date(now.getTime() + 3_600_000).toISOString());
    expect(pauseUntil('tomorrow', now)).toBe(new Date(2026, 2, 29, 8).toISOString());
    expect(pauseUntil('resumed', now)).toBeNull();
  });

  it('is known to outlast the token when it ends no sooner', () => {
    expect(
      [null, one.expires_at, one.obtained_at].map((until) => outlastsToken(until, one.expires_at)),
    ).toEqual([true, true, false]);
  });
});
