/**
 * Where the fakes of services listen. All of them answer as the oddest of real services do: hints first (RFC 8297), then JSON with
 * a byte order mark and a charset beside its type, every slash and every letter beyond ASCII escaped, in lines, in two parts and
 * without a length; and every other answer ends the connection.
 */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';

export interface FakeCall {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface FakeReply {
  readonly status: number;
  /** A text is sent as it is, as a page; everything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface FakeService {
  readonly baseUrl: string;
  readonly close: () => void;
}

/** What RFC 6750 section 2.1 allows in a token beside letters and digits: each of these fakes that may choose has all of it. */
export const oddCharacters = '-._~+/=';

/** `clock`: of the `Date` header. */
export async function serveFake(
  answer: (call: FakeCall) => FakeReply,
  clock: () => number = Date.now,
): Promise<FakeService> {
  let calls = 0;
  const server = createServer((incoming, reply) => {
    calls += 1;
    reply.shouldKeepAlive = calls % 2 === 0;
    const { method = '', url: path = '', headers } = incoming;
    text(incoming).then(
      (body) => {
        send(reply, answer({ method, path, headers, body }), clock());
      },
      () => incoming.socket.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function send(reply: ServerResponse, { status, body, headers }: FakeReply, nowMs: number): void {
  reply.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' });
  const type = typeof body === 'string' ? 'text/html' : 'application/json; charset=UTF-8';
  reply.writeHead(status, { 'content-type': type, date: new Date(nowMs).toUTCString(), ...headers });
  if (body === undefined) reply.end();
  else if (typeof body === 'string') reply.end(body);
  else {
    const sent = oddJson(body);
    reply.write(sent.slice(0, sent.length / 2));
    setImmediate(() => reply.end(sent.slice(sent.length / 2)));
  }
}

function oddJson(value: unknown): string {
  const escaped = JSON.stringify(value, null, '\t')
    .replaceAll('/', '\\/')
    .replaceAll(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `\uFEFF\r\n${escaped}\r\n`;
}
