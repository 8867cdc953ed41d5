import { describe, expect, it } from 'vitest';
import { oauth2Facts } from '../../src/providers/oauth2/facts.ts';
import { OAuthServers } from '../../src/providers/oauth2/oauth-exchange.ts';
import { OAuthProvider } from '../../src/providers/oauth2/calls.ts';
import { oauthServices } from '../../src/providers/oauth2/oauth-services.ts';
import type { Attempt } from '../../src/providers/provider-port.ts';
import { isoInstant } from '../../src/core/iso-instant.ts';
import { noon } from '../fixtures/make-events.ts';
import { makeCaller, startAnsweringService } from './http/answering-service.ts';
import { jwt } from '../agent/requests/entered-token.ts';
import {
  attemptOf,
  bundleIn,
  isSecretAlive,
  oidcChoice,
  secretsIn,
  signIn,
  describeProvider,
} from './provider-suite.ts';
import { oidcMachine } from '../fakes/oidc-server.ts';
import { startOidcServer } from '../fakes/start-oidc-server.ts';
import { startPlainOAuthServer } from '../fakes/plain-oauth-server.ts';

const hourMs = 3_600_000;
const refreshToken = 'refresh-0123456789';
const secret = {
  access_token: 'access-0123456789',
  refresh_token: refreshToken,
  client_secret: 'client-0123456789',
  redirect_uri: 'http://127.0.0.1:5000/callback',
  obtained_at: isoInstant(noon),
  expires_at: isoInstant(noon + hourMs),
};

const kind = { traits: oauth2Facts.traits, services: oauthServices };

function providerAt(nowMs = noon): OAuthProvider {
  const clock = () => nowMs;
  return new OAuthProvider(kind, new OAuthServers(makeCaller(), clock), clock);
}

function attemptAt(baseUrl: string, inputs: Record<string, string>, more: Partial<Attempt> = {}): Attempt {
  return attemptOf({
    baseUrl,
    token: JSON.stringify({ ...secret, ...(more.token === undefined ? {} : JSON.parse(more.token)) }),
    inputs: { client_id: 'app', ...inputs },
    note: more.note ?? null,
  });
}

/** One refresh at a server that answers so. */
async function refreshed(status: number, body: unknown, contentType = 'application/json') {
  const server = await startAnsweringService({ status, body, headers: { 'content-type': contentType } });
  const inputs = { service: 'other', token_url: `${server.baseUrl}/token` };
  return providerAt().rotate(attemptAt(server.baseUrl, inputs));
}

