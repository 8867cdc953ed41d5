import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AriClient } from '../../src/calls/ari-client.ts';
import type { AriEvent } from '../../src/calls/ari-port.ts';

const mebibyte = 1024 * 1024;

/** A server that is not as friendly as Asterisk, and a client of it. */
async function strangeAsterisk(listener: RequestListener): Promise<{ client: AriClient; server: Server }> {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const client = new AriClient({ url: `http://127.0.0.1:${String(port)}`, user: 'rotavox', password: 'x' });
  onTestFinished(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });
  return { client, server };
}

/** Writes the same bytes until the reader has enough. Resolves to how many were written until the connection ended. */
async function writeOn(
  stream: NodeJS.WritableStream & { destroyed: boolean },
  part: Buffer,
  most: number,
  onWritten = (_bytes: number): void => undefined,
): Promise<number> {
  let written = 0;
  const closed = new Promise((resolve) => stream.once('close', resolve));
  stream.on('error', () => undefined);
  while (!stream.destroyed && written < most) {
    written += part.length;
    onWritten(written);
    if (!stream.write(part)) {
      await Promise.race([new Promise((resolve) => stream.once('drain', resolve)), closed]);
    }
  }
  return written;
}

describe('an answer of Asterisk', () => {
  it('has a largest size: one that does not end is given up, and the error says so', async () => {
    const wrote = Promise.withResolvers<number>();
    const { client } = await strangeAsterisk((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      wrote.resolve(writeOn(response, Buffer.alloc(mebibyte, ' '), 300 * mebibyte));
    });
    await expect(client.version()).rejects.toMatchObject({ code: 'not_ari', detail: '> 1024 KiB' });
    // What is on its way meanwhile, in the buffers of both sides.
    expect(await wrote.promise).toBeLessThan(64 * mebibyte);
  });

  it('may be as long as the modules of an Asterisk are', async () => {
    const modules = Array.from({ length: 1_000 }, (_, at) => ({
      name: `res_module_${String(at)}.so`,
      description: 'What it does, in more words than there are. '.repeat(4),
      status: 'Running',
    }));
    const { client } = await strangeAsterisk((_request, response) => response.end(JSON.stringify(modules)));
    expect((await client.modules()).size).toBe(1_000);
  });

  it('is cut where it is shown: the version, and the reason of a refusal', async () => {
    const long = 'x'.repeat(100_000);
    const { client } = await strangeAsterisk(({ url }, response) => {
      if (url?.includes('info') === true) response.end(JSON.stringify({ system: { version: long } }));
      else response.writeHead(500).end(JSON.stringify({ message: long }));
    });
    expect((await client.version()).length).toBeLessThan(100);
    const failure: unknown = await client.modules().catch((error: unknown) => error);
    expect(String(failure).length).toBeLessThan(300);
  });

  it('lists no more channels than a host can have', async () => {
    const channel_ids = Array.from({ length: 50_000 }, (_, at) => `channel${String(at)}`);
    const { client } = await strangeAsterisk((_request, response) =>
      response.end(JSON.stringify({ channel_ids })),
    );
    expect((await client.channels())?.length).toBeLessThanOrEqual(4_000);
  });
});

/** A frame of RFC 6455, section 5.2, from a server. */
function frame(content: Buffer | string, { opcode = 1, fin = true, isCompressed = false } = {}): Buffer {
  const bytes = Buffer.from(content);
  const head = Buffer.alloc(10);
  head[0] = (fin ? 0x80 : 0) + (isCompressed ? 0x40 : 0) + opcode;
  // The long form of the length is allowed by every reader.
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(bytes.length), 2);
  return Buffer.concat([head, bytes]);
}

