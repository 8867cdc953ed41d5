import { describe, expect, it } from 'vitest';
import type { Actor, EventDraft } from '../../../src/contract/history/audit-event.ts';
import { maxReusesKept } from '../../../src/contract/token/token.ts';
import type { State } from '../../../src/core/state.ts';
import { dismissReuse, endOfReuse, viewReuses } from '../../../src/core/token/reuse.ts';
import { stateAfter } from '../credential/credential-state.ts';
import { issued, rotated, tokenIdNamed } from '../../fixtures/make-events.ts';

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
