/**
 * Every listener of the program gets what is no valid request, and handlers that fail. None of it may end the program: an exception that
 * nobody catches would fail this file.
 */
import { createSecretKey } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { done } from '../../../src/core/result.ts';
import type { Handler, ReportFailure } from '../../../src/network/create-listener.ts';
import { EarlyServer } from '../../../src/service/early-server.ts';
import { PassedOnCalls } from '../../../src/service/guard/passed-on.ts';
import { FollowerService } from '../../../src/service/follower/follower-service.ts';
import type { Arrival } from '../../../src/service/guard/arrival.ts';
import { Metrics } from '../../../src/service/metrics.ts';
import { mintToken } from '../../../src/service/secrets/token-value.ts';
import { agentText } from '../../../src/text/credential/agent.ts';
import { startPlainOAuthServer } from '../../fakes/plain-oauth-server.ts';
import { Notebook } from '../../fixtures/notebook.ts';
import { type AttackSetup, makeSetup, type SetupOptions, expectRefusal } from './attack-setup.ts';
import { type MalformedCall, malformedCalls } from './malformed-requests.ts';
import { exchange, openWire, requestText, type WireAnswer } from './wire.ts';

const seed = Number(process.env['ROTAVOX_FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
/** Enough for each way in which a request can be wrong; the long run sends more, so that they come in more orders. */
const requestsToEach = 1_000;
const requestsOfLongRun = 10_000;
/** As many callers at once as a sign-in has room for. */
const callersAtOnce = 48;

interface Listener {
  readonly port: number;
  readonly isTls?: boolean;
  /** Lets some requests in: a header line. */
  readonly admission?: string;
  /** What was reported or logged as a failure. */
  readonly failures: () => string;
  /** Fails unless it still does its work. */
  readonly works: () => Promise<void>;
}

async function service(options: SetupOptions = {}): Promise<Listener> {
  const log = new Notebook();
  const setup = await makeSetup({ log: { level: 'warn', stream: log }, ...options });
  const { access_token: token } = await setup.issue();
  return {
    port: setup.port,
    isTls: setup.origin.startsWith('https'),
    admission: `Authorization: Bearer ${token}`,
    failures: () => log.text,
    async works() {
      expect((await setup.call({ method: 'GET', path: '/v1/health' })).status).toBe(200);
      await setup.issue();
    },
  };
}

async function listenEarly(onFailure: ReportFailure): Promise<EarlyServer> {
  const early = new EarlyServer({ onFailure });
  early.server.listen({ host: '127.0.0.1', port: 0 });
  await once(early.server, 'listening');
  onTestFinished(async () => {
    early.server.closeAllConnections();
    await early.close();
  });
  return early;
}

/** A health check that no listener has a reason to refuse. */
function health(port: number): Promise<WireAnswer | null> {
  return exchange(port, requestText('GET /v1/health HTTP/1.1', [`Host: 127.0.0.1:${port}`]), {
    isTls: false,
  });
}

async function earlyServer(): Promise<Listener> {
  const failures: unknown[] = [];
  const early = await listenEarly((error) => failures.push(error));
  return {
    port: early.port,
    failures: () => failures.join('\n'),
    async works() {
      const answer = health(early.port);
      early.handOver((_request, response) => response.end());
      expect((await answer)?.status).toBe(200);
    },
  };
}

const portalKey = mintToken('portal').value;
const clusterKey = createSecretKey(Buffer.alloc(32, 7));
const facts = { role: 'follower', epoch: 3, lag: 2, isReady: true } as const;

/** A host that follows; the leader answers everything. */
async function follow(
  onFailure: ReportFailure,
  readArrival = () =>
    done<Arrival>({ address: '10.1.2.3', origin: 'https://x', isSecure: true, isOwner: false }),
): Promise<EarlyServer> {
  const leader = createServer((request, response) => {
    request.resume();
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(leader, 'listening');
  const early = await listenEarly(onFailure);
  const follower = new FollowerService({
    early,
    leaders: {
      leader: {
        host: 'first',
        epoch: 1,
        url: `http://127.0.0.1:${(leader.address() as AddressInfo).port}`,
        fingerprint: null,
      },
      onChange: () => () => undefined,
    },
    key: clusterKey,
    passedOnCalls: new PassedOnCalls(clusterKey, 'own'),
    portalKey,
    isOwnerKey: () => Promise.resolve(false),
    readArrival,
    version: '0.0.0-test',
    readHost: () => facts,
    metrics: new Metrics(() => ({
      ...facts,
      leaseSeconds: null,
      terms: 0,
      openConnections: 0,
      callsPassedOn: 0,
      credentials: null,
      certificateEnds: null,
    })),
  });
  early.handOver(follower.handle);
  onTestFinished(async () => {
    await follower.close();
    leader.closeAllConnections();
    leader.close();
  });
  return early;
}

async function followerServer(): Promise<Listener> {
  const failures: unknown[] = [];
  const early = await follow((error) => failures.push(error));
  return {
    port: early.port,
    failures: () => failures.join('\n'),
    async works() {
      expect((await health(early.port))?.status).toBe(200);
      const { status } = await fetch(`http://127.0.0.1:${early.port}/v1/ivrs`);
      expect(status).toBe(200);
    },
  };
}

/** A sign-in that waits for a browser. */
async function beginSignIn(agent: NonNullable<SetupOptions['agent']>) {
  const setup = await makeSetup({ agent });
  const oauth = await startPlainOAuthServer(Date.now, { rotates: true, expiresIn: 3600 });
  const { baseUrl } = oauth;
  const inputs = {
    service: 'other',
    client_id: 'c',
    token_url: `${baseUrl}/token`,
    authorization_url: `${baseUrl}/authorize`,
  };
  const provider = { id: 'oauth2', inputs };
  const begun = await setup.owner('POST', '/portal/sign-ins', {
    ...{ name: 'crm', provider, base_url: baseUrl, method: 'browser' },
  });
  const { id, url } = JSON.parse(begun.text) as { id: string; url: string };
  const asked = new URL(url).searchParams;
  const callback = `${asked.get('redirect_uri') ?? ''}?state=${asked.get('state') ?? ''}`;
  return { setup, id, url, callback, port: Number(new URL(callback).port) };
}

async function statusOf(setup: AttackSetup, id: string): Promise<string> {
  const { text } = await setup.owner('GET', `/portal/sign-ins/${id}`);
  return (JSON.parse(text) as { status: string }).status;
}

async function signInListener(): Promise<Listener> {
  const failures: unknown[] = [];
  const { setup, id, url, port } = await beginSignIn({ onFailure: (error) => failures.push(error) });
  return {
    port,
    failures: () => failures.join('\n'),
    async works() {
      expect(await statusOf(setup, id)).toBe('waiting');
      const agreed = await fetch(url, { redirect: 'manual' });
      const page = await fetch(agreed.headers.get('location') ?? '');
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Signed in')]);
      expect(await statusOf(setup, id)).toBe('done');
    },
  };
}

const listeners: readonly (readonly [string, () => Promise<Listener>])[] = [
  ['the service', () => service()],
  [
    'the service at its address for other machines',
    () => service({ network: { isTls: true, trustedProxies: [] } }),
  ],
  ['the service behind a proxy', () => service({ network: { isTls: false, trustedProxies: ['127.0.0.1'] } })],
  ['the server whose service is not loaded', earlyServer],
  ['a host that follows', followerServer],
  ['the address that a sign-in waits at', signInListener],
];

/** Sends everything and waits for the end of the connection, with everything that came back. */
function send(
  { port, isTls = false }: Listener,
  { bytes, leaving }: MalformedCall,
  isInside: boolean,
): Promise<string> {
  const address = { host: '127.0.0.1', port };
  const isEncrypted = isTls && isInside;
  const socket = isEncrypted ? connectTls({ ...address, rejectUnauthorized: false }) : connect(address);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  socket.on('error', () => undefined); // an end too
  socket.write(bytes, () => {
    if (leaving === 'half_closes') socket.end();
    else if (leaving === 'waits') socket.setTimeout(100, () => socket.end());
    else if (isEncrypted) socket.destroy();
    else socket.resetAndDestroy();
  });
  return new Promise((resolve) => socket.once('close', () => resolve(received)));
}

/** Sends so many, from many callers at once; in the end the listener has done what it could, and still works. */
async function expectToSurvive(listener: Listener, requests: number): Promise<void> {
  const { port, admission } = listener;
  const calls = malformedCalls(requests, {
    ...{ seed, port },
    ...(admission === undefined ? {} : { admission }),
  });
  const statuses = new Map<string, number>();
  let sent = 0;
  const caller = async (): Promise<void> => {
    for (const call of calls) {
      sent += call.requests;
      // Some come in plain HTTP where TLS is spoken.
      const received = await send(listener, call, sent % 5 !== 0);
      for (const [, status = ''] of received.matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }
  };
  await Promise.all(Array.from({ length: callersAtOnce }, caller));
  const about = `ROTAVOX_FUZZ_SEED=${seed}`;
  expect(sent, about).toBe(requests);
  expect(listener.failures(), about).toBe('');
  expect(statuses.get('400') ?? 0, about).toBeGreaterThan(requests / 100);
  expect(statuses.has('500'), about).toBe(false);
  await listener.works();
}

describe.each(listeners)('%s', (_name, start) => {
  it('goes on after requests that are not valid, and answers what it can read', async () => {
    await expectToSurvive(await start(), requestsToEach);
  });

  it(
    `goes on after ${requestsOfLongRun.toLocaleString('en')} requests that are not valid, and answers what it can read`,
    { tags: ['long'], timeout: 120_000 },
    async () => {
      await expectToSurvive(await start(), requestsOfLongRun);
    },
  );
});

/** Ways to fail that a handler has, and whether its caller gets an answer: of one that has begun it cannot be taken back. */
const failing: readonly (readonly [string, 'answered' | 'cut' | 'whole', Handler])[] = [
  ['throws', 'answered', () => fail()],
  ['rejects', 'answered', () => Promise.reject(new Error('on purpose'))],
  [
    'rejects later',
    'answered',
    async () => {
      await new Promise(setImmediate);
      fail();
    },
  ],
  ['throws a text', 'answered', () => raise('on purpose')],
  ['throws nothing', 'answered', () => raise(undefined)],
  ['throws what has no text', 'answered', () => raise(Object.create(null))],
  ['throws an error whose stack cannot be read', 'answered', () => raise(unreadable())],
  [
    'throws after it has set headers',
    'answered',
    (_request, response) => {
      response.setHeader('content-length', 5_000);
      response.setHeader('content-encoding', 'gzip');
      response.setHeader('set-cookie', 'secret=1');
      fail();
    },
  ],
  [
    'reads an address as if it could not be wrong',
    'answered',
    () => void new URL('//', 'http://127.0.0.1:1'),
  ],
  [
    'throws in the middle of its answer',
    'cut',
    (_request, response) => {
      response.writeHead(200, { 'content-length': '5000' });
      response.write('half');
      fail();
    },
  ],
  [
    'answers twice',
    'whole',
    (_request, response) => {
      response.writeHead(200, { 'content-length': '2' }).end('ok');
      response.writeHead(404).end();
    },
  ],
  [
    'goes on after its end',
    'whole',
    (_request, response) => {
      response.writeHead(200, { 'content-length': '2' }).end('ok');
      response.write('more');
    },
  ],
];

function fail(): never {
  throw new Error('on purpose');
}

function raise(thrown: unknown): never {
  throw thrown;
}

function unreadable(): Error {
  return Object.defineProperty(new Error(), 'stack', { get: () => fail() });
}

describe('a handler that fails', () => {
  const path = 'GET /portal/status HTTP/1.1';

  it.each(failing)(
    'and %s is reported, its call ends (%s), and the next one is served',
    async (_what, how, handle) => {
      const reports: { error: unknown; requestId: string | null }[] = [];
      const early = await listenEarly((error, requestId) => reports.push({ error, requestId }));
      const host = `Host: 127.0.0.1:${early.port}`;
      // The first call waits until there is a service; the second comes to one.
      const asked = once(early.server, 'request');
      const waiting = openWire(early.port, { isTls: false });
      waiting.write(requestText(path, [host, 'X-Request-Id: mine']));
      await asked;
      early.handOver(handle);
      const second = openWire(early.port, { isTls: false });
      second.write(requestText(path, [host, 'X-Request-Id: mine']));
      for (const wire of [waiting, second]) {
        const [answer] = await wire.answers(1);
        if (how === 'cut') {
          expect(answer).toBeUndefined();
        } else if (how === 'whole') {
          expect(answer).toMatchObject({ status: 200, body: 'ok' });
        } else {
          expect(answer?.status).toBe(500);
          expect(answer?.headers).not.toHaveProperty('set-cookie');
          expect(answer?.headers).toMatchObject({ 'x-request-id': 'mine', 'cache-control': 'no-store' });
          expect(JSON.parse(answer?.body ?? '')).toMatchObject({ code: 'internal', request_id: 'mine' });
          expect(await wire.closed()).not.toContain('on purpose');
        }
      }
      expect(reports).toHaveLength(2);
      expect(reports.every(({ requestId }) => requestId === 'mine' || how === 'whole')).toBe(true);
      early.handOver((_request, response) => response.end('well'));
      expect((await health(early.port))?.status).toBe(200);
    },
  );

  it('on a host that follows is answered', async () => {
    const reports: unknown[] = [];
    const early = await follow((error) => reports.push(error), fail);
    expect((await health(early.port))?.status).toBe(500);
    expect(reports).toEqual([new Error('on purpose')]);
  });

  it('at the address of a sign-in is answered, and the person is told', async () => {
    const reports: unknown[] = [];
    const signInPage = {
      done: '',
      get failed(): string {
        return fail();
      },
    };
    const { setup, id, callback } = await beginSignIn({
      text: { ...agentText, signInPage },
      onFailure: (error) => reports.push(error),
    });
    const page = await fetch(`${callback}&error=access_denied`);
    expect([page.status, await page.text()]).toEqual([500, '']);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await statusOf(setup, id)).toBe('failed');
    expect(reports).toEqual([new Error('on purpose')]);
  });
});

describe('a listener', () => {
  it('goes on when the system cannot hand over a connection', async () => {
    const reports: unknown[] = [];
    const early = await listenEarly((error) => reports.push(error));
    const second = early.createSecond();
    second.listen(0, '127.0.0.1');
    await once(second, 'listening');
    const full = Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' });
    early.server.emit('error', full);
    second.emit('error', full);
    expect(reports).toEqual([full, full]);
    early.handOver((_request, response) => response.end());
    expect((await health(early.port))?.status).toBe(200);
  });

  it('gives the answers that are due before it refuses what came behind them', async () => {
    const setup = await makeSetup();
    const host = `127.0.0.1:${setup.ownPort}`;
    const { access_token: token } = await setup.issue();
    const rotation = requestText('POST /v1/auth/rotate HTTP/1.1', [
      `Host: ${host}`,
      `Authorization: Bearer ${token}`,
      'Content-Length: 0',
    ]);
    for (const behind of ['no HTTP\r\n\r\n', `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`]) {
      const wire = openWire(setup.ownPort, { isTls: false });
      wire.write(`${rotation}${rotation}${behind}`);
      const answers = await wire.answers(3);
      expect(answers.map(({ status }) => status)).toEqual(
        behind.startsWith('no') ? [200, 401, 400] : [401, 401, 400],
      );
      await wire.closed();
    }
  });

  it('leaves an answer that is being sent whole when its caller sends what is no HTTP', async () => {
    const setup = await makeSetup();
    const host = `127.0.0.1:${setup.ownPort}`;
    const wire = openWire(setup.ownPort, { isTls: false });
    wire.write(
      requestText('GET /portal/events HTTP/1.1', [
        `Host: ${host}`,
        `Authorization: Bearer ${setup.service.sessions.portalKey}`,
      ]),
    );
    await once(wire.socket, 'data');
    wire.write('no HTTP\r\n\r\n');
    await setup.issue();
    await expect.poll(() => wire.received()).toContain('token.issued');
    expect(wire.received()).not.toContain('400 Bad Request');
  });

  it('reads every header, also behind thousands of others', async () => {
    const setup = await makeSetup();
    const host = `Host: 127.0.0.1:${setup.ownPort}`;
    const many = Array.from({ length: 2_500 }, () => 'a:');
    const lines = requestText('GET /v1/health HTTP/1.1', [host, ...many, 'Origin: http://evil.com']);
    expectRefusal(await exchange(setup.ownPort, lines, { isTls: false }), 'origin_not_allowed', 'auth');
  });
});
