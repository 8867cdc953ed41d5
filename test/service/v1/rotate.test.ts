import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TokenConfiguration } from '../../../src/contract/token/token.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { OpenService } from '../open-service.ts';

const invalid = { success: false, message: 'The provided token is invalid.' };

describe('POST /v1/auth/rotate', () => {
  it('answers with exactly the five fields of the spec and no-store', async () => {
    const service = await OpenService.start();
    const { value } = await service.issue({ validity_days: 30 });
    const { status, headers, body } = await service.rotate(value);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: 'Token refreshed successfully.',
      access_token: expect.stringMatching(/^rvx_[0-9A-Za-z]{49}$/) as string,
      token_type: 'bearer',
      validity_days: 30,
    });
    expect(headers['cache-control']).toBe('no-store');
  });

  it('kills the old token at once and starts the new one, both with their history', async () => {
    const service = await OpenService.start();
    const { value, id } = await service.issue();
    const rotated = await service.rotate(value);
    const successor = id.replace(/_1$/, '_2');
    expect(await service.statusOf(id)).toBe('Superseded');
    expect(await service.statusOf(successor)).toBe('Active');
    expect((await service.bearer(value, 'GET', '/v1/ivrs')).body).toMatchObject({
      Success: false,
      Message: invalid.message,
    });
    expect((await service.bearer(String(rotated.body.access_token), 'GET', '/v1/ivrs')).status).toBe(200);
    expect((await service.historyOf(id)).map(({ kind }) => kind)).toContain('token.rotated');
    expect((await service.historyOf(successor)).map(({ kind }) => kind)).toContain('token.rotated');
  });

  it('hands on every setting of the configuration schema', async () => {
    const service = await OpenService.start();
    const configuration = {
      name: 'every setting',
      category: 'jobs',
      validity_days: 15,
      scopes: ['ivr:read'],
      ip_restrictions: ['127.0.0.0/8', '::1'],
    };
    expect(Object.keys(configuration).sort()).toEqual(Object.keys(TokenConfiguration.shape).sort());
    const { value, id } = await service.issue(configuration);
    await service.rotate(value);
    const { body } = await service.owner('GET', `/portal/tokens/${id.replace(/_1$/, '_2')}`);
    expect(body).toMatchObject(configuration);
  });

  it('gives the successor its full validity when the source was to end sooner', async () => {
    const service = await OpenService.start();
    const expiresAt = new Date(service.clock.nowMs + 10_000).toISOString();
    const { value, id } = await service.issue({ expires_at: expiresAt });
    await service.rotate(value);
    const { body } = await service.owner('GET', `/portal/tokens/${id.replace(/_1$/, '_2')}`);
    expect(body.expires_at).toBe(new Date(service.clock.nowMs + 7 * dayMs).toISOString());
  });

  for (const [name, more] of Object.entries({
    'no body': {},
    'an empty body': { payload: '' },
    'an empty form, as curl -d sends': {
      payload: '',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
    '{} as JSON': { payload: '{}', headers: { 'content-type': 'application/json' } },
    '{} as JSON with a charset': {
      payload: '{}',
      headers: { 'content-type': 'application/json; charset=utf-8' },
    },
    '{} without a type': { payload: '{}', headers: {} },
  })) {
    it(`takes ${name}`, async () => {
      const service = await OpenService.start();
      const { value } = await service.issue();
      expect((await service.bearer(value, 'POST', '/v1/auth/rotate', more)).status).toBe(200);
    });
  }

  for (const [name, payload, type, status, words] of [
    ['settings', '{"validity_days":90}', 'application/json', 400, 'validity_days is not a field'],
    ['a list', '[]', 'application/json', 400, 'The body must be a JSON object.'],
    ['null', 'null', 'application/json', 400, 'The body must be a JSON object.'],
    ['half a body', '{"a":', 'application/json', 400, 'not valid JSON'],
    ['a form', 'a=b', 'application/x-www-form-urlencoded', 415, 'application/json'],
    ['text', '{}', 'text/plain', 415, 'application/json'],
  ] as const) {
    it(`refuses ${name} and changes nothing`, async () => {
      const service = await OpenService.start();
      const { value, id } = await service.issue();
      const answer = await service.bearer(value, 'POST', '/v1/auth/rotate', {
        payload,
        headers: { 'content-type': type },
      });
      expect(answer.status).toBe(status);
      expect(answer.body).toEqual({
        success: false,
        message: expect.stringContaining(words) as string,
      });
      expect(await service.statusOf(id)).toBe('Active');
    });
  }

  const rows: {
    state: string;
    put: (service: OpenService, id: string, value: string) => Promise<unknown>;
    status: number;
    message: string;
  }[] = [
    {
      state: 'Expired',
      put: (service) => {
        service.clock.nowMs += 7 * dayMs;
        return Promise.resolve();
      },
      status: 401,
      message:
        'The provided token has expired and cannot be refreshed. Please generate a new token from the portal.',
    },
    {
      state: 'Suspended',
      put: (service, id) => service.owner('POST', `/portal/tokens/${id}/suspend`),
      status: 403,
      message: 'The provided token is suspended and cannot be refreshed.',
    },
    {
      state: 'Blacklisted',
      put: (service, id) => service.owner('POST', `/portal/tokens/${id}/blacklist`),
      status: 403,
      message: 'The provided token is blacklisted and cannot be refreshed.',
    },
    {
      state: 'Superseded',
      put: (service, _id, value) => service.rotate(value),
      status: 401,
      message: 'The provided token is invalid.',
    },
  ];
  for (const { state, put, status, message } of rows) {
    it(`answers ${status} for a token that is ${state}, in the spec's words, and changes no state`, async () => {
      const service = await OpenService.start();
      const { value, id } = await service.issue();
      await put(service, id, value);
      const before = service.store.state.tokens.size;
      for (const path of ['/v1/auth/rotate', '/v1/auth/refresh'] as const) {
        const answer = await service.bearer(value, 'POST', path);
        expect(answer.status, path).toBe(status);
        expect(answer.body, path).toEqual({ success: false, message });
      }
      const self = await service.bearer(value, 'GET', '/v1/auth/token');
      expect([self.status, self.body.message]).toEqual([status, message]);
      expect(await service.statusOf(id)).toBe(state);
      expect(service.store.state.tokens.size).toBe(before);
    });
  }

  it('answers 401 with a challenge for a token that was never issued, and for none at all', async () => {
    const service = await OpenService.start();
    const unknown = await service.rotate('rvx_nobody');
    expect([unknown.status, unknown.body]).toEqual([401, invalid]);
    const none = await service.call({ method: 'POST', url: '/v1/auth/rotate' });
    expect([none.status, none.body, none.headers['www-authenticate']]).toEqual([401, invalid, 'Bearer']);
  });

  it('answers 403 from an address that the restrictions do not name, and changes nothing', async () => {
    const service = await OpenService.start();
    const { value, id } = await service.issue({ ip_restrictions: ['10.1.0.0/16', 'fd00::/8'] });
    for (const [remoteAddress, status] of [
      ['127.0.0.1', 403],
      ['10.2.0.1', 403],
      ['fe80::1', 403],
    ] as const) {
      const answer = await service.bearer(value, 'POST', '/v1/auth/rotate', { remoteAddress });
      expect([remoteAddress, answer.status]).toEqual([remoteAddress, status]);
    }
    expect(await service.statusOf(id)).toBe('Active');
    const mapped = await service.bearer(value, 'POST', '/v1/auth/rotate', {
      remoteAddress: '::ffff:10.1.2.3',
    });
    expect(mapped.status).toBe(200);
    const inSix = await service.bearer(String(mapped.body.access_token), 'POST', '/v1/auth/rotate', {
      remoteAddress: 'fd12::7',
    });
    expect(inSix.status).toBe(200);
  });

  it('records who used a Superseded token again, once a minute for the same caller', async () => {
    const service = await OpenService.start();
    const { value, id } = await service.issue();
    await service.rotate(value);
    for (let use = 0; use < 5; use += 1) {
      await service.bearer(value, 'GET', '/v1/auth/token', { headers: { 'user-agent': 'old-job/1' } });
    }
    const reuses = (await service.historyOf(id)).filter(({ kind }) => kind === 'token.reused');
    expect(reuses).toHaveLength(1);
    expect(reuses[0]).toMatchObject({
      actor: { address: '127.0.0.1', user_agent: 'old-job/1', token_id: id },
    });
    service.clock.nowMs += 60_000;
    await service.bearer(value, 'GET', '/v1/auth/token', { headers: { 'user-agent': 'old-job/1' } });
    expect((await service.historyOf(id)).filter(({ kind }) => kind === 'token.reused')).toHaveLength(2);
  });

  it('writes down once that the same caller has used the current token afterwards, also by rotating it', async () => {
    const service = await OpenService.start();
    const { value, id } = await service.issue();
    const current = (await service.rotate(value)).body['access_token'] as string;
    const currentId = id.replace(/_1$/, '_2');
    const use = (token: string, program: string, path = '/v1/auth/token') =>
      service.bearer(token, path === '/v1/auth/token' ? 'GET' : 'POST', path, {
        headers: { 'user-agent': program },
      });
    const ends = async () =>
      (await service.historyOf(currentId)).filter(({ kind }) => kind === 'token.reuse_ended').length;
    await use(value, 'old-job/1');
    await use(current, 'other-job/1');
    expect(await ends()).toBe(0);
    await use(current, 'old-job/1');
    await use(current, 'old-job/1');
    expect(await ends()).toBe(1);
    service.clock.nowMs += 60_000;
    await use(value, 'old-job/1');
    await use(current, 'old-job/1', '/v1/auth/rotate');
    expect(await ends()).toBe(2);
  });
});

