import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../src/contract/history/audit-event.ts';
import { TokenConfiguration, type TokenStatus } from '../../../src/contract/token/token.ts';
import { applyEvent } from '../../../src/core/apply-event.ts';
import { State } from '../../../src/core/state.ts';
import { rotateToken } from '../../../src/core/token/rotate-token.ts';
import { dayMs, statusAt } from '../../../src/core/token/token-record.ts';
import { viewToken } from '../../../src/core/token/view-token.ts';
import { digest, issued, moved, noon, rotated, tokenIdNamed } from '../../fixtures/make-events.ts';

function stateAfter(...drafts: EventDraft[]): State {
  const state = new State();
  apply(state, drafts);
  return state;
}

function apply(state: State, drafts: readonly EventDraft[], atMs = noon): void {
  for (const draft of drafts) applyEvent(state, { ...draft, seq: 1, at: new Date(atMs).toISOString() });
}

function rotate(
  state: State,
  shown: string,
  {
    atMs = noon,
    key = null as string | null,
    mayUse = true,
    successor = 'fresh',
    mostDays = undefined as number | undefined,
  } = {},
) {
  return rotateToken(
    state,
    {
      presented: { digest: digest(shown), mayUse: () => mayUse },
      keyDigest: key,
      mostDays,
      mint: () =>
        key === null
          ? { value: successor, digest: digest(successor) }
          : {
              value: successor,
              digest: digest(successor),
              replay: { keyDigest: key, sealedReply: 'sealed', keyEpoch: '1' },
            },
      actorFor: () => ({ kind: 'system' }),
    },
    atMs,
  );
}

describe('rotating a token', () => {
  it('supersedes the source and makes an Active successor with full validity', () => {
    const state = stateAfter(issued('a', noon + 1000));
    const decision = rotate(state, 'a');
    expect(decision.value).toMatchObject({
      ok: true,
      value: { kind: 'rotated', validityDays: 7, value: 'fresh' },
    });
    apply(state, decision.events);
    const source = state.tokens.get(tokenIdNamed('a', 1));
    const successor = state.tokens.get(tokenIdNamed('a', 2));
    expect(source?.status).toBe('Superseded');
    expect(successor).toMatchObject({
      status: 'Active',
      expiresAtMs: noon + 7 * dayMs,
      digest: digest('fresh'),
    });
  });

  it.each([
    [3, 3],
    [7, 7],
    [90, 7],
  ])('that asks for %i days at most gives a successor of %i, and no later one fewer', (mostDays, days) => {
    const state = stateAfter(issued('a'));
    const decision = rotate(state, 'a', { mostDays, key: 'k' });
    expect(decision.value).toMatchObject({ ok: true, value: { validityDays: days } });
    apply(state, decision.events);
    expect(state.tokens.get(tokenIdNamed('a', 2))?.expiresAtMs).toBe(noon + days * dayMs);
    // The same reply again has the same validity, whatever the settings say.
    expect(rotate(state, 'a', { mostDays, key: 'k' }).value).toMatchObject({ value: { validityDays: days } });
    expect(rotate(state, 'fresh', { successor: 'third' }).value).toMatchObject({
      value: { validityDays: 7 },
    });
  });

  it('hands every setting on: each key of the configuration schema is the same before and after', () => {
    const state = stateAfter(issued('a'));
    apply(state, rotate(state, 'a').events);
    const [source, successor] = [1, 2].map((generation) => {
      const token = state.tokens.get(tokenIdNamed('a', generation));
      return token === undefined ? undefined : viewToken(state, token, noon);
    });
    const settings = Object.keys(TokenConfiguration.shape) as (keyof TokenConfiguration)[];
    expect(settings.length).toBeGreaterThan(0);
    for (const setting of settings) {
      expect(source?.[setting]).toBeDefined();
      expect(successor?.[setting], setting).toEqual(source?.[setting]);
    }
  });

  const refusals: {
    name: string;
    status: TokenStatus;
    before: EventDraft[];
    atMs?: number;
    problem: string;
  }[] = [
    { name: 'Expired', status: 'Expired', before: [], atMs: noon + 7 * dayMs, problem: 'token_expired' },
    {
      name: 'Suspended',
      status: 'Suspended',
      before: [moved('token.suspended', 'a')],
      problem: 'token_suspended',
    },
    {
      name: 'Suspended past its expiry',
      status: 'Expired',
      before: [moved('token.suspended', 'a')],
      atMs: noon + 8 * dayMs,
      problem: 'token_expired',
    },
    {
      name: 'Blacklisted',
      status: 'Blacklisted',
      before: [moved('token.blacklisted', 'a')],
      problem: 'token_blacklisted',
    },
    { name: 'Superseded', status: 'Superseded', before: [rotated('a', 1)], problem: 'token_invalid' },
  ];
  for (const { name, status, before, atMs = noon, problem } of refusals) {
    it(`refuses a token that is ${name} and changes nothing`, () => {
      const state = stateAfter(issued('a'), ...before);
      const token = state.tokens.get(tokenIdNamed('a'));
      expect(token && statusAt(token, atMs)).toBe(status);
      const decision = rotate(state, 'a', { atMs });
      expect(decision.events).toEqual([]);
      expect(decision.value).toMatchObject({ ok: false, refusal: { problem } });
    });
  }

  it('refuses a token that was never issued', () => {
    expect(rotate(stateAfter(issued('a')), 'b').value).toMatchObject({
      refusal: { problem: 'token_invalid' },
    });
  });

  it('refuses an address that the restrictions do not name, whatever the state of the token', () => {
    const state = stateAfter(issued('a'), moved('token.suspended', 'a'));
    expect(rotate(state, 'a', { mayUse: false }).value).toMatchObject({
      refusal: { problem: 'address_not_allowed' },
    });
  });

  it('names the Superseded token that was shown again, for the history', () => {
    const state = stateAfter(issued('a'), rotated('a', 1));
    expect(rotate(state, 'a').value).toMatchObject({
      refusal: { reusedToken: { id: tokenIdNamed('a', 1) } },
    });
  });

  it('refuses an access token: rotation is for API tokens', () => {
    const state = stateAfter(issued('a'), {
      kind: 'token.refreshed',
      subject: 'fam_a',
      actor: { kind: 'system' },
      data: { token_id: tokenIdNamed('a'), expires_at: new Date(noon + 1000).toISOString() },
      sealed: { digest: digest('access') },
    });
    const decision = rotate(state, 'access');
    expect(decision).toMatchObject({
      events: [],
      value: { ok: false, refusal: { problem: 'token_invalid' } },
    });
  });
});

