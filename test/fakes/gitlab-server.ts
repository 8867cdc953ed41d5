import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type FakeReply, serveFake } from './serve-fake.ts';

/** An access token, as the server knows it. Runners are kept apart. */
export interface GitlabToken {
  readonly id: number;
  readonly name: string;
  readonly value: string;
  readonly owner: string;
  /** The collection that it is in: `''` for personal ones, `/projects/7` and `/groups/g` for those of bots. */
  readonly below: string;
  readonly scopes: readonly string[];
  readonly createdAtMs: number;
  /** A date; null: never. */
  readonly expiresAt: string | null;
  /** All tokens that were rotated into each other. */
  readonly family: number;
  isRevoked: boolean;
}

export interface GitlabRunner {
  token: string;
  expiresAtMs: number;
}

const dayMs = 86_400_000;
/** Without `expires_at` a rotated token lives for a week: `EXPIRATION_PERIOD` in app/services/personal_access_tokens/rotate_service.rb */
const usualDays = 7;
/** https://docs.gitlab.com/user/profile/personal_access_tokens: 365 days at most */
const longestDays = 365;
/** lib/gitlab/auth/auth_finders.rb, `revoke_token_family`: a replaced token on such a path ends its whole family. */
const familyPath = /access_tokens\/(?:\d+|self)\/rotate$/;

/**
 * The part of GitLab's API that the provider `gitlab` uses, with the rules of its documentation and source, which each
 * place cites. https://docs.gitlab.com/api/personal_access_tokens, …/project_access_tokens, …/runners
 */
export class GitlabServer {
  baseUrl = '';
  readonly tokens: GitlabToken[] = [];
  readonly runners: GitlabRunner[] = [];
  /** How often a replaced token asked to be rotated, and so ended its successor. */
  familiesRevoked = 0;
  /** https://docs.gitlab.com/administration/settings/account_and_limit_settings: the latest date, and how a later one is refused. */
  limit: { readonly latest: string; readonly refusal: FakeReply } | null = null;
  /** Of personal access tokens, as an administrator sets it (the same page). */
  prefix = 'glpat-';
  /** Every call, without the token. */
  readonly calls: { readonly method: string; readonly path: string; readonly body: string }[] = [];
  /** Its clock. */
  readonly #clock: () => number;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  issue(one: Partial<Omit<GitlabToken, 'id' | 'value'>> = {}): GitlabToken {
    const id = this.tokens.length + 1;
    const token: GitlabToken = {
      name: 'deploy',
      owner: 'ada',
      below: '',
      scopes: ['read_api', 'self_rotate'],
      createdAtMs: this.#clock(),
      expiresAt: dateOf(this.#clock() + 30 * dayMs),
      family: id,
      isRevoked: false,
      ...one,
      id,
      // Since 18.0 with the place of its owner, a version and a checksum: lib/authn/token_field/generator/routable_token.rb
      value: `${this.prefix}${randomBytes(27).toString('base64url')}.01.1${randomBytes(3).toString('hex')}`,
    };
    this.tokens.push(token);
    return token;
  }

