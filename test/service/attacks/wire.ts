/** Raw HTTP: exactly these bytes onto a socket, and everything that is received until the server has ended. */
import { connect } from 'node:net';
import type { Server, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { onTestFinished } from 'vitest';
import { isOverTls } from '../../fixtures/make-authority.ts';

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Wire {
  readonly socket: Socket;
  write(bytes: string | Buffer): void;
  /** Ends it with RST, which a connection over TLS has no way to send. */
  reset(): void;
  /** Everything received so far. */
  received(): string;
  /** Resolves when the server has disconnected, with everything received. */
  closed(): Promise<string>;
  /** Resolves when `count` complete answers have arrived, or when the server has disconnected. */
  answers(count: number): Promise<WireAnswer[]>;
}

/** A connection that is cut when the test is over. */
export function openWire(port: number, { isTls = isOverTls, allowHalfOpen = false } = {}): Wire {
  const address = { host: '127.0.0.1', port, allowHalfOpen };
  const socket = isTls ? connectTls({ ...address, rejectUnauthorized: false }) : connect(address);
  socket.setNoDelay(true);
  let bytes = '';
  let parsed: Parsed = { answers: [], end: 0, next: 0 };
  socket.on('data', (chunk: Buffer) => (bytes += chunk.toString('latin1')));
  socket.on('error', () => undefined); // a reset is an answer too: `closed` reports it
  const closed = new Promise<string>((resolve) => {
    socket.on('close', () => {
      resolve(bytes);
    });
  });
  onTestFinished(() => {
    socket.destroy();
  });
  return {
    socket,
    write: (content) => void socket.write(content),
    reset() {
      if (isTls) socket.destroy();
      else socket.resetAndDestroy();
    },
    received: () => bytes,
    closed: () => closed,
    answers: (count) =>
      new Promise((resolve) => {
        const look = () => {
          // What arrives of a long answer is looked at when all of it is there, not again and again.
          if (bytes.length >= parsed.next) parsed = parseAnswers(bytes, parsed);
          const { answers: found } = parsed;
          if (found.length < count && !socket.closed) return;
          socket.off('data', look);
          resolve(found);
        };
        socket.on('data', look);
        socket.on('close', look);
        look();
      }),
  };
}

/** Sends bytes and returns the first answer; null when the server disconnected without one. */
export async function exchange(
  port: number,
  bytes: string | Buffer,
  { isTls = isOverTls } = {},
): Promise<WireAnswer | null> {
  const wire = openWire(port, { isTls });
  wire.write(bytes);
  const [answer] = await wire.answers(1);
  wire.socket.destroy();
  return answer ?? null;
}

/** A request as text. Headers are written as given, in order; nothing is added. */
export function requestText(line: string, headers: readonly string[], body = ''): string {
  return `${[line, ...headers].join('\r\n')}\r\n\r\n${body}`;
}

interface Parsed {
  readonly answers: WireAnswer[];
  /** Where the last one ends. */
  readonly end: number;
  /** How many bytes there are at least when the next one is complete. */
  readonly next: number;
}

/** Goes on after what was parsed before. */
function parseAnswers(bytes: string, before: Parsed): Parsed {
  const answers = [...before.answers];
  let missing = 1;
  let rest = bytes.slice(before.end);
  while (rest !== '') {
    const headEnd = rest.indexOf('\r\n\r\n');
    if (headEnd === -1) break;
    const [statusLine = '', ...lines] = rest.slice(0, headEnd).split('\r\n');
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1] ?? 0);
    const headers: Record<string, string> = {};
    for (const line of lines) {
      const colon = line.indexOf(':');
      headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
    }
    const afterHead = rest.slice(headEnd + 4);
    if (status === 100) {
      rest = afterHead;
      continue;
    }
    const body = bodyOf(afterHead, headers);
    if (body === null) {
      missing = Math.max(1, Number(headers['content-length'] ?? 0) - afterHead.length);
      break;
    }
    answers.push({ status, headers, body: Buffer.from(body.text, 'latin1').toString('utf8') });
    rest = afterHead.slice(body.length);
  }
  return { answers, end: bytes.length - rest.length, next: bytes.length + missing };
}

function bodyOf(rest: string, headers: Record<string, string>): { text: string; length: number } | null {
  if (headers['transfer-encoding'] === 'chunked') {
    let text = '';
    for (let at = 0; ;) {
      const lineEnd = rest.indexOf('\r\n', at);
      if (lineEnd === -1) return null;
      const size = Number.parseInt(rest.slice(at, lineEnd), 16);
      const start = lineEnd + 2;
      if (rest.length < start + size + 2) return null;
      text += rest.slice(start, start + size);
      at = start + size + 2;
      if (size === 0) return { text, length: at };
    }
  }
  const length = Number(headers['content-length'] ?? 0);
  return rest.length < length ? null : { text: rest.slice(0, length), length };
}

/** Resolves when a server has no more than `most` connections; the event loop runs meanwhile. */
export async function connectionsDownTo(server: Server, most: number): Promise<void> {
  for (;;) {
    const open = await connectionsOf(server);
    if (open <= most) return;
    await new Promise(setImmediate);
  }
}

export function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => {
      if (error) reject(error);
      else resolve(count);
    });
  });
}
