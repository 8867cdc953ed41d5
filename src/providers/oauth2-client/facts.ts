import type { ProviderFacts } from '../../contract/credential/provider-facts.ts';
import { onlyForService } from '../../contract/credential/ready-rules.ts';
import { tailscaleRules } from '../assisted/assisted-services.ts';
import { issuingInputs, knownServices, oauthRoutes, ownEndpoint } from '../oauth2/facts.ts';
import { type OAuthService, standardOAuth } from '../oauth2/oauth-services.ts';

/** Servers that give access tokens to a client with a secret. */
export const oauthClientServices = {
  other: standardOAuth,
  /** https://tailscale.com/kb/1215/oauth-clients; where one is created: https://tailscale.com/kb/1623/trust-credentials */
  tailscale: {
    ...standardOAuth,
    baseUrl: 'https://api.tailscale.com',
    appPage: 'https://login.tailscale.com/admin/settings/trust-credentials',
    endpoints: { token: 'https://api.tailscale.com/api/v2/oauth/token' },
    clientAuth: 'post',
    lifetimeSeconds: 3600,
  },
  /** The API key is the client secret; where it is made: https://support.1password.com/saas-manager-3cx. A new access token ends the one before. */
  '3cx': {
    ...standardOAuth,
    ownServers: { hosts: ['3cx', 'pbx'], paths: ['/webclient/'], ports: [5001] },
    endpoints: { token: '{base}/connect/token' },
    clientAuth: 'post',
    lifetimeSeconds: 3600,
    refreshEndsAccess: true,
  },
  /** https://wiki.freepbx.org/display/FPG/API+Applications */
  freepbx: {
    ...standardOAuth,
    ownServers: { hosts: ['freepbx', 'pbx'], paths: ['/admin/config.php'] },
    ownAppPage: '/admin/config.php?display=api',
    endpoints: { token: '{base}/admin/api/api/token' },
    clientAuth: 'post',
    lifetimeSeconds: 3600,
  },
} as const satisfies Record<string, OAuthService>;

/** A client id and its secret obtain access tokens (RFC 6749, section 4.4). */
export const oauth2ClientFacts = {
  traits: {
    shape: 'refresh',
    oldEnds: 'never',
    repeat: 'free',
    endsOn: 'instant',
    longestDays: null,
    reuseEndsAll: false,
    isRevokedOnRemoval: true,
  },
  defaultBaseUrl: null,
  services: knownServices(oauthClientServices),
  addressInputs: issuingInputs,
  tokenPrefixes: [{ prefix: 'tskey-client-', inputs: { service: 'tailscale' } }],
  mayBeEmbedded: false,
  standby: null,
  inputs: [
    { name: 'service', kind: 'choice', choices: Object.keys(oauthClientServices) },
    { name: 'client_id', kind: 'text' },
    { name: 'issuer', kind: 'text', isOptional: true, onlyFor: { input: 'service', values: ['other'] } },
    { name: 'scope', kind: 'text', isOptional: true },
    ...(['token_url', 'revocation_url'] as const).map(ownEndpoint),
  ],
  slot: { header: 'authorization', prefix: 'Bearer ' },
  ready: onlyForService('tailscale', tailscaleRules),
  forbidden: oauthRoutes,
} as const satisfies ProviderFacts;