  addRunner(days = 30): GitlabRunner {
    const runner = { token: newRunnerToken(), expiresAtMs: this.#clock() + days * dayMs };
    this.runners.push(runner);
    return runner;
  }

  isAlive(value: string): boolean {
    const token = this.tokens.find((one) => one.value === value);
    if (token !== undefined) return this.#isActive(token);
    const runner = this.runners.find((one) => one.token === value);
    return runner !== undefined && this.#clock() < runner.expiresAtMs;
  }

  answer(method: string, path: string, headers: IncomingHttpHeaders, body: string): FakeReply {
    const url = new URL(path, 'http://gitlab');
    this.calls.push({ method, path, body });
    const call = `${method} ${url.pathname.replace(/^\/api\/v4/, '')}`;
    if (call === 'POST /runners/verify') return this.#verifyRunner(body);
    if (call === 'POST /runners/reset_authentication_token') return this.#resetRunner(body);

    const secret = headers['private-token'];
    const caller = this.tokens.find(({ value }) => value === secret);
    if (caller?.isRevoked === true && familyPath.test(url.pathname)) {
      this.familiesRevoked += 1;
      for (const one of this.tokens) if (one.family === caller.family) one.isRevoked = true;
    }
    if (caller === undefined || !this.#isActive(caller)) return unauthorized;
    if (call === 'GET /personal_access_tokens/self') return { status: 200, body: this.#shown(caller) };
    // https://docs.gitlab.com/api/personal_access_tokens#self-revoke: 204, for every token but that of a runner.
    if (call === 'DELETE /personal_access_tokens/self') {
      caller.isRevoked = true;
      return { status: 204 };
    }

    const rotate =
      /^POST (\/(?:projects|groups)\/[^/]+)?\/(?:personal_)?access_tokens\/(self|\d+)\/rotate$/.exec(call);
    if (rotate !== null) {
      const below = decodeURIComponent(rotate[1] ?? '');
      return this.#rotate(caller, { below, which: rotate[2] ?? '', body });
    }
    const list = /^GET (\/(?:projects|groups)\/[^/]+)?\/(?:personal_)?access_tokens$/.exec(call);
    if (list !== null) return this.#list(caller, decodeURIComponent(list[1] ?? ''), url.searchParams);
    return { status: 404, body: { error: '404 Not Found' } };
  }

  #isActive({ isRevoked, expiresAt }: GitlabToken): boolean {
    // "Tokens expire at midnight UTC on that date": dead on the day.
    return !isRevoked && (expiresAt === null || this.#clock() < Date.parse(`${expiresAt}T00:00:00Z`));
  }

  #shown(token: GitlabToken) {
    const { id, name, scopes, createdAtMs, expiresAt, isRevoked } = token;
    return {
      id,
      name,
      revoked: isRevoked,
      created_at: new Date(createdAtMs).toISOString(),
      scopes,
      user_id: 1,
      last_used_at: null,
      active: this.#isActive(token),
      expires_at: expiresAt,
    };
  }

  #rotate(
    caller: GitlabToken,
    { below, which, body }: { readonly below: string; readonly which: string; readonly body: string },
  ): FakeReply {
    const isSelf = which === 'self';
    const token = isSelf ? caller : this.tokens.find(({ id }) => String(id) === which);
    if (token?.below !== below) return unauthorized;
    // `self` needs api or self_rotate; another token needs api and the same owner, and bots may not do it at all.
    const isAllowed = isSelf
      ? caller.below === below && ['api', 'self_rotate'].some((scope) => caller.scopes.includes(scope))
      : caller.scopes.includes('api') && caller.below === '' && token.owner === caller.owner;
    if (!isAllowed) {
      return { status: 403, body: { error: 'insufficient_scope', scope: 'api self_rotate' } };
    }
    if (!this.#isActive(token))
      return { status: 400, body: { message: '400 Bad request - token already revoked' } };
    const { expires_at: wanted } = (body === '' ? {} : JSON.parse(body)) as { expires_at?: string };
    const nowMs = this.#clock();
    const expiresAt = wanted ?? dateOf(nowMs + usualDays * dayMs);
    const days = (Date.parse(expiresAt) - Date.parse(dateOf(nowMs))) / dayMs;
    if (!(days > 0 && days <= longestDays)) {
      return { status: 400, body: { message: '400 Bad request - Expiration date is not allowed' } };
    }
    if (this.limit !== null && expiresAt > this.limit.latest) return this.limit.refusal;
    // In one transaction: there is no overlap.
    token.isRevoked = true;
    const { name, owner, scopes, family } = token;
    const next = this.issue({ name, owner, below, scopes, family, expiresAt });
    return { status: 200, body: { ...this.#shown(next), token: next.value } };
  }

  /** A user sees their own tokens, and those of the projects and groups that they own. */
  #list(caller: GitlabToken, below: string, query: URLSearchParams): FakeReply {
    const mayList = caller.below === '' && ['api', 'read_api'].some((scope) => caller.scopes.includes(scope));
    if (!mayList) return { status: 403, body: { error: 'insufficient_scope' } };
    const found = this.tokens.filter(
      (one) =>
        one.owner === caller.owner &&
        one.below === below &&
        one.name.includes(query.get('search') ?? '') &&
        (query.get('state') !== 'active' || this.#isActive(one)),
    );
    return { status: 200, body: found.map((one) => this.#shown(one)) };
  }

  /** 403 for a token that is not valid: https://docs.gitlab.com/api/runners#verify-a-runner */
  #verifyRunner(body: string): FakeReply {
    const runner = this.#runnerOf(body);
    if (runner === undefined) return { status: 403, body: { message: '403 Forbidden' } };
    return { status: 200, body: shownRunner(runner) };
  }

  /** Only while the current token has not expired; merge request 74336. */
  #resetRunner(body: string): FakeReply {
    const runner = this.#runnerOf(body);
    if (runner === undefined) return { status: 403, body: { message: '403 Forbidden' } };
    runner.token = newRunnerToken();
    runner.expiresAtMs = this.#clock() + 30 * dayMs;
    return { status: 201, body: shownRunner(runner) };
  }

  #runnerOf(body: string): GitlabRunner | undefined {
    const { token } = JSON.parse(body) as { token?: string };
    return this.runners.find((one) => one.token === token && this.#clock() < one.expiresAtMs);
  }
}

const unauthorized: FakeReply = { status: 401, body: { message: '401 Unauthorized' } };

function newRunnerToken(): string {
  return `glrt-${randomBytes(15).toString('base64url')}`;
}

function shownRunner({ token, expiresAtMs }: GitlabRunner) {
  return { id: 1, token, token_expires_at: new Date(expiresAtMs).toISOString() };
}

function dateOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** Listens on this machine; answers how to end it. */
export async function listenAsGitlab(gitlab: GitlabServer, clock: () => number): Promise<() => void> {
  const { baseUrl, close } = await serveFake(
    ({ method, path, headers, body }) => gitlab.answer(method, path, headers, body),
    clock,
  );
  gitlab.baseUrl = baseUrl;
  return close;
}
