import { createSecretKey, hash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  request,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { X509Certificate } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { done } from '../../src/core/result.ts';
import { EarlyServer } from '../../src/service/early-server.ts';
import { FollowerService } from '../../src/service/follower/follower-service.ts';
import { type KnownLeader, readAddress, signAddress } from '../../src/service/follower/known-leader.ts';
import {
  notLeadingHeader,
  passedOnHeader,
  PassedOnCalls,
  signPassedOn,
} from '../../src/service/guard/passed-on.ts';
import { Metrics } from '../../src/service/metrics.ts';
import { digestOf, mintToken } from '../../src/service/secrets/token-value.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { type CertificateFilePaths, makeCertificate } from '../fixtures/make-authority.ts';
import { waitFor } from '../fixtures/wait-for.ts';

const key = createSecretKey(Buffer.alloc(32, 7));
const portalKey = mintToken('portal').value;
const ownerKey = mintToken('owner').value;

/** Who leads, as the test says. */
class Leaders {
  leader: KnownLeader | null = null;
  readonly #listeners = new Set<() => void>();

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  set(leader: KnownLeader | null): void {
    this.leader = leader;
    for (const listener of [...this.#listeners]) listener();
  }
}

function listening(server: Server, name: string): Promise<KnownLeader> {
  server.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return once(server, 'listening').then(() => ({
    host: name,
    epoch: 1,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fingerprint: null,
  }));
}

/** A host that leads, as far as others see it. */
function startLeader(handle: RequestListener, name = 'first'): Promise<KnownLeader> {
  return listening(createServer(handle), name);
}

/** The id of the host that follows. */
const own = 'own';

async function startFollower(leader: KnownLeader | null, patienceMs?: number, onStopAsked?: () => void) {
  const early = new EarlyServer();
  const leaders = new Leaders();
  leaders.leader = leader;
  const facts = { role: 'follower', epoch: 3, lag: 2, isReady: leader !== null } as const;
  const follower = new FollowerService({
    early,
    leaders,
    key,
    passedOnCalls: new PassedOnCalls(key, own),
    portalKey,
    readArrival: () =>
      done({ address: '10.1.2.3', origin: 'https://x.example', isSecure: true, isOwner: false }),
    version: '0.0.0-test',
    readHost: () => facts,
    isOwnerKey: (digest) => Promise.resolve(digest === digestOf(ownerKey)),
    metrics: new Metrics(() => ({
      ...facts,
      leaseSeconds: null,
      terms: 0,
      openConnections: 0,
      callsPassedOn: 0,
      credentials: null,
      certificateEnds: null,
    })),
    patienceMs,
    onStopAsked,
  });
  early.handOver(follower.handle);
  early.server.listen({ host: '127.0.0.1', port: 0 });
  await once(early.server, 'listening');
  onTestFinished(async () => {
    await follower.close();
    early.server.closeAllConnections();
    await early.close();
  });
  return { leaders, follower, early, url: `http://127.0.0.1:${early.port}` };
}

const answerWith =
  (status: number, body: string, seen: IncomingMessage[] = []) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    seen.push(request);
    request.resume();
    request.once('end', () => response.writeHead(status, { 'content-type': 'text/plain' }).end(body));
  };

/** What a call says that was passed on. */
function isOfOwner(one: IncomingMessage): boolean | undefined {
  const arrived = new PassedOnCalls(key, 'first').read(one, Date.now());
  return arrived?.ok === true ? arrived.value.isOwner : undefined;
}

/** The answer to headers that `fetch` does not send. */
async function statusOf(
  url: string,
  method: string,
  path: string,
  headers = {},
): Promise<number | undefined> {
  const { hostname, port } = new URL(url);
  const call = request({ hostname, port, method, path, headers }).end();
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

async function connected(socket: Socket): Promise<void> {
  if (socket.connecting) await once(socket, 'connect');
}

const hangUp: RequestListener = ({ socket }) => {
  socket.destroy();
};

describe('a host that follows', () => {
  it('passes a call on as it came, says how it arrived, and gives back the answer', async () => {
    let got: Record<string, unknown> = {};
    const leader = await startLeader((request, response) => {
      void text(request).then((body) => {
        got = {
          method: request.method,
          url: request.url,
          body,
          own: request.headers['x-own'],
          hop: request.headers.te,
          arrival: new PassedOnCalls(key, 'first').read(request, Date.now()),
        };
        response.writeHead(201, { 'x-answer': 'a', 'set-cookie': ['a=1', 'b=2'] }).end('done');
      });
    });
    const { url } = await startFollower(leader);
    const answer = await fetch(`${url}/v1/ivr?x=1`, {
      method: 'POST',
      body: '{"a":1}',
      headers: { 'x-own': 'kept', te: 'trailers' },
    });
    expect(got).toEqual({
      method: 'POST',
      url: '/v1/ivr?x=1',
      body: '{"a":1}',
      own: 'kept',
      hop: undefined,
      arrival: done({
        address: '10.1.2.3',
        origin: 'https://x.example',
        isSecure: true,
        isOwner: false,
        bodyDigest: hash('sha256', '{"a":1}', 'base64url'),
      }),
    });
    expect([answer.status, answer.headers.get('x-answer'), await answer.text()]).toEqual([201, 'a', 'done']);
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  });

  it('answers for its own health, readiness and metrics', async () => {
    const { url } = await startFollower(null);
    const health = await fetch(`${url}/v1/health`);
    expect(await health.json()).toEqual({
      status: 'ok',
      version: '0.0.0-test',
      role: 'follower',
      epoch: 3,
      lag: 2,
    });
    const ready = await fetch(`${url}/v1/ready`);
    expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '2']);
    expect((await fetch(`${url}/metrics`)).status).toBe(401);
    const metrics = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${portalKey}` } });
    const ofOwner = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${ownerKey}` } });
    expect(ofOwner.status).toBe(200);
    const shown = await metrics.text();
    expect(shown).toContain('rotavox_host_role{role="follower"} 1');
    expect(shown).toContain('rotavox_lag_events 2');
    expect(shown).not.toMatch(/^rotavox_lease_seconds /m);
  });

  it('says that its own owner asks, and does not pass on the key', async () => {
    const seen: IncomingMessage[] = [];
    const { url } = await startFollower(await startLeader(answerWith(200, 'ok', seen)));
    await fetch(`${url}/portal/status`, { headers: { authorization: `Bearer ${portalKey}` } });
    await fetch(`${url}/portal/status`, { headers: { authorization: 'Bearer other' } });
    expect(seen.map((one) => [isOfOwner(one), one.headers.authorization])).toEqual([
      [true, undefined],
      [false, 'Bearer other'],
    ]);
  });

  it('ends after its answer for its own owner, and has nobody end another host', async () => {
    const seen: IncomingMessage[] = [];
    let stops = 0;
    const leader = await startLeader(answerWith(409, 'not yours', seen));
    const { url } = await startFollower(leader, undefined, () => (stops += 1));
    const stop = (bearer: string, method = 'POST') =>
      fetch(`${url}/portal/stop`, { method, headers: { authorization: `Bearer ${bearer}` } });
    expect((await stop(ownerKey)).status).toBe(409);
    expect((await stop(portalKey, 'GET')).status).toBe(409);
    expect([stops, seen.length]).toEqual([0, 2]);
    const ended = await stop(portalKey);
    expect([ended.status, await ended.json()]).toEqual([200, {}]);
    await waitFor(() => expect(stops).toBe(1));
    expect(seen).toHaveLength(2);
  });

  it('passes on no call twice, and does not believe a header that no host has signed', async () => {
    const seen: IncomingMessage[] = [];
    const { url } = await startFollower(await startLeader(answerWith(200, 'ok', seen)));
    const arrival = { address: '10.0.0.9', origin: 'https://y.example', isSecure: true, isOwner: true };
    const call = { method: 'GET', path: '/portal/status', receiver: own };
    const signed = signPassedOn(key, call, arrival, Date.now());
    const twice = await fetch(`${url}/portal/status`, { headers: { [passedOnHeader]: signed } });
    expect([twice.status, twice.headers.get(notLeadingHeader)]).toEqual([503, '1']);
    for (const forged of [
      signPassedOn(createSecretKey(Buffer.alloc(32, 8)), call, arrival, Date.now()),
      signPassedOn(key, { ...call, path: '/portal/settings' }, arrival, Date.now()),
      signPassedOn(key, { ...call, receiver: 'another host' }, arrival, Date.now()),
      'x.y',
      '',
    ])
      expect((await fetch(`${url}/portal/status`, { headers: { [passedOnHeader]: forged } })).status).toBe(
        200,
      );
    expect(seen.map(isOfOwner)).toEqual(Array(5).fill(false));
    // Of a host whose clock is wrong, or sent again by somebody who has seen it: no call of whoever sends it.
    for (const agoMs of [3_600_000, -3_600_000]) {
      const old = signPassedOn(key, call, arrival, Date.now() - agoMs);
      const answer = await fetch(`${url}/portal/status`, { headers: { [passedOnHeader]: old } });
      expect([answer.status, answer.headers.get(notLeadingHeader)]).toEqual([503, null]);
      expect(await answer.json()).toMatchObject({ code: 'clocks_differ' });
    }
    const again = await fetch(`${url}/portal/status`, { headers: { [passedOnHeader]: signed } });
    expect([again.status, await again.json()]).toMatchObject([403, { code: 'passed_on_twice' }]);
    expect(seen).toHaveLength(5);
  });

  it('counts each call of a host once, in any order, and forgets none that could come again', () => {
    const calls = new PassedOnCalls(key, own);
    const arrival = { address: '10.0.0.9', origin: 'https://y.example', isSecure: true, isOwner: true };
    const call = { method: 'GET', path: '/portal/status', receiver: own };
    const now = Date.now();
    const signed = Array.from({ length: 25_000 }, () => signPassedOn(key, call, arrival, now));
    const take = (header: string | undefined): boolean => {
      const request = { method: 'GET', url: call.path, headers: { [passedOnHeader]: header } };
      return calls.read(request, now)?.ok === true;
    };
    expect([signed[1], signed[0], signed[1], signed[0]].map(take)).toEqual([true, true, false, false]);
    expect(signed.slice(2).every(take)).toBe(true);
    expect(signed.some(take)).toBe(false);
    const later = signPassedOn(key, call, arrival, now + 3_600_000);
    expect(
      calls.read({ method: 'GET', url: call.path, headers: { [passedOnHeader]: later } }, now + 3_600_000),
    ).toMatchObject({ ok: true });
  });

  it('is as ready as the host that leads, which knows whether changes can be stored', async () => {
    const able = await startFollower(await startLeader(answerWith(200, '{"status":"ready"}')));
    expect((await fetch(`${able.url}/v1/ready`)).status).toBe(200);
    const full = await startFollower(await startLeader(answerWith(503, '{}')));
    expect((await fetch(`${full.url}/v1/ready`)).status).toBe(503);
  });

  it('refuses pages of other sites what it answers itself, and leaves the rest to the leader', async () => {
    const seen: IncomingMessage[] = [];
    const { url } = await startFollower(await startLeader(answerWith(200, 'ok', seen)));
    const headers = { 'sec-fetch-site': 'cross-site' };
    for (const path of ['/v1/health', '/v1/health/', '/v1/ready', '/metrics'])
      expect(await statusOf(url, 'GET', path, headers)).toBe(403);
    expect(await statusOf(url, 'GET', '/tokens', headers)).toBe(200);
    expect(await statusOf(url, 'GET', '/tokens', { origin: 'https://evil.example' })).toBe(403);
    expect(await statusOf(url, 'OPTIONS', '*')).toBe(404);
    expect(seen).toHaveLength(1);
  });

  it('has no call wait for callers who send or read slowly', async () => {
    const { url } = await startFollower(
      await startLeader((call, response) => {
        if (call.method === 'GET') response.end('ok');
        else call.resume();
      }),
    );
    const slow = Array.from({ length: 300 }, () => {
      const call = request(`${url}/portal/sessions`, {
        method: 'POST',
        headers: { 'transfer-encoding': 'chunked' },
      });
      call.on('error', () => undefined);
      call.write('{');
      return call;
    });
    await Promise.all(
      slow.map((call) => once(call, 'socket').then(([socket]) => connected(socket as Socket))),
    );
    expect(await statusOf(url, 'GET', '/v1/auth/token')).toBe(200);
    for (const call of slow) call.destroy();
  });

  it('keeps the id of a request, and makes one where there is none or it is odd', async () => {
    const seen: IncomingMessage[] = [];
    const { url } = await startFollower(await startLeader(answerWith(200, 'ok', seen)));
    for (const id of ['abc-1', 'two words', 'x'.repeat(200)])
      await fetch(`${url}/v1/ivrs`, { headers: { 'x-request-id': id } });
    const [kept, ...made] = seen.map((one) => String(one.headers['x-request-id']));
    expect(kept).toBe('abc-1');
    for (const id of made) expect(id).toMatch(/^[\w-]{8}-[\da-z]+$/);
  });

  it('streams both ways, without waiting for an end', async () => {
    const leader = await startLeader((request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('first\n');
      request.on('data', (part: Buffer) => response.write(part));
      request.once('end', () => response.end());
    });
    const { url } = await startFollower(leader);
    const call = request(`${url}/proxy/x/y`, { method: 'POST', headers: { 'transfer-encoding': 'chunked' } });
    call.write('begin');
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    let got = '';
    const has = (wanted: string): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (got === wanted) resolve();
        };
        answer.on('data', look);
        look();
      });
    answer.on('data', (part: Buffer) => (got += part.toString()));
    await has('first\nbegin');
    call.write(' and more');
    await has('first\nbegin and more');
    call.end();
    await once(answer, 'end');
  });

  it('passes a large body and a large answer through', async () => {
    const leader = await startLeader((request, response) => {
      response.writeHead(200);
      request.pipe(response);
    });
    const { url } = await startFollower(leader);
    const body = 'x'.repeat(8 * 1024 * 1024);
    const answer = await fetch(`${url}/portal/recordings`, { method: 'POST', body });
    expect((await answer.text()) === body).toBe(true);
  });

  it('ends a call at the leader when its caller leaves', async () => {
    const left = Promise.withResolvers<undefined>();
    const leader = await startLeader((_request, response) => {
      response.writeHead(200).write('begun');
      response.once('close', () => left.resolve(undefined));
    });
    const { url, follower } = await startFollower(leader);
    const stop = new AbortController();
    const answer = await fetch(`${url}/portal/events`, { signal: stop.signal });
    expect(answer.status).toBe(200);
    stop.abort();
    await left.promise;
    expect(follower.size).toBe(0);
  });
});

