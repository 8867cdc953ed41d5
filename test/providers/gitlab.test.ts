import { describe, expect, it } from 'vitest';
import { GitlabProvider } from '../../src/providers/gitlab/calls.ts';
import type { GitlabServer, GitlabToken } from '../fakes/gitlab-server.ts';
import { startGitlabServer } from '../fakes/start-gitlab-server.ts';
import { noon } from '../fixtures/make-events.ts';
import { makeCaller } from './http/answering-service.ts';
import { attemptOf, describeProvider } from './provider-suite.ts';

describeProvider(
  'a personal access token of GitLab',
  async (time) => {
    const gitlab = await startGitlabServer(time.clock);
    return {
      baseUrl: gitlab.baseUrl,
      provider: { id: 'gitlab', inputs: { kind: 'personal' } },
      token: gitlab.issue().value,
      isAlive: (token) => gitlab.isAlive(token),
      replaces: (path) => path.endsWith('/rotate'),
    };
  },
  { afterLostReply: 'reply_lost' },
);

describeProvider(
  'a personal access token of GitLab with another one of the same person',
  async (time) => {
    const gitlab = await startGitlabServer(time.clock);
    return {
      baseUrl: gitlab.baseUrl,
      provider: { id: 'gitlab', inputs: { kind: 'personal', recovery: 'helper' } },
      token: gitlab.issue().value,
      helpers: { helper: gitlab.issue({ name: 'helper', scopes: ['api'] }).value },
      isAlive: (token) => gitlab.isAlive(token),
      replaces: (path) => path.endsWith('/rotate'),
    };
  },
  { afterLostReply: 'fine' },
);

describeProvider(
  'two personal access tokens of GitLab, of which one is in use',
  async (time) => {
    const gitlab = await startGitlabServer(time.clock);
    return {
      baseUrl: gitlab.baseUrl,
      provider: { id: 'gitlab', inputs: { kind: 'personal' } },
      token: gitlab.issue({ scopes: ['api'] }).value,
      second: gitlab.issue({ scopes: ['api'] }).value,
      isAlive: (token) => gitlab.isAlive(token),
      replaces: (path) => path.endsWith('/rotate'),
    };
  },
  { afterLostReply: 'fine' },
);

describeProvider(
  'a runner token of GitLab',
  async (time) => {
    const gitlab = await startGitlabServer(time.clock);
    return {
      baseUrl: gitlab.baseUrl,
      provider: { id: 'gitlab', inputs: { kind: 'runner' } },
      token: gitlab.addRunner().token,
      isAlive: (token) => gitlab.isAlive(token),
      replaces: (path) => path.endsWith('/reset_authentication_token'),
    };
  },
  { afterLostReply: 'reply_lost' },
);

