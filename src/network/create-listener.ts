/**
 * Every HTTP server of the program is made here: that of the service, before it is loaded, while it leads and while it follows, and
 * that of a sign-in. So no request ends the program, and each gets an answer, whoever sends it. Nothing here knows a route.
 *
 * | what                                              | what happens                                                  |
 * | ------------------------------------------------- | ------------------------------------------------------------- |
 * | bytes that are no HTTP, headers that are too large | 400 or 431 after the answers to the calls before, then the end |
 * | a request that takes too long to arrive           | 408, then the connection ends                                 |
 * | CONNECT                                           | 400, then the connection ends                                 |
 * | an upgrade, an expectation                        | the handler answers as if it was not asked for                |
 * | a handler that throws or rejects                  | it is reported; 500, or an end of the answer that has begun   |
 * | a connection that the system cannot accept        | it is reported, and the next one is accepted                  |
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Server as SocketServer, Socket } from 'node:net';
import { loopbackNames } from '../contract/address.ts';
import { type ProblemCode, problems } from '../contract/problems.ts';

// Not imported: an import reads all exports, and one of them loads what `fetch` needs, a tenth of the start.
const http = process.getBuiltinModule('node:http');

/** What is answered without the handler. */
export type ListenerProblem = Extract<
  ProblemCode,
  'bad_header' | 'header_too_large' | 'request_timeout' | 'absolute_target' | 'internal'
>;

/** The answer to a problem. Its status and its length are added. */
export interface Refusal {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A call whose handler failed. */
export interface FailedCall {
  readonly url: string;
  /** Also in the report, so that a person finds it. */
  readonly requestId: string;
}

/** Answers a call. It may return a promise, which may reject. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface ListenerParts {
  readonly handle: Handler;
  /** `call` is null where there is no request that could be read. */
  readonly refusal: (problem: ListenerProblem, call: FailedCall | null) => Refusal;
  /** Reports what a handler threw, or what kept a connection from being accepted. */
  readonly onFailure: ReportFailure;
}

/** `requestId` is that of the call, if it was one. */
export type ReportFailure = (error: unknown, requestId: string | null) => void;

/** How long a caller may take, in milliseconds: headers, then the whole request. */
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 15_000;
/** How long a connection may be idle, in milliseconds, such as one that never reads its reply. */
const silenceTimeoutMs = 60_000;
/** How long one may be idle between two calls, in milliseconds. */
const keepAliveTimeoutMs = 72_000;
/**
 * How often the first two limits are checked, in milliseconds. This timer always runs: a short interval would wake the
 * machine.
 */
const lookForSlowMs = 10_000;

/** Connections whose present call may arrive as slowly as it likes, because its body is sent on as it arrives. */
export const mayTakeTime = new WeakSet<Socket>();

export interface ListenerLimits {
  /** Default: 15 s. */
  readonly requestTimeoutMs?: number | undefined;
  /** Default: 10 s. */
  readonly lookForSlowMs?: number | undefined;
}

/** Makes a server that does not listen yet. */
// see decisions/http-limits.md
export function createListener(
  parts: ListenerParts,
  limits: ListenerLimits = {},
  messages: Pick<ServerOptions, 'IncomingMessage' | 'highWaterMark'> = {},
): Server {
  const { refusal, onFailure } = parts;
  const answer = answering(parts);
  /** The last call of a connection, answered or not. */
  const lastCalls = new WeakMap<Socket, ServerResponse>();
  const refused = new WeakSet<Socket>();
  const server = http.createServer(
    {
      joinDuplicateHeaders: true,
      // The handlers answer a missing Host themselves, with a message.
      requireHostHeader: false,
      headersTimeout: Math.min(headersTimeoutMs, limits.requestTimeoutMs ?? headersTimeoutMs),
      requestTimeout: limits.requestTimeoutMs ?? requestTimeoutMs,
      connectionsCheckingInterval: limits.lookForSlowMs ?? lookForSlowMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      ...messages,
    },
    (request, response) => {
      lastCalls.set(request.socket, response);
      response.on('error', reportWrite); // of a handler that goes on after the end of its answer
      answer(request, response);
    },
  );
  // Older Nodes leave out further ones without a word, and one of them may say which site calls. Their size has a limit.
  server.maxHeadersCount = 0;
  server.setTimeout(silenceTimeoutMs);
  // Otherwise Node answers itself, with a bare 417.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    // Node has stopped looking after this connection.
    socket.on('error', ignore);
    socket.once('end', () => socket.destroy());
    socket.resume();
    refuse(socket, 'absolute_target');
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
    if (isLate && mayTakeTime.has(socket)) return;
    const isAnswered = socket.writableEnded || refused.has(socket);
    if (!isAnswered && socket.writable && error.code !== 'ECONNRESET') refuse(socket, problemOf(error.code));
    // Node leaves a connection open that ends behind bytes that were no HTTP.
    else if (!isAnswered || isLate || socket.readableEnded) socket.destroy();
  });
  keepAccepting(server, onFailure);
  return server;

  function reportWrite(error: unknown): void {
    onFailure(error, null);
  }

  /** Answers on the connection itself. An answer that is due comes first: the caller would take this one for it. */
  function refuse(socket: Socket, problem: ListenerProblem): void {
    refused.add(socket);
    const last = lastCalls.get(socket);
    if (last === undefined || (last.closed && last.req.complete)) write(socket, problem);
    else if (last.req.complete && !socket.readableEnded) last.once('close', () => write(socket, problem));
    else if (last.req.complete || last.headersSent || last.socket !== socket) socket.destroy();
    else write(socket, problem);
  }

  function write(socket: Socket, problem: ListenerProblem): void {
    if (!socket.writable) return;
    const { headers, body } = refusal(problem, null);
    const { status } = problems[problem];
    const lines = Object.entries({ ...headers, ...endOf(body) }).map(([name, value]) => `${name}: ${value}`);
    const head = [`HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? ''}`, ...lines].join('\r\n');
    socket.write(`${head}\r\n\r\n${body}`);
    endSoon(socket);
  }
}

