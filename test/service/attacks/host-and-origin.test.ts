import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { routes } from '../../../src/contract/routes.ts';
import { isOverTls } from '../../fixtures/make-authority.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { ofFile } from '../../fixtures/when-over.ts';
import { makeSetup, noThrottle, expectRefusal } from './attack-setup.ts';
import { exchange, requestText } from './wire.ts';

/** No test of this file changes what another one sees. */
const setups = ofFile(() => makeSetup({ throttleLimits: noThrottle, keepsConnection: true }));

/** Beside the pages of windows, as they are built. */
const withWindows = ofFile(() => {
  const windowsDir = join(makeFolder(), 'windows');
  mkdirSync(windowsDir);
  writeFileSync(join(windowsDir, 'index.html'), '<!doctype html>');
  return makeSetup({ windowsDir, throttleLimits: noThrottle, keepsConnection: true });
});

/** Paths of every kind: bearer, IVR, owner, public, page, reference, unknown. */
const paths = [
  ['/v1/auth/token', 'auth'],
  ['/v1/ivrs', 'ivr'],
  ['/portal/status', 'portal'],
  ['/portal/credentials/a/value', 'portal'],
  ['/v1/health', 'auth'],
  ['/', 'auth'],
  ['/openapi.json', 'auth'],
  ['/docs', 'auth'],
  ['/nothing', 'auth'],
] as const;

const hostRefusal = isOverTls ? 'unknown_name' : 'host_not_allowed';

describe('the Host header', () => {
  it.each(['127.0.0.1', 'localhost', '[::1]'])('may name %s with the port of the service', async (name) => {
    const { port } = await setups.get();
    const answer = await exchange(port, requestText('GET /v1/health HTTP/1.1', [`Host: ${name}:${port}`]));
    expect(answer?.status).toBe(200);
  });

  it.each([
    ['another name', () => 'evil.com'],
    ['another name with our port', (port: number) => `evil.com:${port}`],
    ['a name that ends like ours', (port: number) => `evil.localhost:${port}`],
    ['a name that begins like ours', (port: number) => `localhost.evil.com:${port}`],
    ['no port', () => '127.0.0.1'],
    ['another port', (port: number) => `127.0.0.1:${port + 1}`],
    ['our port with a zero before it', (port: number) => `127.0.0.1:0${port}`],
    ['a user', (port: number) => `me@127.0.0.1:${port}`],
    ['another loopback address', (port: number) => `127.0.0.2:${port}`],
    ['all addresses', (port: number) => `0.0.0.0:${port}`],
    ['a short form of the address', (port: number) => `127.1:${port}`],
    ['the address as one number', (port: number) => `2130706433:${port}`],
    ['::1 without brackets', (port: number) => `::1:${port}`],
    ['a long form of ::1', (port: number) => `[0:0:0:0:0:0:0:1]:${port}`],
    ['a path', (port: number) => `127.0.0.1:${port}/`],
    ['nothing', () => ''],
  ])('is refused with 421 on every path when it names %s', async (_what, hostOf) => {
    const setup = await setups.get();
    for (const [path, family] of paths) {
      const answer = await exchange(
        setup.port,
        requestText(`GET ${path} HTTP/1.1`, [
          `Host: ${hostOf(setup.port)}`,
          `Authorization: Bearer ${setup.service.sessions.portalKey}`,
        ]),
      );
      expectRefusal(answer, hostRefusal, family);
    }
  });

  it('is refused when there are two, or when the request has none', async () => {
    const { port, host } = await setups.get();
    const line = 'GET /v1/health HTTP/1.1';
    const two = await exchange(port, requestText(line, [`Host: ${host}`, 'Host: evil.com']));
    expect([400, 421]).toContain(two?.status);
    const reversed = await exchange(port, requestText(line, ['Host: evil.com', `Host: ${host}`]));
    expect([400, 421]).toContain(reversed?.status);
    const none = await exchange(port, requestText('GET /v1/health HTTP/1.0', []));
    expectRefusal(none, hostRefusal, 'auth');
  });

  it('is refused in the usual shape when an HTTP/1.1 request has none', async () => {
    const { port } = await setups.get();
    const answer = await exchange(port, requestText('GET /v1/health HTTP/1.1', ['Accept: */*']));
    expect([400, 421]).toContain(answer?.status);
    expect(answer?.headers['content-type']).toMatch(/^application\/json/);
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ success: false });
  });

  it('counts, and not the address in an absolute-form request line or a forwarding header', async () => {
    const { port, host } = await setups.get();
    const absolute = await exchange(
      port,
      requestText(`GET http://${host}/v1/health HTTP/1.1`, ['Host: evil.com', `X-Forwarded-Host: ${host}`]),
    );
    expect(absolute?.status).toBe(421);
  });

  it('does not make an address in the request line one of ours: it is refused on every path', async () => {
    const setup = await setups.get();
    const bearer = `Authorization: Bearer ${setup.service.sessions.portalKey}`;
    for (const [path, family] of paths) {
      for (const origin of [setup.origin, 'http://evil.com', setup.origin.toUpperCase()]) {
        const line = `GET ${origin}${path} HTTP/1.1`;
        const answer = await exchange(setup.port, requestText(line, [`Host: ${setup.host}`, bearer]));
        expectRefusal(answer, 'absolute_target', path === '/portal/status' ? 'portal' : family);
      }
    }
  });
});

