import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../src/contract/history/audit-event.ts';
import type { CredentialState, CredentialView } from '../../../src/contract/credential/credential-view.ts';
import { viewCredential } from '../../../src/core/credential/view-credential.ts';
import { isoInstant } from '../../../src/core/iso-instant.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import {
  credentialAdded,
  credentialPaused,
  delivered,
  deliveryFailed,
  fileTarget,
  lifetime,
  policy,
  remoteUrl,
  rotationBegun,
  rotationFailed,
  targetAdded,
  targetIdNamed,
  valueTaken,
} from '../../fixtures/credential-events.ts';
import { issued, noon, rotated, tokenIdNamed } from '../../fixtures/make-events.ts';
import { credentialIn, describeProblem, stateAfter } from './credential-state.ts';

const embeddedUrl = 'http://127.0.0.1:7682';
const added = credentialAdded('a');
const embedded = credentialAdded('a', { base_url: null });
const dueMs = noon + 6 * dayMs;
const endMs = lifetime.expiresAtMs;

function view(events: EventDraft[], atMs = noon): CredentialView {
  const state = stateAfter(...events);
  return viewCredential(state, credentialIn(state), {
    nowMs: atMs,
    zone: () => 0,
    embeddedUrl,
    describe: describeProblem,
  });
}

function failed(kind: Parameters<typeof rotationFailed>[1], nextTryMs: number | null = null): EventDraft[] {
  return [rotationBegun('a'), rotationFailed('a', kind, { nextTryMs })];
}

const undelivered = [targetAdded('a'), deliveryFailed('a', noon + 1)];

describe('the state of a credential', () => {
  it.each<[CredentialState, string, EventDraft[], number]>([
    ['fine', 'with a value in the middle of its lifetime', [], noon],
    ['fine', 'with a target that has the value', [targetAdded('a'), delivered('a')], noon],
    ['fine', 'with a target that is owed the value', [targetAdded('a')], noon],
    ['fine', 'whose pause is over', [credentialPaused('a', noon + 1)], noon + 1],
    ['fine', 'that was rotated', [...failed('unreachable'), valueTaken('a', 2)], noon],
    ['fine', 'that got a value from a person', [...failed('reply_lost'), valueTaken('a', 2, 'pasted')], noon],
    ['paused', 'that is paused', [credentialPaused('a')], noon],
    ['paused', 'that is paused beyond its due time', [credentialPaused('a')], dueMs],
    ['delivery_failing', 'with a target that did not take the value', undelivered, noon],
    [
      'delivery_failing',
      'with a target that never will',
      [targetAdded('a'), deliveryFailed('a', null)],
      noon,
    ],
    [
      'delivery_failing',
      'with one of two targets',
      [...undelivered, targetAdded('a', { kind: 'file', path: '/y' }, 'y')],
      noon,
    ],
    ['delivery_failing', 'that is paused as well', [...undelivered, credentialPaused('a')], noon],
    ['due', 'that is due', [], dueMs],
    ['due', 'that is due with a target that fails', undelivered, dueMs],
    ['due', 'whose pause ended after it was due', [credentialPaused('a', dueMs)], dueMs],
    ['rotating', 'that is being rotated', [rotationBegun('a')], noon],
    [
      'rotating',
      'that is being rotated although it is paused',
      [rotationBegun('a'), credentialPaused('a')],
      noon,
    ],
    ['rotating', 'that is due and being rotated', [rotationBegun('a')], dueMs],
    ['failing', 'whose service does not answer', failed('unreachable', dueMs), noon],
    ['failing', 'whose service fails', failed('service_failed', dueMs), noon],
    ['failing', 'whose service cannot be trusted', failed('unsafe', dueMs), noon],
    [
      'failing',
      'that fails while it is paused',
      [...failed('unreachable', dueMs), credentialPaused('a')],
      noon,
    ],
    [
      'failing',
      'that fails, with a target that fails',
      [...failed('unreachable', dueMs), ...undelivered],
      noon,
    ],
    ['vault_unavailable', 'whose vault is locked', failed('vault', dueMs), noon],
    ['refused', 'that is refused for now', failed('refused', dueMs), noon],
    ['refused', 'that the service does not know', failed('invalid'), noon],
    ['refused', 'that is blacklisted', failed('blacklisted'), noon],
    ['refused', 'that is refused and paused', [...failed('refused', dueMs), credentialPaused('a')], noon],
    ['expired', 'that has come to its end', [], endMs],
    ['expired', 'that came to its end while it was paused', [credentialPaused('a')], endMs],
    ['expired', 'that came to its end while it was being rotated', [rotationBegun('a')], endMs],
    ['expired', 'that came to its end while it failed', failed('unreachable', dueMs), endMs],
    ['expired', 'that came to its end while it was refused', failed('refused', dueMs), endMs],
    ['expired', 'that came to its end while the vault was locked', failed('vault', dueMs), endMs],
    ['expired', 'that the service calls expired before our clock does', failed('expired'), noon],
    ['value_missing', 'whose value is gone from the vault', failed('value_missing'), noon],
    ['value_missing', 'whose value is gone, and would have expired', failed('value_missing'), endMs],
    ['reply_lost', 'whose new value nobody received', failed('reply_lost'), noon],
    [
      'reply_lost',
      'whose new value nobody received, and that is paused',
      [...failed('reply_lost'), credentialPaused('a')],
      noon,
    ],
    [
      'reply_lost',
      'whose new value nobody received, and whose old one has expired',
      failed('reply_lost'),
      endMs,
    ],
  ])('is %s for one %s', (expected, _which, events, atMs) => {
    expect(view([added, ...events], atMs).state).toBe(expected);
  });
});

