import { describe, expect, it } from 'vitest';
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
    expect(answer.body).toEqual({ Success: true, Message: 'IVR created successfully.', id, warnings: [] });
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

  it('leaves SMS templates out with a warning while the setting is off', async () => {
    const service = await OpenService.start();
    const { value, answer, id } = await created(service, sampleBody);
    expect(answer.body.warnings).toMatchObject([{ field: 'sms_template' }]);
    expect((await service.bearer(value, 'GET', `/v1/ivr/${id}`)).body.sms_template).toBeUndefined();
  });

  it('replaces an IVR with its next version, and keeps the old one in the history', async () => {
    const service = await OpenService.start();
    const { value, id } = await created(service);
    service.clock.nowMs += 1000;
    const update = await service.bearer(value, 'PUT', `/v1/ivr/${id}`, {
      payload: { ...ivrBody, name: 'Night' },
    });
    expect(update.body).toMatchObject({ Success: true, id, version: 2, name: 'Night', warnings: [] });
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

  it('refuses a dead token in the IVR shape', async () => {
    const service = await OpenService.start();
    const answer = await service.bearer('rvx_nobody', 'POST', '/v1/ivr', { payload: ivrBody });
    expect([answer.status, answer.body]).toEqual([
      401,
      { Success: false, Message: 'The provided token is invalid.' },
    ]);
  });
});