describe('a page of another origin', () => {
  const foreign = [
    'null',
    'http://evil.com',
    'https://127.0.0.1',
    'http://localhost',
    'file://',
    'http://127.0.0.1:1',
    '',
  ];

  it.each(foreign)('is refused with 403 on every route when its Origin is %j', async (origin) => {
    const setup = await setups.get();
    const before = setup.events.length;
    for (const route of Object.values(routes)) {
      const answer = await setup.call({
        method: route.method,
        path: route.path.replace(':id', 'x'),
        bearer: setup.service.sessions.portalKey,
        headers: { origin },
      });
      expectRefusal(answer, 'origin_not_allowed', route.family);
    }
    expect(setup.events.length).toBe(before);
  });

  it('is refused with 403 if the browser marks the call as cross-site, for data of any kind', async () => {
    const setup = await setups.get();
    for (const site of ['cross-site', 'same-site', 'whatever']) {
      for (const route of Object.values(routes)) {
        const answer = await setup.call({
          method: route.method,
          path: route.path.replace(':id', 'x'),
          bearer: setup.service.sessions.portalKey,
          headers: { 'sec-fetch-site': site },
        });
        expectRefusal(answer, 'origin_not_allowed', route.family);
      }
    }
  });

  it('costs nothing where it needs no credential: no address answers another site, also none that does not exist', async () => {
    const setup = await setups.get();
    const others = ['/docs/', '/assets/index.js', '/tokens', '/ivr/x'];
    for (const path of [...paths.map(([one]) => one), ...others]) {
      for (const site of ['cross-site', 'same-site']) {
        for (const mode of ['no-cors', 'cors', 'same-origin', 'websocket']) {
          const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': 'empty' };
          const answer = await setup.call({ method: 'GET', path, headers });
          expect(answer.status, `${path} ${site} ${mode}`).toBe(403);
        }
        // A frame opens an address, too.
        const framed = { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' };
        const answer = await setup.call({ method: 'GET', path, headers: framed });
        expect(answer.status, path).toBe(403);
      }
    }
  });

  it('may have a link to the pages that people open, and to nothing else', async () => {
    const setup = await withWindows.get();
    const headers = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    for (const path of ['/', '/tokens', '/ivr/x', '/docs/']) {
      expect((await setup.call({ method: 'GET', path, headers })).status, path).toBe(200);
    }
    for (const path of ['/openapi.json', '/v1/health', '/nothing', '/portal/status']) {
      expect((await setup.call({ method: 'GET', path, headers })).status, path).toBe(403);
    }
  });

  it.each(['/%70ortal/status', '/%76%31/health', '/portal%2fstatus', '/./portal/status', '//portal/status'])(
    'gets no data by writing the path as %s',
    async (path) => {
      const setup = await setups.get();
      const session = setup.service.sessions.createSession();
      const answer = await exchange(
        setup.port,
        requestText(`GET ${path} HTTP/1.1`, [
          `Host: ${setup.host}`,
          `Cookie: rotavox_${setup.port}=${session}`,
          'Sec-Fetch-Site: same-site',
        ]),
      );
      expect([403, 404]).toContain(answer?.status);
    },
  );

  it('cannot spend a sign-in code, however its name is written', async () => {
    const setup = await setups.get();
    for (const name of ['code', 'c%6fde', '%63ode']) {
      const code = setup.service.sessions.createCode();
      const answer = await setup.call({
        method: 'GET',
        path: `/?${name}=${code}`,
        headers: { 'sec-fetch-site': 'cross-site' },
      });
      expect(answer.headers['set-cookie'], name).toBeUndefined();
      expect(answer.status, name).toBe(403);
    }
  });

  it('may call when it is our own', async () => {
    const setup = await setups.get();
    for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
      const host = `${name}:${setup.port}`;
      const answer = await setup.call({
        method: 'GET',
        path: '/portal/status',
        bearer: setup.service.sessions.portalKey,
        headers: { host, origin: setup.origin.replace(setup.host, host), 'sec-fetch-site': 'same-origin' },
      });
      expect(answer.status).toBe(200);
    }
    const mixed = await setup.call({
      method: 'GET',
      path: '/portal/status',
      bearer: setup.service.sessions.portalKey,
      headers: { host: setup.host, origin: setup.origin.replace('127.0.0.1', 'localhost') },
    });
    expect(mixed.status).toBe(403);
  });

  it('never gets a header that lets it read an answer, whatever it asks', async () => {
    const setup = await withWindows.get();
    const asked = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    for (const origin of [undefined, 'http://evil.com', 'null', setup.origin]) {
      for (const method of ['OPTIONS', 'GET', 'POST', 'HEAD']) {
        for (const [path] of paths) {
          const headers = { ...(origin === undefined ? {} : { origin }), ...asked };
          const answer = await setup.call({ method, path, headers });
          const told = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'));
          expect(told, `${method} ${path} ${origin ?? ''}`).toEqual([]);
          if (method === 'OPTIONS') expect(answer.status).toBeGreaterThanOrEqual(400);
          const isEmbeddable = method === 'GET' || method === 'HEAD';
          if (isEmbeddable) expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin');
        }
      }
    }
  });
});