describe('a reply to a refresh', () => {
  it.each<[string, unknown, string, object, number]>([
    [
      'as a form (GitHub)',
      'access_token=new-access&refresh_token=new-refresh&expires_in=28800&token_type=bearer',
      'application/x-www-form-urlencoded; charset=utf-8',
      { access_token: 'new-access', refresh_token: 'new-refresh' },
      28_800,
    ],
    [
      'with a token type of its own (Slack)',
      {
        ok: true,
        access_token: 'new-access',
        refresh_token: 'new-refresh',
        token_type: 'bot',
        expires_in: 43_200,
      },
      'application/json',
      { access_token: 'new-access', refresh_token: 'new-refresh' },
      43_200,
    ],
    [
      'for a user (Slack)',
      {
        ok: true,
        authed_user: { id: 'U1', access_token: 'new-access', refresh_token: 'new', expires_in: 60 },
      },
      'application/json',
      { access_token: 'new-access', refresh_token: 'new' },
      60,
    ],
    [
      'with the word of the header before it',
      { access_token: 'Bearer new-access', expires_in: 60 },
      'application/json',
      { access_token: 'new-access', refresh_token: refreshToken },
      60,
    ],
    [
      'one level deeper (Withings)',
      { status: 0, body: { access_token: 'new-access', refresh_token: 'new', expires_in: 10_800 } },
      'application/json',
      { access_token: 'new-access', refresh_token: 'new' },
      10_800,
    ],
    [
      'beside the previous one',
      {
        previous: { access_token: secret.access_token },
        current: { access_token: 'new-access', expires_in: 60 },
      },
      'application/json',
      { access_token: 'new-access', refresh_token: refreshToken },
      60,
    ],
    [
      'with a number as a text',
      { access_token: 'new-access', token_type: 'Bearer', expires_in: '1800' },
      'application/json',
      { access_token: 'new-access', refresh_token: refreshToken },
      1800,
    ],
    [
      'without a token type, and with an ID token that nobody checks',
      { access_token: 'new-access', expires_in: 1800, id_token: 'not.a.jwt' },
      'application/json',
      { access_token: 'new-access', refresh_token: refreshToken },
      1800,
    ],
    [
      'that says nothing of its end, or nonsense',
      { access_token: 'new-access', token_type: 'Bearer', expires_in: -5 },
      'application/json',
      { access_token: 'new-access', refresh_token: refreshToken },
      3600,
    ],
  ])('%s is understood', async (_what, body, type, expected, seconds) => {
    const minted = await refreshed(200, body, type);
    if (!minted.ok) throw new Error(minted.refusal.trouble.code);
    expect(bundleIn(minted.value.token)).toMatchObject({ ...expected, client_secret: secret.client_secret });
    expect(minted.value.expiresAtMs).toBe(noon + seconds * 1000);
  });

  it.each<[string, object, string | null]>([
    ['with `expires_in`', { expires_in: 1800 }, null],
    ['that says it in the access token', { access_token: jwt }, null],
    ['without it (GitHub OAuth apps, Instagram)', {}, 'not_said'],
    ['with null', { expires_in: null }, 'not_said'],
    ['with a negative number', { expires_in: -5 }, 'not_said'],
    ['with words', { expires_in: 'soon' }, 'not_said'],
    ['with more than is believed', { expires_in: 1e12 }, 'not_usable'],
  ])('%s says, or leaves open, when the access token expires', async (_what, body, assumed) => {
    const minted = await refreshed(200, { access_token: 'new-access', token_type: 'Bearer', ...body });
    expect(minted).toMatchObject({ ok: true, value: { expiryAssumed: assumed } });
  });

  it.each<[string, number, unknown, string, boolean]>([
    ['RFC 6749', 400, { error: 'invalid_grant' }, 'sign_in_ended', false],
    ['GitHub', 200, { error: 'bad_refresh_token', error_description: 'It is.' }, 'sign_in_ended', false],
    ['Slack', 200, { ok: false, error: 'invalid_refresh_token' }, 'sign_in_ended', false],
    ['Glewlwyd', 400, '', 'sign_in_ended', false],
    ['Atlassian', 403, { error: 'invalid_grant' }, 'sign_in_ended', false],
    ['RFC 6749', 401, { error: 'invalid_client' }, 'client_refused', false],
    [
      'a server that repeats the request',
      200,
      { error: 'invalid_grant', request: { access_token: secret.access_token } },
      'sign_in_ended',
      false,
    ],
    ['Slack', 200, { ok: false, error: 'bad_client_secret' }, 'client_refused', false],
    ['RFC 6749', 400, { error: 'invalid_scope' }, 'service_failed', false],
    ['nobody', 403, { message: 'No.' }, 'refused', false],
    ['nobody', 503, 'Bad gateway', 'service_failed', true],
    ['nobody', 200, { token: 'elsewhere' }, 'no_new_token', true],
    ['nobody', 200, { access_token: '', token_type: 'bearer' }, 'no_new_token', true],
  ])('that is a refusal as of %s (%i %j) is %s', async (_whose, status, body, code, mayHaveActed) => {
    expect(await refreshed(status, body)).toMatchObject({
      ok: false,
      refusal: { trouble: { code }, mayHaveActed },
    });
  });

  it('is shown without any of the secrets that were sent', async () => {
    const said = `${secret.refresh_token} of ${secret.client_secret} and ${secret.access_token}`;
    const minted = await refreshed(400, { error: 'invalid_grant', error_description: said });
    expect(minted).toMatchObject({ refusal: { trouble: { said: '•••• of •••• and ••••' } } });
  });
});

