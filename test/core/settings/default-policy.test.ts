import { describe, expect, it } from 'vitest';
import type { CredentialId } from '../../../src/contract/credential/credential.ts';
import { addCredential } from '../../../src/core/credential/store-token.ts';
import { State } from '../../../src/core/state.ts';
import { noon } from '../../fixtures/make-events.ts';

function policyOfAdded(state: State, policy?: Parameters<typeof addCredential>[1]['policy']) {
  const stored = {
    fingerprint: 'print',
    lifetime: { obtainedAtMs: noon, expiresAtMs: noon + 1000 },
    validityDays: null,
  };
  const id = 'cred_a' as CredentialId;
  const [event] = addCredential(state, { id, name: 'a', baseUrl: null, policy, stored }).events;
  return event?.kind === 'credential.added' ? event.data.policy : undefined;
}

describe('the policy of a credential that is added', () => {
  const byNight = { from: '02:00', to: '05:00' };

  it('is two thirds of its lifetime, at any hour, when nothing is set', () => {
    expect(policyOfAdded(new State())).toEqual({ fraction: 2 / 3, preferred_hours: null });
  });

  it('is the one of the settings, but for what it is added with', () => {
    const state = new State();
    state.setSettings({ ...state.settings, rotation_fraction: 0.5, rotation_preferred_hours: byNight });
    expect(policyOfAdded(state)).toEqual({ fraction: 0.5, preferred_hours: byNight });
    expect(policyOfAdded(state, { fraction: 0.8 })).toEqual({ fraction: 0.8, preferred_hours: byNight });
    expect(policyOfAdded(state, { preferred_hours: null })).toEqual({ fraction: 0.5, preferred_hours: null });
  });
});
