import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type Direction = 'to_server' | 'to_client';

/**
 * What happens to bytes in one direction.
 *
 * `hold`: they wait, as in a network that is cut and heals: they arrive late, in their order. `lose`: they never arrive; a
 * connection that lost bytes is reset once its direction passes again. Ends of connections wait or get lost as bytes do.
 */
export type Passage = 'pass' | 'hold' | 'lose';

/** A TCP proxy between a program and a server, which cuts and delays each direction for itself. Connections stay open meanwhile. */
export interface TcpProxy {
  readonly port: number;
  /** For connections that are open and for new ones; in both directions unless one is named. */
  set(passage: Passage, direction?: Direction): void;
  /** How long each answer of the server waits, in milliseconds. */
  replyDelayMs: number;
  /** How many pieces never arrived. */
  lost: number;
  /** Ends all connections with an error. */
  reset(): void;
  /** Whether new connections are refused at once. */
  refuses: boolean;
  close(): Promise<void>;
}

const directions = ['to_server', 'to_client'] as const;

/** `localAddress`: the address on the loopback interface from which it connects, by which the server tells proxies apart. */
export async function startTcpProxy(serverPort: number, localAddress = '127.0.0.1'): Promise<TcpProxy> {
  const passages: Record<Direction, Passage> = { to_server: 'pass', to_client: 'pass' };
  const open = new Set<{ reset(): void; changed(): void }>();
  const server = createServer({ allowHalfOpen: true }, (program) => {
    if (proxy.refuses) {
      program.resetAndDestroy();
      return;
    }
    const service = connect({ port: serverPort, host: '127.0.0.1', localAddress, allowHalfOpen: true });
    const reset = (): void => {
      program.resetAndDestroy();
      service.resetAndDestroy();
    };
    const countLost = (): void => {
      proxy.lost += 1;
    };
    const rules = (direction: Direction): Rules => ({
      passage: () => passages[direction],
      delayMs: () => (direction === 'to_client' ? proxy.replyDelayMs : 0),
      countLost,
      reset,
    });
    const streams = {
      to_server: new Stream(program, service, rules('to_server')),
      to_client: new Stream(service, program, rules('to_client')),
    };
    const connection = {
      reset,
      changed: () => {
        for (const direction of directions) streams[direction].changed();
      },
    };
    open.add(connection);
    const forget = (): void => {
      if (program.destroyed && service.destroyed) open.delete(connection);
    };
    program.on('close', forget);
    service.on('close', forget);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: TcpProxy = {
    port: (server.address() as AddressInfo).port,
    set(passage, direction) {
      for (const one of direction === undefined ? directions : [direction]) passages[one] = passage;
      for (const connection of open) connection.changed();
    },
    replyDelayMs: 0,
    lost: 0,
    refuses: false,
    reset() {
      for (const connection of open) connection.reset();
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      proxy.reset();
      await closed;
    },
  };
  return proxy;
}

interface Rules {
  passage(): Passage;
  delayMs(): number;
  countLost(): void;
  reset(): void;
}

/** One direction of a connection. */
class Stream {
  readonly #to: Socket;
  readonly #rules: Rules;
  /** What waits: bytes, or the end (null) or failure of the connection. */
  readonly #waiting: (Buffer | null | 'failed')[] = [];
  #hasLost = false;
  /** When what came last arrives: nothing overtakes it. */
  #lastAt = 0;

  constructor(from: Socket, to: Socket, rules: Rules) {
    this.#to = to;
    this.#rules = rules;
    from.on('data', (bytes: Buffer) => this.#take(bytes));
    from.on('end', () => this.#take(null));
    from.on('error', () => this.#take('failed'));
  }

  changed(): void {
    if (this.#rules.passage() !== 'pass') return;
    if (this.#hasLost) this.#rules.reset();
    else for (const one of this.#waiting.splice(0)) this.#send(one);
  }

  #take(one: Buffer | null | 'failed'): void {
    const passage = this.#rules.passage();
    if (passage === 'lose') {
      this.#hasLost = true;
      this.#rules.countLost();
    } else if (passage === 'hold') this.#waiting.push(one);
    else this.#send(one);
  }

  #send(one: Buffer | null | 'failed'): void {
    const now = performance.now();
    this.#lastAt = Math.max(this.#lastAt, now + this.#rules.delayMs());
    if (this.#lastAt <= now) this.#deliver(one);
    else setTimeout(() => this.#later(one), this.#lastAt - now);
  }

  /** The direction may have been cut meanwhile. */
  #later(one: Buffer | null | 'failed'): void {
    if (this.#rules.passage() === 'pass') this.#deliver(one);
    else this.#take(one);
  }

  #deliver(one: Buffer | null | 'failed'): void {
    if (this.#to.destroyed) return;
    if (one === 'failed') this.#rules.reset();
    else if (one === null) this.#to.end();
    else this.#to.write(one);
  }
}
