import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../src/contract/history/audit-event.ts';
import { applyEvent } from '../../../src/core/apply-event.ts';
import { State } from '../../../src/core/state.ts';
import { admitBearer } from '../../../src/core/token/admit-bearer.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { digest, issued, moved, noon, rotated, tokenIdNamed } from '../../fixtures/make-events.ts';

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
