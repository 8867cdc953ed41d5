import { describe, expect, it } from 'vitest';
import { type CredentialId, defaultPolicy } from '../../../src/contract/credential/credential.ts';
import type { TroubleKind } from '../../../src/contract/credential/credential-view.ts';
import { refreshOnDemandMs } from '../../../src/core/credential/attempt-rotation.ts';
import type { Credential } from '../../../src/core/credential/credential-state.ts';
import { deriveCredential } from '../../../src/core/credential/derive-credential.ts';
import { viewCredential } from '../../../src/core/credential/view-credential.ts';
import { State } from '../../../src/core/state.ts';

const obtainedAtMs = Date.parse('2026-01-10T12:00:00Z');
const hourMs = 3_600_000;
const endMs = obtainedAtMs + hourMs;

function held(differences: Partial<Credential> = {}): Credential {
  return {
    id: 'cred_a' as CredentialId,
    name: 'app',
    provider: { id: 'oauth2', inputs: {} },
    baseUrl: 'https://api.example.com',
    policy: defaultPolicy,
    validityDays: null,
    generation: 1,
    fingerprint: 'f',
    lifetime: { obtainedAtMs, expiresAtMs: endMs },
    canRotate: true,
    expiryAssumed: null,
    heldSinceMs: null,
    upstreamId: null,
    retiring: [],
    standby: null,
    pastTokens: [],
    pause: null,
    rotation: null,
    trouble: null,
    lastRotatedAtMs: null,
    targets: [],
    ...differences,
  };
}

function trouble(kind: TroubleKind, lastTryMs: number, nextTryMs: number | null) {
  const message = 'It failed.';
  return { trouble: { kind, message, sinceMs: lastTryMs, attempts: 1, lastTryMs, nextTryMs } };
}

describe('a refresh because a program needs a token', () => {
  it.each<[string, Credential, number, number | null]>([
    ['is not made while the token works', held(), endMs - 60_000, null],
    ['is made shortly before the token ends', held(), endMs - 30_000, endMs - 30_000],
    ['is made after the token has ended', held(), endMs + hourMs, endMs + hourMs],
    [
      'is not made for a token of another shape',
      held({ provider: { id: 'gitlab', inputs: {} } }),
      endMs,
      null,
    ],
    ['is not made while rotation is paused', held({ pause: { untilMs: null } }), endMs, null],
    [
      'is made soon after nothing answered',
      held(trouble('unreachable', endMs, endMs + hourMs)),
      endMs,
      endMs + 30_000,
    ],
    [
      'waits as long as the server asked for',
      held(trouble('service_failed', endMs, endMs + hourMs)),
      endMs,
      endMs + hourMs,
    ],
    ['is not made when a person has to sign in', held(trouble('invalid', obtainedAtMs, null)), endMs, null],
  ])('%s', (_what, credential, nowMs, expected) => {
    expect(refreshOnDemandMs(deriveCredential(new State(), credential, nowMs), nowMs)).toBe(expected);
  });
});

describe('an access token that has ended', () => {
  const at = (credential: Credential, nowMs: number) =>
    viewCredential(new State(), credential, {
      nowMs,
      zone: () => 0,
      embeddedUrl: '',
      describe: ({ code }) => code,
    });

  it('leaves its credential due, and nothing to report', () => {
    expect(at(held(), endMs)).toMatchObject({ state: 'due', message: null, warning: null });
    const other = held({ provider: { id: 'rotavox', inputs: {} } });
    expect(at(other, endMs)).toMatchObject({ state: 'expired', message: 'expired' });
  });

  it('is not given out, and one that has not ended is, also when the sign-in has', () => {
    const unusable = (credential: Credential, nowMs: number) =>
      deriveCredential(new State(), credential, nowMs).unusable?.code ?? null;
    const ended = held(trouble('invalid', obtainedAtMs, null));
    expect(unusable(held(), endMs - 1)).toBeNull();
    expect(unusable(held(), endMs)).toBe('access_ended');
    expect(unusable(ended, endMs - 1)).toBeNull();
    expect(unusable(ended, endMs)).toBe('access_ended');
    expect(at(ended, obtainedAtMs)).toMatchObject({ state: 'refused' });
  });
});
