import { beforeEach, describe, expect, it } from 'vitest';
import { rotavox } from './rotavox.ts';
import { StandInService } from './stand-in-service.ts';

const rule = {
  id: 'rule_1',
  method: 'GET',
  path: '/api/**',
  app: null,
  private_network: false,
  created_at: '2026-11-21T12:00:00.000Z',
};
const token = {
  id: 'app_1',
  app: 'agent',
  created_at: '2026-11-21T12:00:00.000Z',
  expires_at: '2026-11-21T20:00:00.000Z',
  is_expired: false,
  limits: { at_once: 64, per_minute: 6000, bytes_per_minute: 8_000_000_000 },
  last_used_at: '2026-11-21T13:00:00.000Z',
  last_generation: 3,
  requests: 41,
  running: 0,
};
const view = {
  credential: 'gitlab',
  url: 'http://127.0.0.1:7682/proxy/gitlab',
  rules: [rule],
  tokens: [token],
  forbidden: [{ method: null, path: '/oauth/**' }],
  ready: [
    {
      id: 'read-issues',
      title: null,
      rules: [
        { method: 'GET', path: '/api/v4/issues' },
        { method: 'GET', path: '/api/v4/projects/*/issues/**' },
      ],
    },
    { id: 'read-secrets', title: null, rules: [{ method: 'GET', path: '/v1/{mount}/data/{folder}/**' }] },
  ],
  recent: [],
};
const trial = { requests: 30, allowed: 12, newly_allowed: 3, forbidden: 0, routes: [], names_rights: [] };
const sentence =
  'This would have allowed 12 of the 30 requests of the last 24 hours, 3 of which were refused.';
const of = '/portal/credentials/gitlab/proxy';

let service: StandInService;
beforeEach(async () => {
  service = await StandInService.start();
  service.answers.set(`POST ${of}/rules`, [200, view]);
  service.answers.set(`POST ${of}/rules/try`, [200, trial]);
  service.answers.set(`GET ${of}`, [200, view]);
  service.answers.set('GET /portal/proxy', [200, { credentials: [view] }]);
});
const cli = (...words: string[]) => rotavox(['proxy', ...words], { dataDir: service.dataDir });

describe('rotavox proxy allow', () => {
  it('adds a rule and says what it would have allowed', async () => {
    expect(await cli('allow', 'gitlab', 'get /api/**', '--app', 'agent')).toEqual({
      code: 0,
      stdout: '',
      stderr: `Apps of gitlab may send GET /api/**.\n${sentence}\n`,
    });
    const body = { method: 'GET', path: '/api/**', app: 'agent', private_network: false };
    expect(service.calls).toEqual([
      { call: `POST ${of}/rules/try`, body },
      { call: `POST ${of}/rules`, body },
    ]);
  });

  it('has answers searched for the token with --scrub', async () => {
    const { code, stderr } = await cli('allow', 'gitlab', 'GET /api/**', '--scrub');
    expect([code, stderr]).toEqual([0, expect.stringContaining('GET /api/** (answers searched)')]);
    expect(service.calls.at(-1)?.body).toMatchObject({ scrub: true });
  });

  it('only shows it with --dry-run', async () => {
    expect(await cli('allow', 'gitlab', 'GET', '/api/**', '--dry-run')).toEqual({
      code: 0,
      stdout: `${sentence}\n`,
      stderr: '',
    });
    expect(service.calls.map(({ call }) => call)).toEqual([`POST ${of}/rules/try`]);
  });

  it.each([
    ['/api/**', 'A rule is a method and a path'],
    ['GET api', 'must be a path such as'],
    ['GET /../x', 'must be a path such as'],
    ['FETCH /x', 'must be one of GET, HEAD, POST'],
    ['* /x/y', 'must be one of GET, HEAD, POST'],
    ['GET /x /y', 'A rule is a method and a path'],
  ])('refuses %j before anything is asked', async (text, message) => {
    const { code, stderr } = await cli('allow', 'gitlab', text);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(service.calls).toEqual([]);
  });
});

