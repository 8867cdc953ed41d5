import { onTestFinished } from 'vitest';
import { type FakeReply, serveFake } from './serve-fake.ts';

/*
 * Services whose tokens only a person creates, as far as a token can be looked at. The rules, with their sources:
 *
 * - GitHub: `GET /user`; a token with an end has it in `GitHub-Authentication-Token-Expiration`, as `2021-10-07 19:07:53 UTC`:
 *   https://github.blog/changelog/2021-07-26-expiration-options-for-personal-access-tokens, github.com/github/gh-aw/issues/20097;
 *   offsets: `parseTokenExpiration` in google/go-github. 401 "Bad credentials"
 * - GitHub: `POST /credentials/revoke` {credentials: []} ends tokens by their values, and accepts any with 202. On a server of one's
 *   own, as here, it needs a token: https://docs.github.com/enterprise-server@3.19/rest/credentials/revoke. GitHub.com answers 403 to
 *   one: https://docs.github.com/rest/credentials/revoke
 * - npm: `GET /-/whoami` {username}; 401: https://github.com/npm/registry/blob/main/docs/user/authentication.md
 * - DigitalOcean: `GET /v2/account`; a token without the scope account:read gets 403: https://docs.digitalocean.com/reference/api
 * - Tailscale: `GET /api/v2/tailnet/-/keys/:id` {id, created, expires}: https://tailscale.com/api
 */

export interface AssistedServer {
  baseUrl: string;
  /** What a call with a token is answered; every other token is not known. */
  readonly tokens: Map<string, FakeReply>;
  /** Every call, without the token. */
  readonly calls: string[];
  /** The answer to a revocation, if it fails. */
  refusesToRevoke: FakeReply | null;
}

/** Listens until the test is over. */
export async function startAssistedServer(clock: () => number): Promise<AssistedServer> {
  const tokens = new Map<string, FakeReply>();
  const calls: string[] = [];
  const fake: AssistedServer = { baseUrl: '', tokens, calls, refusesToRevoke: null };
  const { baseUrl, close } = await serveFake(({ method, path, headers, body }) => {
    calls.push(`${method} ${path}`);
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    const known = tokens.get(token) ?? { status: 401, body: { message: 'Bad credentials' } };
    if (`${method} ${path}` !== 'POST /credentials/revoke' || known.status === 401) return known;
    if (fake.refusesToRevoke !== null) return fake.refusesToRevoke;
    const { credentials } = JSON.parse(body) as { credentials: string[] };
    for (const one of credentials) tokens.delete(one);
    return { status: 202, body: {} };
  }, clock);
  onTestFinished(close);
  fake.baseUrl = baseUrl;
  return fake;
}

/** GitHub's answer about a token. */
export function githubUser(expiration: string | null): FakeReply {
  return {
    status: 200,
    body: { login: 'ada' },
    headers: expiration === null ? {} : { 'github-authentication-token-expiration': expiration },
  };
}
