import { describe, expect, it } from 'vitest';
import { State } from '../../../src/core/state.ts';
import { stateAfter } from '../credential/credential-state.ts';
import { expireTokens, moveToken, type TokenMove } from '../../../src/core/token/move-token.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { digest, issued, moved, noon, rotated, tokenIdNamed } from '../../fixtures/make-events.ts';
import type { Actor, EventDraft } from '../../../src/contract/history/audit-event.ts';
import { applyEvent } from '../../../src/core/apply-event.ts';
import { admitBearer } from '../../../src/core/token/admit-bearer.ts';
import { maxReusesKept } from '../../../src/contract/token/token.ts';
import { dismissReuse, endOfReuse, viewReuses } from '../../../src/core/token/reuse.ts';

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

const accessEndMs = noon + 3_600_000;

const refreshed: EventDraft<'token.refreshed'> = {
  kind: 'token.refreshed',
  subject: 'fam_a',
  actor: { kind: 'owner' },
  data: { token_id: tokenIdNamed('a'), expires_at: new Date(accessEndMs).toISOString() },
  sealed: { digest: digest('access') },
};

/** The result for a bearer after these events of a token `a` that has an access token. */
function admit(name: 'a' | 'access' | 'other', drafts: EventDraft[] = [], atMs = noon, mayUse = true) {
  const state = new State();
  for (const draft of [issued('a'), refreshed, ...drafts]) {
    applyEvent(state, { ...draft, seq: 1, at: new Date(noon).toISOString() });
  }
  return admitBearer(state, { digest: digest(name), mayUse: () => mayUse }, atMs);
}

describe('admitting a bearer', () => {
  it('lets an Active token in, and an access token as the token that it rests on', () => {
    const token = { id: tokenIdNamed('a') };
    expect(admit('a')).toMatchObject({ ok: true, value: { token, family: { id: 'fam_a' }, access: null } });
    expect(admit('access')).toMatchObject({
      ok: true,
      value: { token, family: { id: 'fam_a' }, access: { digest: digest('access') } },
    });
  });

  it.each<[string, EventDraft[], number, string]>([
    ['Suspended', [moved('token.suspended', 'a')], noon, 'token_suspended'],
    ['Blacklisted', [moved('token.blacklisted', 'a')], noon, 'token_blacklisted'],
    ['Expired', [], noon + 7 * dayMs, 'token_expired'],
  ])('refuses a token that is %s, and the access token under it', (_status, drafts, atMs, problem) => {
    expect(admit('a', drafts, atMs)).toEqual({ ok: false, refusal: { problem } });
    expect(admit('access', drafts, atMs)).toEqual({ ok: false, refusal: { problem } });
  });

  it('names the Superseded token that is used again, and none for the access token under it', () => {
    expect(admit('a', [rotated('a', 1)])).toMatchObject({
      ok: false,
      refusal: { problem: 'token_invalid', reusedToken: { id: tokenIdNamed('a') } },
    });
    expect(admit('access', [rotated('a', 1)])).toEqual({ ok: false, refusal: { problem: 'token_invalid' } });
  });

  it('refuses an access token from its instant on, while its token goes on', () => {
    expect(admit('access', [], accessEndMs - 1).ok).toBe(true);
    expect(admit('access', [], accessEndMs)).toEqual({ ok: false, refusal: { problem: 'token_expired' } });
    expect(admit('a', [], accessEndMs).ok).toBe(true);
  });

  it('refuses an address that is not allowed, before it says what state the token is in', () => {
    const refusal = { ok: false, refusal: { problem: 'address_not_allowed' } };
    expect(admit('a', [], noon, false)).toEqual(refusal);
    expect(admit('a', [moved('token.suspended', 'a')], noon, false)).toEqual(refusal);
  });

  it('refuses what was never issued', () => {
    expect(admit('other')).toEqual({ ok: false, refusal: { problem: 'token_invalid' } });
  });
});

const old = tokenIdNamed('f', 1);
const current = tokenIdNamed('f', 2);

function bearer(userAgent: string | null, address = '10.0.0.7'): Actor {
  return { kind: 'bearer', token_id: old, address, user_agent: userAgent };
}

function used(userAgent: string | null, address?: string): EventDraft {
  const actor = bearer(userAgent, address);
  return { kind: 'token.reused', subject: 'fam_f', actor, data: { token_id: old, successor_id: current } };
}

function callersIn(state: State) {
  const [family] = state.tokens.families();
  return viewReuses(state, family!).map(({ user_agent, count }) => `${user_agent} ${count}`);
}

function after(...events: EventDraft[]): State {
  return stateAfter(issued('f'), rotated('f', 1), ...events);
}

describe('the callers that use replaced tokens', () => {
  it('are listed with their counts, the latest first', () => {
    const state = after(used('a'), used('b'), used('b'), used('a'), used('c'));
    expect(callersIn(state)).toEqual(['c 1', 'a 2', 'b 2']);
  });

  it('are told apart by address and by program', () => {
    expect(callersIn(after(used('a'), used('a', '10.0.0.8'), used(null)))).toEqual(['null 1', 'a 1', 'a 1']);
  });

  it('are limited: the one that called longest ago is dropped', () => {
    const many = Array.from({ length: maxReusesKept + 1 }, (_, place) => used(`app/${place}`));
    const callers = callersIn(after(...many));
    expect(callers).toHaveLength(maxReusesKept);
    expect(callers).not.toContain('app/0 1');
  });
});

describe('the end of a use', () => {
  const state = after(used('a'), used('b'));
  const token = state.tokens.get(current)!;

  it('is the use of the current token by the same caller, who leaves the list', () => {
    const end = endOfReuse(state, token, bearer('a'));
    expect(end).toMatchObject({ kind: 'token.reuse_ended', subject: 'fam_f', data: { token_id: current } });
    expect(callersIn(after(used('a'), used('b'), end!))).toEqual(['b 1']);
  });

  it('is not the use of the current token by another program or from another address', () => {
    expect(endOfReuse(state, token, bearer('c'))).toBeNull();
    expect(endOfReuse(state, token, bearer('a', '10.0.0.8'))).toBeNull();
  });

  it('is not the use of a token that is not the current one', () => {
    expect(endOfReuse(state, state.tokens.get(old)!, bearer('a'))).toBeNull();
  });

  it('does not last: the next use of a replaced token is listed again, and counts from one', () => {
    const end = endOfReuse(state, token, bearer('a'))!;
    expect(callersIn(after(used('a'), used('a'), end, used('a')))).toEqual(['a 1']);
  });
});

describe('dismissing', () => {
  it.each(['fam_f', old])('forgets all callers of the family of %s', (id) => {
    const before = [used('a'), used('b')];
    const { events, value } = dismissReuse(after(...before), id);
    expect(value).toEqual({ ok: true, value: 'fam_f' });
    expect(events).toMatchObject([{ kind: 'token.reuse_dismissed', data: { token_id: old, callers: 2 } }]);
    expect(callersIn(after(...before, ...events))).toEqual([]);
    expect(callersIn(after(...before, ...events, used('a')))).toEqual(['a 1']);
  });

  it('records nothing where nobody uses a replaced token', () => {
    expect(dismissReuse(after(), 'fam_f').events).toEqual([]);
  });

  it('is refused for an unknown id', () => {
    expect(dismissReuse(after(), 'fam_x').value).toEqual({ ok: false, refusal: { problem: 'not_found' } });
  });
});
