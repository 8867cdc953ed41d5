import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { ivrBody } from '../../fixtures/ivr-bodies.ts';
import { ofFile } from '../../fixtures/when-over.ts';
import {
  makeSetup,
  makeLargeList,
  noThrottle,
  expectRefusal,
  expectRefusalShape,
  familyOf,
} from './attack-setup.ts';
import { exchange, openWire, requestText } from './wire.ts';

/** No test of this file changes what another one sees. */
const setups = ofFile(() => makeSetup({ throttleLimits: noThrottle }));

describe('requests in one breath', () => {
  it('are answered in their order, each once, also when one of them is refused', async () => {
    const setup = await setups.get();
    const { access_token: token } = await setup.issue();
    const { access_token: rotated } = await setup.issue();
    const host = `Host: ${setup.host}`;
    const bearer = `Authorization: Bearer ${token}`;
    const rotation = requestText('POST /v1/auth/rotate HTTP/1.1', [
      host,
      `Authorization: Bearer ${rotated}`,
      'Content-Length: 0',
    ]);
    const body = JSON.stringify(ivrBody);
    const wire = openWire(setup.port);
    wire.write(
      [
        requestText('GET /v1/auth/token HTTP/1.1', [host, bearer]),
        requestText(
          'POST /v1/ivr HTTP/1.1',
          [host, bearer, 'Content-Type: application/json', `Content-Length: ${body.length}`],
          body,
        ),
        requestText('GET /nothing HTTP/1.1', [host]),
        rotation,
        rotation,
        requestText('GET /v1/health HTTP/1.1', [host]),
      ].join(''),
    );
    const answers = await wire.answers(6);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 200, 401, 200]);
  });

  it('two hundred rotations of one token in one breath: one is done', async () => {
    const setup = await makeSetup();
    const { access_token: token } = await setup.issue();
    const wire = openWire(setup.port);
    const line = requestText('POST /v1/auth/rotate HTTP/1.1', [
      `Host: ${setup.host}`,
      `Authorization: Bearer ${token}`,
      'Content-Length: 0',
    ]);
    wire.write(line.repeat(200));
    const answers = await wire.answers(200);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(199);
    expect(setup.events.filter(({ kind }) => kind === 'token.rotated')).toHaveLength(1);
  });

  it('end at the first that is no request', async () => {
    const setup = await setups.get();
    const { access_token: token } = await setup.issue();
    const before = setup.events.length;
    const wire = openWire(setup.port);
    wire.write(
      `this is not HTTP\r\n\r\n${requestText('POST /v1/auth/rotate HTTP/1.1', [
        `Host: ${setup.host}`,
        `Authorization: Bearer ${token}`,
        'Content-Length: 0',
      ])}`,
    );
    await wire.closed();
    const [answer, second] = await wire.answers(1);
    expectRefusal(answer ?? null, 'bad_header', 'auth');
    expect(second).toBeUndefined();
    expect(setup.events.length).toBe(before);
  });
});

describe('more requests than are answered', () => {
  it(
    'wait until the answer before them is read: nothing is done ahead of a reader',
    { tags: ['long'] },
    async () => {
      const setup = await makeSetup();
      const { access_token: reader } = await setup.issue();
      await makeLargeList(setup, reader);
      const { access_token: rotated } = await setup.issue();
      const host = `Host: ${setup.host}`;
      const wire = openWire(setup.port);
      wire.socket.pause();
      wire.write(
        requestText('GET /v1/ivrs HTTP/1.1', [host, `Authorization: Bearer ${reader}`]).repeat(12) +
          requestText('POST /v1/auth/rotate HTTP/1.1', [
            host,
            `Authorization: Bearer ${rotated}`,
            'Content-Length: 0',
          ]),
      );
      for (let round = 0; round < 50; round += 1) {
        expect((await setup.call({ method: 'GET', path: '/v1/health' })).status).toBe(200);
      }
      expect(setup.events.filter(({ kind }) => kind === 'token.rotated')).toEqual([]);
      wire.socket.resume();
      const answers = await wire.answers(13);
      expect(answers.map(({ status }) => status)).toEqual(Array.from(answers, () => 200));
      expect(answers).toHaveLength(13);
      expect(setup.events.filter(({ kind }) => kind === 'token.rotated')).toHaveLength(1);
    },
  );

  it.each(['POST /v1/auth/rotate', 'GET /v1/health', 'GET /%'])(
    'end the connection when there are thousands (%s), and others are served',
    async (line) => {
      const setup = await setups.get();
      const wire = openWire(setup.port);
      wire.write(requestText(`${line} HTTP/1.1`, [`Host: ${setup.host}`]).repeat(5000));
      expect((await setup.call({ method: 'GET', path: '/v1/health' })).status).toBe(200);
      const bytes = await wire.closed();
      expect(bytes.split('HTTP/1.1 ').length).toBeLessThan(1000);
    },
  );
});

