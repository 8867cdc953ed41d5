import { describe, expect, it } from 'vitest';
import { Visitor } from '../../fakes/oidc-server.ts';
import { startOidcServer } from '../../fakes/start-oidc-server.ts';
import { OpenService } from '../open-service.ts';

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