describe('the message of a credential', () => {
  it.each<[string, EventDraft[], number, string | null]>([
    ['that is fine', [added], noon, null],
    ['that is due', [added], dueMs, null],
    ['that is being rotated', [added, rotationBegun('a')], noon, null],
    ['that is paused', [added, credentialPaused('a')], noon, null],
    ['that fails says why', [added, ...failed('unreachable', dueMs)], noon, 'It says unreachable.'],
    ['that needs a person says why', [added, ...failed('reply_lost')], noon, 'It says reply_lost.'],
    ['with a target that fails says why', [added, ...undelivered], noon, 'The folder is not there.'],
    [
      'that fails, and a target too, tells of the rotation',
      [added, ...undelivered, ...failed('vault')],
      noon,
      'It says vault.',
    ],
    ['that expired says so', [added], endMs, 'expired'],
    ['of this service that expired says so', [embedded], endMs, 'expired'],
    [
      'that expired while it failed says why',
      [added, ...failed('unreachable')],
      endMs,
      'expired after: It says unreachable.',
    ],
    [
      'of this service that expired while it was refused says why',
      [embedded, ...failed('refused')],
      endMs,
      'expired after: It says refused.',
    ],
    // Here the trouble says more than that the token expired.
    ['that the service calls expired', [added, ...failed('expired')], endMs, 'It says expired.'],
    [
      'that is blacklisted, and expired since',
      [added, ...failed('blacklisted')],
      endMs,
      'It says blacklisted.',
    ],
  ])('%s', (_which, events, atMs, expected) => {
    expect(view(events, atMs).message).toBe(expected);
  });
});

describe('the warning of a credential', () => {
  const leftAt = (percent: number) => endMs - (endMs - noon) * (percent / 100);

  it.each([60, 20, 10, 2, 1, 0])(
    'is not for the calendar: none with %d %% left and nothing wrong',
    (percent) => {
      expect(view([added], leftAt(percent)).warning).toBeNull();
      expect(view([added, ...undelivered], leftAt(percent)).warning).toBeNull();
      expect(view([added, rotationBegun('a')], leftAt(percent)).warning).toBeNull();
    },
  );

  it.each([
    [60, null],
    [21, null],
    [20, 20],
    [11, 20],
    [10, 10],
    [3, 10],
    [2, 2],
    [0, 2],
    [-50, 2],
  ])('of one that fails with %d %% left is %s', (percent, expected) => {
    expect(view([added, ...failed('unreachable', noon)], leftAt(percent)).warning).toBe(expected);
  });
});