describe('a leader that is lost', () => {
  it('has calls wait for the next one', async () => {
    const { url, leaders } = await startFollower(null);
    const answer = fetch(`${url}/v1/auth/rotate`, { method: 'POST' });
    leaders.set(await startLeader(answerWith(200, 'rotated')));
    expect(await (await answer).text()).toBe('rotated');
  });

  it.each([
    ['/v1/auth/rotate', { success: false, message: expect.any(String) as string }],
    ['/v1/ivr', { Success: false, Message: expect.any(String) as string }],
    ['/portal/status', { success: false, code: 'no_leader', message: expect.any(String) as string }],
  ])('and refuses %s when there is none for too long, in the shape of its errors', async (path, body) => {
    const { url } = await startFollower(null, 50);
    const answer = await fetch(`${url}${path}`, { method: 'POST' });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await answer.json()).toMatchObject(body);
  });

  it.each([
    ['a safe call', 'GET', {}, undefined, 200],
    ['a call with a key', 'POST', { 'idempotency-key': 'k1' }, undefined, 200],
    ['a call with a key and a body', 'POST', { 'idempotency-key': 'k1' }, '{}', 200],
    ['any other call, whose outcome is not known', 'POST', {}, undefined, 502],
    ['any other call with a body', 'POST', {}, '{}', 502],
  ])('is asked no more: %s', async (_what, method, headers, body, status) => {
    const second = await startLeader(answerWith(200, 'second'), 'second');
    const { url, leaders } = await startFollower(
      await startLeader((request, response) => {
        hangUp(request, response);
        leaders.set(second);
      }),
    );
    const answer = await fetch(`${url}/v1/auth/rotate`, { method, headers, body: body ?? null });
    expect(answer.status).toBe(status);
    if (status === 502) expect(await answer.json()).toMatchObject({ success: false });
  });

  it('was not reached: then every call goes to the next one', async () => {
    const gone = await startLeader(hangUp);
    const second = await startLeader(answerWith(200, 'second'), 'second');
    const { url, leaders } = await startFollower({ ...gone, url: 'http://127.0.0.1:1' });
    const answer = fetch(`${url}/v1/auth/rotate`, { method: 'POST', body: '{}' });
    leaders.set(second);
    expect(await (await answer).text()).toBe('second');
  });

  it('says that it does not lead: then the call goes to the next one, with its body', async () => {
    const bodies: string[] = [];
    const second = await startLeader((request, response) => {
      void text(request).then((body) => {
        bodies.push(body);
        response.end('second');
      });
    }, 'second');
    const { url, leaders } = await startFollower(
      await startLeader((_request, response) => {
        response.writeHead(503, { [notLeadingHeader]: '1' }).end();
        leaders.set(second);
      }),
    );
    const answer = await fetch(`${url}/v1/ivr`, { method: 'POST', body: '{"a":1}' });
    expect([await answer.text(), ...bodies]).toEqual(['second', '{"a":1}']);
  });

  it('was started again at its address and is another process now: then the call is sent again', async () => {
    let asked = 0;
    const { url } = await startFollower(
      await startLeader((_request, response) => {
        asked += 1;
        // First it takes a call that was signed for the process before it for one of its own callers, with the name of another host.
        if (asked === 1) response.writeHead(421).end();
        else response.end('rotated');
      }),
    );
    // Not by fetch, which sends a call with this answer again itself.
    expect([await statusOf(url, 'POST', '/v1/auth/rotate'), asked]).toEqual([200, 2]);
  });

  it('got a call too late, after it was halted: one that may be repeated is sent again, and no other', async () => {
    let late = 0;
    const { url } = await startFollower(
      await startLeader((request, response) => {
        request.resume();
        late += 1;
        response.writeHead(late === 1 ? 408 : 200).end(String(late));
      }),
    );
    const post = (headers = {}) => fetch(`${url}/v1/auth/rotate`, { method: 'POST', body: '{}', headers });
    const repeated = await post({ 'idempotency-key': 'key' });
    expect([repeated.status, await repeated.text()]).toEqual([200, '2']);
    late = 0;
    const other = await post();
    expect([other.status, late]).toEqual([408, 1]);
  });

  it('never answers: what it has is settled when another one leads, and streams end', async () => {
    const asked: Record<string, PromiseWithResolvers<undefined>> = {
      '/portal/events': Promise.withResolvers(),
      '/v1/auth/rotate': Promise.withResolvers(),
      '/v1/ivrs': Promise.withResolvers(),
    };
    const stopped = await startLeader((request, response) => {
      if (request.url === '/portal/events') response.writeHead(200).write('begun');
      asked[request.url ?? '']?.resolve(undefined);
    });
    const { url, leaders } = await startFollower(stopped);
    const stream = await fetch(`${url}/portal/events`);
    const change = fetch(`${url}/v1/auth/rotate`, { method: 'POST' });
    const reading = fetch(`${url}/v1/ivrs`);
    await Promise.all(Object.values(asked).map(({ promise }) => promise));
    leaders.set(await startLeader(answerWith(200, 'second'), 'second'));
    expect((await change).status).toBe(502);
    expect(await (await reading).text()).toBe('second');
    await expect(stream.text()).rejects.toThrow();
  });
});

