/**
 * Connections: all that are open to the service, and what each of them may cost it. Nothing here knows a route. A feature
 * that holds memory for a caller (a body that is still arriving, an answer that is not read yet) says so to `hold`; one
 * that needs more than some milliseconds for an answer waits for its `turn`. A benchmark holds the service to this table.
 *
 * | what               | how much                                                   | past it                                      |
 * | ------------------ | ---------------------------------------------------------- | -------------------------------------------- |
 * | connections        | 1,024: 512 for strangers, 384 for who showed a valid       | of those over their share, the one that has  |
 * |                    | token, 128 for the owner                                   | kept the service waiting longest is ended    |
 * | calls              | one at a time for each connection; 256 more may wait,      | it is ended before the rest of what it sent  |
 * |                    | or 16 while 4,096 wait on all connections                  | is parsed                                    |
 * | memory for callers | 32 MiB for unread answers and for bodies, parts below      | the one that has kept the service waiting    |
 * |                    | 16 KiB not counted                                         | longest is ended, strangers first            |
 * | bodies             | above 16 KiB only with a valid token (`bearer-gate.ts`)    | 401, and the rest is never read              |
 * | calls in a turn    | of the event loop: 8 of strangers, 64 with a valid token   | they are begun in the next turn              |
 * | large work         | one piece at a time, half of the time at most              | it waits, first come first served            |
 * | refused requests   | one second to read why                                     | ended                                        |
 * | event streams      | 64, each up to 1 MiB behind (`portal/event-stream.ts`)     | 409; a reader that is behind is ended        |
 */
import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Who is at the other end: what it has shown on this connection. Each has room that the others cannot take. */
type Trust = 'stranger' | 'token' | 'owner';

const shares: Readonly<Record<Trust, number>> = { stranger: 512, token: 384, owner: 128 };
const ranks: Readonly<Record<Trust, number>> = { stranger: 0, token: 1, owner: 2 };
const maxConnections = shares.stranger + shares.token + shares.owner;
/** How many more the system may hand over at once (the length of its queue) before those that were ended are gone. */
const acceptedAtOnce = 512;

/**
 * How many calls are begun in one turn of the event loop. A new connection is accepted once in each, so a turn has to be short
 * while many ask.
 */
const callsInTurn: Readonly<Record<Trust, number>> = { stranger: 8, token: 64, owner: Infinity };
const trusts = ['owner', 'token', 'stranger'] as const;

const maxCallsWaiting = 256;
const maxCallsWaitingInAll = 4096;
/** How many may wait on each connection while that many wait in all. */
const fewCallsWaiting = 16;

const maxHeldBytes = 32 * 1024 * 1024;
/** What holds less memory than this is not counted: as many as there may be connections are 16 MiB. */
export const smallBytes = 16 * 1024;
/** What an answer that is written while it is read holds in memory: a part that was read and one that is being sent. */
const streamedBytes = 128 * 1024;

/** How long calls that are open when the service closes have to end by themselves. */
const closeLimitMs = 5_000;

interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Connection {
  readonly socket: Socket;
  trust: Trust;
  /** The call that is answered now. */
  call: Call | null;
  /** Those that came behind it. */
  readonly waiting: Call[];
  /** Memory that its call takes: the body, then the answer. */
  heldBytes: number;
  /** Orders connections by when they last began or ended a call. Bytes that come do not count: a byte now and then keeps nobody in. */
  since: number;
}

