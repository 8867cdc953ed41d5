import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../src/contract/history/audit-event.ts';
import { applyEvent } from '../../../src/core/apply-event.ts';
import { State } from '../../../src/core/state.ts';
import { expireTokens, moveToken, type TokenMove } from '../../../src/core/token/move-token.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { issued, moved, noon, rotated, tokenIdNamed } from '../../fixtures/make-events.ts';

function stateAfter(...drafts: EventDraft[]): State {
  const state = new State();
  for (const draft of drafts) applyEvent(state, { ...draft, seq: 1, at: new Date(noon).toISOString() });
  return state;
}

const ways: Record<string, { state: () => State; atMs?: number; allowed: TokenMove[] }> = {
  Active: { state: () => stateAfter(issued('a')), allowed: ['suspend', 'blacklist'] },
  Suspended: {
    state: () => stateAfter(issued('a'), moved('token.suspended', 'a')),
    allowed: ['resume', 'blacklist'],
  },
  Superseded: { state: () => stateAfter(issued('a'), rotated('a', 1)), allowed: [] },
  Blacklisted: { state: () => stateAfter(issued('a'), moved('token.blacklisted', 'a')), allowed: [] },
  Expired: { state: () => stateAfter(issued('a')), atMs: noon + 7 * dayMs, allowed: [] },
};

describe('moving a token between states', () => {
  for (const [status, { state, atMs = noon, allowed }] of Object.entries(ways)) {
    for (const move of ['suspend', 'resume', 'blacklist'] as const) {
      const isAllowed = allowed.includes(move);
      it(`${isAllowed ? 'lets' : 'does not let'} the owner ${move} a token that is ${status}`, () => {
        const decision = moveToken(state(), { tokenId: tokenIdNamed('a'), move, reason: 'why' }, atMs);
        expect(decision.value.ok).toBe(isAllowed);
        expect(decision.events).toHaveLength(isAllowed ? 1 : 0);
        if (!decision.value.ok) {
          expect(decision.value.refusal).toMatchObject({
            problem: 'conflict',
            status,
          });
        }
      });
    }
  }

  it.each([
    ['suspend', 'token.suspended', issued('a')],
    ['blacklist', 'token.blacklisted', issued('a')],
  ] as const)('writes down who did it and why: %s', (move, kind, draft) => {
    const decision = moveToken(stateAfter(draft), { tokenId: tokenIdNamed('a'), move, reason: 'why' }, noon);
    expect(decision).toEqual({
      events: [
        {
          kind,
          subject: 'fam_a',
          actor: { kind: 'owner' },
          data: { token_id: tokenIdNamed('a'), reason: 'why' },
        },
      ],
      value: { ok: true, value: tokenIdNamed('a') },
    });
  });

  it('says so when there is no such token', () => {
    const decision = moveToken(stateAfter(), { tokenId: 'tok_x_1', move: 'suspend', reason: null }, noon);
    expect(decision).toEqual({ events: [], value: { ok: false, refusal: { problem: 'not_found' } } });
  });
});

describe('the end of a token', () => {
  it('is recorded once, at or after its instant, for Active and Suspended ones only', () => {
    const state = stateAfter(
      issued('a'),
      issued('b'),
      issued('c'),
      moved('token.suspended', 'b'),
      moved('token.blacklisted', 'c'),
    );
    const all = ['a', 'b', 'c'].map((name) => tokenIdNamed(name));
    expect(expireTokens(state, all, noon + 7 * dayMs - 1).events).toEqual([]);
    const { events } = expireTokens(state, all, noon + 7 * dayMs);
    expect(events.map(({ subject }) => subject)).toEqual(['fam_a', 'fam_b']);
    for (const event of events)
      applyEvent(state, { ...event, seq: 1, at: new Date(noon + 8 * dayMs).toISOString() });
    expect(expireTokens(state, all, noon + 9 * dayMs).events).toEqual([]);
    expect(state.tokens.counts).toEqual({
      Active: 0,
      Suspended: 0,
      Superseded: 0,
      Expired: 2,
      Blacklisted: 1,
    });
  });
});