describe('a rotation whose reply was lost', () => {
  function rotatedWithKey(): State {
    const state = stateAfter(issued('a'));
    apply(state, rotate(state, 'a', { key: 'k' }).events);
    return state;
  }

  it('is answered again for the same source and key, without a second rotation', () => {
    const decision = rotate(rotatedWithKey(), 'a', { key: 'k', atMs: noon + dayMs - 1 });
    expect(decision.events).toEqual([]);
    expect(decision.value).toMatchObject({
      ok: true,
      value: { kind: 'replayed', replay: { sealedReply: 'sealed' } },
    });
  });

  const over: [string, (state: State) => ReturnType<typeof rotate>][] = [
    ['another key', (state) => rotate(state, 'a', { key: 'other' })],
    ['no key', (state) => rotate(state, 'a')],
    ['a day later', (state) => rotate(state, 'a', { key: 'k', atMs: noon + dayMs })],
    ['an address that is not allowed', (state) => rotate(state, 'a', { key: 'k', mayUse: false })],
    [
      'a successor that was used',
      (state) => {
        apply(state, [
          {
            kind: 'token.first_used',
            subject: 'fam_a',
            actor: { kind: 'system' },
            data: { token_id: tokenIdNamed('a', 2) },
          },
        ]);
        return rotate(state, 'a', { key: 'k' });
      },
    ],
    [
      'a successor that was rotated in its turn',
      (state) => {
        apply(state, rotate(state, 'fresh', { successor: 'third' }).events);
        return rotate(state, 'a', { key: 'k' });
      },
    ],
    [
      'a successor that was suspended',
      (state) => {
        apply(state, [moved('token.suspended', 'a', 2)]);
        return rotate(state, 'a', { key: 'k' });
      },
    ],
  ];
  for (const [name, attempt] of over) {
    it(`is not answered again with ${name}`, () => {
      expect(attempt(rotatedWithKey()).value).toMatchObject({
        ok: false,
        refusal: { problem: 'token_invalid' },
      });
    });
  }
});
