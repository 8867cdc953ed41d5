import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { type FakeReply, serveFake } from './serve-fake.ts';

/*
 * Smartflo as far as its tokens go. The rules, with their sources:
 *
 * - `POST /v1/auth/login` {email, password} -> {success, access_token, token_type, expires_in}; a login that fails is answered
 *   `success: false` with a message: https://docs.smartflo.tatatelebusiness.com/reference/generate-a-token
 * - `POST /v1/auth/refresh` without a body; the token is the whole `authorization` header; the reply is that of a login, and
 *   the old token is blacklisted at once
 * - a token is a JWT: https://docs.smartflo.tatatelebusiness.com/reference/authentication-using-tokens
 */

export class SmartfloServer {
  baseUrl = '';
  readonly email = 'ada@example.com';
  password = 'pa$$ wörd!';
  /** When each token that works expires. */
  readonly tokens = new Map<string, number>();
  /** Every call, without secrets. */
  readonly calls: string[] = [];
  readonly #clock: () => number;
  readonly #seconds: number;

  constructor(clock: () => number, seconds: number) {
    this.#clock = clock;
    this.#seconds = seconds;
  }

  issue(): string {
    const endMs = this.#clock() + this.#seconds * 1000;
    const parts = [{ alg: 'HS256' }, { exp: Math.floor(endMs / 1000), jti: randomBytes(9).toString('hex') }];
    const token = [
      ...parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')),
      'sig',
    ].join('.');
    this.tokens.set(token, endMs);
    return token;
  }

  isAlive(token: string): boolean {
    return this.#clock() < (this.tokens.get(token) ?? 0);
  }

  answer(call: string, authorization: string | undefined, body: string): FakeReply {
    this.calls.push(call);
    if (call === 'POST /v1/auth/login') {
      const { email, password } = JSON.parse(body) as { email?: string; password?: string };
      if (email === this.email && password === this.password) return this.#granted();
      return {
        status: 200,
        body: { success: false, message: 'The username or password is incorrect.', login_failed_count: 1 },
      };
    }
    if (call !== 'POST /v1/auth/refresh') return { status: 404, body: { message: 'Not found' } };
    if (authorization === undefined || body !== '' || !this.isAlive(authorization)) {
      return { status: 401, body: { success: false, message: 'Unauthenticated.' } };
    }
    this.tokens.delete(authorization);
    return this.#granted();
  }

  #granted(): FakeReply {
    const body = {
      success: true,
      access_token: this.issue(),
      token_type: 'bearer',
      expires_in: this.#seconds,
    };
    return { status: 200, body };
  }
}

/** Listens until the test is over. `seconds`: how long tokens work; the documented ones do for an hour. */
export async function startSmartfloServer(clock: () => number, seconds = 3600): Promise<SmartfloServer> {
  const smartflo = new SmartfloServer(clock, seconds);
  const { baseUrl, close } = await serveFake(({ method, path, headers, body }) =>
    smartflo.answer(`${method} ${path}`, headers.authorization, body),
  );
  onTestFinished(close);
  smartflo.baseUrl = baseUrl;
  return smartflo;
}
