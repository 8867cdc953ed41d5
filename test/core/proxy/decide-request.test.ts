import { describe, expect, it } from 'vitest';
import type { CredentialId } from '../../../src/contract/credential/credential.ts';
import type { ProviderChoice } from '../../../src/contract/credential/provider.ts';
import type { ProxyRuleId, RuleMethod } from '../../../src/contract/credential/proxy.ts';
import { decideRequest } from '../../../src/core/proxy/decide-request.ts';
import {
  isTooWide,
  limitsOf,
  narrowedRules,
  spelledRights,
  wideness,
} from '../../../src/core/proxy/rule-limits.ts';
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

const gitlab: ProviderChoice = { id: 'gitlab', inputs: {} };
const github: ProviderChoice = { id: 'assisted', inputs: { service: 'github' } };
const atlassian: ProviderChoice = { id: 'assisted', inputs: { service: 'atlassian' } };
const vault: ProviderChoice = { id: 'vault', inputs: {} };
const oauth: ProviderChoice = {
  id: 'oauth2-client',
  inputs: { service: 'other', client_id: 'c', token_url: 'https://api.example.com/issue-here?x=1' },
};

interface Asked {
  readonly basePath?: string;
  readonly app?: string;
  readonly provider?: ProviderChoice;
}

function decided(
  rules: readonly ProxyRule[],
  request: string,
  { basePath = '', app = 'agent', provider = gitlab }: Asked = {},
) {
  const [method = '', target = ''] = request.split(' ');
  const limits = limitsOf({ provider, baseUrl: `https://api.example.com${basePath}` });
  return decideRequest({ rules, limits }, { method, target, app });
}

function decide(rules: readonly ProxyRule[], request: string, asked: Asked = {}): string {
  const found = decided(rules, request, asked);
  return found.ok ? 'allowed' : found.refusal.code;
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
    const [, path = ''] = request.split(' ');
    expect(decide([rule('*', '/**'), rule('*', path)], request)).toBe('forbidden');
  });

  it('never allows the address at which the provider itself gets tokens', () => {
    const rules = [rule('POST', '/issue-here'), rule('POST', '/issues-here')];
    expect(decide(rules, 'POST /issue-here', { provider: oauth })).toBe('forbidden');
    expect(decide(rules, 'POST /issues-here', { provider: oauth })).toBe('allowed');
  });

  it('knows what is forbidden also below a base_url that has a part of the path', () => {
    const rules = [rule('POST', '/personal_access_tokens'), rule('GET', '/projects/*')];
    expect(decide(rules, 'POST /personal_access_tokens', { basePath: '/api/v4' })).toBe('forbidden');
    expect(decide(rules, 'GET /projects/7', { basePath: '/api/v4' })).toBe('allowed');
  });

  it('applies a rule of one app to no other', () => {
    const rules = [rule('GET', '/a', { app: 'backup' })];
    expect(decide(rules, 'GET /a')).toBe('not_allowed');
    expect(decide(rules, 'GET /a', { app: 'backup' })).toBe('allowed');
  });

  it('has the answer searched where one of the rules that allow the request asks for it', () => {
    const rules = [rule('GET', '/a/b/**'), rule('GET', '/a/b/c/**', { isScrubbed: true })];
    expect(decided(rules, 'GET /a/b/c')).toMatchObject({
      value: { isScrubbed: true, isPrivateAllowed: false },
    });
    expect(decided(rules, 'GET /a/b')).toMatchObject({ value: { isScrubbed: false } });
  });

  it('lets a service be in a private network where one of the rules does that allow the request', () => {
    const [first, second] = [rule('GET', '/a/b'), rule('GET', '/a/b/**', { isPrivateAllowed: true })];
    expect(decided([first, second], 'GET /a/b')).toMatchObject({ value: { isPrivateAllowed: true } });
    expect(decided([first], 'GET /a/b')).toMatchObject({ value: { isPrivateAllowed: false } });
  });

  it('has the answer searched for tokens where only wildcards allow the request', () => {
    const wild = rule('GET', '/a/b/**');
    expect(decided([wild], 'GET /a/b/c')).toMatchObject({ value: { searchedFor: 'any' } });
    expect(decided([wild, rule('GET', '/a/b/c')], 'GET /a/b/c')).toMatchObject({
      value: { searchedFor: null },
    });
    const secrets = rule('GET', '/v1/kv/data/team/**');
    expect(decided([secrets], 'GET /v1/kv/data/team/db', { provider: vault })).toMatchObject({
      value: { searchedFor: 'own' },
    });
  });
});

