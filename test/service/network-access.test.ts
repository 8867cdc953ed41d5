import { connect } from 'node:tls';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { done, refused } from '../../src/core/result.ts';
import { type Arrival, Arrivals } from '../../src/service/guard/arrival.ts';
import { OpenedNetworkWay } from '../../src/service/guard/network-way.ts';
import {
  type AttackSetup,
  makeSetup,
  type SetupOptions,
  signIn,
  expectRefusal,
} from './attacks/attack-setup.ts';
import { exchange, openWire, requestText } from './attacks/wire.ts';

const name = 'rotavox.example.com';
const overTls = { network: { isTls: true, trustedProxies: [], names: [name] } } satisfies SetupOptions;
/** Tests call from 127.0.0.1. */
const behindProxy = {
  network: { isTls: false, trustedProxies: ['127.0.0.1'], names: [name] },
} satisfies SetupOptions;

/** What a proxy adds to a call from a browser or an app. */
function proxied(caller = '203.0.113.9', more: Record<string, string> = {}): Record<string, string> {
  return { host: name, 'x-forwarded-for': caller, 'x-forwarded-proto': 'https', ...more };
}

async function healthOf(setup: AttackSetup, headers: Record<string, string>): Promise<number> {
  return (await setup.call({ method: 'GET', path: '/v1/health', headers })).status;
}

/** The address that the history has for the first use of a new token. */
async function addressOfUse(setup: AttackSetup, headers: Record<string, string>): Promise<unknown> {
  const { access_token: bearer } = await setup.issue();
  const { status } = await setup.call({ method: 'GET', path: '/v1/auth/token', bearer, headers });
  expect(status).toBe(200);
  const { actor } = setup.events.find(({ kind }) => kind === 'token.first_used')!;
  return actor.kind === 'bearer' ? actor.address : null;
}

