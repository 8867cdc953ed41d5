import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../src/contract/history/audit-event.ts';
import {
  AddProxyRule,
  type AppTokenId,
  IssueAppToken,
  type ProxyRuleId,
} from '../../../src/contract/credential/proxy.ts';
import { applyEvent } from '../../../src/core/apply-event.ts';
import { isoInstant } from '../../../src/core/iso-instant.ts';
import { addRule, issueAppToken, removeRule, revokeAppToken } from '../../../src/core/proxy/change-proxy.ts';
import { tryRule } from '../../../src/core/proxy/view-proxy.ts';
import { limitsOf } from '../../../src/core/proxy/rule-limits.ts';
import { State } from '../../../src/core/state.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { credentialAdded, credentialIdNamed } from '../../fixtures/credential-events.ts';
import { digest, noon } from '../../fixtures/make-events.ts';

class Setup {
  readonly state = new State();
  #count = 0;

  constructor() {
    this.apply([credentialAdded('a'), credentialAdded('b')]);
  }

  apply(drafts: readonly EventDraft[], atMs = noon): void {
    for (const draft of drafts) applyEvent(this.state, { ...draft, seq: 1, at: isoInstant(atMs) });
  }

  allow(rule: Partial<AddProxyRule> = {}, name = 'a') {
    const wanted = AddProxyRule.parse({ method: 'GET', path: '/x', ...rule });
    const { events, value } = addRule(this.state, name, {
      id: `rule_${(this.#count += 1)}` as ProxyRuleId,
      wanted,
    });
    this.apply(events);
    return value;
  }

  issue(wanted: Partial<IssueAppToken> = {}, atMs = noon, name = 'a') {
    const id = `app_${(this.#count += 1)}` as AppTokenId;
    const command = { id, digest: digest(id), wanted: IssueAppToken.parse({ app: 'agent', ...wanted }) };
    const { events, value } = issueAppToken(this.state, name, command, atMs);
    this.apply(events, atMs);
    return value;
  }

  get tokens(): string[] {
    return [...this.state.appTokens.values()].map(({ id }) => id);
  }
}

