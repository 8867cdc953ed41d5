import { generateKeyPairSync, randomBytes, verify } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { type FakeReply, serveFake } from './serve-fake.ts';

/*
 * GitHub as far as installations of an app go. The rules, with their sources:
 *
 * - a JWT: RS256; `iss` is the client id or the id of the app; `iat` not in the future; `exp` at most ten minutes ahead:
 *   https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app
 * - `POST /app/installations/:id/access_tokens` 201 {token, expires_at, permissions}, an hour; 401 for a JWT that is not accepted,
 *   404 for an installation that is not there: https://docs.github.com/rest/apps/apps
 * - `GET /installation/repositories` and `DELETE /installation/token` (204) with an installation token:
 *   https://docs.github.com/rest/apps/installations
 */

const badCredentials: FakeReply = { status: 401, body: { message: 'Bad credentials' } };
const hourMs = 3_600_000;

export class GithubAppServer {
  baseUrl = '';
  readonly app = 'Iv23liAbC';
  readonly installation = '4711';
  readonly #keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  /** As GitHub gives it: PKCS #1. */
  readonly pem = this.#keys.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  /** The same, converted. */
  readonly pkcs8 = this.#keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  /** When each token that works expires. */
  readonly tokens = new Map<string, number>();
  readonly calls: string[] = [];
  /** Its clock. */
  clock: () => number;

  constructor(clock: () => number) {
    this.clock = clock;
  }

  answer(call: string, authorization = ''): FakeReply {
    this.calls.push(call);
    const bearer = /^Bearer (.+)$/.exec(authorization)?.[1] ?? '';
    const minting = /^POST \/app\/installations\/([^/]+)\/access_tokens$/.exec(call);
    if (minting !== null) {
      if (!this.#isAccepted(bearer)) {
        return { status: 401, body: { message: 'A JSON web token could not be decoded' } };
      }
      if (minting[1] !== this.installation) return { status: 404, body: { message: 'Not Found' } };
      // As long as a token that has its rights in itself, a JWT.
      const token = `ghs_${this.app}_${[27, 240, 96].map((size) => randomBytes(size).toString('base64url')).join('.')}`;
      const endMs = this.clock() + hourMs;
      this.tokens.set(token, endMs);
      const expiresAt = new Date(endMs).toISOString().replace('.000', '');
      return { status: 201, body: { token, expires_at: expiresAt, permissions: { metadata: 'read' } } };
    }
    if (this.clock() >= (this.tokens.get(bearer) ?? 0)) return badCredentials;
    if (call === 'DELETE /installation/token') {
      this.tokens.delete(bearer);
      return { status: 204 };
    }
    return { status: 200, body: { total_count: 0, repositories: [] } };
  }

  #isAccepted(jwt: string): boolean {
    const [head = '', claims = '', signature = ''] = jwt.split('.');
    const signed = Buffer.from(`${head}.${claims}`);
    if (!verify('sha256', signed, this.#keys.publicKey, Buffer.from(signature, 'base64url'))) return false;
    const decoded = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
    const { alg } = decoded(head) as { alg?: string };
    const { iss, iat, exp } = decoded(claims) as { iss?: string; iat: number; exp: number };
    const now = Math.floor(this.clock() / 1000);
    return alg === 'RS256' && iss === this.app && iat <= now && now < exp && exp <= now + 600;
  }
}

/** Listens until the test is over. */
export async function startGithubAppServer(clock: () => number): Promise<GithubAppServer> {
  const github = new GithubAppServer(clock);
  const { baseUrl, close } = await serveFake(
    ({ method, path, headers }) => github.answer(`${method} ${path}`, headers.authorization),
    () => github.clock(),
  );
  onTestFinished(close);
  github.baseUrl = baseUrl;
  return github;
}