describe('an address for other machines over TLS', () => {
  it('answers to its names in any case, and to no other one', async () => {
    const setup = await makeSetup(overTls);
    for (const host of [name, name.toUpperCase(), setup.host])
      expect(await healthOf(setup, { host })).toBe(200);
    for (const host of ['evil.com', `${name}:1`, `${name}.`, `x.${name}`, `${name}.evil.com`, `me@${name}`]) {
      const answer = await setup.call({ method: 'GET', path: '/portal/status', headers: { host } });
      expectRefusal(answer, 'unknown_name', 'portal');
    }
  });

  it('takes calls of its own pages only: Origin is https with the name that was called', async () => {
    const setup = await makeSetup(overTls);
    const ask = (origin: string) =>
      setup.call({
        method: 'GET',
        path: '/portal/status',
        bearer: setup.service.sessions.portalKey,
        headers: { host: name, origin },
      });
    expect((await ask(`https://${name}`)).status).toBe(200);
    for (const origin of [
      `http://${name}`,
      `https://${name}:8443`,
      `https://${setup.host}`,
      'https://evil.com',
      'null',
    ])
      expectRefusal(await ask(origin), 'origin_not_allowed', 'portal');
  });

  it('gives browsers a cookie that only https sends, and only to this host', async () => {
    const setup = await makeSetup(overTls);
    const { headers } = await setup.call({
      method: 'GET',
      path: `/?code=${setup.service.sessions.createCode()}`,
      headers: { host: name, accept: 'text/html' },
    });
    const [cookie = '', ...attributes] = String(headers['set-cookie']).split('; ');
    expect(cookie).toMatch(/^__Host-rotavox_443=/);
    expect(new Set(attributes)).toEqual(new Set(['Path=/', 'HttpOnly', 'Secure', 'SameSite=Strict']));
  });

  it('does not take the cookie of a session on loopback, nor loopback its cookie', async () => {
    const setup = await makeSetup(overTls);
    const value = setup.service.sessions.createSession();
    const ask = (cookie: string) =>
      setup.call({ method: 'GET', path: '/portal/status', headers: { cookie } });
    expect((await ask(`__Host-rotavox_${setup.port}=${value}`)).status).toBe(200);
    expect((await ask(`rotavox_${setup.port}=${value}`)).status).toBe(401);
  });

  it('has browsers use https only, for a name and not for an address', async () => {
    const setup = await makeSetup(overTls);
    const hsts = async (host: string) =>
      (await setup.call({ method: 'GET', path: '/v1/health', headers: { host } })).headers[
        'strict-transport-security'
      ];
    expect(await hsts(name)).toBe('max-age=31536000');
    expect(await hsts(setup.host)).toBeUndefined();
    expect(await hsts(`localhost:${setup.port}`)).toBeUndefined();
  });

  it('tells a caller in plain HTTP to use https, and ends', async () => {
    const setup = await makeSetup(overTls);
    const answer = await exchange(setup.port, requestText('GET /v1/health HTTP/1.1', [`Host: ${name}`]), {
      isTls: false,
    });
    expectRefusal(answer, 'https_required', 'auth');
    expect(answer?.headers['connection']).toBe('close');
    const wire = openWire(setup.port, { isTls: false });
    wire.write('\0\0\0\0');
    await wire.closed();
    expect(await healthOf(setup, { host: name })).toBe(200);
  });

  it('speaks no TLS before 1.2', async () => {
    const setup = await makeSetup(overTls);
    const address = { host: '127.0.0.1', port: setup.port, rejectUnauthorized: false };
    const old = connect({
      ...address,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'ALL@SECLEVEL=0',
    });
    await expect(once(old, 'secureConnect')).rejects.toThrow();
    const today = connect({ ...address, maxVersion: 'TLSv1.2' });
    await once(today, 'secureConnect');
    expect(today.getProtocol()).toBe('TLSv1.2');
    today.destroy();
  });

  it(
    'counts connections whose handshake is not done, and ends them like others',
    { tags: ['long'] },
    async () => {
      const setup = await makeSetup(overTls);
      const first = openWire(setup.port, { isTls: false });
      await once(first.socket, 'connect');
      const waves = Array.from({ length: 11 }, () => async () => {
        const wires = Array.from({ length: 100 }, () => openWire(setup.port, { isTls: false }));
        await Promise.all(wires.map(({ socket }) => once(socket, 'connect')));
      });
      for (const open of waves) await open();
      await first.closed();
      expect(await healthOf(setup, { host: name })).toBe(200);
    },
  );

  it('believes nothing that a stranger says about the way of a call', async () => {
    const setup = await makeSetup({
      network: { isTls: true, trustedProxies: ['10.0.0.0/8'], names: [name] },
    });
    const lies = {
      ...proxied('198.51.100.1'),
      forwarded: 'for=198.51.100.1;host=evil.com',
      'x-forwarded-host': 'evil.com',
    };
    expect(await addressOfUse(setup, lies)).toBe('127.0.0.1');
    expect(await healthOf(setup, { ...lies, host: 'evil.com', 'x-forwarded-host': name })).toBe(421);
  });

  it('makes sign-in links for the name that was called, and for the first one from this machine', async () => {
    const setup = await makeSetup(overTls);
    const ask = {
      method: 'POST',
      path: '/portal/sign-in-links',
      bearer: setup.service.sessions.portalKey,
    } as const;
    const remote = await setup.call({ ...ask, headers: { host: setup.host } });
    expect(JSON.parse(remote.text)).toMatchObject({
      url: expect.stringMatching(`^https://${setup.host}/\\?code=`) as string,
    });
    const local = await setup.owner('POST', ask.path);
    expect(JSON.parse(local.text)).toMatchObject({
      url: expect.stringMatching(`^https://${name}/\\?code=`) as string,
    });
  });
});

