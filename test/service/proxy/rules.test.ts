import { readdirSync, readFileSync, statSync } from 'node:fs';
import { Outgoing } from '../../../src/network/outgoing.ts';
import { createServer as createTlsServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo, LookupFunction } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CredentialId } from '../../../src/contract/credential/credential.ts';
import { Notebook } from '../../fixtures/notebook.ts';
import { OpenService } from '../open-service.ts';
import { exchange, openWire, requestText } from '../attacks/wire.ts';
import {
  addCredential,
  answering,
  owned,
  type ProxySetup,
  replaceToken,
  secret,
  setUpProxy,
  shopId,
  startUpstream,
  writeRules,
} from './proxy-setup.ts';

const minuteMs = 60_000;

/** A request line and headers as they are, with the app token. */
function raw({ port, token }: ProxySetup, line: string, more: readonly string[] = [], body = '') {
  return exchange(
    port,
    requestText(line, [`Host: 127.0.0.1:${port}`, `Authorization: Bearer ${token}`, ...more], body),
  );
}

describe('the rules of the proxy', () => {
  it('1: sends to the service of the credential only, whatever the request names', async () => {
    const setup = await setUpProxy();
    const other = await startUpstream();
    await setup.send({ path: '/a', headers: { 'x-forwarded-host': `127.0.0.1:${other.port}` } });
    expect(setup.upstream.heard[0]?.headers.host).toBe(`127.0.0.1:${setup.upstream.port}`);
    const absolute = await raw(setup, `GET http://127.0.0.1:${other.port}/proxy/shop/a HTTP/1.1`);
    expect(absolute?.status).toBe(400);
    expect((await setup.send({ path: '/@127.0.0.1/a' })).status).toBe(200);
    const tunnel = openWire(setup.port);
    tunnel.write(requestText(`CONNECT 127.0.0.1:${other.port} HTTP/1.1`, [`Host: 127.0.0.1:${setup.port}`]));
    expect(await tunnel.closed()).not.toMatch(/^HTTP\/1\.1 200/);
    expect((await raw(setup, 'TRACE /proxy/shop/a HTTP/1.1'))?.status).toBe(405);
    expect(other.heard).toEqual([]);
    expect(setup.upstream.heard.map(({ url }) => url)).toEqual(['/a', '/@127.0.0.1/a']);
  });

  it('1: verifies the certificate, whatever the environment says, and then sends nothing', async () => {
    const folder = join(import.meta.dirname, '../../fixtures/tls');
    const certificate = readFileSync(join(folder, 'certificate.pem'), 'utf8');
    const heard: string[] = [];
    const server = createTlsServer(
      { cert: certificate, key: readFileSync(join(folder, 'key.pem')) },
      (request, response) => {
        heard.push(String(request.headers.authorization));
        response.end('ok');
      },
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const baseUrl = () => `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    const strict = await setUpProxy({ baseUrl });
    expect((await strict.send({ path: '/a' })).refusal).toBe('not_trusted');
    expect(heard).toEqual([]);
    const trusting = await setUpProxy({
      baseUrl,
      start: { upstream: { outgoing: new Outgoing({ trusted: certificate }) } },
    });
    expect((await trusting.send({ path: '/a' })).text).toBe('ok');
    expect(heard).toEqual([`Bearer ${secret}`]);
  });

  it('2: refuses what no rule allows, by method and by path, and sends exactly the bytes that were matched', async () => {
    const setup = await setUpProxy({ rules: [{ method: 'GET', path: '/api/v4/*/issues' }] });
    expect((await setup.send({ path: '/api/v4/x/issues', method: 'POST' })).refusal).toBe('not_allowed');
    expect((await setup.send({ path: '/api/v4/x/y/issues' })).refusal).toBe('not_allowed');
    for (const path of [
      '/api/v4/x/../issues',
      '/api/v4/%2e%2e/issues',
      '/api/v4/x%5c/issues',
      '/api/v4/%00/issues',
      '/api/v4//issues',
    ])
      expect([path, (await raw(setup, `GET /proxy/shop${path} HTTP/1.1`))?.status]).toEqual([path, 400]);
    expect((await raw(setup, 'GET /proxy/%73hop/api/v4/x/issues HTTP/1.1'))?.status).toBe(403);
    expect((await raw(setup, 'GET /%70roxy/shop/api/v4/x/issues HTTP/1.1'))?.status).toBe(403);
    const path = "/api/v4/g%2Fp'(1)/issues?q=%2e%2E&x='~";
    expect((await setup.send({ path })).status).toBe(200);
    expect(setup.upstream.heard.map(({ url }) => url)).toEqual([path]);
  });

  it('3: never sends what makes or lists tokens, whatever the rules allow', async () => {
    const setup = await setUpProxy({
      rules: [{ method: 'POST', path: '/v1/auth/rotate', confirmed: true }],
    });
    await writeRules(setup.service, [{ method: '*', path: '/**' }]);
    for (const path of ['/v1/auth/rotate', '/v1/auth/rotate/', '/V1/auth/refresh', '/v1/auth%2Frotate'])
      expect((await setup.send({ path, method: 'POST' })).refusal).toBe('forbidden');
    expect(setup.upstream.heard).toEqual([]);
  });

  it('4: takes every token, override and hop-by-hop header out, and sets the one slot of the service', async () => {
    const setup = await setUpProxy();
    const theirs = {
      'private-token': 'theirs',
      'job-token': 'theirs',
      'x-api-key': 'theirs',
      cookie: 'session=theirs',
      sudo: 'root',
      'x-http-method-override': 'DELETE',
      // CVE-2025-64484: many services read an underscore as a dash.
      x_http_method_override: 'theirs',
      x_forwarded_user: 'theirs',
      'impersonate-user': 'theirs',
      'impersonate-extra-scopes': 'theirs',
      'x-vault-wrap-ttl': 'theirs',
      'x-vault-namespace': 'theirs',
      'x-forwarded-prefix': 'theirs',
      'x-remote-user': 'theirs',
      'x-ms-client-principal': 'theirs',
      'stripe-account': 'theirs',
      'x-nobody-knows': 'theirs',
      'x-original-url': '/v1/auth/rotate',
      'proxy-authorization': 'theirs',
      forwarded: 'for=1.2.3.4',
      'x-forwarded-for': '1.2.3.4',
      te: 'trailers',
      'keep-alive': 'timeout=5',
      connection: 'close, x-named',
      'x-named': 'theirs',
      expect: '100-continue',
    };
    await setup.send({
      path: '/a?private_token=theirs&a=1&access%5Ftoken=theirs&_method=DELETE&X-HTTP-Method-Override=theirs&api-key=theirs&Sudo=1&b=2%2B;job_token=theirs',
      headers: { ...theirs, 'x-request-id': 'yes', accept: 'a/b' },
    });
    const [heard] = setup.upstream.heard;
    expect(heard?.url).toBe('/a?a=1&b=2%2B');
    expect(heard?.headers).toMatchObject({
      authorization: `Bearer ${secret}`,
      'x-request-id': 'yes',
      accept: 'a/b',
    });
    expect(JSON.stringify(heard)).not.toMatch(/theirs|root|1\.2\.3\.4/);
    expect(JSON.stringify(heard)).not.toContain(setup.token);
    expect(heard?.rawHeaders.filter((name) => name.toLowerCase() === 'authorization')).toHaveLength(1);
  });

  it('5: knows an app by its token in any header that libraries use, and only for its credential, until it ends', async () => {
    const setup = await setUpProxy();
    const { token, service } = setup;
    const status = async (headers: Record<string, string>) =>
      (await setup.send({ path: '/a', token: null, headers })).refusal;
    for (const headers of [
      { authorization: `Bearer ${token}` },
      { authorization: `token ${token}` },
      { authorization: `Basic ${Buffer.from(`user:${token}`).toString('base64')}` },
      { 'x-api-key': token },
      { 'private-token': token },
      { 'api-key': token },
    ])
      expect([headers, await status(headers as Record<string, string>)]).toEqual([headers, null]);
    expect(await status({})).toBe('no_app_token');
    expect(await status({ authorization: `Bearer ${service.service.sessions.portalKey}` })).toBe(
      'no_app_token',
    );
    const { value } = await service.issue();
    expect(await status({ authorization: `Bearer ${value}` })).toBe('no_app_token');
    expect(await status({ 'x-api-key': `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}` })).toBe(
      'unknown_app_token',
    );
    expect(await status({ 'x-api-key': token, 'private-token': (await setup.issue()).token })).toBe(
      'several_app_tokens',
    );
    await addCredential(service, setup.vault, {
      name: 'other',
      baseUrl: setup.upstream.origin,
      token: 'another',
    });
    await setup.allow({ method: 'GET', path: '/a' }, 'other');
    expect((await setup.send({ path: '/proxy/other/a' })).refusal).toBe('other_credential');
    await owned(service, 'DELETE', `/portal/proxy/tokens/${setup.tokenId}`);
    expect(await status({ 'x-api-key': token })).toBe('unknown_app_token');
    const short = await setup.issue({ expires_in: 60 });
    expect(await status({ 'x-api-key': short.token })).toBeNull();
    service.clock.nowMs += 60_000;
    expect(await status({ 'x-api-key': short.token })).toBe('expired_app_token');
    // An app token opens nothing else.
    const { token: again } = await setup.issue();
    expect((await service.bearer(again, 'GET', '/portal/status')).status).toBe(401);
    expect((await service.bearer(again, 'GET', '/v1/auth/token')).status).toBe(401);
  });

  it('5: stores the digest of an app token only', async () => {
    const setup = await setUpProxy();
    await setup.send({ path: '/a' });
    const issuedEvents = (await setup.service.store.history({ limit: 100 })).map((event) =>
      JSON.stringify(event),
    );
    expect(issuedEvents.join('')).not.toContain(setup.token);
    await setup.service.stop();
    expect(contentOf(setup.service.folder)).not.toContain(setup.token);
    expect(contentOf(setup.service.folder)).not.toContain(secret);
  });

  it('6: answers no web page, under no name, and allows none to read an answer', async () => {
    const setup = await setUpProxy();
    answering(setup.upstream, (response) => {
      response.setHeader('access-control-allow-origin', '*');
      response.end('{}');
    });
    const refusal = async (headers: Record<string, string>) =>
      (await setup.send({ path: '/a', headers })).status;
    expect(await refusal({ host: 'evil.example.com' })).toBe(421);
    expect(await refusal({ host: `localhost:${setup.port}` })).toBe(421);
    expect(await refusal({ origin: `http://127.0.0.1:${setup.port}` })).toBe(403);
    for (const site of ['same-origin', 'none', 'cross-site'])
      expect(await refusal({ 'sec-fetch-site': site })).toBe(403);
    const preflight = await setup.send({ method: 'OPTIONS', path: '/a' });
    expect([preflight.status, preflight.refusal]).toEqual([405, 'method_not_supported']);
    expect(setup.upstream.heard).toEqual([]);
    const { name, value } = setup.service.service.windowCookie();
    expect(
      (await setup.send({ path: '/a', token: null, headers: { cookie: `${name}=${value}` } })).status,
    ).toBe(401);
    expect((await setup.send({ path: '/a' })).headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('7: listens on loopback only', async () => {
    const { service } = await setUpProxy();
    expect((service.app.server.address() as AddressInfo).address).toBe('127.0.0.1');
  });

  it('8: follows no redirect, and leads one within the service to the proxy again', async () => {
    const other = await startUpstream();
    const setup = await setUpProxy({ baseUrl: ({ origin }) => `${origin}/api` });
    const location = async (to: string) => {
      answering(setup.upstream, (response) => response.writeHead(302, { location: to }).end());
      const { status, headers } = await setup.send({ path: '/a/b' });
      expect(status).toBe(302);
      return headers.location;
    };
    expect(await location(`${setup.upstream.origin}/api/x?y=1#z`)).toBe('/proxy/shop/x?y=1#z');
    expect(await location('/api/x')).toBe('/proxy/shop/x');
    expect(await location('c')).toBe('/proxy/shop/a/c');
    expect(await location(`${setup.upstream.origin}/elsewhere`)).toBe(`${setup.upstream.origin}/elsewhere`);
    expect(await location(`${other.origin}/api/x`)).toBe(`${other.origin}/api/x`);
    expect(other.heard).toEqual([]);
    answering(setup.upstream, (response) => {
      const next = `<${setup.upstream.origin}/api/list?page=2>; rel="next", <https://example.com/help>; rel="help"`;
      response.writeHead(200, { link: next }).end();
    });
    expect((await setup.send({ path: '/list' })).headers['link']).toBe(
      `<http://127.0.0.1:${setup.port}/proxy/shop/list?page=2>; rel="next", <https://example.com/help>; rel="help"`,
    );
  });

  it('9: connects to no link-local or metadata address, and to a private one only where it is named or a rule allows it', async () => {
    const asked: string[] = [];
    const leadingTo =
      (address: string): LookupFunction =>
      (hostname, options, callback) => {
        asked.push(hostname);
        if (options.all === true) callback(null, [{ address, family: address.includes(':') ? 6 : 4 }]);
        else callback(null, address, 4);
      };
    const refusal = async (baseUrl: string, address: string, more: object = {}) => {
      const setup = await setUpProxy({
        baseUrl: () => baseUrl,
        rules: [{ method: 'GET', path: '/a', ...more }],
        start: { upstream: { lookup: leadingTo(address) } },
      });
      return (await setup.send({ path: '/a' })).refusal;
    };
    const name = 'https://api.example.com:9';
    const anyNetwork = { private_network: true };
    for (const address of [
      '169.254.169.254',
      'fe80::1',
      '::ffff:169.254.169.254',
      'fd00:ec2::254',
      '64:ff9b::a9fe:a9fe',
      '2002:a9fe:a9fe::1',
      '0.0.0.0',
    ])
      expect([address, await refusal(name, address, anyNetwork)]).toEqual([address, 'address_refused']);
    for (const address of ['127.0.0.1', '10.1.2.3', '192.168.1.1', '::1', 'fc00::1', '::ffff:127.0.0.1'])
      expect([address, await refusal(name, address)]).toEqual([address, 'address_refused']);
    expect(await refusal('https://169.254.169.254', '127.0.0.1', anyNetwork)).toBe('address_refused');
    expect(await refusal('https://metadata.google.internal', '127.0.0.1', anyNetwork)).toBe(
      'address_refused',
    );
    // The port is closed: it was dialled.
    expect(await refusal(name, '127.0.0.1', anyNetwork)).toBe('not_reached');
    expect(await refusal('https://git.corp.internal:9', '127.0.0.1')).toBe('not_reached');
    expect(await refusal('https://127.0.0.1:9', '8.8.8.8')).toBe('not_reached');
  }, 30_000);

  it('9: looks a name up once for each connection and dials exactly that address, without a proxy of the environment', async () => {
    const upstream = await startUpstream();
    const proxyOfEnvironment = await startUpstream();
    for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY'])
      vi.stubEnv(name, proxyOfEnvironment.origin);
    onTestFinished(() => void vi.unstubAllEnvs());
    let lookups = 0;
    const setup = await setUpProxy({
      baseUrl: () => `http://localhost:${upstream.port}`,
      start: {
        upstream: {
          lookup: (_hostname, _options, callback) => {
            lookups += 1;
            // The second answer of a rebinding name.
            const address = lookups === 1 ? '127.0.0.1' : '169.254.169.254';
            callback(null, [{ address, family: 4 }] as never, 4);
          },
        },
      },
    });
    expect((await setup.send({ path: '/a' })).status).toBe(200);
    expect((await setup.send({ path: '/b' })).status).toBe(200);
    expect([lookups, upstream.heard.length, proxyOfEnvironment.heard.length]).toEqual([1, 2, 0]);
  });

  it('10: drops what would act on this origin, and never passes the token on, in whatever form', async () => {
    const setup = await setUpProxy();
    const basic = Buffer.from(`user:${secret}`).toString('base64');
    answering(setup.upstream, (response) => {
      response.writeHead(200, {
        'set-cookie': ['a=1', 'b=2'],
        'strict-transport-security': 'max-age=1',
        'alt-svc': 'h3=":443"',
        'clear-site-data': '"*"',
        'rotavox-proxy': 'refused',
        'x-raw': `was ${secret}.`,
        'x-coded': encodeURIComponent(secret),
        'x-basic': `Basic ${basic}`,
        'x-kept': 'plain',
        'x-name': Buffer.from('Grüße', 'utf8').toString('latin1'),
      });
      response.end('{}');
    });
    const { headers } = await setup.send({ path: '/a' });
    for (const name of [
      'set-cookie',
      'strict-transport-security',
      'alt-svc',
      'clear-site-data',
      'rotavox-proxy',
    ])
      expect(headers).not.toHaveProperty(name);
    expect(headers).toMatchObject({ 'x-raw': 'was [removed].', 'x-kept': 'plain' });
    expect(Buffer.from(String(headers['x-name']), 'latin1').toString('utf8')).toBe('Grüße');
    const all = JSON.stringify(headers);
    expect(all).not.toContain(secret);
    expect(all).not.toContain(encodeURIComponent(secret));
    const sent = /Basic (\S+?)"/.exec(all)?.[1] ?? '';
    expect(Buffer.from(sent, 'base64').toString('latin1')).not.toContain(secret.slice(4));
    // Told once, and not for each request.
    await setup.send({ path: '/a' });
    const alarms = await setup.service.store.history({ kinds: ['proxy.token_reflected'], limit: 10 });
    expect(alarms.map(({ data }) => [data['app'], data['header']])).toEqual([['agent', 'x-raw']]);
  });

  it('10: removes the token from the text of an answer where a rule asks for it, and says so', async () => {
    const rules = [
      { method: 'GET', path: '/plain/a' },
      { method: 'GET', path: '/searched/a', scrub: true },
      { method: 'GET', path: '/searched/a.png', scrub: true },
    ];
    const setup = await setUpProxy({ rules });
    const body = JSON.stringify({ token: secret, query: `?key=${encodeURIComponent(secret)}` });
    answering(setup.upstream, (response, { url }) => {
      const isImage = url.endsWith('.png');
      const type = isImage ? 'image/png' : 'application/json';
      response.writeHead(200, { 'content-type': type, 'content-length': body.length, etag: '"1"' });
      response.end(body);
    });
    const headers = { range: 'bytes=0-5', 'if-range': '"1"', 'accept-encoding': 'gzip' };
    expect((await setup.send({ path: '/plain/a', headers })).text).toBe(body);
    expect(setup.upstream.heard.at(-1)?.headers).toMatchObject(headers);
    expect((await setup.send({ path: '/searched/a.png' })).text).toBe(body);
    const alarms = () => setup.service.store.history({ kinds: ['proxy.token_reflected'], limit: 10 });
    expect(await alarms()).toEqual([]);

    const searched = await setup.send({ path: '/searched/a', headers });
    expect(searched.text).toHaveLength(body.length);
    expect(JSON.parse(searched.text)).toEqual({
      token: '*'.repeat(secret.length),
      query: `?key=${'*'.repeat(encodeURIComponent(secret).length)}`,
    });
    const heard = setup.upstream.heard.at(-1)?.headers;
    expect(heard).toMatchObject({ 'accept-encoding': 'identity' });
    expect(heard).not.toHaveProperty('range');
    expect(heard).not.toHaveProperty('if-range');
    expect((await setup.send({ method: 'HEAD', path: '/searched/a' })).headers['content-length']).toBe(
      String(body.length),
    );
    expect((await alarms()).map(({ data }) => [data['app'], data['header']])).toEqual([['agent', null]]);
  });

  it('10: passes on no compressed text that would have to be searched', async () => {
    const setup = await setUpProxy({ rules: [{ method: 'GET', path: '/a', scrub: true }] });
    answering(setup.upstream, (response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip', 'x-a': 'b' });
      response.end(gzipSync(secret));
    });
    const { status, refusal, headers } = await setup.send({ path: '/a' });
    expect([status, refusal]).toEqual([502, 'compressed']);
    expect(headers).not.toHaveProperty('content-encoding');
    expect(headers).not.toHaveProperty('x-a');
    // The connection and the service go on.
    answering(setup.upstream, (response) => response.end('ok'));
    expect((await setup.send({ path: '/a' })).text).toBe('ok');
  });

  it('10: hides or withholds something like a token where only a wildcard allows the request', async () => {
    const setup = await setUpProxy({
      rules: [
        { method: 'GET', path: '/api/items/*' },
        { method: 'GET', path: '/api/items/named' },
      ],
    });
    const leaks: readonly (readonly [string, string])[] = [
      ['application/json', String.raw`{"text":"{\"access_token\":\"at_1234567890abcdef\"}"}`],
      ['application/json', `{"text":"use ghp_${'a1B2'.repeat(9)} there"}`],
      ['text/plain', `glpat-${'a'.repeat(20)}`],
      ['text/plain', '-----BEGIN OPENSSH PRIVATE KEY-----\nx'],
      ['application/octet-stream', 'AKIAABCDEFGHIJKLMNOP'],
      ['application/yaml', 'token: abcdefgh12'],
    ];
    for (const [type, text] of leaks) {
      answering(setup.upstream, (response) => response.writeHead(200, { 'content-type': type }).end(text));
      const withheld = await setup.send({ path: '/api/items/7', headers: { 'accept-encoding': 'gzip' } });
      expect([text, withheld.status, withheld.refusal]).toEqual([text, 502, 'token_in_answer']);
      expect(withheld.text).not.toContain(text.slice(-8));
      expect(setup.upstream.heard.at(-1)?.headers['accept-encoding']).toBe('identity');
      expect((await setup.send({ path: '/api/items/named' })).text).toBe(text);
    }
    answering(setup.upstream, (response) => {
      response.writeHead(200, { 'x-subject': `glpat-${'a'.repeat(20)}` }).end('{}');
    });
    expect((await setup.send({ path: '/api/items/7' })).refusal).toBe('token_in_answer');
    const project = '{"id":1,"runners_token":"GR1348941abcdefghij1","Password" : "correct-horse"}';
    answering(setup.upstream, (response) => {
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': project.length })
        .end(project);
    });
    expect(JSON.parse((await setup.send({ path: '/api/items/7' })).text)).toEqual({
      id: 1,
      runners_token: '*'.repeat(20),
      Password: '*'.repeat(13),
    });
    for (const text of [
      '{"token":"********","next_page_token":"abcdefgh12"}',
      '{"password":null}',
      'x'.repeat(300_000),
    ]) {
      answering(setup.upstream, (response) => response.end(text));
      expect((await setup.send({ path: '/api/items/7' })).text).toBe(text);
    }
    answering(setup.upstream, (response) => response.writeHead(204).end());
    expect(await setup.send({ path: '/api/items/7' })).toMatchObject({ status: 204, text: '' });
  });

  it('11: refuses a length that can be read in two ways', async () => {
    const setup = await setUpProxy();
    for (const headers of [
      ['Content-Length: 3', 'Transfer-Encoding: chunked'],
      ['Content-Length: 3', 'Content-Length: 3'],
      ['Content-Length: 3', 'Content-Length: 4'],
      ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'],
      ['Transfer-Encoding: gzip, chunked', 'Content-Length: 3'],
    ]) {
      const answer = await raw(setup, 'POST /proxy/shop/a HTTP/1.1', headers, '3\r\nabc\r\n0\r\n\r\n');
      expect([headers, answer?.status]).toEqual([headers, 400]);
    }
    expect(setup.upstream.heard).toEqual([]);
  });

  it('12: answers 501 to WebSocket and any other upgrade', async () => {
    const setup = await setUpProxy();
    const { status, refusal } = await setup.send({
      path: '/a',
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-key': 'x',
        'sec-websocket-version': '13',
      },
    });
    expect([status, refusal]).toEqual([501, 'upgrade']);
    expect(setup.upstream.heard).toEqual([]);
  });

  it('14: repeats a safe request once when the token was replaced meanwhile, and passes every other 401 on', async () => {
    const setup = await setUpProxy();
    const { upstream } = setup;
    const renew = async (generation: number) =>
      replaceToken(setup.service, setup.vault, {
        name: 'shop',
        token: `token-${generation}-of-shop`,
        generation,
      });
    upstream.answer = (request, response) => {
      upstream.heard.push({
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        rawHeaders: [],
        body: '',
      });
      const isOld = request.headers.authorization !== `Bearer token-${generation}-of-shop`;
      void (isOld ? renew(generation) : Promise.resolve()).then(() => {
        response.writeHead(isOld ? 401 : 200).end(isOld ? 'old' : 'new');
      });
      request.resume();
    };
    let generation = 2;
    expect((await setup.send({ path: '/a' })).text).toBe('new');
    generation = 3;
    expect(await setup.send({ path: '/a', method: 'POST', body: 'x' })).toMatchObject({
      status: 401,
      text: 'old',
    });
    expect(upstream.heard.filter(({ url }) => url === '/a').map(({ method }) => method)).toEqual([
      'GET',
      'GET',
      'POST',
    ]);
    // A 503 is the answer, too.
    answering(upstream, (response) => response.writeHead(503, { 'retry-after': '1' }).end('busy'));
    expect(await setup.send({ path: '/b' })).toMatchObject({ status: 503, refusal: null, text: 'busy' });
    expect(upstream.heard.filter(({ url }) => url === '/b')).toHaveLength(1);
  });

  it('14: says that an answer was lost which breaks off while a newer token is looked for', async () => {
    const setup = await setUpProxy();
    const { service, upstream, vault, port } = setup;
    upstream.answer = (request, response) => {
      request.resume();
      void replaceToken(service, vault, { name: 'shop', token: 'a-newer-token', generation: 2 }).then(() => {
        vault.onCall = async () => {
          request.socket.destroy();
          // Time enough for the proxy to notice it.
          for (let at = 0; at < 10; at += 1) await (await fetch(`http://127.0.0.1:${port}/v1/health`)).text();
        };
        response.writeHead(401, { 'content-type': 'text/plain' }).write('old');
      });
    };
    expect(await setup.send({ path: '/a', method: 'POST', body: 'x' })).toMatchObject({
      status: 502,
      refusal: 'connection_lost',
    });
  });

  it('14: has a credential inspected whose current token is refused', async () => {
    const setup = await setUpProxy();
    answering(setup.upstream, (response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end('{"success":false,"message":"The provided token is invalid."}');
    });
    const checked = new Promise((resolve) => {
      setup.service.store.subscribe(({ kind }) => {
        if (kind === 'credential.checked') resolve(null);
      });
    });
    expect(await setup.send({ path: '/a' })).toMatchObject({ status: 401, refusal: null });
    await checked;
    // From now on it is known, and not sent any more.
    expect(await setup.send({ path: '/b' })).toMatchObject({ status: 503, refusal: 'unusable' });
    expect(setup.upstream.heard.map(({ url }) => url)).not.toContain('/b');
  });

  it('15: says in its own words, marked as its own, why it has no token to send', async () => {
    const setup = await setUpProxy();
    const problem = async () => {
      const { status, headers, text } = await setup.send({ path: '/a' });
      expect(headers['content-type']).toMatch(/^application\/problem\+json/);
      expect(headers['rotavox-proxy']).toBe('refused');
      const { code, detail } = JSON.parse(text) as { code: string; detail: string };
      expect(detail).toMatch(/^[A-Z“].*\.$/);
      return [status, code];
    };
    setup.vault.fail('locked');
    expect(await problem()).toEqual([503, 'vault_unavailable']);
    setup.vault.heal();
    await owned(setup.service, 'POST', '/portal/credentials/shop/pause', {});
    // Only its rotation is: the token works.
    expect((await setup.send({ path: '/a' })).status).toBe(200);
    await owned(setup.service, 'POST', '/portal/credentials/shop/resume', {});
    const later = await setup.issue({ expires_in: 60 * 86_400 });
    setup.service.clock.nowMs += 31 * 86_400_000;
    expect((await setup.send({ path: '/a', token: later.token })).refusal).toBe('unusable');
    await setup.vault.remove({ service: 'rotavox', account: 'shop' });
    expect(setup.upstream.heard).toHaveLength(1);
  });

  it('16: limits each app by itself, and says when to come again', async () => {
    const setup = await setUpProxy();
    const small = await setup.issue({ app: 'small', limits: { per_minute: 2, at_once: 1 } });
    const send = (path: string) => setup.send({ path, token: small.token });
    let finish: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      setup.upstream.answer = (_request, response) => {
        finish = () => void response.end('done');
        resolve();
      };
    });
    const first = send('/slow');
    await arrived;
    expect((await send('/b')).refusal).toBe('too_many_at_once');
    finish();
    expect((await first).text).toBe('done');
    answering(setup.upstream, (response) => response.end('ok'));
    expect((await send('/c')).status).toBe(200);
    const { status, headers, refusal } = await send('/d');
    expect([status, refusal, headers['retry-after']]).toEqual([429, 'too_many_requests', '30']);
    expect((await setup.send({ path: '/e' })).status).toBe(200);
    setup.service.clock.nowMs += minuteMs / 2;
    expect((await send('/f')).status).toBe(200);
    const data = await setup.issue({ app: 'data', limits: { bytes_per_minute: 500 } });
    answering(setup.upstream, (response) => response.end('x'.repeat(2_000)));
    expect((await setup.send({ path: '/g', token: data.token })).text).toHaveLength(2_000);
    expect((await setup.send({ path: '/h', token: data.token })).refusal).toBe('too_many_bytes');
  });

  it('17: remembers who asked what, without query, headers and bodies, and writes one event a minute', async () => {
    const setup = await setUpProxy({ rules: [{ method: 'POST', path: '/api/orders/*' }] });
    const word = 'zebra-in-the-query';
    for (let at = 0; at < 3; at += 1)
      await setup.send({
        path: `/api/orders/${1000 + at}?q=${word}`,
        method: 'POST',
        headers: { 'x-note': word },
        body: word,
      });
    await setup.send({ path: `/other?q=${word}` });
    const view = await setup.view();
    expect(view.recent).toMatchObject([
      { app: 'agent', method: 'GET', route: '/other', status: 403, refusal: 'not_allowed', generation: 0 },
      { app: 'agent', method: 'POST', route: '/api/orders/*', status: 200, refusal: null, generation: 1 },
      { route: '/api/orders/*' },
      { route: '/api/orders/*' },
    ]);
    expect(view.recent[1]?.bytes_in).toBeGreaterThan(100);
    await setup.service.stop();
    const events = usedEvents(setup.service.folder);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      subject: shopId,
      data: {
        uses: [
          { route: '/api/orders/*', count: 3, status: 200 },
          { route: '/other', count: 1, refusal: 'not_allowed' },
        ],
      },
    });
    expect(contentOf(setup.service.folder)).not.toContain(word);
  });

  it('18: knows which app used which generation of the token last', async () => {
    const setup = await setUpProxy();
    const other = await setup.issue({ app: 'backup' });
    await setup.send({ path: '/a', token: other.token });
    await replaceToken(setup.service, setup.vault, {
      name: 'shop',
      token: 'the-second-token',
      generation: 2,
    });
    await setup.send({ path: '/a' });
    const uses = (await setup.view()).tokens.map(({ app, last_generation, requests }) => [
      app,
      last_generation,
      requests,
    ]);
    expect(uses).toEqual([
      ['agent', 2, 1],
      ['backup', 1, 1],
    ]);
  });

  it('19: writes the token nowhere: not in the log, an error, an event or a file', async () => {
    const book = new Notebook();
    const setup = await setUpProxy({ start: { log: { level: 'trace', stream: book } } });
    setup.upstream.answer = (request) => request.socket.destroy();
    const cut = await setup.send({ path: '/a' });
    expect(cut.refusal).toBe('connection_lost');
    answering(setup.upstream, (response) => response.writeHead(500).end('no'));
    await setup.send({ path: '/a' });
    await setup.service.stop();
    for (const text of [book.text, cut.text, contentOf(setup.service.folder)]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(setup.token);
    }
  });

  it('20: shows what a rule would have allowed of the requests of the last 24 hours, before it is added', async () => {
    const setup = await setUpProxy({ rules: [{ method: 'GET', path: '/api/open' }] });
    const attempt = async (rule: object) =>
      owned(setup.service, 'POST', '/portal/credentials/shop/proxy/rules/try', rule);
    await setup.send({ path: '/api/open' });
    for (let at = 0; at < 3; at += 1) await setup.send({ path: `/api/orders/${at}` });
    await setup.send({ path: '/v1/auth/rotate', method: 'POST' });
    expect(await attempt({ method: 'GET', path: '/api/orders/*' })).toEqual({
      requests: 5,
      allowed: 3,
      newly_allowed: 3,
      forbidden: 0,
      routes: [{ method: 'GET', route: '/api/orders/*', count: 3 }],
      names_rights: [],
    });
    expect(await attempt({ method: 'POST', path: '/v1/auth/rotate' })).toMatchObject({
      allowed: 0,
      forbidden: 1,
      names_rights: ['auth', 'rotate'],
    });
    expect((await setup.view()).rules).toHaveLength(1);
    // Also what is in the journal already, until it is a day old.
    const { folder, clock, vault } = setup.service;
    await setup.service.stop();
    const again = await OpenService.start({ folder, clock, vault });
    const path = '/portal/credentials/shop/proxy/rules/try';
    expect(await owned(again, 'POST', path, { method: 'GET', path: '/api/orders/*' })).toMatchObject({
      newly_allowed: 3,
    });
    clock.nowMs += 25 * 60 * minuteMs;
    expect(await owned(again, 'POST', path, { method: 'GET', path: '/api/orders/*' })).toMatchObject({
      requests: 0,
    });
  });
});

interface StoredEvent {
  readonly kind: string;
  readonly subject: string;
  readonly data: { readonly credential_id: CredentialId };
}

function usedEvents(folder: string): StoredEvent[] {
  return readdirSync(join(folder, 'journal'))
    .flatMap((name) => readFileSync(join(folder, 'journal', name), 'utf8').split('\n'))
    .filter((line) => line.includes('"proxy.used"'))
    .map((line) => JSON.parse(line) as StoredEvent);
}

function contentOf(folder: string): string {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
}
