import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { OpenService } from '../open-service.ts';
import { ownUserAgent } from '../../../src/contract/service/own-call.ts';
import { ivrBody } from '../../fixtures/ivr-bodies.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';

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

/** A service whose disk can refuse every change, and accept changes again. */
async function makeSetup() {
  const service = await OpenService.start({ folder: join(makeFolder(), 'data') });
  const elsewhere = `${service.folder}-moved`;
  return {
    service,
    refuse: () => renameSync(service.folder, elsewhere),
    /** Makes the service check the disk, as it would itself a minute later. */
    async take(): Promise<void> {
      renameSync(elsewhere, service.folder);
      service.store.look();
      // Changes of its own then share a write with this one.
      await service.owner('PATCH', '/portal/settings', { sms_templates_enabled: true });
    },
    async usesOf(id: string): Promise<Record<string, unknown>[]> {
      return (await service.historyOf(id)).filter(({ kind }) => kind === 'token.first_used');
    },
  };
}

describe('the first use of a token while the disk refuses changes', () => {
  it('is answered if it only reads, and recorded once when the disk accepts changes again', async () => {
    const { service, refuse, take, usesOf } = await makeSetup();
    const { value, id } = await service.issue();
    refuse();
    for (const path of ['/v1/auth/token', '/v1/ivrs', '/v1/auth/token']) {
      expect((await service.bearer(value, 'GET', path)).status, path).toBe(200);
    }
    expect((await service.bearer(value, 'GET', '/v1/ivr/unknown')).status).toBe(404);
    expect((await service.bearer(value, 'POST', '/v1/ivr', { payload: {} })).status).toBe(400);
    expect(service.store.state.tokens.values().next().value).toMatchObject({ firstUsedAtMs: null });
    await take();
    expect(await usesOf(id)).toMatchObject([{ actor: { kind: 'bearer', token_id: id } }]);
    expect((await service.bearer(value, 'GET', '/v1/ivrs')).status).toBe(200);
    expect(await usesOf(id)).toHaveLength(1);
  });

  it('is refused where it changes something, and still counts as a use', async () => {
    const { service, refuse, take, usesOf } = await makeSetup();
    const { value, id } = await service.issue();
    const ready = async () => (await service.call({ method: 'GET', url: '/v1/ready' })).status;
    expect(await ready()).toBe(200);
    refuse();
    // Whoever distributes calls is told before the first of them is refused.
    expect(await ready()).toBe(503);
    expect((await service.bearer(value, 'POST', '/v1/auth/refresh')).status).toBe(503);
    expect((await service.bearer(value, 'POST', '/v1/ivr', { payload: ivrBody })).status).toBe(503);
    expect((await service.rotate(value)).status).toBe(503);
    await take();
    expect(await ready()).toBe(200);
    expect(await usesOf(id)).toHaveLength(1);
    expect(service.store.state.ivrs.size).toBe(0);
    expect(service.store.state.accessTokens.size).toBe(0);
  });

  it('ends the replay of the rotation that it came from, although it is not recorded yet', async () => {
    const { service, refuse, take } = await makeSetup();
    const { value } = await service.issue();
    const rotated = await service.rotate(value, 'the-first-key-of-all');
    expect(rotated.status).toBe(200);
    expect((await service.rotate(value, 'the-first-key-of-all')).body).toEqual(rotated.body);
    refuse();
    const again = await service.rotate(value, 'the-first-key-of-all');
    expect(again.body, 'a replay needs no disk').toEqual(rotated.body);
    expect((await service.bearer(String(rotated.body.access_token), 'GET', '/v1/auth/token')).status).toBe(
      200,
    );
    expect((await service.rotate(value, 'the-first-key-of-all')).status).toBe(401);
    await take();
    expect((await service.rotate(value, 'the-first-key-of-all')).status).toBe(401);
  });

  it('does not delay or fail other answers: a read during a refused change is answered', async () => {
    const { service, refuse } = await makeSetup();
    const used = await service.issue();
    const fresh = await service.issue();
    await service.bearer(used.value, 'GET', '/v1/auth/token');
    refuse();
    const answers = await Promise.all([
      service.bearer(used.value, 'POST', '/v1/auth/refresh'),
      service.bearer(used.value, 'GET', '/v1/auth/token'),
      service.bearer(fresh.value, 'GET', '/v1/auth/token'),
      service.owner('GET', '/portal/status'),
      service.bearer(used.value, 'POST', '/v1/auth/refresh'),
      service.bearer(fresh.value, 'GET', '/v1/ivrs'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([503, 200, 200, 200, 503, 200]);
  });
});