describe('an address for other machines behind a proxy', () => {
  it('has the address, the name and the scheme of a caller from its proxy', async () => {
    const setup = await makeSetup(behindProxy);
    expect(await addressOfUse(setup, proxied('203.0.113.9'))).toBe('203.0.113.9');
    const renamed = proxied('203.0.113.9', { host: 'upstream:7682', 'x-forwarded-host': name });
    expect(await healthOf(setup, renamed)).toBe(200);
    expect(await healthOf(setup, proxied('203.0.113.9', { 'x-forwarded-host': 'evil.com' }))).toBe(421);
  });

  it.each([
    ['one address', '203.0.113.9', '203.0.113.9'],
    ['what the caller claimed before it', '10.9.9.9, 203.0.113.9', '203.0.113.9'],
    ['what the caller claimed to be the proxy', '127.0.0.1, 203.0.113.9', '203.0.113.9'],
    ['a second proxy that is trusted', '203.0.113.9, 10.0.0.7', '203.0.113.9'],
    ['IPv6', '2001:db8::9', '2001:db8::9'],
    ['IPv4 written as IPv6', '::ffff:203.0.113.9', '203.0.113.9'],
    ['no address', 'unknown', ''],
    ['an address with a port', '203.0.113.9:4711', ''],
  ])('takes the last address that is no proxy: %s', (_what, header, address) => {
    const way = new OpenedNetworkWay({ isTls: false, trustedProxies: ['127.0.0.1', '10.0.0.0/8'] });
    way.answerTo([name]);
    const request = {
      method: 'GET',
      url: '/',
      headers: proxied(header),
      socket: { remoteAddress: '127.0.0.1' },
    };
    expect(way.read(request as unknown as Parameters<OpenedNetworkWay['read']>[0])).toMatchObject({
      value: { address },
    });
  });

  it('gives browsers the same cookie as over TLS, and takes calls of its own pages only', async () => {
    const setup = await makeSetup(behindProxy);
    const browser = await signIn({
      ...setup,
      call: (call) => setup.call({ ...call, headers: { ...proxied(), ...call.headers } }),
    });
    expect(browser.cookie).toMatch(/^__Host-rotavox_443=/);
    const ask = (origin: string) =>
      setup.call({
        method: 'GET',
        path: '/portal/status',
        headers: { ...proxied(), ...browser.own, origin },
      });
    expect((await ask(`https://${name}`)).status).toBe(200);
    expectRefusal(await ask(`http://${name}`), 'origin_not_allowed', 'portal');
    expectRefusal(await ask(`http://${setup.host}`), 'origin_not_allowed', 'portal');
  });

  it('refuses whoever comes without the proxy, or to the proxy without https', async () => {
    const direct = await makeSetup({
      network: { isTls: false, trustedProxies: ['10.0.0.2'], names: [name] },
    });
    for (const headers of [proxied(), proxied('10.0.0.2'), { host: name }]) {
      const answer = await direct.call({ method: 'GET', path: '/v1/health', headers });
      expectRefusal(answer, 'https_required', 'auth');
    }
    const setup = await makeSetup(behindProxy);
    for (const proto of ['http', 'https, http', '']) {
      const answer = await setup.call({
        method: 'GET',
        path: '/v1/health',
        headers: proxied('203.0.113.9', { 'x-forwarded-proto': proto }),
      });
      expectRefusal(answer, 'https_required', 'auth');
    }
  });

  it('tells a load balancer that asks by itself whether it is well, and nothing else', async () => {
    const setup = await makeSetup(behindProxy);
    expect(await healthOf(setup, { host: '10.0.0.5:7682' })).toBe(200);
    const { sessions } = setup.service;
    const other = await setup.call({
      method: 'GET',
      path: '/portal/status',
      bearer: sessions.portalKey,
      headers: { host: name },
    });
    expectRefusal(other, 'https_required', 'portal');
  });

  it('allows a token at the address of its caller, not at that of the proxy', async () => {
    const setup = await makeSetup(behindProxy);
    const { access_token: bearer } = await setup.issue({ ip_restrictions: ['203.0.113.0/24'] });
    const read = (caller: string) =>
      setup.call({ method: 'GET', path: '/v1/auth/token', bearer, headers: proxied(caller) });
    expect((await read('203.0.113.9')).status).toBe(200);
    expectRefusal(await read('198.51.100.1'), 'address_not_allowed', 'auth');
    expectRefusal(await read('203.0.113.9, 198.51.100.1'), 'address_not_allowed', 'auth');
    expectRefusal(await read('unknown'), 'address_not_allowed', 'auth');
  });

  it('slows down the caller whose calls fail, and nobody else behind the proxy', async () => {
    const few = { burst: 3, perSecond: 0.001 };
    const setup = await makeSetup({
      ...behindProxy,
      throttleLimits: { perSource: few, perSourceAndToken: few },
    });
    const fail = async (caller: string) =>
      (await setup.call({ method: 'GET', path: '/v1/auth/token', bearer: 'wrong', headers: proxied(caller) }))
        .status;
    for (let count = 0; count < 3; count += 1) expect(await fail('203.0.113.9')).toBe(401);
    expect(await fail('203.0.113.9')).toBe(429);
    expect(await fail('192.0.2.1, 203.0.113.9')).toBe(429);
    expect(await fail('198.51.100.1')).toBe(401);
    for (let count = 0; count < 3; count += 1) expect(await fail(`2001:db8:1:2::${count}`)).toBe(401);
    // A machine has as many addresses of IPv6 as it likes, all with the same beginning.
    expect(await fail('2001:db8:1:2:aaaa::1')).toBe(429);
    expect(await fail('2001:db8:1:3::1')).toBe(401);
  });

  it('slows down who guesses the keys of owners, whichever address of a network the guesses come from', async () => {
    const setup = await makeSetup(behindProxy);
    const guess = async (caller: string) => {
      const call = { method: 'POST', path: '/portal/sessions', body: { key: 'wrong' } };
      return (await setup.call({ ...call, headers: proxied(caller) })).status;
    };
    for (let count = 1; count <= 10; count += 1) expect(await guess(`2001:db8:1:2::${count}`)).toBe(403);
    expect(await guess('2001:db8:1:2:aaaa::1')).toBe(429);
    expect(await guess('2001:db8:1:3::1')).toBe(403);
    const failed = setup.events.filter(({ kind }) => kind === 'owner.sign_in_failed');
    expect(failed.map(({ data }) => data)).toMatchObject([
      { address: '2001:db8:1:2::1' },
      { address: '2001:db8:1:3::1' },
    ]);
  });
});

