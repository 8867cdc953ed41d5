import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { IvrWarning } from '../../../src/contract/menu/ivr.ts';
import { ivrBody, sampleBody } from '../../fixtures/ivr-bodies.ts';
import { OpenService } from '../open-service.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';

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

const create = (service: OpenService, value: string, payload: object = ivrBody, key = 'one') =>
  service.bearer(value, 'POST', '/v1/ivr', { payload, headers: { 'idempotency-key': key } });

async function createdOnce() {
  const service = await OpenService.start();
  const { value } = await service.issue();
  const first = await create(service, value);
  expect(first.status).toBe(200);
  expect(first.headers['idempotency-replayed']).toBeUndefined();
  return { service, value, first };
}

const menusOf = ({ store }: OpenService) => store.state.ivrs.size;

describe('POST /v1/ivr with an Idempotency-Key', () => {
  it('answers the same call with the same reply and stores no second menu', async () => {
    const { service, value, first } = await createdOnce();
    const before = service.store.health().last_seq;
    const again = await create(service, value);
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.headers.location).toBe(first.headers.location);
    expect(menusOf(service)).toBe(1);
    expect(service.store.health().last_seq).toBe(before);
  });

  it('answers with the warnings that it had, and whatever happened to the menu since', async () => {
    const service = await OpenService.start();
    const { value } = await service.issue();
    const payload = { ...sampleBody, colour: 'red' };
    const first = await create(service, value, payload);
    expect(JSON.stringify(first.body)).toContain('colour');
    expect(JSON.stringify(first.body)).toContain('sms_template');
    await service.owner('PATCH', '/portal/settings', { sms_templates_enabled: true });
    await service.bearer(value, 'PUT', `/v1/ivr/${String(first.body.id)}`, {
      payload: { ...ivrBody, name: 'Other' },
    });
    expect((await create(service, value, payload)).body).toEqual(first.body);
    await service.bearer(value, 'DELETE', `/v1/ivr/${String(first.body.id)}`);
    expect((await create(service, value, payload)).body).toEqual(first.body);
    expect(menusOf(service)).toBe(0);
  });

  it.each(['state and journal', 'the journal alone'])('does so after a restart, from %s', async (from) => {
    const { service, value, first } = await createdOnce();
    await service.stop();
    if (from === 'the journal alone') rmSync(join(service.folder, 'state.json'));
    const again = await OpenService.start({ folder: service.folder, clock: service.clock });
    expect((await create(again, value)).body).toEqual(first.body);
    expect(menusOf(again)).toBe(1);
  });

  it('does so for an access token, and for the token that the first was rotated to meanwhile', async () => {
    const { service, value, first } = await createdOnce();
    const access = await service.bearer(value, 'POST', '/v1/auth/refresh');
    expect((await create(service, String(access.body.access_token))).body).toEqual(first.body);
    const rotated = await service.rotate(value);
    expect((await create(service, String(rotated.body.access_token))).body).toEqual(first.body);
    expect((await create(service, value)).status).toBe(401);
    expect(menusOf(service)).toBe(1);
  });

  it('takes the same menu for the same, whatever the order of its fields and the form of its numbers', async () => {
    const { service, value, first } = await createdOnce();
    const turned = Object.fromEntries(
      Object.entries({ ...ivrBody, timeout: Number(ivrBody.timeout) }).reverse(),
    );
    expect((await create(service, value, turned)).body).toEqual(first.body);
  });

  it('refuses another menu with the same key, and stores nothing', async () => {
    const { service, value } = await createdOnce();
    const before = service.store.health().last_seq;
    const other = await create(service, value, { ...ivrBody, name: 'Other' });
    expect([other.status, other.body]).toEqual([
      422,
      {
        Success: false,
        Message: 'This Idempotency-Key belongs to another menu. Use a new key for each menu.',
      },
    ]);
    expect(service.store.health().last_seq).toBe(before);
  });

  it('stores a menu for each key, for each token family, and again after 24 hours', async () => {
    const { service, value } = await createdOnce();
    await create(service, value, ivrBody, 'two');
    const { value: another } = await service.issue();
    await create(service, another);
    expect(menusOf(service)).toBe(3);
    service.clock.nowMs += dayMs - 1;
    await create(service, value);
    expect(menusOf(service)).toBe(3);
    service.clock.nowMs += 1;
    await create(service, value);
    expect(menusOf(service)).toBe(4);
    // What can no longer be asked for is forgotten.
    expect(service.store.state.ivrCreations.size).toBe(1);
  });

  it('leaves the key free where the body is refused', async () => {
    const service = await OpenService.start();
    const { value } = await service.issue();
    expect((await create(service, value, { ...ivrBody, timeout: 0 })).status).toBe(400);
    expect((await create(service, value)).status).toBe(200);
    expect(menusOf(service)).toBe(1);
  });

  it('stores one menu for many calls at once', async () => {
    const service = await OpenService.start();
    const { value } = await service.issue();
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(service, value)));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(menusOf(service)).toBe(1);
  });

  it.each(['', 'two words', 'ü', 'x'.repeat(256)])('refuses a key that is none: %j', async (key) => {
    const service = await OpenService.start();
    const { value } = await service.issue();
    const answer = await create(service, value, ivrBody, key);
    expect(answer.status).toBe(400);
    expect(answer.body.Message).toContain('idempotency-key must have 1 to 255 visible ASCII characters');
    expect(menusOf(service)).toBe(0);
  });

  it('counts for nothing where it is not sent: each call stores a menu', async () => {
    const service = await OpenService.start();
    const { value } = await service.issue();
    for (let call = 0; call < 2; call += 1)
      await service.bearer(value, 'POST', '/v1/ivr', { payload: ivrBody });
    expect(menusOf(service)).toBe(2);
    expect(service.store.state.ivrCreations.size).toBe(0);
  });
});
