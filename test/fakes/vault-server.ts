import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/*
 * Vault as far as it is documented for tokens that look at themselves and renew themselves. The rules, with their sources:
 *
 * - the calls and their fields: https://developer.hashicorp.com/vault/api-docs/auth/token
 * - `last_renewal`, `issue_time`, `expire_time` and `ttl` of a lookup, which a root token has not or as null and 0:
 *   `handleLookup` in vault/token_store.go; a lookup has the token itself in `data.id`
 * - without an increment a renewal is for the lifetime with which the token was created; a period replaces it; the end is never
 *   later than the issue plus the limit of the token or of the server, and only a period ignores the latter: `CalculateTTL` in
 *   sdk/framework/lease.go. It counts whole seconds, and may bring the end nearer
 * - a token that is not renewable: 400 "lease is not renewable", `renewable` in vault/expiration.go
 * - a token that is not known or not allowed: 403, `RespondErrorCommon` in sdk/logical/response_util.go
 */

const secondMs = 1000;

export interface VaultToken {
  readonly value: string;
  readonly issuedAtMs: number;
  /** Seconds; null: a root token without an end. */
  readonly creationTtl: number | null;
  readonly explicitMaxTtl: number;
  readonly period: number;
  readonly isRenewable: boolean;
  /** What its policies do not allow. */
  readonly denied: readonly string[];
  expiresAtMs: number;
  renewedAtMs: number | null;
  isRevoked: boolean;
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

const denied: Reply = { status: 403, body: { errors: ['permission denied'] } };

export class VaultServer {
  baseUrl = '';
  readonly tokens: VaultToken[] = [];
  /** Seconds: the limit of the server for tokens without a period. */
  maxTtl = 32 * 86_400;
  /** Every call, without the token. */
  readonly calls: string[] = [];
  readonly #clock: () => number;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  issue(one: Partial<Omit<VaultToken, 'value'>> = {}): VaultToken {
    const issuedAtMs = this.#clock();
    const { creationTtl = 7 * 86_400 } = one;
    const token: VaultToken = {
      issuedAtMs,
      explicitMaxTtl: 0,
      period: 0,
      isRenewable: true,
      denied: [],
      expiresAtMs: creationTtl === null ? Infinity : issuedAtMs + creationTtl * secondMs,
      renewedAtMs: null,
      isRevoked: false,
      ...one,
      creationTtl,
      value: `hvs.${randomBytes(24).toString('base64url')}`,
    };
    this.tokens.push(token);
    return token;
  }

  isAlive(value: string): boolean {
    const token = this.tokens.find((one) => one.value === value);
    return token !== undefined && !token.isRevoked && this.#clock() < token.expiresAtMs;
  }

  answer(method: string, path: string, headers: IncomingMessage['headers']): Reply {
    this.calls.push(`${method} ${path}`);
    const token = this.tokens.find(({ value }) => value === headers['x-vault-token']);
    const call = /^\/v1\/(?:team\/)?auth\/token\/([a-z-]+)$/.exec(path)?.[1] ?? '';
    if (token === undefined || !this.isAlive(token.value) || token.denied.includes(call)) return denied;
    if (method === 'GET' && call === 'lookup-self')
      return { status: 200, body: { data: this.#shown(token) } };
    if (method === 'POST' && call === 'renew-self') return this.#renew(token);
    return { status: 404, body: { errors: [] } };
  }

  #shown(token: VaultToken) {
    const { value, issuedAtMs, creationTtl, explicitMaxTtl, expiresAtMs, renewedAtMs, isRenewable } = token;
    const isoOf = (ms: number) => new Date(ms).toISOString().replace('Z', '000000Z');
    const common = {
      id: value,
      display_name: 'token-deploy',
      creation_ttl: creationTtl ?? 0,
      explicit_max_ttl: explicitMaxTtl,
    };
    if (creationTtl === null) return { ...common, expire_time: null, ttl: 0 };
    return {
      ...common,
      issue_time: isoOf(issuedAtMs),
      expire_time: isoOf(expiresAtMs),
      ...(renewedAtMs === null ? {} : { last_renewal: isoOf(renewedAtMs) }),
      renewable: isRenewable,
      ttl: Math.floor((expiresAtMs - this.#clock()) / secondMs),
    };
  }

  #renew(token: VaultToken): Reply {
    const { issuedAtMs, creationTtl, explicitMaxTtl, period, isRenewable } = token;
    if (!isRenewable || creationTtl === null) {
      return { status: 400, body: { errors: ['lease is not renewable'] } };
    }
    const nowMs = this.#clock();
    const limits = [period > 0 ? Infinity : this.maxTtl, explicitMaxTtl > 0 ? explicitMaxTtl : Infinity];
    const latestMs = issuedAtMs + Math.min(...limits) * secondMs;
    const wantedMs = nowMs + (period > 0 ? period : creationTtl) * secondMs;
    token.expiresAtMs = Math.min(wantedMs, latestMs);
    token.renewedAtMs = nowMs;
    const leaseDuration = Math.floor((token.expiresAtMs - nowMs) / secondMs);
    const auth = { client_token: token.value, lease_duration: leaseDuration, renewable: true };
    return { status: 200, body: { data: null, auth, warnings: null } };
  }
}

/** Listens until the test is over. */
export async function startVaultServer(clock: () => number): Promise<VaultServer> {
  const vault = new VaultServer(clock);
  const server = createServer((incoming, answer) => {
    incoming.resume();
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming;
      const reply = vault.answer(method, url, headers);
      answer.writeHead(reply.status, {
        'content-type': 'application/json',
        date: new Date(clock()).toUTCString(),
      });
      answer.end(JSON.stringify(reply.body));
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  vault.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return vault;
}