describe('Idempotency-Key', () => {
  it('gets the same reply again, says so, and rotates once', async () => {
    const service = await OpenService.start();
    const { value, id } = await service.issue();
    const first = await service.rotate(value, 'one');
    const again = await service.rotate(value, 'one');
    expect(again.body).toEqual(first.body);
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect((await service.historyOf(id)).filter(({ kind }) => kind === 'token.rotated')).toHaveLength(1);
  });

  it('is answered again after a restart', async () => {
    const service = await OpenService.start();
    const { value } = await service.issue();
    const first = await service.rotate(value, 'one');
    await service.stop();
    const restarted = await OpenService.start({ folder: service.folder, clock: service.clock });
    expect((await restarted.rotate(value, 'one')).body).toEqual(first.body);
  });

  it('ends when the successor is first used', async () => {
    const service = await OpenService.start();
    const { value } = await service.issue();
    const first = await service.rotate(value, 'one');
    await service.bearer(String(first.body.access_token), 'GET', '/v1/auth/token');
    expect((await service.rotate(value, 'one')).body).toEqual(invalid);
  });

  it('ends after 24 hours', async () => {
    const service = await OpenService.start();
    const { value } = await service.issue();
    await service.rotate(value, 'one');
    service.clock.nowMs += dayMs - 1;
    expect((await service.rotate(value, 'one')).status).toBe(200);
    service.clock.nowMs += 1;
    expect((await service.rotate(value, 'one')).body).toEqual(invalid);
  });

  it('is good for nothing with another key or another token', async () => {
    const service = await OpenService.start();
    const [one, other] = [await service.issue(), await service.issue()];
    await service.rotate(one.value, 'k');
    expect((await service.rotate(one.value, 'other')).body).toEqual(invalid);
    const fresh = await service.rotate(other.value, 'k');
    expect(fresh.status).toBe(200);
    expect(fresh.headers['idempotency-replayed']).toBeUndefined();
  });

  for (const key of ['', ' ', 'two words', 'ü', 'x'.repeat(256)]) {
    it(`refuses ${JSON.stringify(key).slice(0, 20)} as a key and rotates nothing`, async () => {
      const service = await OpenService.start();
      const { value, id } = await service.issue();
      const answer = await service.rotate(value, key);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toContain('idempotency-key');
      expect(await service.statusOf(id)).toBe('Active');
    });
  }

  it('may say how long the new token shall be valid, and never gets more than its settings', async () => {
    const service = await OpenService.start();
    let { value } = await service.issue({ validity_days: 30 });
    const rotateFor = (days: string) =>
      service.bearer(value, 'POST', '/v1/auth/rotate', { headers: { 'rotavox-validity-days': days } });
    for (const days of ['0', '-1', '1.5', '3651', 'many']) {
      const refused = await rotateFor(days);
      expect(refused.status).toBe(400);
      expect(refused.body.message).toContain('rotavox-validity-days');
    }
    for (const [wanted, given] of [
      ['3', 3],
      ['365', 30],
    ] as const) {
      const { body } = await rotateFor(wanted);
      expect(body).toMatchObject({ validity_days: given });
      value = String(body.access_token);
      const self = (await service.bearer(value, 'GET', '/v1/auth/token')).body as Record<string, string>;
      const lifetimeMs = Date.parse(self['expires_at'] ?? '') - Date.parse(self['created_at'] ?? '');
      expect(lifetimeMs).toBe(given * dayMs);
      expect(self['validity_days']).toBe(30);
    }
  });

  it('leaves nothing on disk that the old token and the journal alone could open a day later', async () => {
    const service = await OpenService.start();
    const { value } = await service.issue();
    await service.rotate(value, 'one');
    const keysBefore = readFileSync(join(service.folder, 'replay-keys.json'), 'utf8');
    service.clock.nowMs += 26 * 3_600_000;
    const { value: later } = await service.issue();
    await service.rotate(later, 'two');
    const keysAfter = readFileSync(join(service.folder, 'replay-keys.json'), 'utf8');
    const [oldKey] = Object.values((JSON.parse(keysBefore) as { keys: Record<string, string> }).keys);
    expect(oldKey).toHaveLength(44);
    expect(keysAfter).not.toContain(oldKey);
  });
});
