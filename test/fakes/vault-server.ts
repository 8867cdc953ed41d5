import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { onTestFinished } from 'vitest';
import { type FakeReply, serveFake } from './serve-fake.ts';

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
 *
 * And for the secret ids of one role of AppRole, https://developer.hashicorp.com/vault/api-docs/auth/approle and
 * builtin/credential/approle/path_role.go:
 *
 * - `custom-secret-id` takes the value from the caller, and fails with 500 "SecretID is already registered" where it exists:
 *   `registerSecretIDEntry` in validation.go
 * - a `ttl` longer than that of the role: 400 "ttl cannot be longer than the role's secret_id_ttl"; without one the role's counts;
 *   0 is for ever: `handleRoleSecretIDCommon`
 * - a lookup of an unknown value is an empty answer, 204: `pathRoleSecretIDLookupUpdate`; an expired one is found until it is tidied
 *   up; `expiration_time` is the year 1 where there is no end: `ToResponseData`
 * - destroying an unknown accessor fails with 500, and looking it up is 404: `pathRoleSecretIDAccessorDestroyUpdateDelete`,
 *   `pathRoleSecretIDAccessorLookupUpdate`
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

export interface SecretId {
  readonly value: string;
  readonly accessor: string;
  /** Seconds; 0: for ever. */
  readonly ttl: number;
  readonly createdAtMs: number;
}

const denied: FakeReply = { status: 403, body: { errors: ['permission denied'] } };

export class VaultServer {
  baseUrl = '';
  readonly tokens: VaultToken[] = [];
  /** Seconds: the limit of the server for tokens without a period. */
  maxTtl = 32 * 86_400;
  /** The secret ids of the role `web`. */
  readonly secretIds: SecretId[] = [];
  /** Seconds: the limit of the role; 0: none. */
  secretIdTtl = 30 * 86_400;
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

  issueSecretId(value: string = randomBytes(16).toString('hex'), ttl = this.secretIdTtl): SecretId {
    const one = { value, accessor: randomBytes(8).toString('hex'), ttl, createdAtMs: this.#clock() };
    this.secretIds.push(one);
    return one;
  }

  /** Whether a login with it succeeds. */
  logsIn(value: string): boolean {
    const one = this.secretIds.find((other) => other.value === value);
    return one !== undefined && (one.ttl === 0 || this.#clock() < one.createdAtMs + one.ttl * secondMs);
  }

  answer(method: string, path: string, headers: IncomingHttpHeaders, body = ''): FakeReply {
    this.calls.push(`${method} ${path}`);
    const token = this.tokens.find(({ value }) => value === headers['x-vault-token']);
    const call =
      /^\/v1\/(?:team\/)?auth\/(?:token|approle\/role\/web|ci\/role\/web)\/([a-z/-]+)$/.exec(path)?.[1] ?? '';
    if (token === undefined || !this.isAlive(token.value) || token.denied.includes(call)) return denied;
    if (method === 'GET' && call === 'lookup-self')
      return { status: 200, body: { data: this.#shown(token) } };
    if (method === 'POST' && call === 'renew-self') return this.#renew(token);
    if (method === 'POST' && call === 'revoke-self') {
      token.isRevoked = true;
      return { status: 204 };
    }
    if (method === 'POST' && path.includes('/role/')) {
      return this.#answerRole(call, JSON.parse(body) as Record<string, string | undefined>);
    }
    return { status: 404, body: { errors: [] } };
  }

  #answerRole(call: string, sent: Record<string, string | undefined>): FakeReply {
    const { secret_id: value = '', secret_id_accessor: accessor = '', ttl } = sent;
    const byValue = this.secretIds.find((one) => one.value === value);
    const byAccessor = this.secretIds.find((one) => one.accessor === accessor);
    const failure = (status: number, error: string) => ({ status, body: { errors: [error] } });
    switch (call) {
      case 'custom-secret-id': {
        if (byValue !== undefined)
          return failure(500, 'failed to store secret_id: SecretID is already registered');
        const seconds = ttl === undefined ? this.secretIdTtl : Number(/^(\d+)s$/.exec(ttl)?.[1]);
        if (this.secretIdTtl > 0 && (seconds === 0 || seconds > this.secretIdTtl)) {
          return failure(400, "ttl cannot be longer than the role's secret_id_ttl");
        }
        const one = this.issueSecretId(value, seconds);
        const data = {
          secret_id: value,
          secret_id_accessor: one.accessor,
          secret_id_ttl: one.ttl,
          secret_id_num_uses: 0,
        };
        return { status: 200, body: { data } };
      }
      case 'secret-id/lookup':
        return byValue === undefined
          ? { status: 204, body: '' }
          : { status: 200, body: { data: shownSecretId(byValue) } };
      case 'secret-id-accessor/lookup':
        return byAccessor === undefined
          ? failure(404, 'failed to find accessor entry')
          : { status: 200, body: { data: shownSecretId(byAccessor) } };
      case 'secret-id-accessor/destroy':
        if (byAccessor === undefined) return failure(500, 'failed to find accessor entry');
        this.secretIds.splice(this.secretIds.indexOf(byAccessor), 1);
        return { status: 204, body: '' };
      default:
        return failure(404, 'unsupported path');
    }
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

  #renew(token: VaultToken): FakeReply {
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

function shownSecretId({ accessor, ttl, createdAtMs }: SecretId) {
  const isoOf = (ms: number) => new Date(ms).toISOString();
  return {
    secret_id_accessor: accessor,
    secret_id_ttl: ttl,
    secret_id_num_uses: 0,
    creation_time: isoOf(createdAtMs),
    expiration_time: ttl === 0 ? '0001-01-01T00:00:00Z' : isoOf(createdAtMs + ttl * secondMs),
    metadata: {},
  };
}

/** Listens until the test is over. */
export async function startVaultServer(clock: () => number): Promise<VaultServer> {
  const vault = new VaultServer(clock);
  const { baseUrl, close } = await serveFake(
    ({ method, path, headers, body }) => vault.answer(method, path, headers, body),
    clock,
  );
  onTestFinished(close);
  vault.baseUrl = baseUrl;
  return vault;
}
