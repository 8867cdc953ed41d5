import { describe, expect, it } from 'vitest';
import { seedOf } from '../../../src/core/credential/credential-state.ts';
import { usableUntilMs } from '../../../src/core/connection/usable-until.ts';
import { dueAt } from '../../../src/core/rotation/due-at.ts';
import {
  credentialAdded,
  credentialIdNamed,
  credentialPaused,
  lifetime,
  policy,
  targetAdded,
} from '../../fixtures/credential-events.ts';
import { noon } from '../../fixtures/make-events.ts';
import { derivedIn, stateAfter } from '../credential/credential-state.ts';

const utc = () => 0;
const dueMs = dueAt({ lifetime, policy, seed: seedOf(credentialIdNamed('a'), 1) }, utc);
const { expiresAtMs } = lifetime;
const minuteMs = 60_000;

function until(id: string, { nowMs = noon, more = [] as Parameters<typeof stateAfter> } = {}): number {
  const state = stateAfter(credentialAdded('a', { provider: { id, inputs: {} } }), ...more);
  return usableUntilMs(derivedIn(state), nowMs, utc);
}

describe('until when a tool may keep a token', () => {
  it('is the planned rotation where that ends it at once', () => {
    expect(dueMs).toBeLessThan(expiresAtMs);
    expect(until('gitlab')).toBe(dueMs);
  });

  it('is the end of the overlap where the old one works beside the new one', () => {
    expect(until('datadog')).toBe(Math.min(expiresAtMs, dueMs + 24 * 3_600_000));
    const more = [targetAdded('a')];
    expect(until('datadog', { more })).toBe(Math.min(expiresAtMs, dueMs + minuteMs));
  });

  it('is its expiry where nothing ends it before', () => {
    expect(until('gitlab', { more: [credentialPaused('a')] })).toBe(expiresAtMs);
  });

  it('is a minute from now where the rotation is late, and never after its expiry', () => {
    expect(until('gitlab', { nowMs: dueMs + 5 })).toBe(dueMs + 5 + minuteMs);
    expect(until('gitlab', { nowMs: expiresAtMs - 5 })).toBe(expiresAtMs);
  });
});