describe('the ready rules of a service', () => {
  it('are listed where no rule is named', async () => {
    const { code, stdout } = await cli('allow', 'gitlab');
    expect(code).toBe(0);
    expect(stdout).toMatch(/read-issues +Read issues +GET \/api\/v4\/issues, GET/);
    expect(JSON.parse((await cli('allow', 'gitlab', '--json')).stdout)).toEqual({ ready: view.ready });
  });

  it('are added by their name', async () => {
    const { code, stderr } = await cli('allow', 'gitlab', 'read-issues', '--app', 'agent');
    expect([code, stderr]).toEqual([0, expect.stringContaining('may send GET /api/v4/projects/*/issues/**')]);
    const added = service.calls.filter(({ call }) => call === `POST ${of}/rules`);
    expect(added.map(({ body }) => body)).toEqual(
      view.ready[0]?.rules.map((one) => ({ ...one, app: 'agent', private_network: false })),
    );
  });

  it('take a folder where they need one', async () => {
    expect((await cli('allow', 'gitlab', 'read-secrets', '--under', 'secret/team/a')).code).toBe(0);
    expect(service.calls.at(-1)?.body).toMatchObject({ path: '/v1/secret/data/team/a/**' });
    for (const [words, message] of [
      [['read-secrets'], '--under secret/team'],
      [['read-secrets', '--under', 'secret'], '--under secret/team'],
      [['read-issues', '--under', 'secret/team'], 'leave --under out'],
      [['read-nothing'], 'has no ready rules'],
    ] as const) {
      const { code, stderr } = await cli('allow', 'gitlab', ...words);
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    }
  });
});

describe('a rule that names credentials', () => {
  it('is added only with --yes where nobody can be asked', async () => {
    service.answers.set(`POST ${of}/rules/try`, [200, { ...trial, names_rights: ['hooks'] }]);
    const { code, stderr } = await cli('allow', 'gitlab', 'GET /api/v4/projects/*/hooks');
    expect([code, stderr]).toEqual([2, expect.stringContaining('“hooks” names credentials or rights.')]);
    expect(service.calls.map(({ call }) => call)).toEqual([`POST ${of}/rules/try`]);
    expect((await cli('allow', 'gitlab', 'GET /api/v4/projects/*/hooks', '--yes')).code).toBe(0);
    expect(service.calls.at(-1)?.body).toMatchObject({ confirmed: true });
  });
});

describe('rotavox proxy token', () => {
  const issued = {
    id: 'app_2',
    app: 'nightly',
    url: view.url,
    token: 'rvy_secret',
    expires_at: '2099-11-21T20:00:00.000Z',
  };

  it('prints two variables, and nothing else on stdout', async () => {
    service.answers.set(`POST ${of}/tokens`, [200, issued]);
    const { code, stdout, stderr } = await cli('token', 'gitlab', '--app', 'nightly', '--expires-in', '30d');
    expect([code, stdout]).toEqual([0, `ROTAVOX_PROXY_URL=${view.url}\nROTAVOX_PROXY_TOKEN=rvy_secret\n`]);
    expect(stderr).toMatch(/^nightly may use gitlab for \d+ d.* The token cannot be shown again\.\n$/);
    expect(service.calls[0]).toEqual({
      call: `POST ${of}/tokens`,
      body: { app: 'nightly', expires_in: 30 * 86_400, limits: {} },
    });
  });

  it('says which rule is missing', async () => {
    service.answers.set(`POST ${of}/tokens`, [200, issued]);
    service.answers.set(`GET ${of}`, [200, { ...view, rules: [{ ...rule, app: 'other' }] }]);
    const { stderr } = await cli('token', 'gitlab', '--app', 'nightly');
    expect(stderr).toContain('rotavox proxy allow gitlab');
  });
});

describe('rotavox proxy list and revoke', () => {
  it('lists rules and apps of all credentials, or of one', async () => {
    const { code, stdout } = await cli('list');
    expect(code).toBe(0);
    for (const text of [view.url, 'rule_1', 'GET /api/**', 'every app', 'app_1', 'agent', '41 requests'])
      expect(stdout).toContain(text);
    expect((await cli('list', 'gitlab')).stdout).toBe(stdout);
    expect(JSON.parse((await cli('list', '--json')).stdout)).toEqual({ credentials: [view] });
  });

  it('revokes by the beginning of the id', async () => {
    service.answers.set('DELETE /portal/proxy/rules/rule_1', [200, view]);
    service.answers.set('DELETE /portal/proxy/tokens/app_1', [200, view]);
    expect((await cli('revoke', 'rule_1')).stderr).toBe('rule_1 is removed.\n');
    expect((await cli('revoke', 'app_1')).stderr).toBe('app_1 is revoked. Requests with it are refused.\n');
    const { code, stderr } = await cli('revoke', 'tok_1');
    expect([code, stderr]).toEqual([2, expect.stringContaining('rule_')]);
  });
});
