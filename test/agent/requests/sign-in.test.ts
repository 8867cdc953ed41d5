import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { signInPort } from '../../../src/contract/address.ts';
import { StartSignIn } from '../../../src/contract/credential/sign-in.ts';
import { oidcMachine, type OidcServer, Visitor } from '../../fakes/oidc-server.ts';
import { startOidcServer } from '../../fakes/start-oidc-server.ts';
import { startPlainOAuthServer } from '../../fakes/plain-oauth-server.ts';
import { redirectAddress } from '../../../src/providers/catalogue.ts';
import { credentialIdNamed } from '../../fixtures/credential-events.ts';
import { type LoneAgent, setUpAgent, setUpLoneAgent } from '../agent-setup.ts';
import { bundleIn, isSecretAlive, oidcChoice, signIn } from '../../providers/provider-suite.ts';

const name = 'crm';

async function setUp(): Promise<{ here: LoneAgent; oidc: OidcServer; person: Visitor }> {
  const oidc = await startOidcServer();
  return { here: await setUpLoneAgent(), oidc, person: new Visitor() };
}

async function start({ agent }: LoneAgent, wanted: Record<string, unknown>) {
  const body = StartSignIn.parse({ name, method: 'browser', ...wanted });
  const started = await agent.requests.startSignIn(credentialIdNamed(name), body);
  if (!started.ok) throw new Error(started.refusal.reason.code);
  return started.value;
}

async function refusalOf({ agent }: LoneAgent, wanted: Record<string, unknown>): Promise<string> {
  const body = StartSignIn.parse({ name, method: 'browser', ...wanted });
  const started = await agent.requests.startSignIn(credentialIdNamed(name), body);
  return started.ok ? 'started' : started.refusal.reason.code;
}