/** Numbered invariants: 1. each open socket is in `#open` once; 2. the sums are those over `#open`. */
// see decisions/http-limits.md
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  readonly #counts: Record<Trust, number> = { stranger: 0, token: 0, owner: 0 };
  #callsWaiting = 0;
  #heldBytes = 0;
  #now = 0;
  #isClosing = false;
  #handle: RequestListener = () => undefined;
  /** Whose calls are begun in a later turn of the event loop, and how many were begun in this one. */
  readonly #queues: Readonly<Record<Trust, Set<Connection>>> = {
    stranger: new Set(),
    token: new Set(),
    owner: new Set(),
  };
  #begun: Record<Trust, number> = { stranger: 0, token: 0, owner: 0 };
  #isTurnComing = false;
  /** Who waits to do large work, and what. A connection has one call, so it waits for one piece at most. */
  readonly #largeWork = new Map<Connection, () => void>();
  #isLargeWorkComing = false;

  /** The HTTP server whose connections these are; `handle` gets the calls of each one after another. */
  createServer(handle: RequestListener, options: ServerOptions): Server {
    this.#handle = handle;
    const hasTooManyCalls = (socket: Socket) => this.#hasTooManyCalls(socket);
    /** Node has its parser stop at a request that asks for another protocol: so does one that is too much. */
    class BoundedMessage extends IncomingMessage {
      isTooMuch = false;

      get upgrade(): boolean {
        return this.isTooMuch || this.method === 'CONNECT';
      }

      set upgrade(_asked: boolean) {
        this.isTooMuch = hasTooManyCalls(this.socket);
      }
    }
    const sized = { ...options, IncomingMessage: BoundedMessage, highWaterMark: smallBytes };
    const server = createServer(sized, (request, response) => {
      this.#take({ request, response });
    });
    server.maxConnections = maxConnections + acceptedAtOnce;
    server.on('connection', (socket: Socket) => {
      this.#add(socket);
    });
    // Else Node answers itself, with a bare 417.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
    return server;
  }

  /** Notes that a connection has shown who it is. It stays so until it ends. */
  trust(socket: Socket, trust: Exclude<Trust, 'stranger'>): void {
    const connection = this.#open.get(socket);
    if (connection === undefined || ranks[connection.trust] >= ranks[trust]) return;
    this.#counts[connection.trust] -= 1;
    this.#counts[trust] += 1;
    connection.trust = trust;
  }

  /** Notes memory that the call on a connection takes, until it is answered and the answer is read. Others may be ended for it. */
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

  /** Notes what an answer takes until it is read (a hook for `onSend`). A Buffer is shared by all who are sent it. */
  holdAnswer = (
    { raw: { socket } }: FastifyRequest,
    _reply: FastifyReply,
    payload: unknown,
    next: () => void,
  ): void => {
    if (typeof payload === 'string') {
      if (payload.length >= smallBytes) this.hold(socket, Buffer.byteLength(payload));
    } else if (payload instanceof Readable) this.hold(socket, streamedBytes);
    next();
  };

  /**
   * Leaves a large body unread that is not there yet when its call is answered (a hook for `onSend`): Node would read it to its end
   * for the sake of the next call. The connection ends instead, once the caller has had time to read the answer.
   */
  leaveBody = ({ raw }: FastifyRequest, reply: FastifyReply, _payload: unknown, next: () => void): void => {
    if (raw.complete || !mayHaveLargeBody(raw)) {
      next();
      return;
    }
    void reply.header('connection', 'close');
    raw.read(); // Node reads a body on only where nobody has begun to read it; and what is there need not be kept
    raw.socket.destroySoon = () => {
      endSoon(raw.socket);
    };
    next();
  };

  /**
   * Resolves when large work for a connection may be done: one piece at a time and half of the time at most, so that small
   * calls go between. Never resolves when the connection has ended.
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

  /** Lets the server close: ends connections that never asked anything, and after five seconds all. */
  close(): void {
    // Node waits for those, and browsers open them ahead of need.
    this.#isClosing = true;
    for (const connection of this.#open.values())
      if (connection.socket.bytesRead === 0) this.#end(connection);
    setTimeout(() => {
      for (const connection of this.#open.values()) this.#end(connection);
    }, closeLimitMs).unref();
  }

  #add(socket: Socket): void {
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
    if (connection === undefined) return; // it has been ended, and this was still in what it had sent
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
    // Not at once: one connection with many calls would keep all others waiting.
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
    // The work itself is done after this function, and what it took shows in the next turn.
    setImmediate(() => {
      setTimeout(this.#doLargeWork, performance.now() - begunAt);
    });
  };
}

/** Whether a body comes that is large, or whose size is not announced. */
export function mayHaveLargeBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > smallBytes;
}

/** How long a caller has to read why it was refused: closed at once, what it still sends would take the answer from it. */
const readLimitMs = 1_000;

/** Ends a connection whose last answer has been written, and leaves its caller a moment to read it. */
export function endSoon(socket: Socket): void {
  socket.end();
  const timer = setTimeout(() => socket.destroy(), readLimitMs);
  socket.once('close', () => {
    clearTimeout(timer);
  });
}

/** Whether it is the service that has something to do, and not the caller: to ask, to finish its body, or to read. */
function isOurTurn({ call }: Connection): boolean {
  return (
    call !== null && call.request.complete && !call.response.writableEnded && !call.response.writableNeedDrain
  );
}

/** Later than any count of calls, so that it decides before `since` does. */
const before = 2 ** 40;

/** The one with the lowest number. */
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