/** Rules as wide as they may be, which spell nothing that names credentials. */
const wideRules: readonly (readonly [ProviderChoice, readonly string[]])[] = [
  [
    gitlab,
    [
      '/api/v4/**',
      '/api/v4/*/**',
      '/api/v4/projects/**',
      '/realms/x/**',
      '/v1.0/applications/**',
      '/v1/projects/**',
      '/services/data/**',
      '/api/dashboards/**',
    ],
  ],
  [github, ['/repos/o/**', '/repos/o/*/**', '/orgs/o/**', '/user/o/**']],
  [vault, ['/v1/*/data/**', '/v1/*/metadata/**']],
];

describe('a wildcard', () => {
  it.each([
    'POST /api/v4/personal_access_tokens/self/rotate',
    'POST /api/v4/user/keys',
    'POST /api/v4/projects/1/access_tokens',
    'GET /api/v4/projects/1/triggers',
    'GET /api/v4/projects/1/variables.json',
    'POST /api/v4/projects/1/Deploy_Keys',
    'POST /api/v4/projects/1/%64eploy_keys',
    'POST /api/v4/projects/1/%2564eploy_keys',
    'POST /api/v4/projects/1%2Fdeploy_keys',
    'POST /api/v4/projects/1/ｈｏｏｋｓ'.replace('ｈｏｏｋｓ', encodeURIComponent('ｈｏｏｋｓ')),
    'POST /api/v4/projects/1/members',
    'POST /api/v4/groups/1/share',
    'POST /api/v4/users',
    'POST /api/v4/projects/1/service-accounts/2/apikeys',
    'POST /v1.0/applications/1/addPassword',
    'POST /v1/projects/p/serviceAccounts/s/keys',
    'POST /v1/projects/p/serviceAccounts/s:generateAccessToken',
    'POST /v1/projects/p/x:setIamPolicy',
    'POST /realms/x/protocol/openid-connect/token',
    'POST /repos/o/r/actions/runners/generate-jitconfig',
    'POST /v1/projects/p/locations/l/functions:generateUploadUrl',
    'POST /v1/projects/p/locations/l/functions/f:generateDownloadUrl',
    'POST /services/data/v58.0/composite',
    'POST /services/data/Soap/u/58.0',
    'POST /api/dashboards/uid/x/public-dashboards',
    'POST /repos/o/r/hooks',
    'GET /repos/o/r/hooks/1/config',
    'PUT /repos/o/r/collaborators/x',
    'POST /orgs/o/invitations',
    'GET /repos/o/r/codespaces/secrets',
    'PUT /orgs/o/teams/t/memberships/x',
    'POST /v1/sys/wrapping/data/unwrap',
    'GET /v1/aws/creds/r',
    'GET /v1/auth/data/x',
    'POST /v1/pki/issue/r',
    'GET /api/v4/application/settings',
    'GET /api/v4/projects/1/secure_files',
    'GET /api/v4/projects/1/pipeline_schedules/2',
    'GET /api/v4/projects/1/services/jenkins',
    'GET /api/v4/license',
    'PUT /api/v4/projects/1',
    'PUT /api/v4/projects/a%2Fb',
    'PUT /api/v4/projects/1.json',
    'PUT /api/v4/groups/team%2Fapp',
    'PUT /repos/o/r',
    'PUT /repos/o/r/',
    'POST /api/v4/projects/1%2Fhooks/5/test',
    'POST /repos/o/r/rulesets',
    'POST /repos/o/r/dispatches',
    'PUT /repos/o/r/environments/live',
    'POST /repos/o/r/actions/runs/1/pending_deployments',
    'POST /orgs/o/migrations',
    'GET /v1/transit/keys/data/x',
    'POST /v1/transit/keys/data/x',
  ])('sends no request that makes, shows or extends credentials: %s', (request) => {
    for (const [provider, paths] of wideRules) {
      const rules = paths.flatMap((path) =>
        (['GET', 'POST', 'PUT'] as const).map((method) => rule(method, path)),
      );
      expect(decide(rules, request, { provider })).not.toBe('allowed');
    }
  });

  it.each([
    'GET /api/v4/projects/1/issues',
    'POST /api/v4/projects/1/issues/2/notes',
    'GET /api/v4/projects/1/issues/2/assignees',
    'GET /api/v4/projects/1/designs',
    'GET /api/v4/projects/1/repository/keywords',
    'GET /api/v4/authors',
    'GET /api/v4/users/1',
    'GET /api/v4/projects/group%2Fapp/merge_requests',
  ])('covers what only looks alike: %s', (request) => {
    const [method] = request.split(' ');
    expect(decide([rule(method as RuleMethod, '/api/v4/**')], request)).toBe('allowed');
  });

  it.each([
    ...'rolemanagement roleassignments approleassignments registeredowners scopedrolemembers entitlementmanagement'.split(
      ' ',
    ),
    ...'assignmentrequests listaccountsas listservicesas userassignedidentities userroles policyassignments accesspolicy'.split(
      ' ',
    ),
    ...'setiampolicy addmember createinvite invitelink sslcerts issuecert signcsr jwtsign apikeyid keyset samlconfig'.split(
      ' ',
    ),
    ...'ssoconfig otpcodes githooks deployhooks runnergroups recoverycodes backupcodes assumerole makeadmin'.split(
      ' ',
    ),
    ...'commonkey addonkey createmember sharemember recordowner groupreset eventshook returnkey'.split(' '),
    ...'robots scriptText scripts jenkins-agent.jnlp signedUrl leaf ca acl bootstrap factors lifecycle reactivate'.split(
      ' ',
    ),
    ...'enrollments tickets createLink installedApps setMetadata setCommonInstanceMetadata createEphemeral'.split(
      ' ',
    ),
    ...'ephemeralcontainers conversions services push_rule components bots connections license bridges'.split(
      ' ',
    ),
  ])('changes nothing at a part that names credentials or rights, in any case: %s', (part) => {
    const rules = [rule('POST', '/api/things/**')];
    for (const one of [part, part.toLowerCase(), part.toUpperCase()])
      expect([one, decide(rules, `POST /api/things/7/${one}`, { provider: oauth })]).toEqual([
        one,
        'not_allowed',
      ]);
  });

  it.each([
    ...'monkeys turkey design designers assignees keyboard keywords remember timezone authors concerts'.split(
      ' ',
    ),
    ...'releases attachments processors controllers certainly secretaries presets Kansas tokenizer'.split(
      ' ',
    ),
    ...'searchKeywords comments notes uploads files events lessons associations registry issues'.split(' '),
  ])('covers ordinary words: %s', (word) => {
    const rules = [rule('POST', '/api/things/**')];
    expect(decide(rules, `POST /api/things/7/${word}`, { provider: oauth })).toBe('allowed');
  });

  it.each([
    [gitlab, 'GET /api/v4/**', '/api/v4/projects/infra%2Fterraform/issues'],
    [gitlab, 'GET /api/v4/**', '/api/v4/projects/root%2Fapp'],
    [gitlab, 'POST /api/v4/**', '/api/v4/projects/acme%2Fauth-service/issues'],
    [gitlab, 'GET /api/v4/**', '/api/v4/groups/platform%2Fvault/projects'],
    [gitlab, 'GET /api/v4/**', '/api/v4/projects/1/repository/files/src%2Fauth%2Flogin.ts'],
    [gitlab, 'GET /api/v4/**', '/api/v4/projects/a%2Fb/repository/branches/feature%2Flogin'],
    [github, 'GET /repos/**', '/repos/acme/app/branches/feature%2Flogin'],
    [github, 'GET /repos/acme/*/actions/**', '/repos/acme/token-service/actions/runs'],
    [github, 'GET /repos/acme/**', '/repos/acme/token-service/actions/runs'],
    [atlassian, 'GET /rest/api/3/issue/*', '/rest/api/3/issue/ABC-1'],
    [atlassian, 'GET /rest/api/3/**', '/rest/api/3/issue/ABC-1'],
  ])('covers what the service has as a name: %#', (provider, allowed, path) => {
    const [method, pattern] = allowed.split(' ') as [RuleMethod, string];
    const wanted = rule(method, pattern);
    expect(decide([wanted], `${method} ${path}`, { provider })).toBe('allowed');
    expect(spelledRights(wanted, limitsOf({ provider, baseUrl: null }))).toEqual([]);
  });

  it('takes no call for a name', () => {
    for (const path of [
      '/api/v4/projects/acme%2Fapp/hooks',
      '/api/v4/projects/1%2Fhooks',
      '/api/v4/hooks/a%2Fb/x',
      '/api/v4/projects/1/repository/files%2Fhooks',
    ])
      expect([path, decide([rule('GET', '/api/v4/**')], `GET ${path}`)]).toEqual([path, 'not_allowed']);
  });

  it('of a folder of secrets begins after the place where a store is mounted', () => {
    const limits = limitsOf({ provider: vault, baseUrl: null });
    for (const [path, expected] of [
      ['/v1/kv/data/**', 'names'],
      ['/v1/*/data/**', 'narrow'],
      ['/v1/transit/keys/data/**', 'too_wide'],
      ['/v1/transit/*/data/**', 'too_wide'],
    ] as const)
      expect([path, wideness({ method: 'GET', path }, limits)]).toEqual([path, expected]);
  });

  it('covers no such part where others would match, and a rule that spells it does', () => {
    expect(decide([rule('GET', '/api/v4/**')], 'GET /api/v4/projects/1/hooks')).toBe('not_allowed');
    expect(decide([rule('GET', '/api/v4/**/hooks')], 'GET /api/v4/projects/1/hooks')).toBe('allowed');
    expect(decide([rule('GET', '/api/v4/**/hooks')], 'GET /api/v4/hooks/1/hooks')).toBe('not_allowed');
  });

  it('may stand for names that the provider knows as such, whatever they are', () => {
    const rules = [rule('GET', '/repos/*/*/issues/**'), rule('POST', '/repos/*/*/issues')];
    for (const request of [
      'GET /repos/auth-team/login/issues/1',
      'HEAD /repos/o/r/issues',
      'POST /repos/o/token-service/issues',
    ])
      expect([request, decide(rules, request, { provider: github })]).toEqual([request, 'allowed']);
    for (const request of [
      'POST /repos/o/r/issues/1/comments',
      'GET /repos/o/r%2Fhooks/issues',
      'GET /repos/o/r/hooks',
    ])
      expect([request, decide(rules, request, { provider: github })]).toEqual([request, 'not_allowed']);
  });

  it('reads secrets in the folder that a rule names, and no token of the service', () => {
    const rules = [rule('GET', '/v1/secret/data/team/**')];
    const ask = (path: string) => decide(rules, `GET ${path}`, { provider: vault });
    expect(ask('/v1/secret/data/team/db-password')).toBe('allowed');
    expect(ask('/v1/secret/data/other/x')).toBe('not_allowed');
    expect(ask('/v1/secret/data/team/auth/token/create')).toBe('forbidden');
    expect(decide(rules, 'POST /v1/secret/data/team/x', { provider: vault })).toBe('not_allowed');
  });
});