describe('a sign-in with a browser', () => {
  it('adds a credential whose access token works and can be refreshed', async () => {
    const { here, oidc, person } = await setUp();
    const waiting = await start(here, { provider: oidcChoice(oidc.baseUrl) });
    expect(waiting).toMatchObject({ status: 'waiting', user_code: null, credential_id: null });
    const page = await person.visit(waiting.url);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Signed in')]);
    expect(here.agent.requests.signIn(waiting.id)).toMatchObject({
      status: 'done',
      message: null,
      credential_id: credentialIdNamed(name),
    });
    expect(here.view(name)).toMatchObject({ state: 'fine', generation: 1, base_url: oidc.baseUrl });
    const got = await here.agent.requests.valueOf(name);
    expect(got.ok && (await oidc.isAccessAlive(got.value))).toBe(true);
    const rotated = await here.agent.requests.rotateNow(name);
    expect([rotated.ok, here.view(name).generation]).toEqual([true, 2]);
  });

  it('asks with PKCE and a state, and has nothing else that is secret in its address', async () => {
    const { here, oidc } = await setUp();
    const provider = oidcChoice(oidc.baseUrl);
    const { url } = await start(here, { provider, client_secret: 'only-for-the-token-endpoint' });
    const asked = new URL(url).searchParams;
    expect([...asked.keys()].sort()).toEqual([
      'client_id',
      'code_challenge',
      'code_challenge_method',
      'redirect_uri',
      'response_type',
      'scope',
      'state',
    ]);
    expect(asked.get('code_challenge_method')).toBe('S256');
    expect(asked.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(url).not.toContain('only-for-the-token-endpoint');
  });

  it('takes no answer but the one with its state, and no second one', async () => {
    const { here, oidc, person } = await setUp();
    const { url, id } = await start(here, { provider: oidcChoice(oidc.baseUrl) });
    const back = new URL(url).searchParams.get('redirect_uri') ?? '';
    expect((await fetch(`${back}?code=stolen&state=guessed`)).status).toBe(400);
    expect((await fetch(`${back}?error=access_denied`)).status).toBe(400);
    expect((await fetch(new URL('/favicon.ico', back))).status).toBe(404);
    // What is no address does not end the program.
    for (const target of ['//', 'http://[', '//%', '/\\'])
      expect(await statusOf(back, target)).toMatch(/^40[04]$/);
    // A name of another site that resolves to this machine is not this machine.
    expect(await statusOf(back, '/callback', 'rebound.example')).toBe('421');
    expect(here.agent.requests.signIn(id)?.status).toBe('waiting');
    await person.visit(url);
    expect(here.agent.requests.signIn(id)?.status).toBe('done');
    // Another program of this machine may have the port for a moment.
    await expect.poll(() => fetch(back).catch(() => 'closed')).toBe('closed');
  });

  it('sends the browser back to the address that was registered, and to another port while that is in use', async () => {
    const { here, oidc, person } = await setUp();
    const provider = oidcChoice(oidc.baseUrl);
    const backOf = (url: string) => new URL(url).searchParams.get('redirect_uri') ?? '';
    const other = createServer();
    // Where it cannot listen, somebody else does.
    const isListening = await new Promise<boolean>((resolve) => {
      other.once('error', () => resolve(false)).listen(signInPort, '127.0.0.1', () => resolve(true));
    });
    const first = await start(here, { provider });
    expect(backOf(first.url)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(backOf(first.url)).not.toBe(redirectAddress(provider));
    await person.visit(first.url);
    expect(here.agent.requests.signIn(first.id)?.status).toBe('done');
    if (isListening) await new Promise((resolve) => other.close(resolve));

    // As soon as the port is free.
    const again = () => start(here, { provider: undefined });
    await expect
      .poll(async () => {
        const { url, id } = await again();
        here.agent.requests.cancelSignIn(id);
        return backOf(url);
      })
      .toBe(redirectAddress(provider));
  });

  it('is completed where the browser is gone before its answer, and then waits for nobody', async () => {
    const { here } = await setUp();
    const server = await startPlainOAuthServer(() => here.time.clock(), { rotates: true, expiresIn: 3600 });
    const inputs = {
      ...{ service: 'other', client_id: 'c' },
      ...{ token_url: `${server.baseUrl}/token`, authorization_url: `${server.baseUrl}/authorize` },
    };
    const { url, id } = await start(here, { provider: { id: 'oauth2', inputs }, base_url: server.baseUrl });
    const agreed = await fetch(url, { redirect: 'manual' });
    const back = new URL(agreed.headers.get('location') ?? '');
    const socket = connect(Number(back.port), back.hostname);
    socket.write(`GET ${back.pathname}${back.search} HTTP/1.1\r\nHost: ${back.host}\r\n\r\n`, () =>
      socket.destroy(),
    );
    await expect.poll(() => here.agent.requests.signIn(id)?.status).toBe('done');
    await expect
      .poll(() =>
        fetch(back).then(
          () => 'listens',
          () => 'closed',
        ),
      )
      .toBe('closed');
  });

  it.each([
    ['no code', '', 'it has no code'],
    ['an empty code', 'code=', 'it has no code'],
    ['two codes', 'code=x&code=y', 'something is in it twice'],
    ['two states', 'code=x&state=z', 'something is in it twice'],
    [
      'another issuer',
      'code=x&iss=https%3A%2F%2Fother.example',
      'it is from another issuer (“https://other.example”)',
    ],
    [
      'a refusal of another issuer',
      'error=access_denied&iss=https%3A%2F%2Fother.example',
      'it is from another issuer (“https://other.example”)',
    ],
    ['two refusals', 'error=access_denied&error=server_error', 'something is in it twice'],
    ['a signed answer, which was not asked for', 'response=x', 'it has no code'],
    ['a token in its address', 'code=x&id_token=x.y.z', 'the standard does not allow it'],
  ])('ends with what is wrong with the answer: %s', async (_what, answer, why) => {
    const { here, oidc } = await setUp();
    const { url, id } = await start(here, { provider: oidcChoice(oidc.baseUrl) });
    const asked = new URL(url).searchParams;
    const back = `${asked.get('redirect_uri') ?? ''}?state=${asked.get('state') ?? ''}&${answer}`;
    const page = await fetch(back);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Sign-in failed')]);
    const { status, message } = here.agent.requests.signIn(id) ?? {};
    expect(status).toBe('failed');
    expect(message).toContain(`${oidc.baseUrl} sent the browser back`);
    expect(message).toContain(why);
    expect(here.store.state.credentials.size).toBe(0);
  });

  it('is completed at a server that names its issuer where only its addresses are known', async () => {
    const { here } = await setUp();
    const server = await startPlainOAuthServer(() => here.time.clock(), { rotates: true, expiresIn: 3600 });
    const provider = {
      id: 'oauth2',
      inputs: {
        service: 'other',
        client_id: 'c',
        token_url: `${server.baseUrl}/token`,
        authorization_url: `${server.baseUrl}/authorize`,
      },
    };
    const { url, id } = await start(here, { provider, base_url: server.baseUrl });
    const agreed = await fetch(url, { redirect: 'manual' });
    const iss = encodeURIComponent(`${server.baseUrl}/realms/x`);
    await fetch(`${agreed.headers.get('location') ?? ''}&iss=${iss}`);
    expect(here.agent.requests.signIn(id)).toMatchObject({ status: 'done', message: null });
  });

  it('says who refused it, and adds nothing', async () => {
    const { here, oidc, person } = await setUp();
    oidc.denies = true;
    const { url, id } = await start(here, { provider: oidcChoice(oidc.baseUrl) });
    const page = await person.visit(url);
    expect(await page.text()).toContain('Sign-in failed');
    expect(here.agent.requests.signIn(id)).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('Ada does not want to.') as string,
    });
    expect(here.store.state.credentials.size).toBe(0);
  });

  it('reads again what the server says of itself, and sends nobody to a page without https', async () => {
    const { here, oidc } = await setUp();
    const metadata: Record<string, unknown> = {};
    const server = createServer((_request, answer) => {
      answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    Object.assign(metadata, {
      issuer,
      token_endpoint: `${oidc.baseUrl}/token`,
      response_types_supported: ['code'],
    });
    const wanted = { provider: oidcChoice(issuer) };
    expect(await refusalOf(here, wanted)).toBe('no_sign_in_endpoint');
    // Behind a proxy that ends TLS, a server may take itself for one without.
    metadata['authorization_endpoint'] = 'http://sign-in.example.com/auth';
    expect(await refusalOf(here, wanted)).toBe('sign_in_unprotected');
    metadata['authorization_endpoint'] = 'https://sign-in.example.com/auth';
    expect(await refusalOf(here, wanted)).toBe('started');
  });

  it('at Slack asks for the scopes of a user where the app has no secret, and comes back to localhost', async () => {
    const { here } = await setUp();
    const inputs = { service: 'slack', client_id: 'x', scope: 'chat:write users:read' };
    const begun = async (more: object) => {
      const provider = { id: 'oauth2', inputs };
      const { url, id } = await start(here, { provider, base_url: 'https://slack.com/api', ...more });
      here.agent.requests.cancelSignIn(id);
      const { searchParams } = new URL(url);
      return ['user_scope', 'scope', 'redirect_uri'].map((key) => searchParams.get(key));
    };
    const own = expect.stringMatching(/^http:\/\/localhost:\d+\/callback$/) as string;
    expect(await begun({})).toEqual(['chat:write,users:read', null, own]);
    expect(await begun({ client_secret: 's'.repeat(32) })).toEqual([null, 'chat:write,users:read', own]);
  });

  it('waits no more when it is cancelled', async () => {
    const { here, oidc } = await setUp();
    const { url, id } = await start(here, { provider: oidcChoice(oidc.baseUrl) });
    expect(here.agent.requests.cancelSignIn(id)).toMatchObject({ status: 'failed' });
    await expect(fetch(new URL(url).searchParams.get('redirect_uri') ?? '')).rejects.toThrow();
  });

  it('gives a credential that has lost its sign-in new tokens, with the same client', async () => {
    const { here, oidc } = await setUp();
    await signIn(here, { name, provider: oidcChoice(oidc.baseUrl) });
    const before = (await here.valueOf(name)) ?? '';
    await signIn(here, { name });
    const after = (await here.valueOf(name)) ?? '';
    expect(await isSecretAlive(oidc, after)).toBe(true);
    expect(bundleIn(after).refresh_token).not.toBe(bundleIn(before).refresh_token);
    expect(here.view(name)).toMatchObject({ state: 'fine', generation: 2 });
    expect(here.events.at(-1)).toMatchObject({
      kind: 'credential.value_replaced',
      data: { cause: 'signed_in' },
    });
  });

  it('is not begun where it cannot end well', async () => {
    const { here, oidc } = await setUp();
    const provider = oidcChoice(oidc.baseUrl);
    expect(await refusalOf(here, { provider: { id: 'rotavox', inputs: {} } })).toBe('no_sign_in');
    expect(await refusalOf(here, {})).toBe('no_credential');
    expect(await refusalOf(here, { provider: oidcChoice('http://127.0.0.1:1') })).toBe('sign_in_not_started');
    const github = { id: 'oauth2', inputs: { service: 'slack', client_id: 'x' } };
    expect(await refusalOf(here, { provider: github, method: 'device' })).toBe('no_sign_in_endpoint');
    await signIn(here, { name, provider });
    expect(await refusalOf(here, { provider })).toBe('name_taken');
  });

  it('never leads to a page that is neither https nor on this machine, whatever a server says', async () => {
    const { here } = await setUp();
    for (const page of ['http://login.example.com/authorize', 'javascript:alert(1)', 'file:///etc/passwd']) {
      const inputs = { client_id: 'x', token_url: 'http://127.0.0.1:1/token', authorization_url: page };
      expect(await refusalOf(here, { provider: { id: 'oauth2', inputs } })).toBe('sign_in_unprotected');
    }
  });

  it('never sends anything to a server without https that is not on this machine', async () => {
    const { here } = await setUp();
    const inputs = { service: 'other', client_id: 'x', issuer: 'http://login.example.com' };
    const refused = await refusalOf(here, {
      provider: { id: 'oauth2', inputs },
      base_url: 'https://api.example.com',
    });
    expect(refused).toBe('sign_in_not_started');
  });
});

describe('a sign-in with a code', () => {
  it('adds a credential once the person has entered it elsewhere', async () => {
    const { here, oidc, person } = await setUp();
    const provider = oidcChoice(oidc.baseUrl);
    const waiting = await start(here, { provider, method: 'device' });
    expect(waiting.user_code).toMatch(/^[A-Z]{4}-[A-Z]{4}$/);
    const added = here.next('credential.added');
    await person.enterCode(waiting.url, waiting.user_code ?? '');
    await added;
    await expect.poll(() => here.agent.requests.signIn(waiting.id)?.status).toBe('done');
    const got = await here.agent.requests.valueOf(name);
    expect(got.ok && (await oidc.isAccessAlive(got.value))).toBe(true);
  });
});

describe('a code', () => {
  /** A server that is asked for ever; `grants` of each kind of request. */
  async function startCodes(more: Record<string, unknown>) {
    const asked: string[] = [];
    const server = createServer((request, answer) => {
      asked.push(request.url ?? '');
      const pending = { error: 'authorization_pending' };
      const page = 'https://login.example.com/device';
      const code = { device_code: 'd', user_code: 'ABCD', verification_uri: page, interval: 0.02, ...more };
      const [status, body] = request.url === '/device' ? [200, code] : [400, pending];
      answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const inputs = { client_id: 'x', token_url: `${at}/token`, device_url: `${at}/device` };
    const wanted = { provider: { id: 'oauth2', inputs }, base_url: at, method: 'device' };
    const polls = () => asked.filter((url) => url === '/token').length;
    return { wanted, polls };
  }

  it('that counts for weeks is waited for, and not over at once', async () => {
    const { wanted, polls } = await startCodes({ expires_in: 30 * 86_400 });
    const here = await setUpLoneAgent();
    const { id, expires_at: until } = await start(here, wanted);
    await expect.poll(polls).toBeGreaterThan(1);
    expect(here.agent.requests.signIn(id)?.status).toBe('waiting');
    expect(Date.parse(until) - here.time.clock()).toBe(30 * 86_400_000);
    here.agent.requests.cancelSignIn(id);
  });

  it('that counts for ever is waited for as long as an instant can tell', async () => {
    const { wanted } = await startCodes({ expires_in: 1e18 });
    const here = await setUpLoneAgent();
    const { id, status } = await start(here, wanted);
    expect(status).toBe('waiting');
    here.agent.requests.cancelSignIn(id);
  });

  it('that is cancelled before the server was asked about it is no failure', async () => {
    const { wanted, polls } = await startCodes({ expires_in: 600 });
    const here = await setUpLoneAgent();
    const first = await start(here, wanted);
    here.agent.requests.cancelSignIn(first.id);
    const second = await start(here, { ...wanted, name: 'other' });
    // It waits for as long as the first.
    await expect.poll(polls).toBeGreaterThan(1);
    here.agent.requests.cancelSignIn(second.id);
    expect(here.failures).toEqual([]);
    expect(here.agent.requests.signIn(first.id)?.message).toMatch(/cancelled/i);
  });
});

describe('an endpoint that a server names', () => {
  it.each(['http://login.example.com/token', 'https://169.254.169.254/token', 'https://[fe80::1]/token'])(
    'is not called where it is %s',
    async (endpoint) => {
      const { here } = await setUp();
      const server = createServer((_request, answer) => {
        const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        const metadata = { issuer: own, token_endpoint: endpoint, device_authorization_endpoint: endpoint };
        answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      onTestFinished(() => void server.close());
      const provider = oidcChoice(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      const refused = await refusalOf(here, { provider, method: 'device' });
      expect(refused).toMatch(/^sign_in_(?:unprotected|not_started)$/);
    },
  );
});

describe('an access token', () => {
  type Habits = Partial<Parameters<typeof startPlainOAuthServer>[1]>;

  async function signedIn(expiresIn: string | number | null = 3600, habits: Habits = {}) {
    const here = await setUpLoneAgent();
    return { here, server: await signInTo(here, expiresIn, habits) };
  }

  async function signInTo(here: LoneAgent, expiresIn: string | number | null = 3600, habits: Habits = {}) {
    const server = await startPlainOAuthServer(here.time.clock, { rotates: true, expiresIn, ...habits });
    const inputs = {
      service: 'other',
      client_id: 'app',
      token_url: `${server.baseUrl}/token`,
      authorization_url: `${server.baseUrl}/authorize`,
      revocation_url: `${server.baseUrl}/revoke`,
    };
    await signIn(here, { name, provider: { id: 'oauth2', inputs } });
    return server;
  }

  it('that has expired is no trouble: whoever asks gets a new one, and all who ask share one refresh', async () => {
    const { here, server } = await signedIn();
    here.time.jump(3_600_000);
    expect(here.view(name)).toMatchObject({ state: 'due', trouble: null, message: null });
    server.forms.length = 0;
    const got = await Promise.all([1, 2, 3].map(() => here.agent.requests.valueOf(name)));
    const tokens = new Set(got.map((one) => (one.ok ? one.value : null)));
    expect(tokens.size).toBe(1);
    expect(server.isAccessAlive([...tokens][0] ?? '')).toBe(true);
    expect(server.forms).toHaveLength(1);
    expect(here.view(name)).toMatchObject({ state: 'fine', generation: 2 });
  });

  it('is what calls of others carry, and nothing else of the secret', async () => {
    const { here } = await signedIn();
    here.time.jump(3_600_000);
    const access = await here.agent.requests.accessFor(name);
    if (!access.ok) throw new Error(access.refusal.reason.code);
    access.value.settle();
    expect(access.value.token).toBe(bundleIn((await here.valueOf(name)) ?? '').access_token);
    expect(here.view(name)).toMatchObject({ state: 'fine', generation: 2 });
  });

  it('that could not be refreshed is not given out, and says why', async () => {
    const { here } = await signedIn();
    here.vault.fail('locked');
    here.time.jump(3_600_000);
    const got = await here.agent.requests.valueOf(name);
    expect(got).toMatchObject({
      ok: false,
      refusal: { problem: 'token_unusable', reason: { problem: { code: 'access_ended' } } },
    });
    expect(here.view(name).state).toBe('vault_unavailable');
  });

  it('is still given out when the sign-in has ended, until it expires', async () => {
    const { here, server } = await signedIn();
    const secret = (await here.valueOf(name)) ?? '';
    const spend = () =>
      fetch(`${server.baseUrl}/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          refresh_token: bundleIn(secret).refresh_token,
        }),
      });
    await spend(); // another program uses the same refresh token
    await here.agent.requests.rotateNow(name);
    expect(here.view(name)).toMatchObject({ state: 'refused', trouble: { kind: 'invalid' } });
    expect(here.view(name).message).toContain('no longer accepts the sign-in');
    expect(await here.agent.requests.valueOf(name)).toMatchObject({ ok: true });
    here.time.jump(3_600_000);
    expect(await here.agent.requests.valueOf(name)).toMatchObject({ ok: false });
  });

  it('that does not work any more says nothing about the sign-in', async () => {
    const { here, oidc } = await setUp();
    await signIn(here, { name, provider: oidcChoice(oidc.baseUrl) });
    await oidc.endAccess(bundleIn((await here.valueOf(name)) ?? '').access_token);
    const tested = await here.agent.requests.testCredential(name);
    expect(tested).toMatchObject({ ok: true, value: { outcome: 'refused' } });
    expect(here.view(name)).toMatchObject({ state: 'fine', trouble: null });
    await here.agent.requests.rotateNow(name);
    expect(await here.agent.requests.testCredential(name)).toMatchObject({ value: { outcome: 'works' } });
  });

  it('lives for as long as the server says, also as a text, and for an hour if it does not say', async () => {
    for (const expiresIn of ['1800', 1800, null]) {
      const { here } = await signedIn(expiresIn);
      const { obtained_at: from, expires_at: until } = here.view(name);
      expect(Date.parse(until) - Date.parse(from)).toBe(expiresIn === null ? 3_600_000 : 1_800_000);
    }
  });

  it('and its refresh token go where a target wants them', async () => {
    const here = await setUpAgent();
    await signInTo(here);
    const secret = bundleIn((await here.valueOf(name)) ?? '');
    for (const part of [undefined, 'access_token', 'refresh_token', 'both'] as const) {
      const target = { kind: 'keychain', service: 'app', account: String(part), ...(part && { part }) };
      const added = await fetch(`${here.baseUrl}/portal/credentials/${name}/targets`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${here.service.sessions.portalKey}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(target),
      });
      const said = await added.text();
      expect(added.status, said).toBe(200);
      expect(said).not.toContain(secret.refresh_token);
    }
    const delivered = (account: string) => here.vault.read({ service: 'app', account });
    expect(await delivered('undefined')).toBe(secret.access_token);
    expect(await delivered('access_token')).toBe(secret.access_token);
    expect(await delivered('refresh_token')).toBe(secret.refresh_token);
    expect(JSON.parse((await delivered('both')) ?? '')).toEqual({
      access_token: secret.access_token,
      refresh_token: secret.refresh_token,
    });
  });

  it('is revoked after its refresh token when the credential is removed, where it would go on working', async () => {
    const { here, server } = await signedIn();
    const secret = bundleIn((await here.valueOf(name)) ?? '');
    expect(await here.agent.requests.remove(name)).toEqual({ ok: true, value: { message: null } });
    expect(server.revoked).toEqual([secret.refresh_token, secret.access_token]);
    expect(server.isAccessAlive(secret.access_token)).toBe(false);
  });

  it.each(['together', 'refresh_only'] as const)(
    'that cannot be revoked after its refresh token is no trouble: %s',
    async (revokes) => {
      const { here, server } = await signedIn(3600, { revokes });
      expect(await here.agent.requests.remove(name)).toEqual({ ok: true, value: { message: null } });
      expect(server.revoked).toHaveLength(2);
    },
  );

  it('whose revocation fails is reported, although the refresh token has ended', async () => {
    const { here } = await signedIn(3600, { revokes: 'no_access' });
    expect(await here.agent.requests.remove(name)).toMatchObject({
      ok: true,
      value: { message: expect.stringContaining('could not be revoked') as string },
    });
  });

  it('that has expired is not revoked', async () => {
    const { here, server } = await signedIn();
    const { refresh_token: refreshToken } = bundleIn((await here.valueOf(name)) ?? '');
    here.time.jump(3_600_000);
    await here.agent.requests.remove(name);
    expect(server.revoked).toEqual([refreshToken]);
  });
});

describe('a client with a secret', () => {
  it('is added with its first access token, or refused with what the server says', async () => {
    const { here, oidc } = await setUp();
    const inputs = { service: 'other', issuer: oidc.baseUrl, client_id: oidcMachine.id };
    const provider = { id: 'oauth2-client', inputs };
    await expect(here.keep({ name, value: 'wrong-secret', provider })).rejects.toThrow('client_not_accepted');
    await here.keep({ name, value: oidcMachine.secret, provider });
    const got = await here.agent.requests.valueOf(name);
    expect(got.ok && (await oidc.isAccessAlive(got.value))).toBe(true);
    expect(here.view(name)).toMatchObject({ state: 'fine', base_url: oidc.baseUrl });
  });

  it('is removed all the same when its tokens cannot be revoked, which is said', async () => {
    const { here, oidc } = await setUp();
    const inputs = {
      service: 'other',
      client_id: oidcMachine.id,
      token_url: `${oidc.baseUrl}/token`,
      revocation_url: 'http://127.0.0.1:1/revoke',
    };
    await here.keep({ name, value: oidcMachine.secret, provider: { id: 'oauth2-client', inputs } });
    const removed = await here.agent.requests.remove(name);
    expect(removed).toMatchObject({
      ok: true,
      value: { message: expect.stringContaining('could not be revoked') as string },
    });
    expect(here.store.state.credentials.size).toBe(0);
  });
});

/** The status that a request line with any target gets, also one that `fetch` would not send. */
async function statusOf(base: string, target: string, name?: string): Promise<string> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  socket.end(`GET ${target} HTTP/1.1\r\nHost: ${name ?? hostname}:${port}\r\nConnection: close\r\n\r\n`);
  let answer = '';
  for await (const text of socket.setEncoding('utf8') as AsyncIterable<string>) answer += text;
  return answer.split(' ')[1] ?? '';
}
