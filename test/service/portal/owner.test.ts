import { describe, expect, it } from 'vitest';
import { RotationStep } from '../../../src/contract/credential/credential-checks.ts';
import { ChangeNotice } from '../../../src/contract/service/portal.ts';
import { defaultSettings } from '../../../src/contract/service/settings.ts';
import { ofFile } from '../../fixtures/when-over.ts';
import { OpenService } from '../open-service.ts';

describe('the owner', () => {
  it('is recognised by the portal key; every other caller is refused', async () => {
    const service = await OpenService.start();
    const { value } = await service.issue();
    for (const headers of [{}, { authorization: `Bearer ${value}` }, { cookie: 'rotavox_80=guess' }]) {
      const answer = await service.call({ method: 'GET', url: '/portal/status', headers });
      expect([answer.status, answer.body.code]).toEqual([401, 'not_signed_in']);
    }
    expect((await service.owner('GET', '/portal/status')).status).toBe(200);
  });

  it('signs a browser in with a link that works once and within five minutes', async () => {
    const service = await OpenService.start();
    const code = service.service.sessions.createCode();
    const signIn = await service.call({ method: 'GET', url: `/?code=${code}` });
    expect([signIn.status, signIn.headers.location]).toEqual([303, '/']);
    const cookie = String(signIn.headers['set-cookie']);
    expect(cookie).toMatch(/HttpOnly; SameSite=Strict/);
    const [pair = ''] = cookie.split(';');
    // inject has no port, so the cookie is that of port 0
    const inside = await service.call({ method: 'GET', url: '/portal/status', headers: { cookie: pair } });
    expect(inside.status).toBe(200);
    expect((await service.call({ method: 'GET', url: `/?code=${code}` })).status).toBe(401);
    const late = service.service.sessions.createCode();
    service.clock.nowMs += 300_000;
    expect((await service.call({ method: 'GET', url: `/?code=${late}` })).status).toBe(401);
  });

  it('makes sign-in links for the CLI', async () => {
    const service = await OpenService.start();
    const { body } = await service.owner('POST', '/portal/sign-in-links');
    const { search } = new URL(String(body.url), 'http://x');
    expect((await service.call({ method: 'GET', url: `/${search}` })).status).toBe(303);
  });

  it('sees counts, and the health of the store', async () => {
    const service = await OpenService.start();
    const { value } = await service.issue();
    await service.rotate(value);
    expect((await service.owner('GET', '/portal/status')).body).toMatchObject({
      version: '0.0.0-test',
      data_dir: service.folder,
      command_line: null,
      tokens: { Active: 1, Superseded: 1, Expired: 0, Suspended: 0, Blacklisted: 0 },
      ivrs: 0,
      store: { status: 'ok', last_seq: 2 },
      vault: { kind: 'memory' },
      repairs: [],
    });
  });

  it('moves no tokens where they are not on this machine, or to no place', async () => {
    const service = await OpenService.start();
    const refused = await service.owner('POST', '/portal/vault/move', { to: 'keychain' });
    expect(refused.status).toBe(409);
    expect(JSON.stringify(refused.body)).toContain('are not moved');
    expect((await service.owner('POST', '/portal/vault/move', { to: 'paper' })).status).toBe(400);
  });

  it('changes settings, once each, with a place in the history', async () => {
    const service = await OpenService.start();
    expect((await service.owner('GET', '/portal/settings')).body).toEqual(defaultSettings);
    for (let time = 0; time < 2; time += 1) {
      const { body } = await service.owner('PATCH', '/portal/settings', { sms_templates_enabled: true });
      expect(body).toEqual({ ...defaultSettings, sms_templates_enabled: true });
    }
    const { body } = await service.owner('GET', '/portal/history?kind=settings.changed');
    expect(body.events).toHaveLength(1);
    expect((await service.owner('PATCH', '/portal/settings', { colour: 1 })).status).toBe(400);
    expect((await service.owner('PATCH', '/portal/settings', { sms_templates_enabled: 'yes' })).status).toBe(
      400,
    );
  });

  it.each([
    ['a theme', { theme: 'dark' }, { theme: 'blue' }],
    ['the first steps', { first_steps: 'dismissed' }, { first_steps: 'unseen' }],
    ['a port', { port: 7700 }, { port: 80 }],
    ['the usual port', { port: null }, { port: 65_536 }],
    ['a share of a life', { rotation_fraction: 0.5 }, { rotation_fraction: 0.95 }],
    [
      'hours for rotations',
      { rotation_preferred_hours: { from: '02:00', to: '05:00' } },
      { rotation_preferred_hours: { from: '02:00' } },
    ],
  ])('sets %s, and nothing beyond its bounds', async (_what, good, bad) => {
    const service = await OpenService.start();
    expect((await service.owner('PATCH', '/portal/settings', good)).body).toEqual({
      ...defaultSettings,
      ...good,
    });
    const refused = await service.owner('PATCH', '/portal/settings', bad);
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toHaveLength(1);
    expect((await service.owner('GET', '/portal/settings')).body).toMatchObject(good);
  });

  it('reads history in pages, newest first, and checks its chain', async () => {
    const service = await OpenService.start();
    for (let place = 0; place < 7; place += 1) await service.issue();
    const first = await service.owner('GET', '/portal/history?limit=5');
    expect((first.body.events as { seq: number }[]).map(({ seq }) => seq)).toEqual([7, 6, 5, 4, 3]);
    const second = await service.owner(
      'GET',
      `/portal/history?limit=5&before=${String(first.body.next_before)}`,
    );
    expect((second.body.events as { seq: number }[]).map(({ seq }) => seq)).toEqual([2, 1]);
    expect(second.body.next_before).toBeNull();
    expect((await service.owner('GET', '/portal/history/verify')).body).toMatchObject({
      status: 'intact',
      verified_to: 7,
    });
  });
});

