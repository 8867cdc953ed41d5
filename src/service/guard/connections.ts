/**
 * All connections that are open to the service, and the limits of each. Nothing here knows a route. A feature that
 * holds memory for a caller (a body that is still arriving, an answer that is not read yet) reports it to `hold`; one that
 * needs more than some milliseconds for an answer waits for its `turn`. The tests in `test/service/attacks` check this table.
 *
 * | what               | limit                                                      | beyond it                                    |
 * | ------------------ | ---------------------------------------------------------- | -------------------------------------------- |
 * | connections        | 1,024: 512 for strangers, 384 with a valid token,          | of the group over its share, the connection  |
 * |                    | 128 for the owner                                          | that kept the service waiting longest ends   |
 * | calls              | one at a time for each connection; 256 more may wait,      | the connection ends before the rest of what  |
 * |                    | or 16 while 4,096 wait on all connections                  | it sent is parsed                            |
 * | memory for callers | 32 MiB for unread answers and for bodies, parts below      | the connection that kept the service waiting |
 * |                    | 16 KiB not counted                                         | longest ends, strangers first                |
 * | bodies             | above 16 KiB only with a valid token (`bearer-gate.ts`)    | 401, and the rest is never read              |
 * | calls in a turn    | of the event loop: 8 of strangers, 64 with a valid token   | they start in the next turn                  |
 * | large work         | one piece at a time, half of the time at most              | it waits, first come first served            |
 * | refused requests   | one second to read the answer                              | the connection ends                          |
 * | event streams      | 64, each up to 1 MiB behind (`portal/event-stream.ts`)     | 409; a reader that is behind is disconnected |
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  answering,
  createListener,
  endSoon,
  type ListenerLimits,
  type ListenerParts,
} from '../../network/create-listener.ts';

// Not imported: an import reads all exports, and one of them loads what `fetch` needs, a tenth of the start.
const http = process.getBuiltinModule('node:http');

/** How far a connection is trusted, by what its calls have shown. Each level has its own share of the connections. */
type Trust = 'stranger' | 'token' | 'owner';

const shares: Readonly<Record<Trust, number>> = { stranger: 512, token: 384, owner: 128 };
const ranks: Readonly<Record<Trust, number>> = { stranger: 0, token: 1, owner: 2 };
const maxConnections = shares.stranger + shares.token + shares.owner;
/** How many more connections the system may hand over at once (the length of its queue) before ended ones are closed. */
const acceptedAtOnce = 512;

/**
 * How many calls start in one turn of the event loop. One new connection is accepted in each turn, so turns have to be short
 * under load.
 */
const callsInTurn: Readonly<Record<Trust, number>> = { stranger: 8, token: 64, owner: Infinity };
const trusts = ['owner', 'token', 'stranger'] as const;

const maxCallsWaiting = 256;
const maxCallsWaitingInAll = 4096;
/** How many calls may wait on each connection while that many wait in all. */
const fewCallsWaiting = 16;

const maxHeldBytes = 32 * 1024 * 1024;
/** Less memory than this is not counted: for the maximum of connections that is 16 MiB. */
export const smallBytes = 16 * 1024;
/** The memory of an answer that is streamed: a part that was read and one that is being sent. */
const streamedBytes = 128 * 1024;
const partBytes = 64 * 1024;

/** How long calls that are open when the service closes may continue. */
const closeLimitMs = 5_000;

interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Connection {
  socket: Socket;
  trust: Trust;
  /** The call that is being answered. */
  call: Call | null;
  /** The calls that arrived after it. */
  readonly waiting: Call[];
  /** The memory of its call: the body, then the answer. */
  heldBytes: number;
  /** Orders connections by when they last began or ended a call. Received bytes do not count, so a slow sender gains nothing. */
  since: number;
}

