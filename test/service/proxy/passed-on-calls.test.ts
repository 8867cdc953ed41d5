/** Calls of apps that another host of a team has passed on, and answers without a body. */
import { createSecretKey } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Arrivals } from '../../../src/service/guard/arrival.ts';
import { PassedOnCalls, passedOnHeader, signPassedOn } from '../../../src/service/guard/passed-on.ts';
import { setUpProxy } from './proxy-setup.ts';

const key = createSecretKey(Buffer.alloc(32, 7));

/** Has the service take calls that another host has signed, as that of a team does. */
function takePassedOn(): void {
  const calls = new PassedOnCalls(key, 'own');
  const { read } = Arrivals.prototype;
  const spy = vi.spyOn(Arrivals.prototype, 'read').mockImplementation(function (
    this: Arrivals,
    request: IncomingMessage,
  ) {
    return calls.read(request, Date.now()) ?? read.call(this, request);
  });
  onTestFinished(() => spy.mockRestore());
}

function signed(method: string, body: string): string {
  const call = { method, path: '/proxy/shop/a', receiver: 'own', body: Buffer.from(body) };
  const from = { address: '10.0.0.9', origin: 'https://team.example', isSecure: true, isOwner: false };
  return signPassedOn(key, call, from, Date.now());
}

describe('a call that another host has passed on', () => {
  it('is sent on with its body', async () => {
    const setup = await setUpProxy();
    takePassedOn();
    for (const method of ['POST', 'DELETE']) {
      const body = '{"a":1}';
      const headers = { [passedOnHeader]: signed(method, body), 'content-length': String(body.length) };
      const { status } = await setup.send({ method, path: '/a', headers, body });
      expect([method, status]).toEqual([method, 200]);
      expect(setup.upstream.heard.at(-1)).toMatchObject({ method, url: '/a', body: '{"a":1}' });
    }
  });

  it('is refused when its body is not the one that was signed, and is not sent on', async () => {
    const setup = await setUpProxy();
    takePassedOn();
    const headers = { [passedOnHeader]: signed('POST', '{"a":1}') };
    const { status } = await setup.send({ method: 'POST', path: '/a', headers, body: '{"a":2}' });
    expect(status).toBe(403);
    expect(setup.upstream.heard).toEqual([]);
  });
});

describe('an answer without a body', () => {
  it.each([
    ['304 Not Modified', 304, '5'],
    ['204 No Content', 204, undefined],
  ])('comes, also where it names a length: %s', async (line, status, length) => {
    const server = createServer((socket: Socket) => {
      socket.on('error', () => undefined);
      socket.on(
        'data',
        () => void socket.write(`HTTP/1.1 ${line}\r\nETag: "a"\r\nContent-Length: 5\r\n\r\n`),
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const setup = await setUpProxy({ baseUrl: () => `http://127.0.0.1:${port}` });
    for (const _ of [1, 2]) {
      const answer = await setup.send({ path: '/a' });
      expect(answer).toMatchObject({ status, refusal: null, headers: { etag: '"a"' } });
      expect(answer.headers['content-length']).toBe(length);
    }
  });
});
