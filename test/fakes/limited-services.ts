import type { DocumentedRate } from '../../src/contract/credential/provider-facts.ts';
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GithubAppServer } from './github-app-server.ts';
import type { GitlabServer } from './gitlab-server.ts';
import type { KeyServer } from './key-server.ts';
import { type FakeReply, oddCharacters } from './serve-fake.ts';
import type { VaultServer } from './vault-server.ts';

type Answer = (
  call: { readonly method: string; readonly path: string; readonly body: string },
  headers: IncomingMessage['headers'],
) => FakeReply;

/** An HTTP server that answers 429 beyond its limit. */
export interface LimitedService {
  readonly baseUrl: string;
  readonly limit: DocumentedRate | null;
  /** When each call came. */
  readonly calls: number[];
  /** When each call came that was answered with 429. */
  readonly breaches: number[];
  /** How many calls came before the service wanted to be called again, but not at the same instant as the breach. */
  early: number;
  /** How many calls wait for an answer. */
  open: number;
  close(): void;
}

/**
 * Listens with a sliding window: `calls` in any `perSeconds`. A call beyond that is answered with 429 and `Retry-After`
 * (RFC 6585 section 4), in whole seconds until a call would be accepted again.
 */
export async function startLimited(
  clock: () => number,
  limit: DocumentedRate | null,
  answer: Answer,
): Promise<LimitedService> {
  const accepted: number[] = [];
  let silentUntilMs = 0;
  let complainedMs = 0;
  const send = (reply: ServerResponse, { status, body }: FakeReply, headers: Record<string, string> = {}) => {
    reply.writeHead(status, {
      'content-type': 'application/json',
      date: new Date(clock()).toUTCString(),
      ...headers,
    });
    reply.end(body === undefined ? '' : JSON.stringify(body));
  };
  const handle = (incoming: IncomingMessage, body: string, reply: ServerResponse): void => {
    const nowMs = clock();
    service.calls.push(nowMs);
    if (nowMs < silentUntilMs && nowMs > complainedMs) service.early += 1;
    const windowMs = limit === null ? 0 : limit.perSeconds * 1000;
    while (accepted.length > 0 && (accepted[0] ?? 0) <= nowMs - windowMs) accepted.shift();
    if (limit !== null && accepted.length >= limit.calls) {
      const seconds = Math.ceil(((accepted[0] ?? nowMs) + windowMs - nowMs) / 1000);
      service.breaches.push(nowMs);
      silentUntilMs = nowMs + seconds * 1000;
      complainedMs = nowMs;
      send(reply, { status: 429, body: { message: 'Too many requests.' } }, { 'retry-after': `${seconds}` });
      return;
    }
    accepted.push(nowMs);
    const { method = '', url: path = '', headers } = incoming;
    send(reply, answer({ method, path, body }, headers));
  };
  const server = createServer((incoming, reply) => {
    service.open += 1;
    reply.once('close', () => (service.open -= 1));
    let body = '';
    incoming.on('data', (chunk: Buffer) => (body += chunk.toString()));
    incoming.on('end', () => handle(incoming, body, reply));
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const service: LimitedService = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    limit,
    calls: [],
    breaches: [],
    early: 0,
    open: 0,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return service;
}

/** A service with this program's `/v1/auth/rotate`, as far as its tokens are rotated. */
export class PlainRotavox {
  readonly #tokens = new Map<string, number>();
  readonly #clock: () => number;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  issue(expiresAtMs: number): string {
    const token = `rvx_${randomBytes(24).toString('base64url')}`;
    this.#tokens.set(token, expiresAtMs);
    return token;
  }

  isAlive(token: string): boolean {
    return this.#clock() < (this.#tokens.get(token) ?? 0);
  }

  readonly answer: Answer = ({ method, path }, { authorization = '' }) => {
    const token = authorization.replace(/^Bearer /, '');
    const expiresAtMs = this.#tokens.get(token) ?? 0;
    if (!this.isAlive(token)) {
      return { status: 401, body: { success: false, message: 'Token is invalid.' } };
    }
    if (method === 'POST' && path === '/v1/auth/rotate') {
      this.#tokens.delete(token);
      const minted = this.issue(this.#clock() + 7 * 86_400_000);
      return { status: 200, body: { success: true, access_token: minted, validity_days: 7 } };
    }
    return { status: 200, body: { name: 'app', expires_at: new Date(expiresAtMs).toISOString() } };
  };
}

/** A token endpoint for clients with a secret (RFC 6749 section 4.4). */
export class PlainTokenEndpoint {
  readonly #alive = new Set<string>();

  isAlive(token: string): boolean {
    return this.#alive.has(token);
  }

  readonly answer: Answer = () => {
    const token = `${randomBytes(24).toString('base64url')}${oddCharacters}`;
    this.#alive.add(token);
    return { status: 200, body: { access_token: token, token_type: 'Bearer', expires_in: 3600 } };
  };
}

/** The rules of the other fakes, as answers. */
export const answersOf = {
  gitlab:
    (gitlab: GitlabServer): Answer =>
    ({ method, path, body }, headers) =>
      gitlab.answer(method, path, headers, body),
  github:
    (github: GithubAppServer): Answer =>
    ({ method, path }, { authorization }) =>
      github.answer(`${method} ${path}`, authorization),
  vault:
    (vault: VaultServer): Answer =>
    ({ method, path }, headers) =>
      vault.answer(method, path, headers),
  keys:
    (keys: KeyServer): Answer =>
    ({ method, path, body }, { authorization = '' }) =>
      keys.answer(method, path, authorization, body),
} as const;
