/**
 * Hostile clients in a separate process: a number of connections of one kind, each reopened when the service disconnects it,
 * until the message `stop`. They only connect to 127.0.0.1 and end with the channel to their parent.
 */
import { connect, type Socket } from 'node:net';
import { eventStreamPath } from '../../src/contract/address.ts';
import type { HostileJob, HostileKind } from './hostile-job.ts';

/** A connection that was refused or ended is reopened after this time, like an attacker's. */
const reopenMs = 100;
const openAtOnce = 100;

interface Behaviour {
  /** Called when the connection is open; returns what stops its timers. */
  begin(socket: Socket, job: HostileJob): (() => void) | undefined;
  readonly reads: boolean;
}

const request = (job: HostileJob, line: string, headers = '', body = ''): string =>
  `${line} HTTP/1.1\r\nHost: 127.0.0.1:${String(job.port)}\r\n${headers}\r\n${body}`;
const bearer = (token: string): string => `Authorization: Bearer ${token}\r\n`;
const bodyOf = (bytes: number): string =>
  `Content-Type: application/json\r\nContent-Length: ${String(bytes)}\r\n`;

/** Sends a request repeatedly, sixteen times ahead, and never reads an answer. */
const unread = (line: string): Behaviour => ({
  reads: false,
  begin(socket, job) {
    socket.write(request(job, line, bearer(job.token)).repeat(16));
    return undefined;
  },
});

/** Reads each answer and sends the request again at once. */
const flood = (message: (job: HostileJob) => string): Behaviour => ({
  reads: true,
  begin(socket, job) {
    const text = message(job);
    let missing = 0;
    let head = '';
    socket.on('data', (chunk: Buffer) => {
      if (missing === 0) {
        head += chunk.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        missing = length - (head.length - end - 4);
        head = '';
      } else missing -= chunk.length;
      if (missing > 0) return;
      missing = 0;
      socket.write(text);
    });
    socket.write(text);
    return undefined;
  },
});

/** Sends a little repeatedly, so that it is never idle and never complete. */
const trickle = (start: (job: HostileJob) => string, piece: string, everyMs: number): Behaviour => ({
  reads: true,
  begin(socket, job) {
    socket.resume();
    socket.write(start(job));
    const timer = setInterval(() => socket.write(piece), everyMs);
    return () => {
      clearInterval(timer);
    };
  },
});

const bigBody = JSON.stringify({ name: 'x'.repeat(255 * 1024) });

const behaviours: Readonly<Record<HostileKind, Behaviour>> = {
  silent: {
    reads: true,
    begin(socket) {
      socket.resume();
      return undefined;
    },
  },
  'slow headers': trickle(
    (job) => `GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1:${String(job.port)}\r\nX-A: `,
    'a',
    500,
  ),
  'slow bodies': trickle((job) => request(job, 'POST /v1/ivr', bodyOf(250_000)), 'a'.repeat(2_000), 200),
  'unread /openapi.json': unread('GET /openapi.json'),
  'unread /docs': unread('GET /docs/'),
  'unread list of menus': unread('GET /v1/ivrs'),
  'flood of /openapi.json': flood((job) => request(job, 'GET /openapi.json')),
  'flood of wrong tokens': flood((job) =>
    request(job, 'POST /v1/auth/rotate', bearer('rvx_wrong') + bodyOf(2), '{}'),
  ),
  'flood of large bodies': flood((job) => request(job, 'POST /v1/ivr', bodyOf(bigBody.length), bigBody)),
  'come and go': {
    reads: true,
    begin(socket, job) {
      socket.once('data', () => socket.destroy());
      socket.write(request(job, 'GET /v1/health'));
      return undefined;
    },
  },
  'dropped event streams': {
    reads: true,
    begin(socket, job) {
      socket.once('data', () => socket.destroy());
      socket.write(request(job, `GET ${eventStreamPath}`, `${bearer(job.portalKey)}Last-Event-ID: 1\r\n`));
      return undefined;
    },
  },
};

const sockets = new Set<Socket>();
let isOver = false;

process.on('message', (message: HostileJob | 'stop') => {
  if (message === 'stop') {
    isOver = true;
    for (const socket of sockets) socket.destroy();
    process.disconnect();
  } else openAll(message);
});
process.on('disconnect', () => process.exit(0));

function openAll(job: HostileJob, opened = 0): void {
  if (isOver) return;
  const upTo = Math.min(opened + openAtOnce, job.connections);
  for (let place = opened; place < upTo; place += 1) open(job);
  // In turns, so that the queue of the listening socket takes them all.
  if (upTo < job.connections) setTimeout(() => openAll(job, upTo), 20);
  else process.send?.('begun');
}

function open(job: HostileJob): void {
  if (isOver) return;
  const behaviour = behaviours[job.kind];
  const socket = connect({ port: job.port, host: '127.0.0.1', noDelay: true });
  sockets.add(socket);
  let rest: (() => void) | undefined;
  socket.once('connect', () => {
    if (!behaviour.reads) socket.pause();
    rest = behaviour.begin(socket, job);
  });
  socket.on('error', () => undefined); // it was disconnected, as expected
  socket.once('end', () => socket.destroy());
  socket.once('close', () => {
    sockets.delete(socket);
    rest?.();
    setTimeout(() => open(job), job.kind === 'come and go' ? 0 : reopenMs);
  });
}