/** A handler that never throws: what `handle` throws is reported, and answered where there is no answer yet. */
export function answering({ handle, refusal, onFailure }: ListenerParts): RequestListener {
  return (request, response) => {
    const fail = (error: unknown): void => {
      const given = response.getHeader(requestIdHeader);
      const requestId = typeof given === 'string' ? given : requestIdOf(request);
      onFailure(error, requestId);
      if (response.writableEnded || response.destroyed) return;
      // The caller has to see that the answer is not whole.
      if (response.headersSent) {
        response.destroy();
        return;
      }
      for (const name of response.getHeaderNames()) response.removeHeader(name);
      const { headers, body } = refusal('internal', { url: request.url ?? '', requestId });
      response.writeHead(problems.internal.status, { ...headers, ...endOf(body) }).end(body);
    };
    try {
      const work = handle(request, response);
      if (work instanceof Promise) work.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
}

function endOf(body: string): Readonly<Record<string, string>> {
  return { 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' };
}

function problemOf(code: string | undefined): ListenerProblem {
  if (code === 'HPE_HEADER_OVERFLOW') return 'header_too_large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'bad_header';
}

/**
 * Has a server go on when the system cannot hand over a connection, as when the program has too many files open. Why it cannot
 * listen is for whoever made it.
 */
export function keepAccepting(server: SocketServer, onFailure: ReportFailure): void {
  server.on('error', (error) => {
    if (server.listening) onFailure(error, null);
  });
}

/** How long a refused caller has to read the answer. Closing at once would lose it while the caller still sends. */
const readLimitMs = 1_000;

/** Ends a connection whose last answer has been written, after a moment for the caller to read it. */
export function endSoon(socket: Socket): void {
  socket.end();
  const timer = setTimeout(() => socket.destroy(), readLimitMs);
  socket.once('close', () => {
    clearTimeout(timer);
  });
}

/** The form of a Host header: an IPv6 address in brackets. */
const hostNames = loopbackNames.map((name) => (name.includes(':') ? `[${name}]` : name));
const hostsByPort = new Map<number, ReadonlySet<string>>();

/** Whether `Host` is a loopback name with the port of the call; a name that resolves to 127.0.0.1 is not (DNS rebinding). */
export function isLoopbackHost({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  const port = socket.localPort ?? 80;
  let known = hostsByPort.get(port);
  if (known === undefined) {
    known = new Set(hostNames.flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])]));
    hostsByPort.set(port, known);
  }
  return headers.host !== undefined && known.has(headers.host);
}

/**
 * The address of a request to `origin`; null for what is no path, such as `http://[`. Appended to it and not resolved against it: `//name`
 * is a path here, and would be a host there.
 */
export function urlOf({ url = '' }: Pick<IncomingMessage, 'url'>, origin: string): URL | null {
  return url.startsWith('/') ? URL.parse(`${origin}${url}`) : null;
}

export const requestIdHeader = 'x-request-id';
const saneId = /^[A-Za-z0-9._-]{1,128}$/;
/** Of this process, so that no two processes make the same id. */
const ownPart = randomBytes(6).toString('base64url');
let lastNumber = 0;

/** The id under which a call is logged: the caller's if it is a sane one, otherwise a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers[requestIdHeader];
  if (typeof given === 'string' && saneId.test(given)) return given;
  lastNumber += 1;
  return `${ownPart}-${lastNumber.toString(36)}`;
}

function ignore(): void {
  // Its 'close' follows.
}
