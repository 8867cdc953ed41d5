import { describe, expect, it } from 'vitest';
import type { CredentialId } from '../../../src/contract/credential/credential.ts';
import { deriveCredential } from '../../../src/core/credential/derive-credential.ts';
import { otherCredentialWith, replaceValue } from '../../../src/core/credential/store-token.ts';
import {
  findRetirable,
  nextRetireMs,
  recordRetirement,
  type RetireResult,
} from '../../../src/core/credential/retirement.ts';
import { credentialSpans } from '../../../src/core/lifeline/token-spans.ts';
import { isoInstant } from '../../../src/core/iso-instant.ts';
import type { State } from '../../../src/core/state.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import {
  credentialAdded,
  delivered,
  lifetime,
  rotationBegun,
  rotationFailed,
  targetAdded,
  valueTaken,
} from '../../fixtures/credential-events.ts';
import { digest, noon } from '../../fixtures/make-events.ts';
import { apply, credentialIn, stateAfter } from './credential-state.ts';
import type { PastToken } from '../../../src/core/credential/credential-state.ts';

const rotatedMs = noon + 5 * dayMs;
const retireByMs = rotatedMs + dayMs;
const id = 'cred_a' as CredentialId;

/** Token 1 was replaced by token 2 and works on. */
function overlapping(before: Parameters<typeof stateAfter> = [], upstreamId: string | null = 'id-1'): State {
  const added = credentialAdded('a', upstreamId === null ? {} : { upstream_id: upstreamId });
  const state = stateAfter(added, ...before);
  rotate(state, 2, rotatedMs);
  return state;
}

function rotate(state: State, generation: number, atMs: number): void {
  const { upstreamId } = credentialIn(state);
  const rotated = valueTaken('a', generation, 'rotated', atMs);
  if (rotated.kind !== 'credential.rotated') throw new Error('It is a rotation.');
  const retiring = { upstream_id: upstreamId, retire_by: isoInstant(atMs + dayMs) };
  apply(state, [{ ...rotated, data: { ...rotated.data, upstream_id: `id-${generation}`, retiring } }], atMs);
}

function derived(state: State, nowMs: number) {
  return deriveCredential(state, credentialIn(state), nowMs);
}

function nextMs(state: State, nowMs = rotatedMs): number | null {
  const credential = derived(state, nowMs);
  const [old] = credential.retiring;
  if (old === undefined) throw new Error('There is an old token.');
  return nextRetireMs(credential, old);
}

function retire(state: State, result: RetireResult, atMs: number, generation = 1): void {
  apply(state, recordRetirement(state, id, { generation, result }, atMs).events, atMs);
}

