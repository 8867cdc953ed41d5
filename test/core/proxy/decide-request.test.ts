import { describe, expect, it } from 'vitest';
import type { CredentialId } from '../../../src/contract/credential.ts';
import { providers } from '../../../src/contract/provider.ts';
import type { ProxyRuleId, RuleMethod } from '../../../src/contract/proxy.ts';
import { decideRequest } from '../../../src/core/proxy/decide-request.ts';
import type { ProxyRule } from '../../../src/core/proxy/proxy-state.ts';

function rule(method: RuleMethod, path: string, more: Partial<ProxyRule> = {}): ProxyRule {
  return {
    id: `${method} ${path}` as ProxyRuleId,
    credentialId: 'cred_a' as CredentialId,
    method,
    path,
    app: null,
    isPrivateAllowed: false,
    isScrubbed: false,
    createdAtMs: 0,
    ...more,
  };
}

function decide(rules: readonly ProxyRule[], request: string, { basePath = '', app = 'agent' } = {}): string {
  const [method = '', target = ''] = request.split(' ');
  const { forbidden } = providers.gitlab;
  const decided = decideRequest({ rules, forbidden, basePath }, { method, target, app });
  return decided.ok ? 'allowed' : decided.refusal.code;
}

describe('deciding about a request', () => {
  it.each([
    ['GET /api/v4/projects', 'allowed'],
    ['HEAD /api/v4/projects', 'allowed'],
    ['POST /api/v4/projects', 'not_allowed'],
    ['GET /api/v4', 'allowed'],
    ['GET /other', 'not_allowed'],
    ['GET /api/v4/../other', 'bad_path'],
  ])('%s with a rule for GET /api/v4/**: %s', (request, code) => {
    expect(decide([rule('GET', '/api/v4/**')], request)).toBe(code);
  });

  it('refuses everything without a rule', () => {
    expect(decide([], 'GET /')).toBe('not_allowed');
  });

  it.each([
    'POST /api/v4/personal_access_tokens/self/rotate',
    'GET /api/v4/personal_access_tokens',
    'POST /api/v4/projects/7/access_tokens',
    'POST /api/v4/projects/group%2Fproject/access_tokens/3/rotate',
    'POST /api/v4/users/1/impersonation_tokens',
    'PUT /api/v4/users/1',
    'POST /oauth/token',
    'POST /api/v4/personal_access_tokens.json',
    'POST /API/v4/Personal_Access_Tokens',
  ])('never allows %s, whatever allows it', (request) => {
    expect(decide([rule('*', '/**')], request)).toBe('forbidden');
  });

  it('knows what is forbidden also below a base_url that has a part of the path', () => {
    const rules = [rule('*', '/**')];
    expect(decide(rules, 'POST /personal_access_tokens', { basePath: '/api/v4' })).toBe('forbidden');
    expect(decide(rules, 'GET /projects', { basePath: '/api/v4' })).toBe('allowed');
  });

  it('applies a rule of one app to no other', () => {
    const rules = [rule('GET', '/a', { app: 'backup' })];
    expect(decide(rules, 'GET /a')).toBe('not_allowed');
    expect(decide(rules, 'GET /a', { app: 'backup' })).toBe('allowed');
  });

  it('has the answer searched where one of the rules that allow the request asks for it', () => {
    const rules = [rule('GET', '/**'), rule('*', '/a/**', { isScrubbed: true })];
    const decided = (target: string) =>
      decideRequest({ rules, forbidden: [], basePath: '' }, { method: 'GET', target, app: 'x' });
    expect(decided('/a')).toMatchObject({ ok: true, value: { isScrubbed: true, isPrivateAllowed: false } });
    expect(decided('/b')).toMatchObject({ ok: true, value: { isScrubbed: false } });
  });

  it('lets a service be in a private network where one of the rules does that allow the request', () => {
    const rules = [rule('GET', '/a'), rule('GET', '/**', { isPrivateAllowed: true })];
    const decided = (target: string) =>
      decideRequest({ rules, forbidden: [], basePath: '' }, { method: 'GET', target, app: 'x' });
    expect(decided('/a')).toMatchObject({ ok: true, value: { isPrivateAllowed: true } });
    const [first] = rules;
    expect(
      decideRequest(
        { rules: first === undefined ? [] : [first], forbidden: [], basePath: '' },
        { method: 'GET', target: '/a', app: 'x' },
      ),
    ).toMatchObject({ ok: true, value: { isPrivateAllowed: false } });
  });
});