describe('a rotation at GitLab', () => {
  const inspected = { inputs: { kind: 'personal' }, timeLimitMs: 20_000 };

  async function setUp(nowMs = noon) {
    const gitlab = await startGitlabServer(() => nowMs);
    return { gitlab, provider: new GitlabProvider(makeCaller(), () => nowMs), baseUrl: gitlab.baseUrl };
  }

  function callsOf({ calls }: GitlabServer): string[] {
    return calls.map(({ method, path, body }) => `${method} ${path}${body === '' ? '' : ` ${body}`}`);
  }

  it('asks about the token first, and names the end of the new one', async () => {
    const { gitlab, provider, baseUrl } = await setUp();
    const { value: token } = gitlab.issue();
    const notes: string[] = [];
    const remember = (note: string) => Promise.resolve(void notes.push(note));
    const minted = await provider.rotate(attemptOf({ baseUrl, token, remember, wantedDays: 30 }));
    // No more than the 30 days that the token had: a limit of the administrator may allow no more.
    expect(minted).toMatchObject({
      ok: true,
      value: { validityDays: 30, expiresAtMs: Date.parse('2026-02-09T00:00:00Z') },
    });
    expect(callsOf(gitlab)).toEqual([
      'GET /api/v4/personal_access_tokens/self',
      'POST /api/v4/personal_access_tokens/self/rotate {"expires_at":"2026-02-09"}',
    ]);
    expect(notes).toEqual(['{"id":1,"name":"deploy"}']);
  });

  it.each([
    [365, '2027-01-10', '2027-01-10'],
    [3650, '2027-06-10', '2027-01-10'],
    [30, '2027-01-10', '2026-02-09'],
    [365, '2026-01-17', '2026-01-17'],
    [1, '2026-01-17', '2026-01-11'],
  ])('asks for %i days, of a token until %s, by %s', async (wantedDays, expiresAt, date) => {
    const { gitlab, provider, baseUrl } = await setUp();
    const { value: token } = gitlab.issue({ expiresAt });
    expect((await provider.rotate(attemptOf({ baseUrl, token, wantedDays }))).ok).toBe(true);
    expect(gitlab.calls.at(-1)?.body).toBe(JSON.stringify({ expires_at: date }));
  });

  it.each([
    ['400 Bad request - Expiration date of personal access token must be before 2026-01-21', 400],
    ['Das Ablaufdatum muss vor dem 2026-01-21 liegen', 422],
  ])('asks at once for the latest date that an administrator allows: %s', async (message, status) => {
    const { gitlab, provider, baseUrl } = await setUp();
    gitlab.limit = { latest: '2026-01-20', refusal: { status, body: { message } } };
    const { value: token } = gitlab.issue();
    const minted = await provider.rotate(attemptOf({ baseUrl, token, wantedDays: 30 }));
    expect(minted).toMatchObject({
      ok: true,
      value: { validityDays: 10, expiresAtMs: Date.parse('2026-01-20T00:00:00Z') },
    });
    expect(callsOf(gitlab).slice(1)).toEqual([
      'POST /api/v4/personal_access_tokens/self/rotate {"expires_at":"2026-02-09"}',
      'POST /api/v4/personal_access_tokens/self/rotate {"expires_at":"2026-01-20"}',
    ]);
  });

  it('asks once where a refusal names no date that could be the limit', async () => {
    const { gitlab, provider, baseUrl } = await setUp();
    const { value: token } = gitlab.issue();
    for (const message of ['must be before 2026-01-11', 'must be after 2027-01-01', 'no']) {
      gitlab.limit = { latest: '2026-01-01', refusal: { status: 400, body: { message } } };
      gitlab.calls.length = 0;
      const minted = await provider.rotate(attemptOf({ baseUrl, token, wantedDays: 30 }));
      expect(minted).toMatchObject({ ok: false, refusal: { kind: 'service_failed', mayHaveActed: false } });
      expect(gitlab.calls).toHaveLength(2);
    }
  });

  it('takes any prefix that an administrator has set', async () => {
    const { gitlab, provider, baseUrl } = await setUp();
    gitlab.prefix = 'acme$|';
    const { value: token } = gitlab.issue();
    const minted = await provider.rotate(attemptOf({ baseUrl, token }));
    expect(minted.ok && minted.value.token.startsWith('acme$|')).toBe(true);
  });

  it.each([
    ['project', 'team/app', '/projects/team%2Fapp/access_tokens/self/rotate'],
    ['group', '12', '/groups/12/access_tokens/self/rotate'],
  ])('of a %s token names what it belongs to', async (kind, of, path) => {
    const { gitlab, provider, baseUrl } = await setUp();
    const { value: token } = gitlab.issue({ below: `/${kind}s/${of}` });
    const minted = await provider.rotate(attemptOf({ baseUrl, token, inputs: { kind, of } }));
    expect(minted.ok).toBe(true);
    expect(gitlab.calls.at(-1)?.path).toBe(`/api/v4${path}`);
  });

  it('is never asked for with a token that was replaced: that would end the one in use', async () => {
    const { gitlab, provider, baseUrl } = await setUp();
    const { value: token } = gitlab.issue();
    const first = await provider.rotate(attemptOf({ baseUrl, token }));
    const again = await provider.rotate(attemptOf({ baseUrl, token }));
    expect(again).toMatchObject({ ok: false, refusal: { kind: 'invalid', mayHaveActed: false } });
    expect(gitlab.familiesRevoked).toBe(0);
    expect(first.ok && gitlab.isAlive(first.value.token)).toBe(true);
  });

  it('is not tried without the scope for it', async () => {
    const { gitlab, provider, baseUrl } = await setUp();
    const { value: token } = gitlab.issue({ scopes: ['read_api'] });
    expect(await provider.rotate(attemptOf({ baseUrl, token }))).toMatchObject({
      refusal: { kind: 'no_endpoint', trouble: { code: 'may_not_rotate' } },
    });
    expect(await provider.inspectRotation({ ...inspected, baseUrl, token })).toMatchObject({
      outcome: 'cannot_rotate',
      reason: { code: 'scope_missing' },
    });
    expect(callsOf(gitlab).filter((call) => call.includes('rotate'))).toEqual([]);
  });

  it('tells that a token works until midnight UTC before its date, and since when', async () => {
    const { gitlab, provider, baseUrl } = await setUp();
    const { value: token } = gitlab.issue({ expiresAt: '2026-01-31' });
    const { reply, skewMs } = await provider.inspect({ ...inspected, baseUrl, token });
    expect(reply).toEqual({
      kind: 'known',
      name: 'deploy',
      status: 'active',
      createdAtMs: noon,
      expiresAtMs: Date.parse('2026-01-31T00:00:00Z'),
      validityDays: 21,
    });
    expect(skewMs).toBe(0);
  });

  it.each([1, 12, 23])(
    'counts the days of a token that was created %i hours after midnight',
    async (hours) => {
      const { gitlab, provider, baseUrl } = await setUp(
        Date.parse('2026-01-10T00:00:00Z') + hours * 3_600_000,
      );
      const { value: token } = gitlab.issue({ expiresAt: '2026-01-31' });
      const { reply } = await provider.inspect({ ...inspected, baseUrl, token });
      expect(reply).toMatchObject({ validityDays: 21 });
    },
  );

  it('needs to be told when a token without an end is to be replaced', async () => {
    const { gitlab, provider, baseUrl } = await setUp();
    const { value: token } = gitlab.issue({ expiresAt: null });
    const { reply } = await provider.inspect({ ...inspected, baseUrl, token });
    expect(reply).toEqual({ kind: 'not_told', reason: { code: 'never_expires' } });
  });

  describe('whose reply was lost', () => {
    const note = '{"id":1,"name":"deploy"}';
    const inputs = { kind: 'personal', recovery: 'helper' };

    async function lose(helper: Partial<GitlabToken> | null = { scopes: ['api'] }) {
      const world = await setUp();
      const { gitlab, provider, baseUrl } = world;
      const { value: token } = gitlab.issue();
      await provider.rotate(attemptOf({ baseUrl, token }));
      const other = helper === null ? null : gitlab.issue({ name: 'helper', ...helper });
      gitlab.calls.length = 0;
      const tokenOf = () => Promise.resolve(other?.value ?? null);
      return { ...world, lost: attemptOf({ baseUrl, token, inputs, note, tokenOf }) };
    }

    it('is recovered by another token of the same person, which rotates the one that nobody has', async () => {
      const { gitlab, provider, lost } = await lose();
      const found = await provider.reconcile(lost);
      expect(found.kind).toBe('recovered');
      expect(found.kind === 'recovered' && gitlab.isAlive(found.minted.token)).toBe(true);
      expect(callsOf(gitlab)).toEqual([
        'GET /api/v4/personal_access_tokens/self',
        'GET /api/v4/personal_access_tokens/self',
        'GET /api/v4/personal_access_tokens?search=deploy&state=active&per_page=100',
        'POST /api/v4/personal_access_tokens/2/rotate {"expires_at":"2026-01-17"}',
      ]);
    });

    it.each<[string, Partial<GitlabToken> | null]>([
      ['there is no other token', null],
      ['the other token has expired', { scopes: ['api'], expiresAt: '2026-01-01' }],
      ['the other token may not list', { scopes: ['self_rotate'] }],
      ['the other token belongs to somebody else', { scopes: ['api'], owner: 'eve' }],
      ['the other token may not rotate', { scopes: ['read_api'] }],
    ])('is lost where %s', async (_what, helper) => {
      const { gitlab, provider, lost } = await lose(helper);
      expect(await provider.reconcile(lost)).toEqual({ kind: 'lost' });
      expect(gitlab.familiesRevoked).toBe(0);
      expect(gitlab.tokens.filter(({ name, isRevoked }) => name === 'deploy' && !isRevoked)).toHaveLength(1);
    });

    it('is lost where a third token has the same name: it could be the one in use', async () => {
      const { gitlab, provider, lost } = await lose();
      gitlab.issue();
      expect(await provider.reconcile(lost)).toEqual({ kind: 'lost' });
    });

    it('is not clear while GitLab does not answer', async () => {
      const { provider, lost } = await lose();
      const found = await provider.reconcile({ ...lost, baseUrl: 'http://127.0.0.1:1' });
      expect(found).toMatchObject({ kind: 'unclear', failure: { kind: 'unreachable' } });
    });
  });
});
