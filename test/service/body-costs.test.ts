import { describe, expect, it } from 'vitest';
import type { IvrWarning } from '../../src/contract/menu/ivr.ts';
import { routes } from '../../src/contract/routes.ts';
import type { Route } from '../../src/contract/route.ts';
import { ivrBody } from '../fixtures/ivr-bodies.ts';
import { OpenService } from './open-service.ts';

describe('what a body costs', () => {
  const mebibytes = 4 * 1024 * 1024;
  const filled = (open: string, value: string, close: string) =>
    open + Array.from({ length: mebibytes / (value.length + 1) - 10 }, () => value).join(',') + close;

  it.each([
    ['nested as deep as it is long', '['.repeat(mebibytes / 2) + ']'.repeat(mebibytes / 2)],
    ['a million empty objects', filled('{"set":[', '{}', ']}')],
    ['a list of two million numbers', filled('[', '1', ']')],
  ])('is bounded by its values: %s', async (_what, content) => {
    const service = await OpenService.start();
    const { status, body } = await service.call({
      method: 'PATCH',
      url: '/portal/extensions',
      headers: {
        authorization: `Bearer ${service.service.sessions.portalKey}`,
        'content-type': 'application/json',
      },
      payload: content,
    });
    expect(status).toBe(400);
    expect(body['code']).toBe('too_many_values');
  });

  it('is bounded for signs inside texts by nothing but the bytes', async () => {
    const service = await OpenService.start();
    const text = '[{,\\"'.repeat(250);
    const set = Array.from({ length: 500 }, (_, id) => ({ id: String(id), name: 'a', text }));
    expect((await service.owner('PATCH', '/portal/sms-templates', { set })).status).toBe(200);
  });

  it('is bounded in what is said about it, on every call that takes a body', { tags: ['long'] }, async () => {
    const service = await OpenService.start();
    const { value } = await service.issue();
    const members = Array.from({ length: 15_000 }, (_, number) => `"k${number}":${number}`).join(',');
    const longName = `"${'k'.repeat(250_000)}":1`;
    const lists = (field: string) => `{"${field}":[${Array.from({ length: 100_000 }, () => 1).join(',')}]}`;
    for (const [name, route] of Object.entries<Route>(routes)) {
      if (route.body === undefined || route.takes === 'audio') continue;
      for (const payload of [
        `{${members}}`,
        `{${longName}}`,
        lists('scopes'),
        lists('remove'),
        lists('set'),
      ]) {
        const { body } = await service.call({
          method: route.method,
          url: route.path.replaceAll(/:\w+/g, 'x'),
          headers: {
            authorization: `Bearer ${route.auth === 'portal' ? service.service.sessions.portalKey : value}`,
            'content-type': 'application/json',
          },
          payload,
        });
        expect(JSON.stringify(body).length, `${name} ${payload.slice(0, 20)}`).toBeLessThan(16_000);
      }
    }
    const warned = await service.bearer(value, 'POST', '/v1/ivr', {
      payload: { ...ivrBody, ...(JSON.parse(`{${members}}`) as object) },
    });
    expect(warned.status).toBe(200);
    const leftOut = (warned.body['warnings'] as IvrWarning[]).filter(({ message }) =>
      message.includes('left out'),
    );
    expect(leftOut).toHaveLength(51);
    expect(leftOut.at(-1)?.message).toBe("has 14950 more fields that are not an IVR's and were left out");
  });
});
