import type {
  ForbiddenRoute,
  KnownService,
  NamedServices,
  ProviderFacts,
  ProviderInput,
} from '../../contract/credential/provider-facts.ts';
import { onlyForService, type ReadyRules, rulesOf } from '../../contract/credential/ready-rules.ts';
import { atlassianPaths, atlassianRules } from '../assisted/assisted-services.ts';
import { gitHubPaths, gitHubRules } from '../github-app/facts.ts';
import { gitLabPaths, gitLabRules } from '../gitlab/facts.ts';
import { type OAuthService, type OAuthServices, oauthServices } from './oauth-services.ts';

/** An endpoint that a server without metadata has to be told of. */
export function ownEndpoint(name: string): ProviderInput {
  return { name, kind: 'text', isOptional: true, onlyFor: { input: 'service', values: ['other'] } };
}

/** Where the known servers issue and revoke tokens. */
export const oauthRoutes: readonly ForbiddenRoute[] = [
  '/oauth/**',
  '/oauth2/**',
  '/login/oauth/**',
  '/connect/token',
  '/token',
  '/api/oauth.v2.access',
  '/api/v2/oauth/**',
  '/api/v2/tailnet/*/keys',
  '/admin/api/api/token',
  '/credentials/revoke',
  '/applications/*/token',
].map((path) => ({ method: null, path }));

/** Inputs whose value is an address of the server: the service is there if nothing else is known. */
export const issuingInputs = ['issuer', 'token_url'] as const;

/** What every module may know of the servers. */
export function knownServices(services: OAuthServices): NamedServices<KnownService> {
  const known = Object.entries(services).map(([name, service]) => [name, knownService(service)] as const);
  return { ...Object.fromEntries(known), other: knownService(services.other) };
}

function knownService({
  baseUrl,
  endpoints,
  loopback,
  appPage,
  ownAppPage,
  ownServers,
}: OAuthService): KnownService {
  return {
    baseUrl,
    loopback,
    ...(appPage === undefined ? {} : { appPage }),
    ...(ownAppPage === undefined ? {} : { ownAppPage }),
    ...(ownServers === undefined ? {} : { ownServers }),
    // Only the metadata of another server say whether it has a page for codes.
    mayTakeCode: endpoints === null || endpoints.device !== undefined,
  };
}

/** https://learn.microsoft.com/graph/api/overview */
const microsoftRules: readonly ReadyRules[] = [
  { id: 'read-mail', rules: rulesOf('GET', '/v1.0/me/messages', '/v1.0/me/messages/*') },
  { id: 'read-calendar', rules: rulesOf('GET', '/v1.0/me/events', '/v1.0/me/events/*') },
];

/**
 * How tokens begin that a sign-in obtains. They are not entered: they lead to the sign-in that replaces them.
 *
 * GitHub: https://github.blog/changelog/2021-03-31-authentication-token-format-updates-are-generally-available
 * Slack: https://docs.slack.dev/authentication/tokens and https://docs.slack.dev/authentication/using-token-rotation
 * Google: https://developers.google.com/identity/protocols/oauth2#size; the second one begins its refresh tokens.
 */
const signedInPrefixes = {
  github: ['ghu_', 'gho_', 'ghr_'],
  slack: ['xoxb-', 'xoxp-', 'xoxe.', 'xoxe-'],
  google: ['ya29.', '1//'],
} as const;

/** A person has signed in, and a refresh token obtains access tokens; RFC 6749, RFC 8252, RFC 8628. */
export const oauth2Facts = {
  traits: {
    shape: 'refresh',
    oldEnds: 'at_once',
    repeat: 'after_inspect',
    endsOn: 'instant',
    longestDays: null,
    reuseEndsAll: true,
    isRevokedOnRemoval: true,
    signsIn: true,
  },
  defaultBaseUrl: null,
  services: knownServices(oauthServices),
  addressInputs: issuingInputs,
  mayBeEmbedded: false,
  tokenPrefixes: Object.entries(signedInPrefixes).flatMap(([service, prefixes]) =>
    prefixes.map((prefix) => ({ prefix, inputs: { service } })),
  ),
  endOnRequest: { onlyFor: undefined },
  standby: null,
  inputs: [
    { name: 'service', kind: 'choice', choices: Object.keys(oauthServices) },
    { name: 'client_id', kind: 'text' },
    { name: 'issuer', kind: 'text', isOptional: true, onlyFor: { input: 'service', values: ['other'] } },
    { name: 'scope', kind: 'text', isOptional: true },
    {
      name: 'tenant',
      kind: 'text',
      isOptional: true,
      onlyFor: { input: 'service', values: ['microsoft'] },
    },
    ...(['token_url', 'authorization_url', 'device_url', 'revocation_url'] as const).map(ownEndpoint),
  ],
  slot: { header: 'authorization', prefix: 'Bearer ' },
  ready: [
    ...onlyForService('gitlab', gitLabRules),
    ...onlyForService('github', gitHubRules),
    ...onlyForService('microsoft', microsoftRules),
    ...onlyForService('atlassian', atlassianRules),
  ],
  paths: [
    { ...gitLabPaths, onlyFor: { input: 'service', values: ['gitlab'] } },
    { ...gitHubPaths, onlyFor: { input: 'service', values: ['github'] } },
    { ...atlassianPaths, onlyFor: { input: 'service', values: ['atlassian'] } },
  ],
  forbidden: oauthRoutes,
} as const satisfies ProviderFacts;
