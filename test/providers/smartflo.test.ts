import { describe, expect, it, onTestFinished } from 'vitest';
import { startFaultyProxy } from '../fakes/faulty-proxy.ts';
import { setUpLoneAgent } from '../agent/agent-setup.ts';
import { describeProvider, type ProviderWorld } from './provider-suite.ts';
import { randomBytes } from 'node:crypto';
import { type FakeReply, serveFake } from '../fakes/serve-fake.ts';

const weekSeconds = 7 * 86_400;
const hourMs = 3_600_000;

function tokenIn(secret: string): string {
  return (JSON.parse(secret) as { access_token: string }).access_token;
}

function worldOf(smartflo: SmartfloServer): Omit<ProviderWorld, 'provider'> {
  return {
    baseUrl: smartflo.baseUrl,
    token: smartflo.issue(),
    isAlive: (secret) => smartflo.isAlive(tokenIn(secret)),
    secretsIn: (secret) => [tokenIn(secret), smartflo.password],
    replaces: (path) => path.startsWith('/v1/auth/'),
  };
}

describeProvider(
  'a token of Smartflo without a login',
  async (time) => {
    const smartflo = await startSmartfloServer(time.clock, weekSeconds);
    return { ...worldOf(smartflo), provider: { id: 'smartflo', inputs: {} } };
  },
  { afterLostReply: 'reply_lost' },
);

describeProvider(
  'a token of Smartflo with a login',
  async (time) => {
    const smartflo = await startSmartfloServer(time.clock, weekSeconds);
    const world = worldOf(smartflo);
    const provider = { id: 'smartflo', inputs: { email: smartflo.email } } as const;
    return {
      ...world,
      provider,
      async add(here, name, baseUrl) {
        const { token: value } = world;
        await here.keep({ name, value, password: smartflo.password, base_url: baseUrl, provider });
      },
    };
  },
  { afterLostReply: 'fine' },
);

describe('a credential of Smartflo', () => {
  const name = 'calls';

  async function setUp({ withLogin = true } = {}) {
    const here = await setUpLoneAgent();
    const smartflo = await startSmartfloServer(here.time.clock);
    const proxy = await startFaultyProxy(() => smartflo.baseUrl);
    const value = smartflo.issue();
    const login = withLogin ? { password: smartflo.password } : {};
    const provider = { id: 'smartflo', inputs: withLogin ? { email: smartflo.email } : {} };
    await here.keep({ name, value, base_url: proxy.baseUrl, provider, ...login });
    return { here, smartflo, proxy, value, requests: here.agent.requests };
  }

  it('is added without a call, with the end that its token has, and gives the token alone', async () => {
    const { here, smartflo, requests, value } = await setUp();
    expect(smartflo.calls).toEqual([]);
    expect(here.view(name)).toMatchObject({
      state: 'fine',
      can_rotate: true,
      expires_at: new Date(here.time.nowMs + hourMs).toISOString(),
    });
    expect(await requests.valueOf(name)).toEqual({ ok: true, value });
  });

  it('is refreshed with the token alone in the header', async () => {
    const { here, smartflo, proxy, requests, value } = await setUp();
    await requests.rotateNow(name);
    expect(here.view(name)).toMatchObject({ state: 'fine', generation: 2 });
    expect(smartflo.calls).toEqual(['POST /v1/auth/refresh']);
    expect(proxy.seen.at(-1)?.authorization).toBe(value);
    expect(smartflo.isAlive(value)).toBe(false);
  });

  it('makes calls with the token alone in the header too', async () => {
    const { proxy, requests, value } = await setUp();
    expect(await requests.callService(name, { method: 'GET', path: '/v1/ivrs' })).toMatchObject({ ok: true });
    expect(proxy.seen.at(-1)).toMatchObject({ path: '/v1/ivrs', authorization: value });
  });

  it('logs in when its token has ended, as after a night of sleep', async () => {
    const { here, smartflo, requests } = await setUp();
    here.time.jump(9 * hourMs);
    const read = await requests.valueOf(name);
    expect(read.ok && smartflo.isAlive(read.value)).toBe(true);
    expect(smartflo.calls).toEqual(['POST /v1/auth/refresh', 'POST /v1/auth/login']);
  });

  it('asks for a token when its token has ended and there is no login', async () => {
    const { here, requests } = await setUp({ withLogin: false });
    here.time.jump(9 * hourMs);
    expect((await requests.valueOf(name)).ok).toBe(false);
    expect(here.view(name)).toMatchObject({ state: 'refused', trouble: { kind: 'invalid' } });
  });

  it('does not repeat a login that is refused: the account would be locked', async () => {
    const { here, smartflo, requests } = await setUp();
    smartflo.password = 'changed';
    here.time.jump(9 * hourMs);
    await requests.rotateNow(name);
    expect(here.view(name)).toMatchObject({
      trouble: { kind: 'invalid', next_try_at: null },
      message: expect.stringContaining('email address or the password') as string,
    });
    here.agent.start();
    await here.time.advance(24 * hourMs);
    expect(smartflo.calls.filter((call) => call.endsWith('/login'))).toHaveLength(1);
  });

  it('keeps the login when a token is entered, unless another password comes with it', async () => {
    const { here, smartflo, requests } = await setUp();
    expect(await requests.replaceValue(name, { value: smartflo.issue() }, 'pasted')).toMatchObject({
      ok: true,
    });
    expect(await here.valueOf(name)).toContain(smartflo.password);
    smartflo.password = 'another one';
    const replacement = { value: smartflo.issue(), password: smartflo.password };
    expect(await requests.replaceValue(name, replacement, 'pasted')).toMatchObject({ ok: true });
    here.time.jump(9 * hourMs);
    expect((await requests.valueOf(name)).ok).toBe(true);
  });

  it('needs the e-mail address to a password', async () => {
    const { requests, smartflo } = await setUp();
    const wanted = {
      name: 'b',
      value: smartflo.issue(),
      password: 'x',
      base_url: smartflo.baseUrl,
      provider: { id: 'smartflo' as const, inputs: {} },
    };
    expect(await requests.add('cred_b' as never, wanted)).toMatchObject({
      refusal: { field: 'provider.inputs.email', reason: { code: 'email_needed' } },
    });
  });
});

/*
 * Smartflo as far as its tokens go. The rules, with their sources:
 *
 * - `POST /v1/auth/login` {email, password} -> {success, access_token, token_type, expires_in}; a login that fails is answered
 *   `success: false` with a message: https://docs.smartflo.tatatelebusiness.com/reference/generate-a-token
 * - `POST /v1/auth/refresh` without a body; the token is the whole `authorization` header; the reply is that of a login, and
 *   the old token is blacklisted at once
 * - a token is a JWT: https://docs.smartflo.tatatelebusiness.com/reference/authentication-using-tokens
 */

class SmartfloServer {
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
async function startSmartfloServer(clock: () => number, seconds = 3600): Promise<SmartfloServer> {
  const smartflo = new SmartfloServer(clock, seconds);
  const { baseUrl, close } = await serveFake(({ method, path, headers, body }) =>
    smartflo.answer(`${method} ${path}`, headers.authorization, body),
  );
  onTestFinished(close);
  smartflo.baseUrl = baseUrl;
  return smartflo;
}