describe('at GitLab', () => {
  async function gitlab(status: number) {
    const forms: string[] = [];
    const server = await startAnsweringService((incoming, answer) => {
      incoming.on('data', (chunk: Buffer) => forms.push(chunk.toString()));
      incoming.on('end', () => {
        const body = { access_token: 'new-access', refresh_token: 'new', token_type: 'Bearer' };
        const isProbe = incoming.url === '/oauth/token/info';
        answer.writeHead(isProbe ? status : 200, { 'content-type': 'application/json' });
        answer.end(JSON.stringify(isProbe ? {} : body));
      });
    });
    return { server, forms };
  }
  const lost = { note: JSON.stringify({ sent_at: isoInstant(noon) }) };

  it('the redirect URI is sent again, and a token without an end lives for two hours', async () => {
    const { server, forms } = await gitlab(200);
    const minted = await providerAt().rotate(attemptAt(server.baseUrl, { service: 'gitlab' }));
    expect(minted).toMatchObject({ ok: true, value: { expiresAtMs: noon + 2 * hourMs } });
    expect(Object.fromEntries(new URLSearchParams(forms[0]))).toEqual({
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      redirect_uri: secret.redirect_uri,
      client_id: 'app',
      client_secret: secret.client_secret,
    });
  });

  it.each([
    [200, 'nothing_happened'],
    [401, 'lost'],
    [500, 'unclear'],
  ])('the old access token tells what became of a refresh: %i is %s', async (status, kind) => {
    const { server } = await gitlab(status);
    const found = await providerAt().reconcile(attemptAt(server.baseUrl, { service: 'gitlab' }, lost));
    expect(found.kind).toBe(kind);
    expect(server.calls).toEqual(['GET /oauth/token/info']);
  });
});

describe('a refresh whose reply was lost', () => {
  const sent = JSON.stringify({ sent_at: isoInstant(noon) });
  const at = (nowMs: number, service: string, more: Partial<Attempt> = {}) =>
    providerAt(nowMs).reconcile(attemptAt('https://api.example.com', { service }, { note: sent, ...more }));
  const plain = { note: sent };

  it('is repeated where refresh tokens are not replaced', async () => {
    expect(await at(noon + 60_000, 'google')).toEqual({ kind: 'nothing_happened' });
  });

  it('is repeated within the time that the server is known to allow, not after it', async () => {
    expect(await at(noon + 599_000, 'atlassian')).toEqual({ kind: 'nothing_happened' });
    expect(await at(noon + 600_000, 'atlassian')).toMatchObject({
      kind: 'unclear',
      failure: { trouble: { code: 'repeats_later', until: secret.expires_at }, retryAfterMs: 3_000_000 },
    });
    // The clock was set back: it is not known how long ago it was.
    expect(await at(noon - 60_000, 'atlassian')).toMatchObject({ kind: 'unclear' });
  });

  it('is repeated once the access token has ended, when there is nothing left to lose', async () => {
    expect(await at(noon + hourMs, 'slack')).toEqual({ kind: 'nothing_happened' });
  });

  it('is repeated where the last one has shown that the server does not replace them', async () => {
    const server = await startAnsweringService({ status: 500 });
    const inputs = { service: 'other', token_url: `${server.baseUrl}/token` };
    const token = JSON.stringify({ is_replaced: false });
    const found = providerAt().reconcile(attemptAt(server.baseUrl, inputs, { ...plain, token }));
    expect(await found).toEqual({ kind: 'nothing_happened' });
    expect(server.calls).toEqual([]);
  });

  it('was never sent if that was not written down', async () => {
    expect(await at(noon, 'slack', { note: null })).toEqual({ kind: 'nothing_happened' });
  });
});

