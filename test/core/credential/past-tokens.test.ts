import { describe, expect, it } from 'vitest';
import type { PastToken } from '../../../src/core/credential/credential-state.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import {
  credentialAdded,
  lifetime,
  rotationBegun,
  rotationFailed,
  valueTaken,
} from '../../fixtures/credential-events.ts';
import { noon } from '../../fixtures/make-events.ts';
import { apply, credentialIn, stateAfter } from './credential-state.ts';

const laterMs = noon + 5 * dayMs;

function pastTokens(cause: Parameters<typeof valueTaken>[2], atMs: number): readonly PastToken[] {
  const state = stateAfter(credentialAdded('a'));
  apply(state, [valueTaken('a', 2, cause, atMs)], atMs);
  return credentialIn(state).pastTokens;
}

describe('the previous tokens of a credential', () => {
  it('are none while it has its first token', () => {
    expect(credentialIn(stateAfter(credentialAdded('a'))).pastTokens).toEqual([]);
  });

  it.each([
    ['a rotation: superseded, at its instant', 'rotated', laterMs, { endedAtMs: laterMs, end: 'superseded' }],
    ['a value that was pasted: replaced', 'pasted', laterMs, { endedAtMs: laterMs, end: 'replaced' }],
    ['a value that was issued again: replaced', 'reissued', laterMs, { endedAtMs: laterMs, end: 'replaced' }],
    [
      'a value that came too late: expired, at its own end',
      'pasted',
      lifetime.expiresAtMs + dayMs,
      { endedAtMs: lifetime.expiresAtMs, end: 'expired' },
    ],
  ] as const)('end with %s', (_which, cause, atMs, end) => {
    expect(pastTokens(cause, atMs)).toEqual([{ ...lifetime, ...end }]);
  });

  it('end where the service blacklisted the token, not where another one came', () => {
    const state = stateAfter(credentialAdded('a'));
    apply(state, [rotationBegun('a'), rotationFailed('a', 'blacklisted')], noon + dayMs);
    apply(state, [valueTaken('a', 2, 'pasted', laterMs)], laterMs);
    expect(credentialIn(state).pastTokens).toEqual([
      { ...lifetime, endedAtMs: noon + dayMs, end: 'blacklisted' },
    ]);
  });

  it('follow each other without a gap in their numbers, and those of more than 90 days ago are let go', () => {
    const state = stateAfter(credentialAdded('a'));
    const atMs = (generation: number) => noon + generation * 5 * dayMs;
    for (let generation = 2; generation <= 40; generation += 1)
      apply(state, [valueTaken('a', generation, 'rotated', atMs(generation))], atMs(generation));
    const { pastTokens, generation } = credentialIn(state);
    expect(generation).toBe(40);
    expect(pastTokens).toHaveLength(18); // 90 days of 5 days each
    expect(pastTokens.map(({ obtainedAtMs }) => obtainedAtMs)).toEqual(
      pastTokens.map((_, place) => atMs(40 - 18 + place)),
    );
  });

  it('are 200 at most, however short they were', () => {
    const state = stateAfter(credentialAdded('a'));
    for (let generation = 2; generation <= 300; generation += 1)
      apply(state, [valueTaken('a', generation)], noon + generation);
    expect(credentialIn(state).pastTokens).toHaveLength(200);
    expect(credentialIn(state).pastTokens.at(-1)?.endedAtMs).toBe(noon + 300);
  });
});
