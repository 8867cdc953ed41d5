import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ServerKey {
  readonly id: number;
  readonly name: string;
  readonly value: string;
  readonly expiresAtMs: number;
}

/**
 * A service where keys are created beside each other and deleted: the rules of Grafana's service account tokens.
 *
 * https://grafana.com/docs/grafana/latest/developers/http_api/serviceaccount: POST …/tokens with `name` and `secondsToLive`
 * returns `id`, `name` and `key`, and no expiry; GET …/tokens lists them without the key; DELETE …/tokens/:id ends one at once;
 * every call needs a key that works, and a deleted one gets 401. One rule is not Grafana's, so that its keys tell their end:
 * GET /me, as Vercel's GET /v5/user/tokens/current (https://vercel.com/docs/rest-api/authentication/get-auth-token-metadata).
 */
export class KeyServer {
  baseUrl = '';
  readonly keys: ServerKey[] = [];
  readonly calls: string[] = [];
  /** Lists have pages of this size; the next begins after the id in `next`. Null: they have one page. */
  pageSize: number | null = null;
  /** The status of every deletion, if it fails. */
  refusesToDelete: number | null = null;
  #count = 0;
  readonly #clock: () => number;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  create(name = 'first', seconds = 30 * 86_400): ServerKey {
    this.#count += 1;
    const expiresAtMs = this.#clock() + seconds * 1000;
    const key = { id: this.#count, name, value: `key_${randomBytes(24).toString('hex')}`, expiresAtMs };
    this.keys.push(key);
    return key;
  }

  isAlive(value: string): boolean {
    return this.#find(value) !== undefined;
  }

  #find(value: string): ServerKey | undefined {
    return this.keys.find((key) => key.value === value && key.expiresAtMs > this.#clock());
  }

  answer(method: string, path: string, bearer: string, body: string): { status: number; body: unknown } {
    const own = this.#find(bearer.replace(/^Bearer /, ''));
    if (own === undefined) return { status: 401, body: { message: 'Unauthorized' } };
    if (method === 'GET' && path === '/me') {
      return { status: 200, body: { id: own.id, name: own.name, expires: own.expiresAtMs } };
    }
    if (method === 'POST' && path === '/keys') {
      const { name, secondsToLive } = JSON.parse(body) as { name: string; secondsToLive: number };
      const { id, value } = this.create(name, secondsToLive);
      return { status: 200, body: { id, name, key: value } };
    }
    if (method === 'GET' && path.startsWith('/keys?all=true')) {
      const after = Number(/&after=(\d+)$/.exec(path)?.[1] ?? 0);
      const rest = this.keys.filter(({ id }) => id > after).map(({ id, name }) => ({ id, name }));
      const keys = rest.slice(0, this.pageSize ?? rest.length);
      return { status: 200, body: { keys, next: keys.length < rest.length ? keys.at(-1)?.id : null } };
    }
    const id = Number(/^\/keys\/(\d+)$/.exec(path)?.[1] ?? Number.NaN);
    const place = this.keys.findIndex((key) => key.id === id);
    if (method !== 'DELETE' || place === -1) return { status: 404, body: { message: 'Not found' } };
    if (this.refusesToDelete !== null) return { status: this.refusesToDelete, body: { message: 'No.' } };
    this.keys.splice(place, 1);
    return { status: 200, body: { message: 'Deleted' } };
  }
}

export async function startKeyServer(clock: () => number): Promise<KeyServer> {
  const keys = new KeyServer(clock);
  const handle = async (incoming: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = incoming;
    keys.calls.push(`${method} ${url}`);
    const answer = keys.answer(method, url, headers.authorization ?? '', Buffer.concat(chunks).toString());
    reply
      .writeHead(answer.status, { 'content-type': 'application/json', date: new Date(clock()).toUTCString() })
      .end(JSON.stringify(answer.body));
  };
  const server = createServer((incoming, reply) => {
    handle(incoming, reply).catch(() => incoming.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  keys.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return keys;
}
