import { describe, expect, it } from 'vitest';
import type { IvrWarning } from '../../../src/contract/menu/ivr.ts';
import { ivrBody, sampleBody } from '../../fixtures/ivr-bodies.ts';
import { OpenService } from '../open-service.ts';

async function created(service: OpenService, payload: object = ivrBody) {
  const { value } = await service.issue();
  const answer = await service.bearer(value, 'POST', '/v1/ivr', { payload });
  return { value, answer, id: String(answer.body.id) };
}

describe('/v1/ivr', () => {
  it('creates an IVR from the field table and says where it is', async () => {
    const service = await OpenService.start();
    const { answer, id } = await created(service);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ Success: true, Message: 'IVR created successfully.', id });
    expect(id).toMatch(/^ivr_/);
    expect(answer.headers.location).toBe(`/v1/ivr/${id}`);
  });

  it('reads back what was created, in the spec’s field names, also from the sample’s forms', async () => {
    const service = await OpenService.start();
    await service.owner('PATCH', '/portal/settings', { sms_templates_enabled: true });
    const { value, id } = await created(service, sampleBody);
    const { status, body } = await service.bearer(value, 'GET', `/v1/ivr/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      version: 1,
      name: 'Reception',
      timeout: 5,
      option: ['1', '2', '0'],
      timeout_tries: 2,
      invalid_recording: 'recording||12',
      sms_template: ['31', '32'],
      created_at: body.updated_at,
    });
    const list = await service.bearer(value, 'GET', '/v1/ivrs');
    expect(list.body).toEqual([body]);
  });

  it.each<[string, string, number]>([
    ['GET', '/v1/ivr', 405],
    ['DELETE', '/v1/ivr', 405],
    ['GET', '/v1/ivrs', 200],
    ['PUT', '/v1/ivrs', 405],
    ['GET', '/v1/ivr/ivr_none', 404],
    ['POST', '/v1/ivr/ivr_none', 405],
    ['GET', '/v1/auth/token', 200],
    ['POST', '/v1/auth/refresh', 200],
    ['GET', '/v1/health', 200],
    ['GET', '/v1/ready', 200],
    ['GET', '/v1/nothing', 404],
  ])('answers with a slash at the end as without: %s %s', async (method, path, status) => {
    const service = await OpenService.start();
    const { value } = await service.issue();
    const plain = await service.bearer(value, method as 'GET', path);
    const slash = await service.bearer(value, method as 'GET', `${path}/`);
    expect(slash.status).toBe(status);
    expect({ status: slash.status, allow: slash.headers.allow, keys: Object.keys(slash.body) }).toEqual({
      status: plain.status,
      allow: plain.headers.allow,
      keys: Object.keys(plain.body),
    });
  });

  it('is the same route with a slash at the end: a menu is created, with the same guard, but not with two', async () => {
    const service = await OpenService.start();
    const { value } = await service.issue();
    const answer = await service.bearer(value, 'POST', '/v1/ivr/', { payload: ivrBody });
    expect(answer.status).toBe(200);
    expect((await service.bearer(value, 'GET', `/v1/ivr/${String(answer.body.id)}/`)).status).toBe(200);
    expect((await service.bearer('wrong', 'POST', '/v1/ivr/', { payload: ivrBody })).status).toBe(401);
    const { value: reader } = await service.issue({ scopes: ['ivr:read'] });
    expect((await service.bearer(reader, 'POST', '/v1/ivr/', { payload: ivrBody })).status).toBe(403);
    const large = { payload: { ...ivrBody, description: 'x'.repeat(300_000) } };
    expect((await service.bearer(value, 'POST', '/v1/ivr/', large)).status).toBe(413);
    for (const path of ['/v1/ivr//', '//v1/ivr', '/v1//ivr', '/v1/ivr/ivr_1//']) {
      expect((await service.bearer(value, 'POST', path, { payload: ivrBody })).status, path).toBe(404);
    }
  });

  it('lists in pages on request: each leads to the next, and the last to none', async () => {
    const service = await OpenService.start();
    const { value, id } = await created(service);
    const ids = [id];
    while (ids.length < 7) {
      const { body } = await service.bearer(value, 'POST', '/v1/ivr', { payload: ivrBody });
      ids.push(String(body.id));
    }
    const whole = await service.bearer(value, 'GET', '/v1/ivrs');
    expect(whole.headers.link).toBeUndefined();
    const listed: unknown[] = [];
    const sizes: number[] = [];
    let path = '/v1/ivrs?limit=3';
    while (path !== '') {
      const { status, body, headers } = await service.bearer(value, 'GET', path);
      expect(status).toBe(200);
      const page = body as unknown as { id: string }[];
      sizes.push(page.length);
      listed.push(...page);
      path = /^<([^>]+)>; rel="next"$/.exec(String(headers.link))?.[1] ?? '';
    }
    expect(sizes).toEqual([3, 3, 1]);
    expect(listed).toEqual(whole.body);
    for (const query of ['limit=0', 'limit=1001', 'cursor=', 'cursor=x', 'limit=1&limit=2']) {
      expect((await service.bearer(value, 'GET', `/v1/ivrs?${query}`)).status, query).toBe(400);
    }
  });

  it('leaves SMS templates out with a warning while the setting is off', async () => {
    const service = await OpenService.start();
    const { value, answer, id } = await created(service, sampleBody);
    expect((answer.body.warnings as IvrWarning[])[0]).toMatchObject({ field: 'sms_template' });
    expect((await service.bearer(value, 'GET', `/v1/ivr/${id}`)).body.sms_template).toBeUndefined();
  });

  it('names in warnings what a body refers to and this service does not know', async () => {
    const service = await OpenService.start();
    await service.owner('PATCH', '/portal/settings', { sms_templates_enabled: true });
    await service.owner('PATCH', '/portal/extensions', { set: [{ id: '101', name: 'Sales' }] });
    const payload = { ...ivrBody, destination: ['extension||101', 'ivr||nowhere', 'voicemail||7'] };
    const { value, answer, id } = await created(service, { ...payload, sms_template: ['welcome'] });
    const fieldsOf = (body: Record<string, unknown>) =>
      (body.warnings as IvrWarning[]).map(({ field }) => field).sort();
    const unknown = ['destination[1]', 'invalid_destination', 'invalid_recording', 'recording'];
    expect(fieldsOf(answer.body)).toEqual([
      ...unknown,
      'sms_template[0]',
      'timeout_recording',
      'timeout_retry_recording',
    ]);
    expect(JSON.stringify(answer.body.warnings)).toContain('Menu nowhere is not stored here');

    // References that are known by then are no longer listed; a menu knows itself.
    await service.owner('PATCH', '/portal/sms-templates', {
      set: [{ id: 'welcome', name: 'W', text: 'Hello' }],
    });
    const toItself = { ...payload, destination: ['extension||101', `ivr||${id}`, 'voicemail||7'] };
    for (const call of [
      service.bearer(value, 'PUT', `/v1/ivr/${id}`, { payload: { ...toItself, sms_template: ['welcome'] } }),
      service.owner('PUT', `/portal/ivrs/${id}`, { ...toItself, sms_template: ['welcome'] }),
    ]) {
      const fields = fieldsOf((await call).body);
      expect(fields).toContain('invalid_destination');
      expect(fields).not.toContain('destination[1]');
      expect(fields).not.toContain('sms_template[0]');
    }
    expect(fieldsOf((await service.owner('POST', '/portal/ivrs', payload)).body)).toContain('recording');
  });

  it('replaces an IVR with its next version, and keeps the old one in the history', async () => {
    const service = await OpenService.start();
    const { value, id } = await created(service);
    service.clock.nowMs += 1000;
    const update = await service.bearer(value, 'PUT', `/v1/ivr/${id}`, {
      payload: { ...ivrBody, name: 'Night' },
    });
    expect(update.body).toMatchObject({ Success: true, id, version: 2, name: 'Night' });
    const { body } = await service.owner('GET', `/portal/ivrs/${id}/versions`);
    expect(
      (body.versions as { name: string; version: number }[]).map(({ name, version }) => [version, name]),
    ).toEqual([
      [2, 'Night'],
      [1, 'Reception'],
    ]);
  });

  it('deletes an IVR; its versions stay readable for the owner', async () => {
    const service = await OpenService.start();
    const { value, id } = await created(service);
    const gone = await service.bearer(value, 'DELETE', `/v1/ivr/${id}`);
    expect([gone.status, gone.body]).toEqual([
      200,
      { Success: true, Message: 'IVR deleted successfully.', id },
    ]);
    for (const [method, payload] of [['GET'], ['PUT', ivrBody], ['DELETE']] as const) {
      const answer = await service.bearer(
        value,
        method,
        `/v1/ivr/${id}`,
        payload === undefined ? {} : { payload },
      );
      expect([method, answer.status]).toEqual([method, 404]);
      expect(answer.body).toEqual({ Success: false, Message: 'There is no IVR with this id.' });
    }
    expect((await service.owner('GET', `/portal/ivrs/${id}/versions`)).body.versions).toHaveLength(1);
  });

  it('refuses a bad body with every field that is wrong, and stores nothing', async () => {
    const service = await OpenService.start();
    const { answer } = await created(service, {
      ...ivrBody,
      timeout: 0,
      option: ['x'],
      recording: undefined,
    });
    expect(answer.status).toBe(400);
    expect(answer.body.Success).toBe(false);
    const errors = answer.body.errors as { field: string }[];
    expect(errors.map(({ field }) => field).sort()).toEqual([
      'destination',
      'option[0]',
      'recording',
      'timeout',
    ]);
    for (const { field } of errors) expect(answer.body.Message).toContain(field);
    expect(service.store.state.ivrs.size).toBe(0);
  });

  for (const [scope, allowed] of [
    ['ivr:read', [403, 200, 200, 403, 403]],
    ['ivr:write', [200, 403, 403, 200, 200]],
  ] as const) {
    it(`lets a token with ${scope} do that and nothing else`, async () => {
      const service = await OpenService.start();
      const { id } = await created(service);
      const { value } = await service.issue({ scopes: [scope] });
      const answers = [
        await service.bearer(value, 'POST', '/v1/ivr', { payload: ivrBody }),
        await service.bearer(value, 'GET', '/v1/ivrs'),
        await service.bearer(value, 'GET', `/v1/ivr/${id}`),
        await service.bearer(value, 'PUT', `/v1/ivr/${id}`, { payload: ivrBody }),
        await service.bearer(value, 'DELETE', `/v1/ivr/${id}`),
      ];
      expect(answers.map(({ status }) => status)).toEqual(allowed);
      expect((await service.rotate(value)).status).toBe(200);
    });
  }

  it('refuses a token that does not work in the IVR shape', async () => {
    const service = await OpenService.start();
    const answer = await service.bearer('rvx_nobody', 'POST', '/v1/ivr', { payload: ivrBody });
    expect([answer.status, answer.body]).toEqual([
      401,
      { Success: false, Message: 'The provided token is invalid.' },
    ]);
  });
});
