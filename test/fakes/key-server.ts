import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { type FakeReply, oddCharacters, serveFake } from './serve-fake.ts';

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
    const key = {
      id: this.#count,
      name,
      value: `key_${randomBytes(24).toString('hex')}${oddCharacters}`,
      expiresAtMs,
    };
    this.keys.push(key);
    return key;
  }

  isAlive(value: string): boolean {
    return this.#find(value) !== undefined;
  }

  #find(value: string): ServerKey | undefined {
    return this.keys.find((key) => key.value === value && key.expiresAtMs > this.#clock());
  }

  answer(method: string, path: string, bearer: string, body: string): FakeReply {
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

/** Listens until the test is over. */
export async function startKeyServer(clock: () => number): Promise<KeyServer> {
  const keys = new KeyServer(clock);
  const { baseUrl, close } = await serveFake(({ method, path, headers, body }) => {
    keys.calls.push(`${method} ${path}`);
    return keys.answer(method, path, headers.authorization ?? '', body);
  }, clock);
  onTestFinished(close);
  keys.baseUrl = baseUrl;
  return keys;
}