describe('a client secret', () => {
  it.each([
    ['machine-secret_1.2~3', 'machine-secret_1.2~3'],
    ['a b:c/d', 'a+b%3Ac%2Fd'],
  ])('%s is escaped only where it has to be, because some servers do not decode it', async (given, sent) => {
    const seen: (string | undefined)[] = [];
    const server = await startAnsweringService((incoming, answer) => {
      seen.push(incoming.headers.authorization);
      answer.writeHead(200, { 'content-type': 'application/json' });
      answer.end(JSON.stringify({ access_token: 'new-access', token_type: 'Bearer' }));
    });
    const inputs = { service: 'other', token_url: `${server.baseUrl}/token` };
    const token = JSON.stringify({ client_secret: given });
    expect((await providerAt().rotate(attemptAt(server.baseUrl, inputs, { token }))).ok).toBe(true);
    const expected = Buffer.from(`app:${sent}`).toString('base64');
    expect(seen).toEqual([`Basic ${expected}`]);
  });
});

describeProvider(
  'a sign-in at oidc-provider',
  async (_time, proxyUrl) => {
    const oidc = await startOidcServer({ issuer: proxyUrl });
    const provider = oidcChoice(proxyUrl);
    return {
      baseUrl: oidc.baseUrl,
      provider,
      token: '',
      add: (here, name, baseUrl) => signIn(here, { name, provider, base_url: baseUrl }),
      isAlive: (secret) => isSecretAlive(oidc, secret),
      secretsIn,
      replaces: (path) => path === '/token',
    };
  },
  { afterLostReply: 'reply_lost' },
);

/** A server that has to be told of with addresses. */
function plainChoice(proxyUrl: string) {
  return {
    id: 'oauth2',
    inputs: {
      service: 'other',
      client_id: 'app',
      token_url: `${proxyUrl}/token`,
      authorization_url: `${proxyUrl}/authorize`,
    },
  } as const;
}

describeProvider(
  'a sign-in at a server that replaces refresh tokens and cannot be asked about them',
  async (time, proxyUrl) => {
    const server = await startPlainOAuthServer(time.clock, { rotates: true, expiresIn: '3600' });
    const provider = plainChoice(proxyUrl);
    return {
      baseUrl: server.baseUrl,
      provider,
      token: '',
      add: (here, name, baseUrl) => signIn(here, { name, provider, base_url: baseUrl }),
      isAlive: (secret) => server.isRefreshAlive(bundleIn(secret).refresh_token),
      secretsIn,
      replaces: (path) => path === '/token',
    };
  },
  { afterLostReply: 'reply_lost' },
);

describeProvider(
  'a sign-in at a server that keeps refresh tokens and does not say when access tokens expire',
  async (time, proxyUrl) => {
    const server = await startPlainOAuthServer(time.clock, { rotates: false, expiresIn: null });
    const provider = plainChoice(proxyUrl);
    return {
      baseUrl: server.baseUrl,
      provider,
      token: '',
      add: (here, name, baseUrl) => signIn(here, { name, provider, base_url: baseUrl }),
      isAlive: (secret) => server.isRefreshAlive(bundleIn(secret).refresh_token),
      keepsOld: true,
      secretsIn,
      replaces: (path) => path === '/token',
    };
  },
  { afterLostReply: 'fine' },
);

describeProvider(
  'a client with a secret at oidc-provider',
  async (_time, proxyUrl) => {
    const oidc = await startOidcServer({ issuer: proxyUrl });
    return {
      baseUrl: oidc.baseUrl,
      provider: {
        id: 'oauth2-client',
        inputs: { service: 'other', issuer: proxyUrl, client_id: oidcMachine.id },
      },
      token: oidcMachine.secret,
      isAlive: (secret) => oidc.isAccessAlive(bundleIn(secret).access_token),
      keepsOld: true,
      secretsIn,
      replaces: (path) => path === '/token',
    };
  },
  { afterLostReply: 'fine' },
);
