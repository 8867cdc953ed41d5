import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { ivrBody, sampleBody } from '../../fixtures/ivr-bodies.ts';
import { OpenService } from '../open-service.ts';

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