describe('the address of the leader', () => {
  const place = { host: 'h1', url: 'https://10.0.0.5:7682', fingerprint: 'AA:BB' };

  it('is believed only as a host of the cluster has signed it, for that host', () => {
    const address = signAddress(key, place);
    expect(readAddress(key, 'h1', address)).toEqual(place);
    expect(readAddress(key, 'h2', address)).toBeNull();
    expect(readAddress(createSecretKey(Buffer.alloc(32, 8)), 'h1', address)).toBeNull();
    expect(
      readAddress(
        key,
        'h1',
        `${signAddress(key, { ...place, url: 'https://x' }).split('.')[0] ?? ''}.${address.split('.')[1] ?? ''}`,
      ),
    ).toBeNull();
    expect(readAddress(key, 'h1', 'http://10.0.0.5:7682')).toBeNull();
  });

  it.each([
    ['its certificate', true, 200],
    ['another certificate', false, 503],
  ])('is used with %s only', async (_what, isRight, status) => {
    const read = (name: string) =>
      readFileSync(join(import.meta.dirname, '..', 'fixtures', 'tls', name), 'utf8');
    const cert = read('certificate.pem');
    const server = createTlsServer({ key: read('key.pem'), cert }, answerWith(200, 'over TLS'));
    const { url } = await listening(server, 'first');
    const { fingerprint256 } = new X509Certificate(cert);
    const follower = await startFollower(
      {
        host: 'first',
        epoch: 1,
        url: url.replace('http:', 'https:'),
        fingerprint: isRight ? fingerprint256 : fingerprint256.replace(/^../, 'XX'),
      },
      300,
    );
    expect((await fetch(`${follower.url}/v1/ivrs`)).status).toBe(status);
  });

  it('can get another certificate: calls under way go on, and those that were refused wait for it', async () => {
    const first = makeCertificate(makeFolder());
    const second = makeCertificate(makeFolder());
    const begun = Promise.withResolvers<ServerResponse>();
    const server = createTlsServer(filesOf(first), (request, response) => {
      if (request.url === '/v1/auth/rotate') begun.resolve(response);
      else response.end('over TLS');
    });
    const listens = await listening(server, 'first');
    const leaderWith = (certificate: CertificateFilePaths): KnownLeader => ({
      ...listens,
      url: listens.url.replace('http:', 'https:'),
      fingerprint: new X509Certificate(filesOf(certificate).cert).fingerprint256,
    });
    const { url, leaders } = await startFollower(leaderWith(first));
    const underWay = fetch(`${url}/v1/auth/rotate`, { method: 'POST' });
    const response = await begun.promise;
    server.setSecureContext(filesOf(second));
    const refused = Promise.race(['secureConnection', 'tlsClientError'].map((event) => once(server, event)));
    const waiting = fetch(`${url}/v1/ivr`, { method: 'POST', body: '{}' });
    await refused;
    leaders.set(leaderWith(second));
    expect([(await waiting).status, await (await waiting).text()]).toEqual([200, 'over TLS']);
    response.end('rotated');
    expect([(await underWay).status, await (await underWay).text()]).toEqual([200, 'rotated']);
  });
});

function filesOf({ certFile, keyFile }: CertificateFilePaths): { cert: string; key: string } {
  return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
}
