import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../src/contract/history/audit-event.ts';
import { seedOf } from '../../../src/core/credential/credential-state.ts';
import { isObtainedAhead, nextDeliveryMs, nextRotationMs } from '../../../src/core/credential/next-action.ts';
import { dueAt } from '../../../src/core/rotation/due-at.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import {
  credentialAdded,
  credentialIdNamed,
  credentialPaused,
  delivered,
  deliveryFailed,
  lifetime,
  policy,
  rotationBegun,
  rotationFailed,
  targetAdded,
  valueTaken,
} from '../../fixtures/credential-events.ts';
import { noon } from '../../fixtures/make-events.ts';
import { credentialIn, derivedIn, stateAfter } from './credential-state.ts';

const utc = () => 0;
const dueMs = dueAt({ lifetime, policy, seed: seedOf(credentialIdNamed('a'), 1) }, utc);
const later = dueMs + dayMs;

describe('the next attempt at a rotation', () => {
  it.each<[string, EventDraft[], number, number | null]>([
    ['of a value in the middle of its lifetime is when that is due', [], noon, dueMs],
    ['that is overdue stays where it was due', [], later, dueMs],
    ['while paused without an end is never', [credentialPaused('a')], noon, null],
    ['while paused beyond the due time is the end of the pause', [credentialPaused('a', later)], noon, later],
    ['while paused for less than that is when it is due', [credentialPaused('a', noon + 1)], noon, dueMs],
    ['after a pause is when it was due', [credentialPaused('a', later)], later, dueMs],
    ['of one that was begun is now', [rotationBegun('a')], noon + 7, noon + 7],
    ['of one that was begun is now, paused or not', [rotationBegun('a'), credentialPaused('a')], noon, noon],
    [
      'of one that failed is when that said',
      [rotationBegun('a'), rotationFailed('a', 'unreachable', { nextTryMs: noon + 99 })],
      noon,
      noon + 99,
    ],
    [
      'of one that failed is when that said, paused or not',
      [
        rotationBegun('a'),
        rotationFailed('a', 'unreachable', { nextTryMs: noon + 99 }),
        credentialPaused('a'),
      ],
      noon,
      noon + 99,
    ],
    [
      'of one that waits for a person is never',
      [rotationBegun('a'), rotationFailed('a', 'invalid')],
      noon,
      null,
    ],
  ])('%s', (_what, events, atMs, expected) => {
    const credential = credentialIn(stateAfter(credentialAdded('a'), ...events));
    expect(nextRotationMs(credential, atMs, utc)).toBe(expected);
  });

  it('is worked out in the person’s zone', () => {
    const policy = { fraction: 0.5, preferred_hours: { from: '02:00', to: '03:00' } };
    const credential = credentialIn(stateAfter(credentialAdded('a', { policy })));
    const hourIn = (zone: () => number) => {
      const atMs = nextRotationMs(credential, noon, zone) ?? 0;
      return new Date(atMs + zone() * 60_000).getUTCHours();
    };
    expect([hourIn(utc), hourIn(() => 330), hourIn(() => -480)]).toEqual([2, 2, 2]);
  });
});

describe('a next try that is too far ahead', () => {
  const endMs = lifetime.expiresAtMs;

  it.each<[string, number, number, number]>([
    ['a day ahead of one with days left is believed', noon, noon + dayMs, noon + dayMs],
    ['farther ahead is now: the clock has been set back since', noon, noon + dayMs + 1, noon],
    ['half of what is left ahead is believed', endMs - 60_000, endMs - 30_000, endMs - 30_000],
    ['farther ahead than half of what is left is now', endMs - 60_000, endMs - 29_999, endMs - 60_000],
    ['half a minute ahead is believed, however little is left', endMs - 1000, endMs + 29_000, endMs + 29_000],
    ['a day ahead of one that has expired is believed', endMs, endMs + dayMs, endMs + dayMs],
    ['farther ahead of one that has expired is now', endMs, endMs + dayMs + 1, endMs],
  ])('%s', (_which, atMs, nextTryMs, expectedMs) => {
    const failures = [rotationBegun('a'), rotationFailed('a', 'unreachable', { nextTryMs })];
    const events = [targetAdded('a'), deliveryFailed('a', nextTryMs), ...failures];
    const credential = derivedIn(stateAfter(credentialAdded('a'), ...events));
    expect([
      nextRotationMs(credential, atMs, utc),
      nextDeliveryMs(credential, credential.targets[0]!, atMs),
    ]).toEqual([expectedMs, expectedMs]);
  });
});

describe('the next delivery to a target', () => {
  it.each<[string, EventDraft[], number | null]>([
    ['that has nothing yet is now', [], noon],
    ['that has the present value is never', [delivered('a')], null],
    ['that has an older value is now', [delivered('a'), valueTaken('a', 2)], noon],
    ['that failed is when that said', [deliveryFailed('a', noon + 99)], noon + 99],
    ['that cannot succeed is never', [deliveryFailed('a', null)], null],
    ['that could not succeed is now with a new value', [deliveryFailed('a', null), valueTaken('a', 2)], noon],
    [
      'that had the value and failed to get it again is when that said: it may have lost it',
      [delivered('a'), deliveryFailed('a', noon + 99)],
      noon + 99,
    ],
  ])('%s', (_what, events, expected) => {
    const credential = derivedIn(stateAfter(credentialAdded('a'), targetAdded('a'), ...events));
    expect(nextDeliveryMs(credential, credential.targets[0]!, noon)).toBe(expected);
  });
});

describe('a token that was obtained ahead of the clock', () => {
  const own = { base_url: null };
  const ended = { expires_at: new Date(noon - dayMs).toISOString() };

  // A lifetime of ten days: a twentieth of it is half a day.
  it.each<[string, Parameters<typeof credentialAdded>[1], EventDraft[], number, boolean]>([
    ['is not one that was obtained now', {}, [], noon, false],
    ['is not one that is ahead by half a day', {}, [], noon - dayMs / 2, false],
    ['is one that is ahead by more', {}, [], noon - dayMs / 2 - 1, true],
    ['is none of our own service, which ends it by this very clock', own, [], noon - dayMs, false],
    ['is not looked at while it is paused', {}, [credentialPaused('a')], noon - dayMs, false],
    ['is not looked at while a rotation is open', {}, [rotationBegun('a')], noon - dayMs, false],
    ['is not one that had ended when it was obtained', ended, [], noon, false],
  ])('%s', (_what, differences, events, nowMs, expected) => {
    const state = stateAfter(credentialAdded('a', differences), ...events);
    expect(isObtainedAhead(credentialIn(state, 'a'), nowMs)).toBe(expected);
  });
});