describe('the dry run of a credential', () => {
  const windowMs = 90 * dayMs;

  it('begins with the next attempt and continues for 90 days', () => {
    const { planned, next_rotation_at: next } = view([added]);
    expect(planned[0]).toBe(next);
    expect(planned).toEqual([...planned].sort());
    // Every five days or so, for ninety.
    expect(planned.length).toBeGreaterThan(15);
    expect(planned.length).toBeLessThan(20);
    expect(Date.parse(planned.at(-1) ?? '')).toBeLessThanOrEqual(noon + windowMs);
  });

  it.each<[string, EventDraft[], number, number]>([
    ['that is overdue', [], dueMs, dueMs],
    ['that is paused until a while after it was due', [credentialPaused('a', dueMs + 5)], dueMs, dueMs + 5],
    ['that was begun', [rotationBegun('a')], noon, noon],
    ['that fails', failed('unreachable', noon + 99), noon, noon + 99],
    ['whose next try is over already', failed('unreachable', noon - 99), noon, noon],
  ])('of one %s begins with what the loop will do', (_which, events, atMs, expectedMs) => {
    const { planned, next_rotation_at: next } = view([added, ...events], atMs);
    expect([next, planned[0]]).toEqual([isoInstant(expectedMs), isoInstant(expectedMs)]);
  });

  it.each([
    ['is paused without an end', [credentialPaused('a')]],
    ['waits for a person', failed('invalid')],
  ])('of one that %s is empty', (_which, events) => {
    expect(view([added, ...events])).toMatchObject({ planned: [], next_rotation_at: null });
  });

  it('is empty where the next attempt is farther away, which is said all the same', () => {
    const yearLong = credentialAdded('a', { expires_at: isoInstant(noon + 365 * dayMs), validity_days: 365 });
    const { planned, next_rotation_at: next } = view([yearLong]);
    expect(planned).toEqual([]);
    expect(Date.parse(next ?? '')).toBeGreaterThan(noon + windowMs);
  });

  it('stops with the reader: a token valid for a minute is replaced two hundred times', () => {
    const minute = credentialAdded('a', { expires_at: isoInstant(noon + 60_000), validity_days: null });
    expect(view([minute]).planned).toHaveLength(200);
  });

  it('continues with the validity that the service reported, otherwise with the length of the current lifetime', () => {
    const ending = { expires_at: isoInstant(noon + 2 * dayMs) };
    const told = view([credentialAdded('a', { ...ending, validity_days: 60 })]).planned;
    const untold = view([credentialAdded('a', { ...ending, validity_days: null })]).planned;
    expect(told.length).toBeLessThan(6);
    expect(untold.length).toBeGreaterThan(60);
  });
});

