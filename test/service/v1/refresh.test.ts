import { describe, expect, it } from 'vitest';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { OpenService } from '../open-service.ts';
import { ownUserAgent } from '../../../src/contract/service/own-call.ts';

async function refreshed(service: OpenService, value: string) {
  const answer = await service.bearer(value, 'POST', '/v1/auth/refresh');
  return { ...answer, access: String(answer.body.access_token) };
}

describe('POST /v1/auth/refresh', () => {
  it('gives a short-lived access token and leaves the API token as it is', async () => {
    const service = await OpenService.start();
    const { value, id } = await service.issue();
    const before = (await service.owner('GET', `/portal/tokens/${id}`)).body;
    const { status, body, headers } = await refreshed(service, value);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      access_token: expect.stringMatching(/^rva_/) as string,
      token_type: 'bearer',
      expires_in: 3600,
    });
    expect(headers['cache-control']).toBe('no-store');
    const after = (await service.owner('GET', `/portal/tokens/${id}`)).body;
    expect({ ...after, first_used_at: null }).toEqual({ ...before, first_used_at: null });
    expect((await service.owner('GET', '/portal/tokens')).body.tokens).toHaveLength(1);
  });

  it('never gives an access token a longer lifetime than its parent has', async () => {
    const service = await OpenService.start();
    const { value } = await service.issue();
    service.clock.nowMs += 7 * dayMs - 90_500;
    expect((await refreshed(service, value)).body.expires_in).toBe(90);
  });

  it('gives a token that works on IVRs, with the parent’s scopes and addresses', async () => {
    const service = await OpenService.start();
    const { value } = await service.issue({ scopes: ['ivr:read'], ip_restrictions: ['127.0.0.1'] });
    const { access } = await refreshed(service, value);
    expect((await service.bearer(access, 'GET', '/v1/ivrs')).status).toBe(200);
    expect((await service.bearer(access, 'POST', '/v1/ivr', { payload: {} })).status).toBe(403);
    expect((await service.bearer(access, 'GET', '/v1/ivrs', { remoteAddress: '127.0.0.2' })).status).toBe(
      403,
    );
    expect((await service.bearer(access, 'GET', '/v1/auth/token')).body).toMatchObject({
      status: 'Active',
      scopes: ['ivr:read'],
      expires_at: new Date(service.clock.nowMs + 3_600_000).toISOString(),
    });
  });

  it('may be refreshed itself, and cannot be rotated', async () => {
    const service = await OpenService.start();
    const { value } = await service.issue();
    const { access } = await refreshed(service, value);
    expect((await refreshed(service, access)).status).toBe(200);
    const rotation = await service.rotate(access);
    expect([rotation.status, rotation.body.message]).toEqual([401, 'The provided token is invalid.']);
  });

  for (const [end, happen, status] of [
    ['after its hour', (service: OpenService) => (service.clock.nowMs += 3_600_000), 401],
    [
      'when its parent is suspended',
      (service: OpenService, id: string) => service.owner('POST', `/portal/tokens/${id}/suspend`),
      403,
    ],
    [
      'when its parent is rotated',
      (service: OpenService, _id: string, value: string) => service.rotate(value),
      401,
    ],
  ] as const) {
    it(`ends ${end}`, async () => {
      const service = await OpenService.start();
      const { value, id } = await service.issue();
      const { access } = await refreshed(service, value);
      await happen(service, id, value);
      expect((await service.bearer(access, 'GET', '/v1/ivrs')).status).toBe(status);
    });
  }

  it('outlives a restart', async () => {
    const service = await OpenService.start();
    const { value } = await service.issue();
    const { access } = await refreshed(service, value);
    await service.stop();
    const restarted = await OpenService.start({ folder: service.folder, clock: service.clock });
    expect((await restarted.bearer(access, 'GET', '/v1/ivrs')).status).toBe(200);
  });
});

const checked = { headers: { 'user-agent': ownUserAgent } };
const byProgram = { headers: { 'user-agent': 'curl/8' } };

describe('a token that Rotavox itself has tested', () => {
  it('is not used yet, and the first use by a program is recorded', async () => {
    const service = await OpenService.start();
    const { value, id } = await service.issue();
    const views = async () => (await service.owner('GET', '/portal/tokens')).body['tokens'];
    const uses = async () =>
      (await service.historyOf(id))
        .filter(({ kind }) => kind === 'token.first_used')
        .map(({ actor }) => actor);

    await service.bearer(value, 'GET', '/v1/auth/token', checked);
    await service.bearer(value, 'GET', '/v1/auth/token', checked);
    expect(await views()).toMatchObject([{ first_used_at: null, checked_at: expect.any(String) as string }]);
    expect(await uses()).toMatchObject([{ user_agent: ownUserAgent }]);

    await service.bearer(value, 'GET', '/v1/ivrs', byProgram);
    await service.bearer(value, 'GET', '/v1/ivrs', { headers: { 'user-agent': 'other' } });
    expect(await views()).toMatchObject([{ first_used_at: expect.any(String) as string, checked_at: null }]);
    expect((await uses()).map((actor) => (actor as { user_agent: string }).user_agent).toSorted()).toEqual([
      ownUserAgent,
      'curl/8',
    ]);
  });

  it('was used by a program when one from another machine says that it is Rotavox', async () => {
    const service = await OpenService.start();
    const { value } = await service.issue();
    await service.bearer(value, 'GET', '/v1/auth/token', { ...checked, remoteAddress: '10.0.0.7' });
    expect((await service.owner('GET', '/portal/tokens')).body['tokens']).toMatchObject([
      { checked_at: null },
    ]);
  });
});
