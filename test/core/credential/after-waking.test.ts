import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../src/contract/history/audit-event.ts';
import { type TroubleKind, troubleKinds } from '../../../src/contract/credential/credential-view.ts';
import {
  deliveryAfterWakingMs,
  refreshOnDemandMs,
  rotationAfterWakingMs,
} from '../../../src/core/credential/attempt-rotation.ts';
import type { Credential } from '../../../src/core/credential/credential-state.ts';
import { retryAt } from '../../../src/core/rotation/retry-at.ts';
import { isoInstant } from '../../../src/core/iso-instant.ts';
import {
  credentialAdded,
  credentialPaused,
  delivered,
  deliveryFailed,
  rotationBegun,
  rotationFailed,
  targetAdded,
  targetsOfEveryKind,
} from '../../fixtures/credential-events.ts';
import { noon } from '../../fixtures/make-events.ts';
import { anyLifetime } from '../rotation/lifetimes.ts';
import { apply, credentialIn, stateAfter } from './credential-state.ts';
import { type CredentialId, defaultPolicy } from '../../../src/contract/credential/credential.ts';
import { deriveCredential } from '../../../src/core/credential/derive-credential.ts';
import { viewCredential } from '../../../src/core/credential/view-credential.ts';
import { State } from '../../../src/core/state.ts';

const hourMs = 3_600_000;
const nextTryMs = noon + hourMs;
/** The shortest time between two attempts, with a lifetime of ten days. */
const apartMs = 30_000;
const keychain = targetsOfEveryKind.find(({ kind }) => kind === 'keychain')!;

function failing(...events: EventDraft[]): Credential {
  const failed = [rotationBegun('a'), rotationFailed('a', 'unreachable', { nextTryMs })];
  return credentialIn(stateAfter(credentialAdded('a'), ...failed, ...events));
}

describe('a rotation that failed, once the machine has woken,', () => {
  it.each(troubleKinds)('by %s is tried before its time only if sleep may have been the reason', (kind) => {
    const events = [credentialAdded('a'), rotationBegun('a'), rotationFailed('a', kind, { nextTryMs })];
    const mayBeOver = kind === 'unreachable' || kind === 'vault';
    expect(rotationAfterWakingMs(credentialIn(stateAfter(...events)), noon + hourMs / 2)).toBe(
      mayBeOver ? noon + apartMs : null,
    );
  });

  it.each<[string, Credential]>([
    ['is not due', credentialIn(stateAfter(credentialAdded('a')))],
    ['is under way for the first time', credentialIn(stateAfter(credentialAdded('a'), rotationBegun('a')))],
    ['is paused', failing(credentialPaused('a'))],
    ['is paused for a while yet', failing(credentialPaused('a', noon + hourMs))],
  ])('keeps its plan where the credential %s', (_which, credential) => {
    expect(rotationAfterWakingMs(credential, noon + hourMs / 2)).toBeNull();
  });

  it.each<[string, Credential, number, number]>([
    ['whose pause is over', failing(credentialPaused('a', noon + 1)), noon + hourMs / 2, noon + apartMs],
    ['that failed by a clock that was set back since', failing(), noon - hourMs, noon - hourMs],
  ])('of one %s is tried', (_which, credential, atMs, expectedMs) => {
    expect(rotationAfterWakingMs(credential, atMs)).toBe(expectedMs);
  });

  it('is tried at once where nothing says when the last attempt was', () => {
    const credential = failing();
    if (credential.trouble === null) throw new Error('It fails');
    const older = { ...credential, trouble: { ...credential.trouble, lastTryMs: null } };
    expect(rotationAfterWakingMs(older, noon + 5)).toBe(noon + 5);
  });

  it('is never tried later than it was planned, nor closer to the last attempt than any plan has two', () => {
    fc.assert(
      fc.property(
        anyLifetime,
        fc.nat(999),
        fc.integer({ min: 1, max: 60 }),
        (lifetime, thousandths, attempt) => {
          const lifetimeMs = lifetime.expiresAtMs - lifetime.obtainedAtMs;
          const failedMs = Math.floor(lifetime.obtainedAtMs + (lifetimeMs * thousandths) / 1_000);
          const plan = { lifetime, nowMs: failedMs, retryAfterMs: null };
          const instants = {
            obtained_at: isoInstant(lifetime.obtainedAtMs),
            expires_at: isoInstant(lifetime.expiresAtMs),
          };
          const state = stateAfter(credentialAdded('a', instants), rotationBegun('a'));
          const plannedMs = retryAt({ ...plan, attempt, seed: 'a' });
          apply(state, [rotationFailed('a', 'unreachable', { nextTryMs: plannedMs })], failedMs);
          const wokenMs = rotationAfterWakingMs(credentialIn(state), failedMs) ?? Infinity;
          expect(wokenMs).toBeLessThanOrEqual(plannedMs);
          expect(wokenMs - failedMs).toBeGreaterThanOrEqual(Math.min(lifetimeMs / 100, 30_000));
        },
      ),
    );
  });
});

describe('a delivery that failed, once the machine has woken,', () => {
  const wokenMs = (...events: EventDraft[]): number | null => {
    const credential = credentialIn(stateAfter(credentialAdded('a'), ...events));
    return deliveryAfterWakingMs(credential, credential.targets[0]!, noon + hourMs / 2);
  };

  it.each(targetsOfEveryKind)('is tried before its time in a keychain only: $kind', (target) => {
    const expected = target.kind === 'keychain' ? noon + apartMs : null;
    expect(wokenMs(targetAdded('a', target), deliveryFailed('a', nextTryMs))).toBe(expected);
  });

  it.each<[string, EventDraft[]]>([
    ['can never succeed', [deliveryFailed('a', null)]],
    ['has arrived since', [deliveryFailed('a', nextTryMs), delivered('a')]],
  ])('is left alone where it %s', (_which, events) => {
    expect(wokenMs(targetAdded('a', keychain), ...events)).toBeNull();
  });
});

const obtainedAtMs = Date.parse('2026-01-10T12:00:00Z');
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