describe('the view of a credential', () => {
  it('has everything but its token and its fingerprint', () => {
    const whole = view([added, targetAdded('a')]);
    expect(whole).toEqual({
      id: 'cred_a',
      name: 'a',
      provider: { id: 'rotavox', inputs: {} },
      standby: null,
      held_since: null,
      retiring: [],
      service: 'remote',
      base_url: remoteUrl,
      state: 'fine',
      message: null,
      generation: 1,
      obtained_at: isoInstant(noon),
      expires_at: isoInstant(endMs),
      validity_days: 10,
      policy,
      takes_validity: true,
      paused: null,
      can_rotate: null,
      next_rotation_at: expect.any(String) as string,
      planned: expect.any(Array) as string[],
      warning: null,
      last_rotated_at: null,
      rotation: null,
      trouble: null,
      targets: [
        {
          id: targetIdNamed('x'),
          target: fileTarget,
          status: 'owed',
          generation: 0,
          delivered_at: null,
          note: null,
          message: null,
          attempts: 0,
          next_try_at: null,
        },
      ],
      family_id: null,
      token_id: null,
      token_name: null,
      still_used: null,
    });
  });

  it('shows an open rotation and its trouble', () => {
    expect(view([added, ...failed('vault', noon + 5)])).toMatchObject({
      rotation: { begun_at: isoInstant(noon), cause: 'due' },
      trouble: {
        kind: 'vault',
        message: 'It says vault.',
        since: isoInstant(noon),
        attempts: 1,
        next_try_at: isoInstant(noon + 5),
      },
    });
  });

  it('returns when it was last rotated; entering a token is not a rotation', () => {
    expect(view([added, valueTaken('a', 2)]).last_rotated_at).toBe(isoInstant(noon));
    expect(view([added, valueTaken('a', 2, 'reissued')]).last_rotated_at).toBeNull();
  });

  it.each<[string, number | null, number, CredentialView['paused']]>([
    ['without an end', null, noon, { until: null }],
    ['until an instant', noon + 5, noon + 4, { until: isoInstant(noon + 5) }],
    ['that is over', noon + 5, noon + 5, null],
  ])('shows a pause %s', (_which, untilMs, atMs, expected) => {
    expect(view([added, credentialPaused('a', untilMs)], atMs).paused).toEqual(expected);
  });

  it('of one of this service shows where that listens, and the family of its token', () => {
    expect(view([issued('a'), embedded])).toMatchObject({
      service: 'embedded',
      base_url: embeddedUrl,
      family_id: 'fam_a',
      still_used: null,
    });
  });

  it('of another service has no family here, even if a token here had the same digest', () => {
    expect(view([issued('a'), added, reused(1)])).toMatchObject({ family_id: null, still_used: null });
  });

  it('shows who last used a replaced token of the family', () => {
    const rotatedHere = [issued('a'), rotated('a', 1), embedded, valueTaken('a', 2, 'pasted')];
    expect(view([...rotatedHere, reused(1)]).still_used).toEqual({
      token_id: tokenIdNamed('a', 1),
      at: isoInstant(noon),
      address: '10.0.0.9',
      user_agent: 'old-app/1.0',
      uses: [expect.objectContaining({ count: 1 })],
    });
  });

  it.each<[string, EventDraft[], Partial<CredentialView['targets'][number]>]>([
    ['has it', [delivered('a')], { status: 'delivered', generation: 1, delivered_at: isoInstant(noon) }],
    ['said something', [delivered('a', 1, 'x', 'reloaded')], { status: 'delivered', note: 'reloaded' }],
    ['has an older value', [delivered('a'), valueTaken('a', 2)], { status: 'owed', generation: 1 }],
    [
      'did not take it',
      [deliveryFailed('a', noon + 5)],
      {
        status: 'failing',
        generation: 0,
        message: 'The folder is not there.',
        attempts: 1,
        next_try_at: isoInstant(noon + 5),
      },
    ],
    ['never will', [deliveryFailed('a', null)], { status: 'failing', next_try_at: null }],
    [
      'had it and did not take it again',
      [delivered('a'), deliveryFailed('a', noon + 5)],
      { status: 'failing', generation: 1, delivered_at: isoInstant(noon), next_try_at: isoInstant(noon + 5) },
    ],
    [
      'failed and then took it',
      [deliveryFailed('a', null), delivered('a')],
      { status: 'delivered', message: null, attempts: 0 },
    ],
  ])('has the receipt of a target that %s', (_which, events, expected) => {
    expect(view([added, targetAdded('a'), ...events]).targets).toMatchObject([expected]);
  });
});

function reused(generation: number): EventDraft<'token.reused'> {
  const token_id = tokenIdNamed('a', generation);
  return {
    kind: 'token.reused',
    subject: 'fam_a',
    actor: { kind: 'bearer', token_id, address: '10.0.0.9', user_agent: 'old-app/1.0' },
    data: { token_id, successor_id: tokenIdNamed('a', generation + 1) },
  };
}
