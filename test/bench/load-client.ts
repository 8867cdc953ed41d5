/**
 * The load client: keep-alive HTTP/1.1 on node:net, one request at a time per connection, in a separate process.
 *
 * Not autocannon, which is as fast as this one on hello-world (so is wrk: none of the three is the limit there, they were
 * within 4 % of each other), but takes a third more of the second core, which a server that syncs in other threads needs;
 * and gives latencies in whole milliseconds, too coarse for a ratio of p99s near 2 ms. Here the slowest step is one `latin1` string per reply.
 */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

/** The source of a request's bearer, and where the reply's `access_token` goes. */
export type BearerUse =
  /** Each connection has its token; the reply's token is its next one. */
  | 'chain'
  /** The token is not consumed. */
  | 'fixed';

export interface LoadJob {
  readonly id: number;
  /** Names the token store inside the load client, which survives from round to round. */
  readonly tokensOf: string;
  /** A file with one token per line, read before the clock starts; replaces the store. */
  readonly tokensFile?: string;
  readonly port: number;
  readonly request: 'rotate' | 'proxied';
  readonly bearer: BearerUse;
  readonly connections: number;
  readonly durationMs: number;
}

export interface LoadResult {
  readonly id: number;
  /** Replies that arrived in time; those still open at the end are waited for but not counted. */
  readonly requests: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Replies other than 200, with the complete first one. */
  readonly refused: number;
  readonly firstRefusal?: string;
  /** Share of one core that the load client itself used; near 1 means that it, not the server, was the limit. */
  readonly clientCpu: number;
}

export type LoadAnswer = LoadResult | { readonly id: number; readonly failure: string };

const tokenStores = new Map<string, string[]>();

process.on('message', (job: LoadJob) => {
  runJob(job).then(answer, (error: unknown) => {
    answer({ id: job.id, failure: error instanceof Error ? error.message : String(error) });
  });
});
process.on('disconnect', () => process.exit(0));

function answer(message: LoadAnswer): void {
  process.send?.(message);
}

async function runJob(job: LoadJob): Promise<LoadResult> {
  if (job.tokensFile !== undefined) {
    tokenStores.set(job.tokensOf, readFileSync(job.tokensFile, 'utf8').split('\n').filter(Boolean));
  }
  const tokens = tokenStores.get(job.tokensOf) ?? [];
  if (tokens.length < (job.bearer === 'fixed' ? 1 : job.connections)) {
    throw new Error(
      `${job.tokensOf}: ${String(tokens.length)} tokens for ${String(job.connections)} connections`,
    );
  }
  const round = new Round(job, tokens);
  return round.run();
}

/** One round of one job: opens its connections, keeps each busy until the clock ends, waits for the last replies. */
class Round {
  readonly #job: LoadJob;
  readonly #tokens: string[];
  readonly #tookMs: number[] = [];
  readonly #write: (socket: Socket, bearer: string) => void;
  #refused = 0;
  #firstRefusal: string | undefined;
  #endsAt = Infinity;

  constructor(job: LoadJob, tokens: string[]) {
    this.#job = job;
    this.#tokens = tokens;
    this.#write = writers[job.request](job.port);
  }

  async run(): Promise<LoadResult> {
    const { connections, durationMs, bearer } = this.#job;
    const sockets = await Promise.all(Array.from({ length: connections }, () => openSocket(this.#job.port)));
    const cpuBefore = process.cpuUsage();
    const startedAt = performance.now();
    this.#endsAt = startedAt + durationMs;
    await Promise.all(sockets.map((socket, place) => this.#keepBusy(socket, place, bearer)));
    const cpu = process.cpuUsage(cpuBefore);
    const wallMs = performance.now() - startedAt;
    for (const socket of sockets) socket.destroy();
    return this.#result(Math.min(wallMs, durationMs), (cpu.user + cpu.system) / 1000 / wallMs);
  }

  #keepBusy(socket: Socket, place: number, use: BearerUse): Promise<undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const tokens = this.#tokens;
    let sentAt = 0;
    let pending = '';
    const send = (): void => {
      const bearer = tokens[place % tokens.length] ?? '';
      sentAt = performance.now();
      this.#write(socket, bearer);
    };
    socket.on('data', (chunk: Buffer) => {
      const text = pending === '' ? chunk.toString('latin1') : pending + chunk.toString('latin1');
      const end = endOfReply(text);
      if (end === undefined || text.length < end) {
        pending = text;
        return;
      }
      pending = '';
      const now = performance.now();
      if (text.startsWith('HTTP/1.1 200')) {
        if (use === 'chain') tokens[place] = accessTokenIn(text);
      } else {
        this.#refused += 1;
        this.#firstRefusal ??= text;
      }
      if (now <= this.#endsAt) this.#tookMs.push(now - sentAt);
      if (now >= this.#endsAt || this.#refused > 100) resolve(undefined);
      else send();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      reject(new Error('the server closed a connection in the middle of a round'));
    });
    send();
    return promise;
  }

  #result(elapsedMs: number, clientCpu: number): LoadResult {
    const sorted = Float64Array.from(this.#tookMs).sort();
    const at = (share: number): number =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
    const seconds = elapsedMs / 1000;
    return {
      id: this.#job.id,
      requests: sorted.length,
      seconds,
      perSecond: sorted.length / seconds,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      maxMs: sorted.at(-1) ?? NaN,
      refused: this.#refused,
      ...(this.#firstRefusal === undefined ? {} : { firstRefusal: this.#firstRefusal }),
      clientCpu,
    };
  }
}

function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

/** Where the reply in `text` ends; undefined while its head is incomplete. Every server here sends Content-Length. */
function endOfReply(text: string): number | undefined {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const field = /\r\ncontent-length: (\d+)/i.exec(text);
  if (field === null || field.index > head)
    throw new Error(`a reply without Content-Length: ${text.slice(0, head)}`);
  return head + 4 + Number(field[1]);
}

function accessTokenIn(text: string): string {
  const from = text.indexOf('"access_token":"');
  const to = text.indexOf('"', from + 16);
  if (from < 0 || to < 0) throw new Error(`a reply without access_token: ${text}`);
  return text.slice(from + 16, to);
}

function rotateWriter(port: number): (socket: Socket, bearer: string) => void {
  const before = `POST /v1/auth/rotate HTTP/1.1\r\nHost: 127.0.0.1:${String(port)}\r\nAuthorization: Bearer `;
  const after = '\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';
  return (socket, bearer) => socket.write(before + bearer + after, 'latin1');
}

function proxiedWriter(port: number): (socket: Socket, bearer: string) => void {
  const before = `GET /proxy/bench/items HTTP/1.1\r\nHost: 127.0.0.1:${String(port)}\r\nAccept: */*\r\nAuthorization: Bearer `;
  return (socket, bearer) => socket.write(`${before}${bearer}\r\n\r\n`, 'latin1');
}

const writers = { rotate: rotateWriter, proxied: proxiedWriter } as const;