describe('rules and app tokens', () => {
  it('are of an existing credential, and removed with it', () => {
    const setup = new Setup();
    expect(setup.allow({}, 'c')).toMatchObject({ ok: false, refusal: { problem: 'not_found' } });
    expect(setup.issue({}, noon, 'c')).toMatchObject({ ok: false, refusal: { problem: 'not_found' } });
    for (const name of ['a', 'b']) {
      setup.allow({}, name);
      setup.issue({}, noon, name);
    }
    const data = { credential_id: credentialIdNamed('a'), name: 'a' };
    setup.apply([
      { kind: 'credential.removed', subject: data.credential_id, actor: { kind: 'owner' }, data },
    ]);
    expect([setup.state.proxyRules.size, setup.state.appTokens.size]).toEqual([1, 1]);
    expect([...setup.state.proxyRules.values()][0]?.credentialId).toBe(credentialIdNamed('b'));
  });

  it('are not added twice, and not without a limit', () => {
    const setup = new Setup();
    setup.allow();
    setup.allow();
    expect(setup.state.proxyRules.size).toBe(1);
    setup.allow({ scrub: true });
    setup.allow({ scrub: true });
    expect([...setup.state.proxyRules.values()].map(({ isScrubbed }) => isScrubbed)).toEqual([false, true]);
    for (let at = 0; at < 98; at += 1) setup.allow({ path: `/${at}` });
    expect(setup.allow({ path: '/more' })).toMatchObject({ refusal: { reason: { code: 'too_many_rules' } } });
    for (let at = 0; at < 50; at += 1) setup.issue({ app: `app ${at}` });
    expect(setup.issue()).toMatchObject({ refusal: { reason: { code: 'too_many_app_tokens' } } });
  });

  it.each(['/**', '/*', '/api/**', '/*/b', '/**/b'])(
    'are not added with a wildcard in the first two parts of the path: %s',
    (path) => {
      const setup = new Setup();
      expect(setup.allow({ path })).toMatchObject({ refusal: { reason: { code: 'rule_too_wide', path } } });
      expect(setup.state.proxyRules.size).toBe(0);
    },
  );

  it('are added with parts that name credentials only where the person agrees', () => {
    const setup = new Setup();
    const path = '/repos/o/r/actions/Runners/registration-token';
    expect(setup.allow({ path })).toMatchObject({
      refusal: { reason: { code: 'rule_names_rights', parts: ['Runners', 'registration-token'] } },
    });
    expect(setup.state.proxyRules.size).toBe(0);
    expect(setup.allow({ path, confirmed: true })).toMatchObject({ ok: true });
    expect(setup.state.proxyRules.size).toBe(1);
  });

  it('are removed by their ids', () => {
    const setup = new Setup();
    setup.allow();
    setup.issue();
    const [rule] = setup.state.proxyRules.keys();
    setup.apply(removeRule(setup.state, rule ?? '').events);
    setup.apply(revokeAppToken(setup.state, setup.tokens[0] ?? '').events);
    expect([setup.state.proxyRules.size, setup.state.appTokens.size]).toEqual([0, 0]);
    expect(removeRule(setup.state, rule ?? '').value).toMatchObject({ ok: false });
    expect(revokeAppToken(setup.state, 'app_none').value).toMatchObject({ ok: false });
  });

  it('a new token of an app takes the place of its expired ones, and of others that expired a week ago', () => {
    const setup = new Setup();
    setup.issue({ app: 'agent', expires_in: 60 });
    setup.issue({ app: 'agent', expires_in: 86_400 });
    setup.issue({ app: 'other', expires_in: 60 });
    setup.issue({ app: 'agent' }, noon + 3_600_000);
    expect(setup.tokens).toEqual(['app_2', 'app_3', 'app_4']);
    setup.issue({ app: 'third' }, noon + 8 * dayMs);
    expect(setup.tokens).toEqual(['app_5']);
  });
});

describe('trying a rule', () => {
  const use = {
    token_id: 'app_1' as AppTokenId,
    app: 'agent',
    generation: 1,
    method: 'GET',
    status: 200,
    refusal: null,
    bytes_in: 0,
    bytes_out: 0,
    duration_ms: 0,
    last_at: isoInstant(noon),
  };

  it('counts what it allows, what is new of that, and what nothing allows', () => {
    const { state } = new Setup();
    const credential = state.credentials.get(credentialIdNamed('a'));
    if (credential === undefined) throw new Error('The credential is missing');
    const uses = [
      { ...use, route: '/api/items/*', count: 3 },
      { ...use, route: '/api/orders', count: 2, refusal: 'not_allowed' as const, status: 403 },
      { ...use, route: '/api/orders', count: 5, method: 'POST' },
      { ...use, route: '/api/of/another', count: 7, app: 'other' },
      { ...use, route: '/v1/auth/rotate', count: 1, refusal: 'forbidden' as const },
      { ...use, route: '/v1/auth/refresh', count: 1 },
    ];
    const attempt = (rule: Partial<AddProxyRule>) =>
      tryRule(
        AddProxyRule.parse({ method: 'GET', path: '/api/items/**', ...rule }),
        uses,
        limitsOf(credential),
      );
    expect(attempt({ path: '/api/orders', app: 'agent' })).toEqual({
      requests: 12,
      allowed: 2,
      newly_allowed: 2,
      forbidden: 0,
      routes: [{ method: 'GET', route: '/api/orders', count: 2 }],
      names_rights: [],
    });
    expect(attempt({})).toMatchObject({ requests: 19, allowed: 3, newly_allowed: 0 });
    expect(attempt({ path: '/v1/auth/refresh' })).toMatchObject({
      allowed: 0,
      forbidden: 1,
      names_rights: ['auth', 'refresh'],
    });
  });
});