/** Invariants: 1. each open socket is in `#open` once; 2. the sums are those over `#open`. */
// see decisions/http-limits.md
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  readonly #counts: Record<Trust, number> = { stranger: 0, token: 0, owner: 0 };
  #callsWaiting = 0;
  #heldBytes = 0;
  #now = 0;
  #isClosing = false;
  #handle: RequestListener = () => undefined;
  /** Connections whose calls start in a later turn of the event loop, and how many calls started in this turn. */
  readonly #queues: Readonly<Record<Trust, Set<Connection>>> = {
    stranger: new Set(),
    token: new Set(),
    owner: new Set(),
  };
  #begun: Record<Trust, number> = { stranger: 0, token: 0, owner: 0 };
  #isTurnComing = false;
  /** Connections that wait for large work, with that work. A connection has one call, so it waits for one piece at most. */
  readonly #largeWork = new Map<Connection, () => void>();
  #isLargeWorkComing = false;

  /** Creates the HTTP server of these connections; its handler gets the calls of each one after another. */
  createServer(parts: ListenerParts, limits: ListenerLimits): Server {
    this.#handle = answering(parts);
    const hasTooManyCalls = (socket: Socket) => this.#hasTooManyCalls(socket);
    /** Node's parser stops at a request for another protocol; this makes it stop at a request beyond the limit, too. */
    class BoundedMessage extends http.IncomingMessage {
      isTooMuch = false;

      get upgrade(): boolean {
        return this.isTooMuch || this.method === 'CONNECT';
      }

      set upgrade(_asked: boolean) {
        this.isTooMuch = hasTooManyCalls(this.socket);
      }
    }
    const handle: RequestListener = (request, response) => this.#take({ request, response });
    const server = createListener({ ...parts, handle }, limits, {
      IncomingMessage: BoundedMessage,
      highWaterMark: smallBytes,
    });
    server.maxConnections = maxConnections + acceptedAtOnce;
    server.on('connection', (socket: Socket) => {
      if (!this.#open.has(socket)) this.add(socket);
    });
    return server;
  }

  /** Notes that a connection has authenticated. This holds until it ends. */
  trust(socket: Socket, trust: Exclude<Trust, 'stranger'>): void {
    const connection = this.#open.get(socket);
    if (connection === undefined || ranks[connection.trust] >= ranks[trust]) return;
    this.#counts[connection.trust] -= 1;
    this.#counts[trust] += 1;
    connection.trust = trust;
  }

  /** Notes memory for the call on a connection, until its answer was read. Other connections may be ended to free memory. */
  hold(socket: Socket, bytes: number): void {
    const connection = this.#open.get(socket);
    if (connection === undefined) return;
    connection.heldBytes += bytes;
    this.#heldBytes += bytes;
    while (this.#heldBytes > maxHeldBytes) {
      const first = firstOf(this.#open.values(), (one) =>
        one.heldBytes === 0 || one === connection || isOurTurn(one)
          ? Infinity
          : ranks[one.trust] * before + one.since,
      );
      if (first === undefined) return;
      this.#end(first);
    }
  }

  /**
   * Notes the memory of an answer until it is read (a hook for `onSend`). A Buffer is shared by all its receivers. Over TLS each
   * would get an encrypted copy, so there it is sent in parts.
   */
  holdAnswer = (
    { raw: { socket } }: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    next: (error?: null, payload?: unknown) => void,
  ): void => {
    if (typeof payload === 'string') {
      if (payload.length >= smallBytes) this.hold(socket, Buffer.byteLength(payload));
    } else if (payload instanceof Readable) this.holdStream(socket);
    else if (payload instanceof Buffer && payload.length > streamedBytes && 'encrypted' in socket) {
      this.hold(socket, streamedBytes);
      void reply.header('content-length', payload.length);
      next(null, Readable.from(partsOf(payload), { objectMode: false, highWaterMark: partBytes }));
      return;
    }
    next();
  };

  /** Notes the memory of an answer that is sent as it arrives. */
  holdStream(socket: Socket): void {
    this.hold(socket, streamedBytes);
  }

  /** Does not read the rest of a large body whose call is already answered (a hook for `onSend`). */
  leaveBody = ({ raw }: FastifyRequest, reply: FastifyReply, _payload: unknown, next: () => void): void => {
    if (this.leaveRest(raw)) void reply.header('connection', 'close');
    next();
  };

  /**
   * Whether a call that is answered now has the rest of a large body to come. Node would read it to its end to reach the next call.
   * Instead the connection ends, once the caller has had time to read the answer, which has to say so (`Connection: close`).
   */
  leaveRest(request: IncomingMessage): boolean {
    if (request.complete || !mayHaveLargeBody(request)) return false;
    const { socket } = request;
    // Nothing reads it yet, except where it is being sent on.
    if (request.readableFlowing === null) request.read(); // Node reads the rest of a body only if reading has not begun; what was received can be dropped
    socket.destroySoon = () => {
      endSoon(socket);
    };
    return true;
  }

  /**
   * Resolves when large work for a connection may be done: one piece at a time and half of the time at most, so that small
   * calls are answered in between. Never resolves when the connection has ended.
   */
  turn(socket: Socket): Promise<void> {
    const connection = this.#open.get(socket);
    if (connection === undefined) return socket.destroyed ? new Promise(() => undefined) : Promise.resolve();
    return new Promise((resolve) => {
      this.#largeWork.set(connection, resolve);
      if (this.#isLargeWorkComing) return;
      this.#isLargeWorkComing = true;
      setImmediate(this.#doLargeWork);
    });
  }

  /** The calls that are being answered. */
  underWay(): ServerResponse[] {
    const responses: ServerResponse[] = [];
    for (const connection of this.#open.values()) {
      if (connection.call !== null && !this.#queues[connection.trust].has(connection))
        responses.push(connection.call.response);
    }
    return responses;
  }

  /** How many connections are open. */
  get size(): number {
    return this.#open.size;
  }

  /** Lets the server close: ends connections without a request immediately, and after five seconds all. */
  close(): void {
    // Node waits for those, and browsers open them in advance.
    this.#isClosing = true;
    for (const connection of this.#open.values())
      if (connection.socket.bytesRead === 0) this.#end(connection);
    setTimeout(() => {
      for (const connection of this.#open.values()) this.#end(connection);
    }, closeLimitMs).unref();
  }

  /** Counts a connection from its beginning, also before its handshake is done. */
  add(socket: Socket): void {
    if (this.#isClosing) {
      socket.destroy();
      return;
    }
    const connection: Connection = {
      socket,
      trust: 'stranger',
      call: null,
      waiting: [],
      heldBytes: 0,
      since: (this.#now += 1),
    };
    this.#open.set(socket, connection);
    this.#counts.stranger += 1;
    socket.once('close', () => {
      this.#forget(connection);
    });
    if (this.#open.size > maxConnections) this.#makeRoom(connection);
  }

  /** After its handshake a connection has another socket. False if it has ended, or all of them end. */
  replace(before: Socket, socket: Socket): boolean {
    const connection = this.#open.get(before);
    if (connection === undefined || this.#isClosing) return false;
    this.#open.delete(before);
    this.#open.set(socket, connection);
    connection.socket = socket;
    return true;
  }

  #makeRoom(newcomer: Connection): void {
    const first = firstOf(this.#open.values(), (one) => {
      if (one === newcomer) return Infinity;
      const hasShare = this.#counts[one.trust] <= shares[one.trust];
      const group = (hasShare ? 8 : 0) + (isOurTurn(one) ? 4 : 0) + ranks[one.trust];
      return group * before + one.since;
    });
    if (first !== undefined) this.#end(first);
  }

  #end(connection: Connection): void {
    this.#forget(connection);
    connection.socket.destroy();
  }

  #forget(connection: Connection): void {
    const { socket, trust, waiting, heldBytes } = connection;
    if (!this.#open.delete(socket)) return;
    this.#queues[trust].delete(connection);
    this.#largeWork.delete(connection);
    this.#counts[trust] -= 1;
    this.#callsWaiting -= waiting.length;
    this.#heldBytes -= heldBytes;
  }

  #hasTooManyCalls(socket: Socket): boolean {
    const count = this.#open.get(socket)?.waiting.length ?? 0;
    return count >= (this.#callsWaiting < maxCallsWaitingInAll ? maxCallsWaiting : fewCallsWaiting);
  }

  #take(call: Call): void {
    const connection = this.#open.get(call.request.socket);
    if (connection === undefined) return; // the connection was ended, and this call was in what it had already sent
    if (connection.call !== null) {
      connection.waiting.push(call);
      this.#callsWaiting += 1;
      return;
    }
    connection.call = call;
    const { trust } = connection;
    if (this.#begun[trust] < callsInTurn[trust]) this.#begin(connection, call);
    else this.#queues[trust].add(connection);
  }

  #begin(connection: Connection, { request, response }: Call): void {
    this.#begun[connection.trust] += 1;
    this.#expectTurn();
    connection.since = this.#now += 1;
    response.once('close', () => {
      this.#answered(connection);
    });
    this.#handle(request, response);
  }

  #answered(connection: Connection): void {
    if (!this.#open.has(connection.socket)) return;
    this.#heldBytes -= connection.heldBytes;
    connection.heldBytes = 0;
    connection.since = this.#now += 1;
    const next = connection.waiting.shift();
    connection.call = next ?? null;
    if (next === undefined) return;
    this.#callsWaiting -= 1;
    // Not at once: one connection with many calls would delay all others.
    this.#queues[connection.trust].add(connection);
    this.#expectTurn();
  }

  #expectTurn(): void {
    if (this.#isTurnComing) return;
    this.#isTurnComing = true;
    setImmediate(this.#beginTurn);
  }

  readonly #beginTurn = (): void => {
    this.#isTurnComing = false;
    for (const trust of trusts) {
      this.#begun[trust] = 0;
      for (const connection of this.#queues[trust]) {
        if (this.#begun[trust] === callsInTurn[trust]) break;
        this.#queues[trust].delete(connection);
        if (connection.call !== null) this.#begin(connection, connection.call);
      }
      if (this.#queues[trust].size > 0) this.#expectTurn();
    }
  };

  readonly #doLargeWork = (): void => {
    const [next] = this.#largeWork;
    this.#isLargeWorkComing = next !== undefined;
    if (next === undefined) return;
    const [connection, work] = next;
    this.#largeWork.delete(connection);
    const begunAt = performance.now();
    work();
    // The work runs after this function returns, so its duration is measured in the next turn.
    setImmediate(() => {
      setTimeout(this.#doLargeWork, performance.now() - begunAt);
    });
  };
}

function* partsOf(whole: Buffer): Generator<Buffer> {
  for (let at = 0; at < whole.length; at += partBytes) yield whole.subarray(at, at + partBytes);
}

/** Whether a body is large or of unknown size. */
export function mayHaveLargeBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > smallBytes;
}

/** Whether the service has to act next, not the caller (who may have to ask, to finish a body, or to read). */
function isOurTurn({ call }: Connection): boolean {
  return (
    call !== null && call.request.complete && !call.response.writableEnded && !call.response.writableNeedDrain
  );
}

/** Larger than any count of calls, so that it has precedence over `since`. */
const before = 2 ** 40;

/** The connection with the lowest number. */
function firstOf(some: Iterable<Connection>, orderOf: (one: Connection) => number): Connection | undefined {
  let first: Connection | undefined;
  let lowest = Infinity;
  for (const one of some) {
    const order = orderOf(one);
    if (order >= lowest) continue;
    first = one;
    lowest = order;
  }
  return first;
}