/** What a client hears of a stream of events that `send` writes; resolves when the stream is over. */
async function heardOf(
  send: (socket: Socket) => void,
  { isCompressed = false, onEvent = (_event: AriEvent): void => undefined } = {},
): Promise<AriEvent[]> {
  const { client, server } = await strangeAsterisk((_request, response) => response.end());
  const over = Promise.withResolvers<undefined>();
  server.on('upgrade', (request, socket: Socket) => {
    socket.on('error', () => undefined);
    const key = `${String(request.headers['sec-websocket-key'])}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = hash('sha1', key, 'base64');
    const extension = isCompressed ? 'Sec-WebSocket-Extensions: permessage-deflate\r\n' : '';
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n${extension}Sec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    send(socket);
  });
  const heard: AriEvent[] = [];
  await client.openEvents({
    onEvent: (event) => {
      heard.push(event);
      onEvent(event);
    },
    onEnd: () => over.resolve(undefined),
  });
  await over.promise;
  return heard;
}

const sign = (more: Record<string, unknown> = {}): string =>
  JSON.stringify({ type: 'ChannelUserevent', eventname: 'one', ...more });
const goodbye = frame(Buffer.from([0x03, 0xe8]), { opcode: 8 });

describe('an event of Asterisk', () => {
  // nodejs/undici#4899, CVE-2026-1526, CVE-2026-9675, CVE-2026-12151
  it.each<[string, (socket: Socket) => unknown, boolean?]>([
    ['one that is too large', (socket) => socket.write(frame(sign({ more: 'x'.repeat(mebibyte) })))],
    [
      'one that is small only as long as it is compressed',
      (socket) =>
        socket.write(frame(deflateRawSync(Buffer.alloc(64 * mebibyte, ' ')), { isCompressed: true })),
      true,
    ],
  ])('has a largest size: %s ends the connection', async (_what, send, isCompressed = false) => {
    expect(await heardOf(send, { isCompressed })).toEqual([]);
  });

  it.each([
    ['one in parts without an end', ' '.repeat(60_000), 300 * mebibyte],
    ['one in empty parts without an end', '', mebibyte],
  ])('has a largest size: %s ends the connection', { tags: ['long'] }, async (_what, part, most) => {
    const heard = heardOf((socket) => {
      socket.write(frame('{', { fin: false }));
      void writeOn(socket, frame(part, { opcode: 0, fin: false }), most);
    });
    expect(await heard).toEqual([]);
  });

  it('may have a hundred kilobytes of variables, also in parts', async () => {
    const text = sign({ channelvars: 'x'.repeat(100_000) });
    const heard = await heardOf((socket) => {
      socket.write(frame(text));
      socket.write(frame(text.slice(0, 9), { fin: false }));
      socket.write(frame(text.slice(9), { opcode: 0 }));
      socket.end(goodbye);
    });
    expect(heard).toHaveLength(2);
  });

  it('keeps no more of a number than a number has, and is left out with an id that is none', async () => {
    const arrival = (id: string, number: string): Buffer =>
      frame(JSON.stringify({ type: 'StasisStart', args: [], channel: { id, caller: { number } } }));
    const heard = await heardOf((socket) => {
      socket.write(arrival('first', '+49'.padEnd(100_000, '1')));
      socket.write(arrival('x'.repeat(100_000), '+491'));
      socket.end(goodbye);
    });
    expect(heard).toEqual([
      { type: 'StasisStart', args: [], channel: { id: 'first', caller: { number: '+49'.padEnd(80, '1') } } },
    ]);
  });

  it('waits for its turn: while many are handled, other work goes on', async () => {
    let turns = 0;
    let turnsBefore = 0;
    const count = setInterval(() => (turns += 1), 1);
    onTestFinished(() => clearInterval(count));
    const all = Buffer.concat([...Array.from({ length: 200 }, () => frame(sign())), goodbye]);
    const heard = await heardOf((socket) => socket.end(all), {
      onEvent: () => {
        turnsBefore ||= turns;
        for (const until = performance.now() + 1; performance.now() < until;);
      },
    });
    expect(heard).toHaveLength(200);
    expect(turns - turnsBefore).toBeGreaterThan(5);
  });

  it('is not kept for ever: too many that wait end the connection', async () => {
    const part = frame(sign({ more: 'x'.repeat(200_000) }));
    let written = 0;
    await heardOf((socket) => void writeOn(socket, part, 400 * mebibyte, (bytes) => (written = bytes)), {
      onEvent: () => {
        for (const until = performance.now() + 15; performance.now() < until;);
      },
    });
    expect(written).toBeLessThan(200 * mebibyte);
  });

  it('counts before the end that came after it', async () => {
    const replaced = JSON.stringify({ type: 'ApplicationReplaced' });
    const heard = await heardOf((socket) => socket.end(Buffer.concat([frame(replaced), goodbye])));
    expect(heard).toEqual([{ type: 'ApplicationReplaced' }]);
  });
});
