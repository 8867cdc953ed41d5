import { oidcMachine } from '../fakes/oidc-server.ts';
import { startOidcServer } from '../fakes/start-oidc-server.ts';
import { startPlainOAuthServer } from '../fakes/plain-oauth-server.ts';
import { bundleIn, isSecretAlive, oidcChoice, secretsIn, signIn } from './oauth-worlds.ts';
import { describeProvider } from './provider-suite.ts';

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
