import { describe, expect, it } from 'vitest';
import { providerViews } from '../../../src/text/credential/providers.ts';
import { startGitlabServer } from '../../fakes/start-gitlab-server.ts';
import { OpenService } from '../open-service.ts';
import { Visitor } from '../../fakes/oidc-server.ts';
import { startOidcServer } from '../../fakes/start-oidc-server.ts';

describe('providers', () => {
  it('are listed with what they ask for', async () => {
    const service = await OpenService.start();
    const { status, body } = await service.owner('GET', '/portal/providers');
    expect(status).toBe(200);
    expect(body).toEqual({ providers: providerViews() });
  });
});

describe('adding a GitLab token', () => {
  async function open() {
    const service = await OpenService.start();
    const gitlab = await startGitlabServer(() => service.clock.nowMs);
    const add = (name: string, value: string, inputs: object, more: object = {}) =>
      service.owner('POST', '/portal/credentials', {
        name,
        value,
        provider: { id: 'gitlab', inputs },
        base_url: gitlab.baseUrl,
        ...more,
      });
    return { service, gitlab, add };
  }

  it('takes its expiry from GitLab and keeps its inputs', async () => {
    const { gitlab, add } = await open();
    const token = gitlab.issue({ below: '/projects/group/app' });
    const { status, body } = await add('deploy', token.value, { kind: 'project', of: 'group/app' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      provider: { id: 'gitlab', inputs: { kind: 'project', of: 'group/app' } },
      base_url: gitlab.baseUrl,
      expires_at: `${token.expiresAt}T00:00:00.000Z`,
      can_rotate: true,
    });
  });

  it('is tested before, and says when the token was created', async () => {
    const { service, gitlab } = await open();
    const { status, body } = await service.owner('POST', '/portal/credentials/test', {
      value: gitlab.issue().value,
      provider: { id: 'gitlab' },
      base_url: gitlab.baseUrl,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      outcome: 'works',
      token: { name: 'deploy', validity_days: 30, created_at: new Date(service.clock.nowMs).toISOString() },
      rotation: { outcome: 'can_rotate' },
    });
  });

  it('refuses inputs that are wrong, each at its field', async () => {
    const { gitlab, add } = await open();
    const { status, body } = await add('deploy', gitlab.issue().value, { kind: 'project', project: 'a' });
    expect(status).toBe(400);
    expect(body['errors']).toEqual([
      {
        field: 'provider.inputs.project',
        message: expect.stringContaining('allowed: kind, of, recovery') as string,
      },
      { field: 'provider.inputs.of', message: expect.stringContaining('is required') as string },
    ]);
  });

  it('refuses a recovery credential that is not of the same GitLab', async () => {
    const { service, gitlab, add } = await open();
    const other = await startGitlabServer(() => service.clock.nowMs);
    await add('mine', gitlab.issue({ scopes: ['api'] }).value, {});
    await add('elsewhere', other.issue().value, {}, { base_url: other.baseUrl });
    for (const recovery of ['elsewhere', 'nobody']) {
      const { status, body } = await add('deploy', gitlab.issue().value, { recovery });
      expect(status).toBe(400);
      expect(body['errors']).toEqual([
        {
          field: 'provider.inputs.recovery',
          message: `must be another credential of ${gitlab.baseUrl}; “${recovery}” is not`,
        },
      ]);
    }
    const { status } = await add('deploy', gitlab.issue().value, { recovery: 'mine' });
    expect(status).toBe(200);
  });
});

async function setUp() {
  const oidc = await startOidcServer();
  const service = await OpenService.start();
  const provider = {
    id: 'oauth2',
    inputs: { service: 'other', issuer: oidc.baseUrl, client_id: 'app', scope: 'openid' },
  };
  return { oidc, service, provider };
}

describe('a sign-in through the portal', () => {
  it('is started, read while it waits, and done when the person is', async () => {
    const { service, provider } = await setUp();
    const body = { name: 'crm', provider, method: 'browser' };
    const started = await service.owner('POST', '/portal/sign-ins', body);
    expect([started.status, started.body]).toEqual([
      200,
      expect.objectContaining({ name: 'crm', status: 'waiting', message: null, user_code: null }),
    ]);
    const path = `/portal/sign-ins/${String(started.body['id'])}`;
    expect((await service.owner('GET', path)).body).toEqual(started.body);
    await new Visitor().visit(String(started.body['url']));
    expect((await service.owner('GET', path)).body).toMatchObject({ status: 'done' });
    const credential = await service.owner('GET', '/portal/credentials/crm');
    expect(credential.body).toMatchObject({ state: 'fine', provider, can_rotate: true });
    const value = await service.owner('GET', '/portal/credentials/crm/value');
    expect(value.status).toBe(200);
    expect(String(value.body['value'])).toMatch(/^[\w.-]+$/);
  });

  it('can be cancelled', async () => {
    const { service, provider } = await setUp();
    const body = { name: 'crm', provider, method: 'device' };
    const started = await service.owner('POST', '/portal/sign-ins', body);
    expect(started.body['user_code']).toMatch(/^[A-Z]{4}-[A-Z]{4}$/);
    const path = `/portal/sign-ins/${String(started.body['id'])}`;
    const cancelled = await service.owner('DELETE', path);
    expect([cancelled.status, cancelled.body['status']]).toEqual([200, 'failed']);
    expect((await service.owner('GET', path)).body).toEqual(cancelled.body);
  });

  it.each<[string, object, number, string]>([
    ['a credential that does not exist', { name: 'crm', method: 'browser' }, 404, 'not_found'],
    [
      'a provider without sign-ins',
      { name: 'crm', method: 'browser', provider: { id: 'gitlab', inputs: {} } },
      409,
      'conflict',
    ],
    [
      'a missing input',
      { name: 'crm', method: 'browser', provider: { id: 'oauth2', inputs: { service: 'github' } } },
      400,
      'bad_request',
    ],
    ['another method', { name: 'crm', method: 'letter' }, 400, 'bad_request'],
    [
      'a server that nobody reaches',
      {
        name: 'crm',
        method: 'browser',
        provider: { id: 'oauth2', inputs: { client_id: 'app', issuer: 'http://127.0.0.1:1' } },
      },
      502,
      'other_service_failed',
    ],
  ])('is refused for %s', async (_what, body, status, code) => {
    const service = await OpenService.start();
    const answer = await service.owner('POST', '/portal/sign-ins', body);
    expect([answer.status, answer.body['code']]).toEqual([status, code]);
  });

  it.each(['GET', 'DELETE'] as const)('that does not exist is not found by %s', async (method) => {
    const service = await OpenService.start();
    expect((await service.owner(method, '/portal/sign-ins/sign_x')).status).toBe(404);
    expect((await service.call({ method, url: '/portal/sign-ins/sign_x' })).status).toBe(401);
  });
});
