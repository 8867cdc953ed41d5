import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { openWire, requestText } from '../attacks/wire.ts';
import { answering, type ProxySetup, setUpProxy, usualRules, writeRules } from './proxy-setup.ts';

/** A request of the app whose body and answer the test sends and reads itself. */
function open(
  { port, token }: ProxySetup,
  { method = 'GET', path = '/stream' }: { readonly method?: string; readonly path?: string } = {},
): { readonly sent: ClientRequest; readonly answered: Promise<IncomingMessage> } {
  const sent = httpRequest({
    host: '127.0.0.1',
    port,
    method,
    path: `/proxy/shop${path}`,
    agent: false,
    headers: { authorization: `Bearer ${token}` },
  });
  sent.on('error', () => undefined); // ended by the test
  const answered = new Promise<IncomingMessage>((resolve) => {
    sent.once('response', (response) => {
      response.on('error', () => undefined); // each test expects its own
      resolve(response);
    });
  });
  return { sent, answered };
}

const megabyte = Buffer.alloc(1024 * 1024, 'x');
/** More megabytes than all buffers of sockets and streams between both ends. */
const parts = 64;

describe('streams through the proxy', () => {
  it('11: passes each event of an event stream on at once', async () => {
    const setup = await setUpProxy();
    const begun = Promise.withResolvers<{ write(text: string): void; end(): void }>();
    setup.upstream.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
      begun.resolve({ write: (text) => void response.write(text), end: () => void response.end() });
    };
    const { sent, answered } = open(setup);
    sent.end();
    const stream = await begun.promise;
    stream.write('data: 1\n\n');
    const response = await answered;
    expect(response.headers['content-type']).toBe('text/event-stream');
    for (const number of [1, 2, 3]) {
      // Only after the one before has arrived.
      expect(String((await once(response, 'data'))[0])).toBe(`data: ${number}\n\n`);
      if (number < 3) stream.write(`data: ${number + 1}\n\n`);
    }
    stream.end();
    await once(response, 'end');
  });

  it('11: passes each event on at once where a rule has answers searched for the token', async () => {
    const setup = await setUpProxy({ rules: [] });
    await writeRules(setup.service, usualRules({ scrub: true }));
    const begun = Promise.withResolvers<{ write(text: string): void; end(): void }>();
    setup.upstream.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      begun.resolve({ write: (text) => void response.write(text), end: () => void response.end() });
    };
    const { sent, answered } = open(setup);
    sent.end();
    const stream = await begun.promise;
    stream.write('data: 1\n\n');
    const response = await answered;
    for (const number of [1, 2, 3]) {
      expect(String((await once(response, 'data'))[0])).toBe(`data: ${number}\n\n`);
      if (number < 3) stream.write(`data: ${number + 1}\n\n`);
    }
    stream.end();
    await once(response, 'end');
  });

  it('11: passes each event on at once where only a wildcard allows it, and ends it before something like a token', async () => {
    const setup = await setUpProxy({ rules: [{ method: 'GET', path: '/api/events/*' }] });
    const begun = Promise.withResolvers<{ write(text: string): void }>();
    setup.upstream.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      begun.resolve({ write: (text) => void response.write(text) });
    };
    const { sent, answered } = open(setup, { path: '/api/events/1' });
    sent.end();
    const stream = await begun.promise;
    stream.write('data: 1\n\n');
    const response = await answered;
    expect(String((await once(response, 'data'))[0])).toBe('data: 1\n\n');
    stream.write('data: 2\n\ndata: glpat-aaaaaaaaaa');
    expect(String((await once(response, 'data'))[0])).toBe('data: 2\n\ndata: ');
    let rest = '';
    response.on('data', (part) => (rest += String(part)));
    const ended = new Promise((resolve) => response.once('close', resolve));
    stream.write('aaaaaaaaaa\n\ndata: 3\n\n');
    await ended;
    expect([rest, response.complete]).toEqual(['', false]);
    await vi.waitFor(async () =>
      expect((await setup.view()).recent[0]).toMatchObject({ refusal: 'token_in_answer', status: 200 }),
    );
  });

  it('11: answers at once where an answer breaks off, or ends it where it has begun', async () => {
    const setup = await setUpProxy({ rules: [{ method: 'GET', path: '/api/items/*' }] });
    await writeRules(setup.service, usualRules());
    await writeRules(setup.service, [{ method: 'GET', path: '/scrubbed', scrub: true }]);
    for (const path of ['/api/items/1', '/scrubbed', '/a'])
      for (const type of ['application/json', 'text/event-stream', undefined])
        for (const [length, text] of [
          [undefined, ''],
          [undefined, '{"a":1,'],
          [undefined, 'data: 1\n\n'],
          ['20', ''],
          ['20', '{"a":1,'],
        ]) {
          setup.upstream.answer = (_request, response) => {
            response.writeHead(200, {
              ...(type === undefined ? {} : { 'content-type': type }),
              ...(length === undefined ? {} : { 'content-length': length }),
            });
            response.flushHeaders();
            response.write(text ?? '');
            setTimeout(() => response.destroy(), 20);
          };
          const { sent, answered } = open(setup, { path });
          sent.end();
          const lost = once(sent, 'close');
          const response = await Promise.race([answered, lost.then(() => null)]);
          const seen = [path, type, length, text, response?.statusCode];
          if (response?.statusCode === 502) {
            const problem = JSON.parse(await textOf(response)) as { code: string };
            expect([...seen, problem.code]).toEqual([path, type, length, text, 502, 'connection_lost']);
          } else {
            // Begun: a part that was sent on can be had, and no more.
            response?.resume();
            await lost;
            expect([...seen, response?.complete]).toEqual([
              path,
              type,
              length,
              text === '' ? 'some' : text,
              200,
              false,
            ]);
          }
        }
  });

  it('11: passes on the beginning of a small answer before its end, and all of one that is there at once', async () => {
    const setup = await setUpProxy();
    const rest = Promise.withResolvers<() => void>();
    setup.upstream.answer = ({ url }, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 6 });
      if (url === '/whole') response.end('onetwo');
      else {
        response.write('one');
        rest.resolve(() => void response.end('two'));
      }
    };
    const { sent, answered } = open(setup);
    sent.end();
    const response = await answered;
    expect(response.headers['content-length']).toBe('6');
    expect(String((await once(response, 'data'))[0])).toBe('one');
    const ended = once(response, 'end');
    (await rest.promise)();
    expect(String((await once(response, 'data'))[0])).toBe('two');
    await ended;
    expect(await setup.send({ path: '/whole' })).toMatchObject({
      status: 200,
      text: 'onetwo',
      headers: { 'content-type': 'text/plain', 'content-length': '6' },
    });
    const head = await setup.send({ method: 'HEAD', path: '/whole' });
    expect([head.headers['content-length'], head.text]).toEqual(['6', '']);
  });

  it('11: passes a request on while it arrives, and an answer that begins before its end', async () => {
    const setup = await setUpProxy();
    setup.upstream.answer = (request, response) => {
      response.writeHead(200);
      request.on('data', (part: Buffer) => response.write(part));
      request.on('end', () => response.end());
    };
    const { sent, answered } = open(setup, { method: 'POST' });
    sent.write('one');
    const response = await answered;
    expect(String((await once(response, 'data'))[0])).toBe('one');
    sent.write('two');
    expect(String((await once(response, 'data'))[0])).toBe('two');
    sent.end();
    response.resume();
    await once(response, 'end');
  });

  it('11: ends the request at the service when the app has gone, before and after the answer began', async () => {
    const setup = await setUpProxy();
    for (const isAnswered of [false, true]) {
      const gone = Promise.withResolvers<undefined>();
      const arrived = Promise.withResolvers<undefined>();
      setup.upstream.answer = (request, response) => {
        request.socket.once('close', () => gone.resolve(undefined));
        if (isAnswered) response.write('some');
        arrived.resolve(undefined);
      };
      const { sent, answered } = open(setup);
      sent.end();
      await arrived.promise;
      if (isAnswered) await answered;
      sent.destroy();
      await gone.promise;
    }
  });

  it('11: cuts the answer off when the service does, so that nobody takes it for a whole one', async () => {
    const setup = await setUpProxy();
    setup.upstream.answer = (request, response) => {
      response.write('some', () => request.socket.destroy());
    };
    const { sent, answered } = open(setup);
    sent.end();
    const response = await answered;
    response.resume();
    const [error] = (await once(response, 'error')) as [unknown];
    expect(error).toMatchObject({ code: 'ECONNRESET' });
    expect(response.complete).toBe(false);
  });

  it('11: passes an answer on that comes before the body was sent', async () => {
    const setup = await setUpProxy();
    setup.upstream.answer = (_request, response) => {
      response.writeHead(413).end('too large');
    };
    const wire = openWire(setup.port);
    wire.write(
      requestText('POST /proxy/shop/a HTTP/1.1', [
        `Host: 127.0.0.1:${setup.port}`,
        `Authorization: Bearer ${setup.token}`,
        'Content-Length: 100000000',
      ]),
    );
    wire.write(megabyte);
    const [answer] = await wire.answers(1);
    expect(answer).toMatchObject({ status: 413, body: 'too large' });
  });

  it('11: has no limit on how long a request takes to arrive once it is allowed, and keeps it for all others', async () => {
    const setup = await setUpProxy({ start: { requestTimeoutMs: 100, lookForSlowMs: 20 } });
    const { sent, answered } = open(setup, { method: 'POST' });
    sent.write('slow');
    const slow = openWire(setup.port);
    slow.write(`POST /v1/auth/rotate HTTP/1.1\r\nHost: 127.0.0.1:${setup.port}\r\nContent-Length: 9\r\n\r\n`);
    // The other request began later and has ended: so the limit has passed for both.
    expect(await slow.closed()).toMatch(/^HTTP\/1\.1 (?:401|408)/);
    const again = openWire(setup.port);
    again.write(`POST /v1/auth/rotate HTTP/1.1\r\nHost: 127.0.0.1:${setup.port}\r\n`);
    expect(await again.closed()).toMatch(/^HTTP\/1\.1 408/);
    sent.end('ly');
    const response = await answered;
    expect(response.statusCode).toBe(200);
    expect(setup.upstream.heard.map(({ body }) => body)).toEqual(['slowly']);
    response.resume();
  });

  it('11: gives up on a service that sends nothing for too long', async () => {
    const setup = await setUpProxy({ start: { upstream: { idleLimitMs: 50 } } });
    setup.upstream.answer = () => undefined;
    expect(await setup.send({ path: '/a' })).toMatchObject({ status: 504, refusal: 'no_answer' });
  });

  it('passes answers without a body on as they are', async () => {
    const setup = await setUpProxy();
    answering(setup.upstream, (response, { method }) => {
      if (method === 'HEAD') response.writeHead(200, { 'content-length': '1234' }).end();
      else response.writeHead(method === 'DELETE' ? 204 : 304, { etag: '"1"' }).end();
    });
    expect(await setup.send({ path: '/a', method: 'HEAD' })).toMatchObject({
      status: 200,
      text: '',
      headers: { 'content-length': '1234' },
    });
    expect(await setup.send({ path: '/a', method: 'DELETE' })).toMatchObject({ status: 204, text: '' });
    expect(await setup.send({ path: '/a' })).toMatchObject({
      status: 304,
      text: '',
      headers: { etag: '"1"' },
    });
  });

  it('passes on no status that HTTP does not have, nor the headers that come with it', async () => {
    const setup = await setUpProxy();
    answering(setup.upstream, (response) => response.writeHead(999, { etag: '"1"' }).end('no'));
    const { status, refusal, headers } = await setup.send({ path: '/a' });
    expect([status, refusal, headers.etag]).toEqual([502, 'connection_lost', undefined]);
  });

  it('ends a request that is being answered when its app token is revoked', async () => {
    const setup = await setUpProxy();
    setup.upstream.answer = (_request, response) => void response.write('some');
    const { sent, answered } = open(setup);
    sent.end();
    const response = await answered;
    response.resume();
    const ended = once(response, 'error');
    await setup.service.owner('DELETE', `/portal/proxy/tokens/${setup.tokenId}`);
    await ended;
    expect(response.complete).toBe(false);
  });

  it('11: takes no more from the service than the app reads', { tags: ['long'] }, async () => {
    const setup = await setUpProxy();
    let written = 0;
    const { streaming, promise: begun } = withSignal();
    setup.upstream.answer = (request, response) => {
      if (request.url !== '/stream') response.end('small');
      else {
        const write = (): void => {
          while (written < parts) {
            written += 1;
            if (!response.write(megabyte)) {
              streaming();
              response.once('drain', write);
              return;
            }
          }
          response.end();
        };
        write();
      }
    };
    const { sent, answered } = open(setup);
    sent.end();
    const response = await answered;
    await begun;
    for (let at = 0; at < 50; at += 1) await setup.send({ path: '/small' });
    expect(written).toBeLessThan(parts / 2);
    expect(await bytesOf(response)).toBe(parts * megabyte.length);
  });

  it('11: takes no more from the app than the service reads', { tags: ['long'] }, async () => {
    const setup = await setUpProxy();
    const { streaming, promise: begun } = withSignal();
    const held = Promise.withResolvers<IncomingMessage>();
    setup.upstream.answer = (request, response) => {
      if (request.method !== 'POST') response.end('small');
      else {
        held.resolve(request);
        request.once('end', () => response.end('done'));
      }
    };
    const { sent, answered } = open(setup, { method: 'POST' });
    let written = 0;
    const write = (): void => {
      while (written < parts) {
        written += 1;
        if (!sent.write(megabyte)) {
          streaming();
          sent.once('drain', write);
          return;
        }
      }
      sent.end();
    };
    write();
    const request = await held.promise;
    await begun;
    for (let at = 0; at < 50; at += 1) await setup.send({ path: '/small' });
    expect(written).toBeLessThan(parts / 2);
    expect(await bytesOf(request)).toBe(parts * megabyte.length);
    expect(await bytesOf(await answered)).toBe(4);
  });
});

function withSignal(): { readonly streaming: () => void; readonly promise: Promise<undefined> } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  return { streaming: () => resolve(undefined), promise };
}

async function textOf(stream: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of stream) text += String(part);
  return text;
}

async function bytesOf(stream: IncomingMessage): Promise<number> {
  let bytes = 0;
  for await (const part of stream) bytes += (part as Buffer).length;
  return bytes;
}