describe('old, odd and hostile requests', () => {
  it('HTTP/1.0 is served and hung up on', async () => {
    const { port, host } = await setups.get();
    const wire = openWire(port);
    wire.write(requestText('GET /v1/health HTTP/1.0', [`Host: ${host}`]));
    const bytes = await wire.closed();
    expect(bytes).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each(['HTTP/1.2', 'HTTP/9.9', 'ICE/1.0', 'XYZ/1.1'])(
    'an unknown version (%s) is refused with 400',
    async (version) => {
      const { port, host } = await setups.get();
      const answer = await exchange(port, requestText(`GET /v1/health ${version}`, [`Host: ${host}`]));
      expectRefusal(answer, 'bad_header', 'auth');
    },
  );

  it('the preface of HTTP/2 and the hello of TLS are refused or hung up on, and nothing breaks', async () => {
    const { port, host } = await setups.get();
    const preface = await exchange(port, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    expect(preface === null || preface.status === 400).toBe(true);
    const hello = await exchange(port, Buffer.from('16030100c8010000c40303', 'hex'));
    expect(hello === null || hello.status === 400).toBe(true);
    expect((await exchange(port, requestText('GET /v1/health HTTP/1.1', [`Host: ${host}`])))?.status).toBe(
      200,
    );
  });

  it.each([
    '//v1/health',
    '/v1//health',
    '/v1/health/..',
    '/v1/../v1/health',
    '/v1/%2e%2e/v1/health',
    '/V1/HEALTH',
    '/v1/health%00',
    '/v1/health%20',
    '/v1/ivr/%',
    '/v1/ivr/%zz',
    '/v1/ivr/%e0%a4%a',
    '/v1/ivr/%00',
    '/v1/ivr/%2e%2e%2fauth%2ftoken',
    '/v1/ivr/..%2f..%2fportal%2fstatus',
    '/v1/ivr/a%2fb',
    '/v1/ivr/',
    '/v1/ivr/constructor',
    '/v1/ivr/__proto__',
    '/portal/tokens/__proto__',
    '/portal/tokens/constructor/history',
    `/v1/ivr/${'x'.repeat(100)}`,
    `/v1/ivr/${'x'.repeat(101)}`,
    `/v1/ivr/${'x'.repeat(200)}`,
    `/v1/ivr/${'x'.repeat(201)}`,
    `/v1/ivr/${'x'.repeat(8000)}`,
    `/v1/ivr/${'%61'.repeat(80)}`,
    `/${'a/'.repeat(4000)}`,
    '/v1/health;a=b',
    '/v1/ivr/\\..\\x',
  ])('the path %.60s is answered with a refusal in its shape', async (path) => {
    const setup = await setups.get();
    const { access_token: token } = await setup.issue();
    const bearer = path.startsWith('/portal') ? setup.service.sessions.portalKey : token;
    const before = setup.store.state.ivrs.size;
    for (const method of ['GET', 'DELETE']) {
      const answer = await exchange(
        setup.port,
        requestText(`${method} ${path} HTTP/1.1`, [`Host: ${setup.host}`, `Authorization: Bearer ${bearer}`]),
      );
      expect([400, 404, 405], `${method} ${path}`).toContain(answer?.status);
      expectRefusalShape(answer!, familyOf(path));
    }
    expect(setup.store.state.ivrs.size).toBe(before);
  });

  it('an absolute-form address is served like its path or refused, and never as another one', async () => {
    const setup = await setups.get();
    for (const target of [`${setup.origin}/portal/status`, 'http://evil.com/portal/status', 'evil.com:80']) {
      const answer = await exchange(
        setup.port,
        requestText(`GET ${target} HTTP/1.1`, [`Host: ${setup.host}`]),
      );
      expect([400, 401, 404, 421], target).toContain(answer?.status);
    }
  });

  it.each([
    'TRACE',
    'OPTIONS',
    'PATCH',
    'PROPFIND',
    'LOCK',
    'QUERY',
    'SEARCH',
    'PURGE',
    'M-SEARCH',
    'SOURCE',
  ])('the method %s is refused where it is not taken, and says which are', async (method) => {
    const setup = await setups.get();
    const { access_token: token } = await setup.issue();
    const before = setup.events.length;
    const answer = await exchange(
      setup.port,
      requestText(`${method} /v1/auth/rotate HTTP/1.1`, [
        `Host: ${setup.host}`,
        `Authorization: Bearer ${token}`,
        'Cookie: secret=1',
      ]),
    );
    expectRefusal(answer, 'method_not_allowed', 'auth');
    expect(answer?.headers.allow).toBe('POST');
    expect(answer?.body).not.toContain(token);
    expect(setup.events.length).toBe(before);
  });

  it.each(['get', 'FOO', 'G ET', ''])('what is no method (%j) is refused with 400', async (method) => {
    const { port, host } = await setups.get();
    const answer = await exchange(port, requestText(`${method} /v1/health HTTP/1.1`, [`Host: ${host}`]));
    expectRefusal(answer, 'bad_header', 'auth');
  });

  it('a tunnel (CONNECT) or an upgrade to something else is given to no one', async () => {
    const setup = await setups.get();
    const tunnel = openWire(setup.port);
    tunnel.write(requestText(`CONNECT ${setup.host} HTTP/1.1`, [`Host: ${setup.host}`]));
    expect(await tunnel.closed()).not.toMatch(/^HTTP\/1\.1 2/);
    const upgrade = await exchange(
      setup.port,
      requestText('GET /portal/events HTTP/1.1', [
        `Host: ${setup.host}`,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ]),
    );
    expect(upgrade === null || upgrade.status >= 400).toBe(true);
    expect(upgrade?.status).not.toBe(101);
  });

  it('HEAD says what GET would say, without a body, and ends', async () => {
    const setup = await setups.get();
    const { access_token: token } = await setup.issue();
    for (const [path, bearer] of [
      ['/v1/health', token],
      ['/v1/auth/token', token],
      ['/v1/ivrs', token],
      ['/portal/status', setup.service.sessions.portalKey],
      ['/portal/events', setup.service.sessions.portalKey],
      ['/openapi.json', token],
      ['/', token],
    ] as const) {
      const answer = await setup.call({ method: 'HEAD', path, bearer });
      expect(answer.status, path).toBe(200);
      expect(answer.text).toBe('');
    }
  });

  it('HEAD of a call that changes something is refused', async () => {
    const setup = await setups.get();
    const { access_token: token } = await setup.issue();
    const before = setup.events.length;
    const answer = await setup.call({ method: 'HEAD', path: '/v1/auth/rotate', bearer: token });
    expect(answer.status).toBe(405);
    expect(setup.events.length).toBe(before);
  });

  it('a body is not waited for when the caller asks first (Expect) and is not welcome', async () => {
    const setup = await setups.get();
    const { access_token: token } = await setup.issue();
    const body = JSON.stringify(ivrBody);
    const headers = [
      `Host: ${setup.host}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
    ];
    const wire = openWire(setup.port);
    wire.write(requestText('POST /portal/ivrs HTTP/1.1', headers));
    const [refusedAnswer] = await wire.answers(1);
    expectRefusal(refusedAnswer ?? null, 'not_signed_in', 'portal');

    const welcome = openWire(setup.port);
    welcome.write(requestText('POST /v1/ivr HTTP/1.1', [...headers, `Authorization: Bearer ${token}`], body));
    const [answer] = await welcome.answers(1);
    expect(answer?.status).toBe(200);

    const other = await exchange(
      setup.port,
      requestText('GET /v1/health HTTP/1.1', [`Host: ${setup.host}`, 'Expect: a-miracle']),
    );
    expect(other?.status).toBe(417);
    expectRefusal(other, 'expectation_failed', 'auth');
    for (const [path, family] of [
      ['/v1/ivrs', 'ivr'],
      ['/portal/status', 'portal'],
    ] as const) {
      const lines = requestText(`GET ${path} HTTP/1.1`, [`Host: ${setup.host}`, 'Expect: a-miracle']);
      expectRefusal(await exchange(setup.port, lines), 'expectation_failed', family);
    }
  });

  it('a thousand headers are refused or read, and nothing breaks', async () => {
    const { port, host } = await setups.get();
    const many = Array.from({ length: 1000 }, (_, place) => `X-${place}: 1`);
    const answer = await exchange(port, requestText('GET /v1/health HTTP/1.1', [`Host: ${host}`, ...many]));
    expect([200, 431]).toContain(answer?.status);
    const late = await exchange(
      port,
      requestText('GET /v1/health HTTP/1.1', [...many.slice(0, 3000), `Host: ${host}`]),
    );
    expect([200, 431]).toContain(late?.status);
  });

  it('a header cannot add a line to the answer or the history', async () => {
    const setup = await setups.get();
    const { access_token: token } = await setup.issue();
    const answer = await exchange(
      setup.port,
      requestText('POST /v1/auth/rotate HTTP/1.1', [
        `Host: ${setup.host}`,
        `Authorization: Bearer ${token}`,
        `User-Agent: "},"kind":"token.blacklisted\\u000a\u00ff${'x'.repeat(5000)}`,
        'Idempotency-Key: a\u00ffb',
        'Content-Length: 0',
      ]),
    );
    expect(answer?.status).toBe(400);
    const again = await exchange(
      setup.port,
      requestText('POST /v1/auth/rotate HTTP/1.1', [
        `Host: ${setup.host}`,
        `Authorization: Bearer ${token}`,
        `User-Agent: "},"kind":"token.blacklisted\\u000a\u00ff${'x'.repeat(5000)}`,
        'Content-Length: 0',
      ]),
    );
    expect(again?.status).toBe(200);
    expect(await setup.store.verify()).toMatchObject({ status: 'intact' });
    const [event] = await setup.store.history({ limit: 1 });
    expect(event).toMatchObject({ kind: 'token.rotated' });
    expect((event?.actor as { user_agent: string }).user_agent.length).toBeLessThanOrEqual(200);
  });
});

describe('static files', () => {
  it('are those of the folder and no others, however the path is written', async () => {
    const folder = makeFolder();
    const windowsDir = join(folder, 'windows');
    mkdirSync(join(windowsDir, 'assets'), { recursive: true });
    writeFileSync(join(windowsDir, 'index.html'), '<!doctype html>the window');
    writeFileSync(join(windowsDir, 'assets', 'app.js'), 'the script');
    writeFileSync(join(folder, 'secret.txt'), 'the secret');
    mkdirSync(join(folder, 'windows-secret'));
    writeFileSync(join(folder, 'windows-secret', 'secret.txt'), 'the secret');
    const setup = await makeSetup({ windowsDir });
    const read = (path: string) =>
      exchange(setup.port, requestText(`GET ${path} HTTP/1.1`, [`Host: ${setup.host}`]));

    expect((await read('/assets/app.js'))?.body).toBe('the script');
    for (const path of [
      '/../secret.txt',
      '/assets/../../secret.txt',
      '/%2e%2e/secret.txt',
      '/..%2fsecret.txt',
      '/assets/..%2f..%2fsecret.txt',
      '/assets/%2e%2e/%2e%2e/secret.txt',
      '/%252e%252e%252fsecret.txt',
      '/..\\secret.txt',
      '/..%5csecret.txt',
      '/....//secret.txt',
      '/../windows-secret/secret.txt',
      '/..%2fwindows-secret%2fsecret.txt',
      '/%00/../secret.txt',
      '/assets/app.js%00.html',
      `/${folder}/secret.txt`,
      `/%2f${folder.slice(1)}/secret.txt`,
      '/assets/',
      '/assets',
      '/.',
      '/..',
      'file:///etc/passwd',
    ]) {
      const answer = await read(path);
      expect(answer?.body, path).not.toContain('the secret');
      expect(answer?.body, path).not.toContain('root:');
      expect([400, 404], path).toContain(answer?.status);
    }
  });
});
