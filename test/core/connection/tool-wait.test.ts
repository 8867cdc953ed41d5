import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../src/contract/history/audit-event.ts';
import { endsAtOnce, mayWaitUntilMs } from '../../../src/core/connection/tool-wait.ts';
import { seedOf } from '../../../src/core/credential/credential-state.ts';
import { deriveCredential } from '../../../src/core/credential/derive-credential.ts';
import { dueAt } from '../../../src/core/rotation/due-at.ts';
import {
  credentialAdded,
  credentialIdNamed,
  credentialPaused,
  lifetime,
  policy,
  rotationBegun,
} from '../../fixtures/credential-events.ts';
import { noon } from '../../fixtures/make-events.ts';
import { credentialIn, derivedIn, stateAfter } from '../credential/credential-state.ts';

const utc = () => 0;
const minuteMs = 60_000;
const { obtainedAtMs, expiresAtMs } = lifetime;
const dueMs = dueAt({ lifetime, policy, seed: seedOf(credentialIdNamed('a'), 1) }, utc);

function until(nowMs: number, { id = 'gitlab', more = [] as EventDraft[], fraction = policy.fraction } = {}) {
  const provider = { id, inputs: {} };
  const state = stateAfter(credentialAdded('a', { provider, policy: { ...policy, fraction } }), ...more);
  return mayWaitUntilMs(deriveCredential(state, credentialIn(state), nowMs), nowMs, utc);
}

describe('a planned rotation that tools would notice', () => {
  it('may wait from its planned time on, for 15 minutes', () => {
    expect(until(dueMs - 1)).toBeNull();
    expect(until(dueMs)).toBe(dueMs + 15 * minuteMs);
    expect(until(dueMs + 15 * minuteMs - 1)).toBe(dueMs + 15 * minuteMs);
    expect(until(dueMs + 15 * minuteMs)).toBeNull();
  });

  it('never waits in the last tenth of the lifetime', () => {
    // A token of a quarter of an hour, which is rotated after 12 to 13.5 minutes.
    const short = {
      obtained_at: new Date(noon).toISOString(),
      expires_at: new Date(noon + 15 * minuteMs).toISOString(),
    };
    const state = stateAfter(
      credentialAdded('a', {
        provider: { id: 'gitlab', inputs: {} },
        policy: { ...policy, fraction: 0.8 },
        ...short,
      }),
    );
    const latestMs = noon + 13.5 * minuteMs;
    const at = (nowMs: number) =>
      mayWaitUntilMs(deriveCredential(state, credentialIn(state), nowMs), nowMs, utc);
    expect(at(latestMs - 1)).toBe(latestMs);
    expect(at(latestMs)).toBeNull();
    expect(at(noon + 16 * minuteMs)).toBeNull();
    expect(until(obtainedAtMs + (expiresAtMs - obtainedAtMs) * 0.9, { fraction: 0.9 })).toBeNull();
  });

  it('does not wait where the old token works beside the new one, or stays', () => {
    for (const id of ['datadog', 'github-app', 'vault', 'oauth2-client'])
      expect(until(dueMs, { id }), id).toBeNull();
    expect(endsAtOnce(derivedIn(stateAfter(credentialAdded('a'))))).toBe(true);
    const standby = { lifetime, fingerprint: 'f' };
    expect(endsAtOnce({ ...derivedIn(stateAfter(credentialAdded('a'))), standby })).toBe(false);
  });

  it('waits 15 minutes from the end of a pause that was later than its planned time', () => {
    const endMs = dueMs + 60 * minuteMs;
    const more = [credentialPaused('a', endMs)];
    expect(until(endMs - 1, { more })).toBeNull();
    expect(until(endMs, { more })).toBe(endMs + 15 * minuteMs);
    expect(until(endMs + 15 * minuteMs, { more })).toBeNull();
    expect(until(dueMs, { more: [credentialPaused('a', dueMs - 60 * minuteMs)] })).toBe(
      dueMs + 15 * minuteMs,
    );
  });

  it('does not wait when it was begun or is paused', () => {
    expect(until(dueMs, { more: [rotationBegun('a')] })).toBeNull();
    expect(until(dueMs, { more: [credentialPaused('a')] })).toBeNull();
  });
});