describe('addresses that are not there', () => {
  for (const [method, url, status, shape] of [
    ['GET', '/v1/nothing', 404, 'success'],
    ['GET', '/v1/auth/rotate', 405, 'success'],
    ['DELETE', '/v1/ivr', 405, 'Success'],
    ['GET', '/portal/nothing', 404, 'success'],
    ['DELETE', '/portal/settings', 405, 'success'],
    ['POST', '/', 404, 'success'],
  ] as const) {
    it(`answers ${status} to ${method} ${url} in the shape of its family`, async () => {
      const service = await OpenService.start();
      const answer = await service.owner(method, url);
      expect(answer.status).toBe(status);
      expect(answer.body[shape]).toBe(false);
      if (status === 405) expect(answer.headers.allow).toBeTruthy();
    });
  }
});

describe('the description of the API', () => {
  it('is an OpenAPI 3.1 document with every route of the contract', async () => {
    const service = await OpenService.start();
    const { routes } = await import('../../../src/contract/routes.ts');
    const { status, body } = await service.call({ method: 'GET', url: '/openapi.json' });
    expect([status, body.openapi]).toEqual([200, '3.1.0']);
    const paths = body.paths as Record<string, Record<string, unknown>>;
    for (const { method, path } of Object.values(routes)) {
      const named = path.replace(/:(\w+)/g, '{$1}');
      expect(paths[named]?.[method.toLowerCase()], `${method} ${path}`).toBeDefined();
    }
    expect(JSON.stringify(paths['/v1/ivr'])).toContain('timeout_retries');
  });

  it('includes what is sent on the stream of changes', async () => {
    const service = await OpenService.start();
    const { body } = await service.call({ method: 'GET', url: '/openapi.json' });
    const { paths, components } = body as {
      paths: Record<string, { get: { description: string } }>;
      components: { schemas: Record<string, { properties: object }> };
    };
    for (const name of ['`change`', '`reset`', '`step`']) {
      expect(paths['/portal/events']?.get.description).toContain(name);
    }
    expect(Object.keys(components.schemas['ChangeNotice']?.properties ?? {})).toEqual(
      Object.keys(ChangeNotice.shape),
    );
    expect(Object.keys(components.schemas['RotationStep']?.properties ?? {})).toEqual(
      Object.keys(RotationStep.shape),
    );
  });

  /** Of one service: the page is made at its first call, with the viewer. */
  const withPage = ofFile(() => OpenService.start());

  it('has a page that loads nothing from anywhere else', async () => {
    const service = await withPage.get();
    expect((await service.call({ method: 'GET', url: '/docs' })).headers.location).toBe('/docs/');
    const { status, headers, body } = await service.call({ method: 'GET', url: '/docs/' });
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    const [markup, script] = String(body.text).split('<script>');
    expect(markup).not.toMatch(/https?:\/\/|src=|href=/);
    expect(script).toContain('createApiReference');
  });

  it('has a page that shares no origin with the windows and may ask for nothing', async () => {
    const service = await withPage.get();
    const { headers } = await service.call({ method: 'GET', url: '/docs/' });
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^sandbox allow-scripts /);
    expect(policy).not.toMatch(/allow-same-origin|'self'|connect-src|https?:/);
  });
});

it('has no backups of a team, whose data are in its database', async () => {
  const service = await OpenService.start();
  const refusal = { status: 409, body: { message: expect.stringContaining('PostgreSQL') as string } };
  expect(await service.owner('POST', '/portal/backup', { passphrase: 'correct horse' })).toMatchObject(
    refusal,
  );
  expect(await service.owner('POST', '/portal/restore/begin')).toMatchObject(refusal);
});