describe('a rule from before that is too wide', () => {
  it.each([
    ['* /**', 'GET /items/1', 'allowed'],
    ['* /**', 'HEAD /items/1', 'allowed'],
    ['* /**', 'POST /items', 'not_allowed'],
    ['* /**', 'GET /items/1/tokens', 'not_allowed'],
    ['POST /**', 'POST /items', 'not_allowed'],
    ['GET /**', 'GET /items', 'allowed'],
    ['GET /**', 'GET /graphql', 'not_allowed'],
    ['* /items/1', 'DELETE /items/1', 'allowed'],
  ])('%s allows only what is safe: %s is %s', (old, request, code) => {
    const [method, path = ''] = old.split(' ');
    expect(decide([rule(method as RuleMethod, path)], request)).toBe(code);
  });

  it('allows in a service that keeps secrets only to read in their folders', () => {
    const rules = [rule('*', '/**')];
    const ask = (request: string) => decide(rules, request, { provider: vault });
    expect(ask('GET /v1/secret/data/app')).toBe('allowed');
    expect(ask('GET /v1/aws/roles2/r')).toBe('not_allowed');
    expect(ask('POST /v1/secret/data/app')).toBe('not_allowed');
  });

  it.each<[RuleMethod, string, ProviderChoice, readonly string[]]>([
    ['*', '/api/v4/**', gitlab, ['GET /api/v4/**']],
    ['*', '/a/b', gitlab, ['GET /a/b', 'POST /a/b', 'PUT /a/b', 'PATCH /a/b', 'DELETE /a/b']],
    ['GET', '/orgs/**', github, ['GET /orgs/*/repos']],
    ['POST', '/**', { id: 'smartflo', inputs: {} }, []],
  ])('%s %s becomes what is narrow enough', (method, path, provider, expected) => {
    const limits = limitsOf({ provider, baseUrl: null });
    expect(isTooWide({ method, path }, limits)).toBe(true);
    const narrowed = narrowedRules({ method, path }, limits);
    expect(narrowed.map((one) => `${one.method} ${one.path}`)).toEqual(expected);
    expect(narrowed.filter((one) => isTooWide(one, limits))).toEqual([]);
  });
});