async function descriptionOf(setup: AttackSetup, headers: Record<string, string>): Promise<number> {
  return (await setup.call({ method: 'GET', path: '/openapi.json', headers })).status;
}

describe('a call that another host passed on', () => {
  const arrival: Arrival = {
    address: '203.0.113.9',
    origin: `https://${name}`,
    isSecure: true,
    isOwner: false,
  };

  it('arrived as that host says, on any connection', async () => {
    const readForwarded = ({ headers }: { headers: NodeJS.Dict<string | string[]> }) =>
      headers['x-test-passed-on'] === 'signed' ? done(arrival) : null;
    for (const network of [overTls.network, behindProxy.network, undefined]) {
      const setup = await makeSetup({ readForwarded, ...(network === undefined ? {} : { network }) });
      const passed = { host: 'any.example', 'x-test-passed-on': 'signed' };
      expect(await descriptionOf(setup, { ...passed, origin: `https://${name}` })).toBe(200);
      expect(await descriptionOf(setup, { ...passed, origin: 'https://evil.com' })).toBe(403);
      expect(await descriptionOf(setup, { ...passed, 'x-test-passed-on': 'forged' })).toBeGreaterThanOrEqual(
        400,
      );
    }
  });

  it('is refused when it was signed at another time, and is not taken for a call of that host', async () => {
    const readForwarded = () => refused('clocks_differ' as const);
    for (const network of [overTls.network, behindProxy.network, undefined]) {
      const setup = await makeSetup({ readForwarded, ...(network === undefined ? {} : { network }) });
      const answer = await setup.call({ method: 'GET', path: '/v1/health', headers: proxied() });
      expectRefusal(answer, 'clocks_differ', 'auth');
    }
  });

  it('is the owner’s when that host has recognised its own owner', async () => {
    for (const isOwner of [true, false]) {
      const setup = await makeSetup({ readForwarded: () => done({ ...arrival, isOwner }) });
      expect((await setup.call({ method: 'GET', path: '/portal/status' })).status).toBe(isOwner ? 200 : 401);
    }
  });

  it('counts for the body that was signed, and for no other', async () => {
    const body = { name: 'app', validity_days: 7 };
    const bodyDigest = hash('sha256', JSON.stringify(body), 'base64url');
    const setup = await makeSetup({ readForwarded: () => done({ ...arrival, isOwner: true, bodyDigest }) });
    const post = (sent: object) => setup.call({ method: 'POST', path: '/portal/tokens', body: sent });
    expect((await post(body)).status).toBe(200);
    for (const other of [{ ...body, name: 'other' }, { ...body, more: 'x'.repeat(100_000) }, {}])
      expectRefusal(await post(other), 'passed_on_changed', 'portal');
    expect((await setup.call({ method: 'GET', path: '/portal/tokens' })).text).not.toContain('other');
  });

  it('is decided once for each connection and Host on loopback', () => {
    const arrivals = new Arrivals();
    const socket = { remoteAddress: '::ffff:127.0.0.1', localPort: 7682 };
    const read = (host: string) =>
      arrivals.read({ socket, headers: { host } } as unknown as Parameters<Arrivals['read']>[0]);
    expect(read('127.0.0.1:7682')).toMatchObject({
      value: { address: '127.0.0.1', origin: 'http://127.0.0.1:7682' },
    });
    expect(read('evil.com')).toMatchObject({ refusal: 'host_not_allowed' });
    expect(read('localhost:7682')).toMatchObject({
      value: { origin: 'http://localhost:7682', isSecure: false },
    });
  });
});
