/**
 * Known OAuth servers: what a sign-in needs beside the client id, and what each does that the standard leaves open.
 *
 * In addresses `{base}` is the address of the credential's service and `{tenant}` an input. The names are in `words.ts`.
 */

import type { KnownService, NamedServices } from '../../contract/credential/provider-facts.ts';
import { gitHubServers } from '../github-app/facts.ts';
import { gitLabServers } from '../gitlab/facts.ts';

interface OAuthEndpoints {
  readonly token: string;
  readonly authorization?: string;
  readonly device?: string;
  readonly revocation?: string;
}

export interface OAuthService extends Pick<KnownService, 'appPage' | 'ownAppPage' | 'ownServers'> {
  /** Where the API is, if no other address is given. */
  readonly baseUrl: string | null;
  /** Null: read from the metadata of the issuer (RFC 8414), or given as inputs. */
  readonly endpoints: OAuthEndpoints | null;
  /** Added to what the person asks for. */
  readonly scopes: readonly string[];
  readonly scopeSeparator: ' ' | ',';
  /** What the scopes are called in an authorization request of a client without a secret, where that differs. */
  readonly publicScopeName: 'scope' | 'user_scope';
  /** More parameters of the authorization request. */
  readonly extra: Readonly<Record<string, string>>;
  /** How a client secret is sent; null: as the metadata says. */
  readonly clientAuth: 'basic' | 'post' | null;
  /** How long access tokens work where a reply does not say it; null: not known. */
  readonly lifetimeSeconds: number | null;
  /** Whether a refresh ends the access token that was in use. */
  readonly refreshEndsAccess: boolean;
  /** How long a refresh token may be used again after a reply was lost; `always`: it is not replaced. */
  readonly graceSeconds: number | 'always';
  /** A harmless call with the access token: 401 says that it does not work. */
  readonly probe: string | null;
  /** Whether `redirect_uri` has to be sent with each refresh. */
  readonly sendsRedirectUri: boolean;
  /** The host of the address that the browser is sent back to. */
  readonly loopback: '127.0.0.1' | 'localhost';
}

/** What is known of the servers of one provider, by the choice of the person. */
export type OAuthServices = NamedServices<OAuthService>;

/** A server that follows the standard and says no more. */
export const standardOAuth: OAuthService = {
  baseUrl: null,
  endpoints: null,
  scopes: [],
  scopeSeparator: ' ',
  publicScopeName: 'scope',
  extra: {},
  clientAuth: null,
  lifetimeSeconds: null,
  refreshEndsAccess: false,
  graceSeconds: 0,
  probe: null,
  sendsRedirectUri: false,
  loopback: '127.0.0.1',
};

/** Servers where a person signs in. */
export const oauthServices = {
  other: standardOAuth,
  /**
   * https://docs.gitlab.com/api/oauth2: a refresh ends both old tokens, and wants the redirect URI again. Access tokens work for two
   * hours; `/oauth/revoke` ends one.
   */
  gitlab: {
    ...standardOAuth,
    baseUrl: 'https://gitlab.com',
    ownServers: gitLabServers,
    appPage: 'https://gitlab.com/-/user_settings/applications',
    ownAppPage: '/-/user_settings/applications',
    endpoints: {
      token: '{base}/oauth/token',
      authorization: '{base}/oauth/authorize',
      device: '{base}/oauth/authorize_device',
      revocation: '{base}/oauth/revoke',
    },
    clientAuth: 'post',
    lifetimeSeconds: 7200,
    refreshEndsAccess: true,
    probe: '{base}/oauth/token/info',
    sendsRedirectUri: true,
  },
  /**
   * User tokens of a GitHub App; a refresh ends both old tokens.
   * https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app/refreshing-user-access-tokens
   */
  github: {
    ...standardOAuth,
    baseUrl: 'https://api.github.com',
    ownServers: gitHubServers,
    appPage: 'https://github.com/settings/apps',
    ownAppPage: '/settings/apps',
    endpoints: {
      token: 'https://github.com/login/oauth/access_token',
      authorization: 'https://github.com/login/oauth/authorize',
      device: 'https://github.com/login/device/code',
    },
    clientAuth: 'post',
    lifetimeSeconds: 28_800,
    refreshEndsAccess: true,
    probe: '{base}/user',
  },
  /**
   * https://docs.slack.dev/authentication/using-token-rotation: an access token works for 12 hours, and a used refresh token is
   * "revoked after a short grace period", whose length is not said.
   *
   * https://docs.slack.dev/authentication/using-pkce: the browser is sent back to `localhost`. A client without a secret gets user
   * tokens only, so that its scopes are `user_scope`, and its refresh tokens end after 30 days. PKCE has to be turned on for the app, for good.
   */
  slack: {
    ...standardOAuth,
    baseUrl: 'https://slack.com/api',
    appPage: 'https://api.slack.com/apps',
    endpoints: {
      token: 'https://slack.com/api/oauth.v2.access',
      authorization: 'https://slack.com/oauth/v2/authorize',
    },
    scopeSeparator: ',',
    publicScopeName: 'user_scope',
    clientAuth: 'post',
    lifetimeSeconds: 43_200,
    graceSeconds: 30,
    loopback: 'localhost',
  },
  /** https://developers.google.com/identity/protocols/oauth2/native-app: refresh tokens are not replaced. */
  google: {
    ...standardOAuth,
    baseUrl: 'https://www.googleapis.com',
    appPage: 'https://console.cloud.google.com/auth/clients',
    endpoints: {
      token: 'https://oauth2.googleapis.com/token',
      authorization: 'https://accounts.google.com/o/oauth2/v2/auth',
      device: 'https://oauth2.googleapis.com/device/code',
      revocation: 'https://oauth2.googleapis.com/revoke',
    },
    extra: { access_type: 'offline', prompt: 'consent' },
    clientAuth: 'post',
    lifetimeSeconds: 3600,
    graceSeconds: 'always',
  },
  /** https://learn.microsoft.com/entra/identity-platform/refresh-tokens: a used refresh token is not revoked. */
  microsoft: {
    ...standardOAuth,
    baseUrl: 'https://graph.microsoft.com',
    appPage: 'https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade',
    endpoints: {
      token: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token',
      authorization: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/authorize',
      device: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/devicecode',
    },
    scopes: ['offline_access'],
    clientAuth: 'post',
    lifetimeSeconds: 3600,
    graceSeconds: 'always',
    loopback: 'localhost',
  },
  /**
   * https://developer.atlassian.com/cloud/oauth/getting-started/refresh-tokens: replaced with each use. The old one may be used again
   * for 10 minutes; later use ends all of them. They end after 90 days without use, and after a year in any case:
   * https://community.developer.atlassian.com/t/updated-31-january-2022-action-required-deprecating-persistent-refresh-tokens/54172
   */
  atlassian: {
    ...standardOAuth,
    baseUrl: 'https://api.atlassian.com',
    appPage: 'https://developer.atlassian.com/console/myapps/',
    endpoints: {
      token: 'https://auth.atlassian.com/oauth/token',
      authorization: 'https://auth.atlassian.com/authorize',
    },
    scopes: ['offline_access'],
    extra: { audience: 'api.atlassian.com', prompt: 'consent' },
    clientAuth: 'post',
    lifetimeSeconds: 3600,
    graceSeconds: 600,
    probe: '{base}/oauth/token/accessible-resources',
  },
} as const satisfies Record<string, OAuthService>;