describe('an old token that goes on working', () => {
  it('is known by its number and the id of its service', () => {
    expect(credentialIn(overlapping()).retiring).toEqual([
      {
        generation: 1,
        upstreamId: 'id-1',
        fingerprint: digest('a'),
        lifetime,
        sinceMs: rotatedMs,
        retireByMs,
        failure: null,
      },
    ]);
    expect(credentialIn(overlapping()).upstreamId).toBe('id-2');
  });

  it('is deleted a minute after every target has a newer one', () => {
    const state = overlapping([targetAdded('a', undefined, 'x'), targetAdded('a', undefined, 'y')]);
    apply(state, [delivered('a', 2, 'x')], rotatedMs + 10_000);
    expect(nextMs(state)).toBe(retireByMs);
    apply(state, [delivered('a', 2, 'y')], rotatedMs + 20_000);
    expect(nextMs(state)).toBe(rotatedMs + 80_000);
    expect(findRetirable(derived(state, rotatedMs), rotatedMs + 79_999)).toBeNull();
    expect(findRetirable(derived(state, rotatedMs), rotatedMs + 80_000)?.generation).toBe(1);
  });

  it('is deleted when the overlap is over, whatever the targets have, and also without targets', () => {
    expect(nextMs(overlapping())).toBe(retireByMs);
    expect(nextMs(overlapping([targetAdded('a')]))).toBe(retireByMs);
  });

  it('stays while a rotation is open: which of the tokens works is not known then', () => {
    const state = overlapping();
    apply(state, [rotationBegun('a', 'due', 2)], rotatedMs + 1000);
    expect(nextMs(state)).toBeNull();
  });

  it('stays while the current one is known not to work: it may be the last one', () => {
    const state = overlapping();
    apply(state, [rotationBegun('a', 'due', 2), rotationFailed('a', 'no_endpoint')], rotatedMs + 1000);
    expect(nextMs(state)).toBe(retireByMs);
    apply(state, [rotationBegun('a', 'due', 2), rotationFailed('a', 'invalid')], rotatedMs + 2000);
    expect(nextMs(state)).toBeNull();
    expect(nextMs(overlapping(), rotatedMs + 30 * dayMs)).toBe(lifetime.expiresAtMs);
  });

  it('is tried again later after a failure, and forgotten when it has expired', () => {
    const state = overlapping();
    const failed = { ok: false, message: 'No.', retry: true, retryAfterMs: 7_200_000 } as const;
    retire(state, failed, retireByMs);
    const [old] = credentialIn(state).retiring;
    expect(old?.failure).toMatchObject({ message: 'No.', attempts: 1, lastTryMs: retireByMs });
    expect(nextMs(state)).toBeGreaterThanOrEqual(retireByMs + 7_200_000);
    retire(state, { ...failed, retry: false }, retireByMs + dayMs);
    expect(credentialIn(state).retiring[0]?.failure).toMatchObject({ attempts: 2, nextTryMs: null });
    expect(nextMs(state)).toBe(lifetime.expiresAtMs);
    retire(state, { ok: true, how: 'expired' }, lifetime.expiresAtMs);
    expect(credentialIn(state).retiring).toEqual([]);
  });

  it('is not recorded twice', () => {
    const state = overlapping();
    retire(state, { ok: true, how: 'deleted' }, retireByMs);
    const result = { ok: true, how: 'deleted' } as const;
    expect(recordRetirement(state, id, { generation: 1, result }, retireByMs).events).toEqual([]);
  });

  it('that a person enters again is in use, and is not deleted', () => {
    const state = overlapping();
    const pasted = valueTaken('a', 3, 'pasted', rotatedMs + 1000);
    apply(state, [{ ...pasted, sealed: { fingerprint: digest('a') } }], rotatedMs + 1000);
    expect(credentialIn(state)).toMatchObject({ retiring: [], upstreamId: 'id-1' });
  });

  it('that a person enters again is recognised in the form that its record has, whatever the newest form is', () => {
    const state = overlapping();
    const keyed = { fingerprint: 'h1.key', alike: [digest('a'), 'h1.key'], lifetime, validityDays: null };
    apply(state, replaceValue(state, 'a', { stored: keyed, cause: 'pasted' }).events, rotatedMs + 1000);
    expect(credentialIn(state)).toMatchObject({ retiring: [], upstreamId: 'id-1' });
  });

  it('cannot become the token of another credential: it will be deleted', () => {
    const state = overlapping();
    expect(otherCredentialWith(state, { fingerprint: digest('a') }, 'cred_b' as CredentialId)).toBe('a');
  });
});

describe('the lifeline of a credential with overlap', () => {
  const spansOf = (state: State, nowMs: number) =>
    credentialSpans(derived(state, nowMs), { fromMs: noon - dayMs, nowMs }).spans;
  const seconds = (ms: number) => Math.floor(ms / 1000);

  it('shows the old token until it is deleted, beside the new one', () => {
    const state = overlapping();
    expect(spansOf(state, rotatedMs)).toEqual([
      [seconds(noon), seconds(retireByMs), 'superseded'],
      [seconds(rotatedMs), seconds(rotatedMs + 10 * dayMs), 'present'],
    ]);
    const deletedMs = rotatedMs + 3_600_000;
    retire(state, { ok: true, how: 'deleted' }, deletedMs);
    rotate(state, 3, rotatedMs + 5 * dayMs);
    expect(spansOf(state, rotatedMs + 5 * dayMs)).toEqual([
      [seconds(noon), seconds(deletedMs), 'superseded'],
      [seconds(rotatedMs), seconds(rotatedMs + 6 * dayMs), 'superseded'],
      [seconds(rotatedMs + 5 * dayMs), seconds(rotatedMs + 15 * dayMs), 'present'],
    ]);
  });
});

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
