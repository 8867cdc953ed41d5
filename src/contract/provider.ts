/**
 * Providers: the kinds of services whose tokens Rotavox rotates, as facts that every module may read. The calls are in
 * `providers/`, the names and sentences in `text/providers.ts`.
 */
import { z } from 'zod';
import { originOf } from './address.ts';
import { assistedServiceNames, assistedServiceOf } from './assisted-services.ts';
import { oauthClientServices, oauthServices } from './oauth-services.ts';
import {
  atlassianPaths,
  atlassianRules,
  digitalOceanRules,
  gitHubPaths,
  gitHubRules,
  gitLabPaths,
  gitLabRules,
  microsoftRules,
  npmRules,
  onlyForService,
  type PathFacts,
  type ReadyRules,
  rotavoxRules,
  smartfloRules,
  tailscaleRules,
  vaultRules,
} from './ready-rules.ts';

/** How a token is replaced. */
export const providerShapes = [
  /** The token asks for its own successor. */
  'self_rotate',
  /** A new token is created beside the old one, which is deleted when every target has the new one. */
  'replace',
  /** A long secret obtains short tokens (OAuth). */
  'refresh',
  /** The same token gets a later expiry. */
  'renew',
  /** A person creates the new token, and Rotavox does the rest. */
  'assisted',
] as const;
export type ProviderShape = (typeof providerShapes)[number];

export interface ProviderTraits {
  readonly shape: ProviderShape;
  /** When the old token stops working. */
  readonly oldEnds: 'at_once' | 'when_retired' | 'never';
  /** How long both tokens work at most, where the old one is deleted. Default: 24 hours. */
  readonly overlapHours?: number;
  /**
   * What may be repeated after a reply was lost: the same call (`free`), the same call with the same key (`with_key`), or
   * nothing before the service was asked what became of the first one (`after_inspect`).
   */
  readonly repeat: 'free' | 'with_key' | 'after_inspect';
  /** Whether tokens expire at any instant, or at 00:00 UTC of a date. */
  readonly endsOn: 'instant' | 'day';
  /** The longest lifetime that can be asked for; null: no limit is known. */
  readonly longestDays: number | null;
  /** Whether using a replaced token for another rotation ends its successor too. */
  readonly reuseEndsAll: boolean;
  /** Whether its tokens are revoked when the credential is removed, where their server can do that. */
  readonly isRevokedOnRemoval?: true;
}

/** What a provider has to be told about a token beside its service's address. */
export interface ProviderInput {
  readonly name: string;
  /** `credential`: the name of another credential here. */
  readonly kind: 'choice' | 'text' | 'credential';
  /** For a choice; the first is the default. */
  readonly choices?: readonly string[];
  /** Needed only where another input has one of these values. */
  readonly onlyFor?: { readonly input: string; readonly values: readonly string[] } | undefined;
  readonly isOptional?: boolean;
}

/** How some tokens of a service begin, and what that says about the inputs. */
export interface TokenPrefix {
  readonly prefix: string;
  readonly inputs?: Readonly<Record<string, string>>;
}

/** A page of a service where a person creates a token, below its address; `{name}` stands for an input. */
export interface TokenPage {
  readonly path: string;
  readonly onlyFor?: ProviderInput['onlyFor'];
}

/** The header that carries a token. */
export interface TokenSlot {
  readonly header: string;
  readonly prefix: string;
  /** The token is a user and a password, and is sent in base64 (RFC 7617). */
  readonly isBasic?: boolean;
}

/**
 * Whether a header can carry a text: printable ASCII. Services give tokens that it cannot carry; they are stored, and only a call with
 * them is not made.
 */
export function fitsHeader(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/** Calls that create, rotate or list secrets: `method` null is any; a path as in a rule of the proxy. */
export interface ForbiddenRoute {
  readonly method: string | null;
  readonly path: string;
}

export interface ProviderFacts {
  readonly traits: ProviderTraits;
  /** Null: the service can be anywhere. */
  readonly defaultBaseUrl: string | null;
  /** The service may be the one of this program, which has no address of its own. */
  readonly mayBeEmbedded: boolean;
  readonly inputs: readonly ProviderInput[];
  readonly tokenPrefixes?: readonly TokenPrefix[];
  /** A call that changes nothing, for examples. */
  readonly examplePath?: string;
  /** The first that applies counts. */
  readonly tokenPages?: readonly TokenPage[];
  /** Whether a second token may be kept beside the current one, so that no token in use is ever replaced. */
  readonly standby: { readonly onlyFor: ProviderInput['onlyFor'] } | null;
  /** Which tokens their service can be asked to make valid for a number of days. Absent: none. */
  readonly validity?: { readonly onlyFor: ProviderInput['onlyFor'] };
  /** Whether the service can be asked to end a token that is given to it. */
  readonly endOnRequest?: { readonly onlyFor: ProviderInput['onlyFor'] };
  /** Where calls carry the token; other places are taken from what an app sends. */
  readonly slot: TokenSlot;
  /** What no rule of the proxy may allow, because an app could get a token of its own by it. */
  readonly forbidden: readonly ForbiddenRoute[];
  /** Rules of the proxy that apps usually need. Absent: none are known. */
  readonly ready?: readonly ReadyRules[];
  /** What is known of the paths of the service; the first that applies counts. */
  readonly paths?: readonly (PathFacts & { readonly onlyFor?: ReadyRules['onlyFor'] })[];
  /**
   * The folders of a service that keeps secrets, below the place where each store is mounted: a wildcard of a rule may stand for the
   * mount or below such a folder, and nowhere else. What is below are names that people choose.
   */
  readonly secretFolders?: readonly string[];
}

/** The names of services in the order of the table. */
function namesOf<T extends object>(services: T): readonly (keyof T & string)[] {
  return Object.keys(services) as (keyof T & string)[];
}

/** An endpoint that a server without metadata has to be told of. */
function ownEndpoint(name: string): ProviderInput {
  return { name, kind: 'text', isOptional: true, onlyFor: { input: 'service', values: ['other'] } };
}

/** Where the known servers issue and revoke tokens. */
function oauthRoutes(): readonly ForbiddenRoute[] {
  return [
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
}

const oauthRules: readonly ReadyRules[] = [
  ...onlyForService('gitlab', gitLabRules),
  ...onlyForService('github', gitHubRules),
  ...onlyForService('microsoft', microsoftRules),
  ...onlyForService('atlassian', atlassianRules),
  ...onlyForService('tailscale', tailscaleRules),
];

const servicePaths: ProviderFacts['paths'] = [
  { ...gitLabPaths, onlyFor: { input: 'service', values: ['gitlab'] } },
  { ...gitHubPaths, onlyFor: { input: 'service', values: ['github'] } },
  { ...atlassianPaths, onlyFor: { input: 'service', values: ['atlassian'] } },
];

/** A limit of calls that a service documents. */
export interface DocumentedRate {
  readonly calls: number;
  readonly perSeconds: number;
}

/**
 * The limits that services document for calls about tokens, by origin. A service that is not here is called slowly at first.
 *
 * GitHub: 900 points a minute, and a call that creates something is five
 * (https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api). GitLab.com: 2,000 calls a minute of one user
 * (https://docs.gitlab.com/user/gitlab_com/rate_limits); other servers have limits of their own. Cloudflare: 1,200 in five
 * minutes of one user (https://developers.cloudflare.com/fundamentals/api/reference/limits).
 */
export const documentedRates: Readonly<Record<string, DocumentedRate>> = {
  'https://api.github.com': { calls: 180, perSeconds: 60 },
  'https://gitlab.com': { calls: 2000, perSeconds: 60 },
  'https://api.cloudflare.com': { calls: 1200, perSeconds: 300 },
};

/** The longest validity that is believed or may be entered, in days. */
export const longestValidityDays = 3650;

export const providers = {
  /** A service with this program's `/v1/auth/rotate`. */
  rotavox: {
    traits: {
      shape: 'self_rotate',
      oldEnds: 'at_once',
      repeat: 'with_key',
      endsOn: 'instant',
      longestDays: longestValidityDays,
      reuseEndsAll: false,
    },
    defaultBaseUrl: null,
    mayBeEmbedded: true,
    inputs: [],
    tokenPrefixes: [{ prefix: 'rvx_' }],
    examplePath: '/v1/auth/token',
    standby: null,
    validity: { onlyFor: undefined },
    slot: { header: 'authorization', prefix: 'Bearer ' },
    ready: rotavoxRules,
    forbidden: [
      { method: null, path: '/v1/auth/rotate' },
      { method: null, path: '/v1/auth/refresh' },
    ],
  },
  /** Smartflo, Acefone and Servetel; https://docs.smartflo.tatatelebusiness.com/reference/authentication-using-tokens */
  smartflo: {
    traits: {
      shape: 'refresh',
      oldEnds: 'at_once',
      repeat: 'free',
      endsOn: 'instant',
      longestDays: null,
      reuseEndsAll: false,
    },
    defaultBaseUrl: 'https://api-smartflo.tatateleservices.com',
    mayBeEmbedded: false,
    // The password to it is entered with the token, and stored in the vault.
    inputs: [{ name: 'email', kind: 'text', isOptional: true }],
    standby: null,
    slot: { header: 'authorization', prefix: '' },
    ready: smartfloRules,
    forbidden: [{ method: null, path: '/v1/auth/**' }],
  },
  /** Installations of GitHub Apps; https://docs.github.com/apps */
  'github-app': {
    traits: {
      shape: 'refresh',
      oldEnds: 'never',
      repeat: 'free',
      endsOn: 'instant',
      longestDays: null,
      reuseEndsAll: false,
      isRevokedOnRemoval: true,
    },
    defaultBaseUrl: 'https://api.github.com',
    mayBeEmbedded: false,
    inputs: [
      { name: 'app', kind: 'text' },
      { name: 'installation', kind: 'text' },
    ],
    standby: null,
    slot: { header: 'authorization', prefix: 'Bearer ' },
    ready: gitHubRules,
    paths: [gitHubPaths],
    forbidden: [
      { method: null, path: '/app/**' },
      { method: null, path: '/installation/token' },
      { method: null, path: '/applications/**' },
      { method: null, path: '/credentials/revoke' },
      { method: null, path: '/repos/*/*/keys/**' },
      { method: null, path: '/repos/*/*/actions/runners/registration-token' },
      { method: null, path: '/orgs/*/actions/runners/registration-token' },
    ],
  },
  /** Tokens that only a person can create, such as GitHub's personal access tokens. */
  assisted: {
    traits: {
      shape: 'assisted',
      oldEnds: 'never',
      repeat: 'free',
      endsOn: 'instant',
      longestDays: null,
      reuseEndsAll: false,
    },
    defaultBaseUrl: null,
    mayBeEmbedded: false,
    inputs: [
      { name: 'service', kind: 'choice', choices: assistedServiceNames },
      { name: 'page', kind: 'text', isOptional: true, onlyFor: { input: 'service', values: ['other'] } },
      {
        name: 'old_token',
        kind: 'choice',
        choices: ['revoke', 'keep'],
        onlyFor: { input: 'service', values: ['github'] },
      },
    ],
    endOnRequest: { onlyFor: { input: 'service', values: ['github'] } },
    standby: null,
    slot: { header: 'authorization', prefix: 'Bearer ' },
    ready: [
      ...onlyForService('github', gitHubRules),
      ...onlyForService('npm', npmRules),
      ...onlyForService('digitalocean', digitalOceanRules),
      ...onlyForService('tailscale', tailscaleRules),
      ...onlyForService('atlassian', atlassianRules),
    ],
    paths: servicePaths,
    forbidden: [
      // GitHub
      { method: null, path: '/**/credentials/revoke' },
      { method: null, path: '/**/applications/**' },
      { method: null, path: '/**/authorizations/**' },
      { method: null, path: '/**/app/installations/*/access_tokens' },
      { method: null, path: '/**/user/keys/**' },
      { method: null, path: '/**/user/gpg_keys/**' },
      { method: null, path: '/**/user/emails/**' },
      { method: null, path: '/**/repos/*/*/keys/**' },
      // npm
      { method: null, path: '/-/npm/v1/tokens/**' },
      { method: null, path: '/-/npm/v1/user' },
      { method: null, path: '/-/user/**' },
      { method: null, path: '/-/v1/login/**' },
      // DigitalOcean
      { method: null, path: '/v2/account/keys/**' },
      { method: null, path: '/v2/spaces/keys/**' },
      { method: null, path: '/v2/gen-ai/**/api_keys/**' },
      // Tailscale
      { method: null, path: '/api/v2/tailnet/*/keys/**' },
      { method: null, path: '/api/v2/oauth/**' },
    ],
  },
  /** Tokens of HashiCorp Vault and OpenBao; https://developer.hashicorp.com/vault/api-docs/auth/token */
  vault: {
    traits: {
      shape: 'renew',
      oldEnds: 'never',
      repeat: 'free',
      endsOn: 'instant',
      longestDays: null,
      reuseEndsAll: false,
    },
    defaultBaseUrl: null,
    mayBeEmbedded: false,
    inputs: [{ name: 'namespace', kind: 'text', isOptional: true }],
    endOnRequest: { onlyFor: undefined },
    standby: null,
    slot: { header: 'x-vault-token', prefix: '' },
    ready: vaultRules,
    secretFolders: ['data', 'metadata'],
    forbidden: [
      // A token that is looked up is in the answer.
      { method: null, path: '/v1/auth/**' },
      // Of a namespace.
      { method: null, path: '/v1/**/auth/token/**' },
      { method: null, path: '/v1/**/auth/*/login/**' },
      { method: null, path: '/v1/**/auth/*/role/*/secret-id/**' },
      { method: null, path: '/v1/**/auth/*/role/*/custom-secret-id' },
      { method: null, path: '/v1/**/identity/oidc/token/*' },
      { method: null, path: '/v1/**/sys/generate-root/**' },
    ],
  },
  /** Secret ids of AppRole in HashiCorp Vault and OpenBao; https://developer.hashicorp.com/vault/api-docs/auth/approle */
  'vault-approle': {
    traits: {
      shape: 'replace',
      oldEnds: 'when_retired',
      repeat: 'free',
      endsOn: 'instant',
      longestDays: null,
      reuseEndsAll: false,
    },
    defaultBaseUrl: null,
    mayBeEmbedded: false,
    inputs: [
      { name: 'role', kind: 'text' },
      { name: 'guardian', kind: 'credential' },
      { name: 'mount', kind: 'text', isOptional: true },
      { name: 'namespace', kind: 'text', isOptional: true },
    ],
    standby: null,
    validity: { onlyFor: undefined },
    slot: { header: 'x-vault-token', prefix: '' },
    // A secret id only logs in: no call carries it.
    forbidden: [{ method: null, path: '/**' }],
  },
  /** GitLab access tokens and runner tokens; https://docs.gitlab.com/api/personal_access_tokens */
  gitlab: {
    traits: {
      shape: 'self_rotate',
      oldEnds: 'at_once',
      repeat: 'after_inspect',
      endsOn: 'day',
      longestDays: 365,
      reuseEndsAll: true,
    },
    defaultBaseUrl: 'https://gitlab.com',
    mayBeEmbedded: false,
    inputs: [
      { name: 'kind', kind: 'choice', choices: ['personal', 'project', 'group', 'runner'] },
      { name: 'of', kind: 'text', onlyFor: { input: 'kind', values: ['project', 'group'] } },
      {
        name: 'recovery',
        kind: 'credential',
        isOptional: true,
        onlyFor: { input: 'kind', values: ['personal', 'project', 'group'] },
      },
    ],
    tokenPrefixes: [{ prefix: 'glpat-' }, { prefix: 'glrt-', inputs: { kind: 'runner' } }],
    examplePath: '/api/v4/personal_access_tokens/self',
    tokenPages: [
      {
        path: '/-/user_settings/personal_access_tokens',
        onlyFor: { input: 'kind', values: ['personal'] },
      },
      { path: '/{of}/-/settings/access_tokens', onlyFor: { input: 'kind', values: ['project'] } },
      { path: '/groups/{of}/-/settings/access_tokens', onlyFor: { input: 'kind', values: ['group'] } },
    ],
    endOnRequest: { onlyFor: { input: 'kind', values: ['personal', 'project', 'group'] } },
    standby: { onlyFor: { input: 'kind', values: ['personal', 'project', 'group'] } },
    validity: { onlyFor: { input: 'kind', values: ['personal', 'project', 'group'] } },
    slot: { header: 'private-token', prefix: '' },
    ready: gitLabRules,
    paths: [gitLabPaths],
    forbidden: [
      { method: null, path: '/api/v4/personal_access_tokens/**' },
      { method: null, path: '/api/v4/user/personal_access_tokens/**' },
      { method: null, path: '/api/v4/users/*/personal_access_tokens/**' },
      { method: null, path: '/api/v4/users/*/impersonation_tokens/**' },
      { method: null, path: '/api/v4/projects/*/access_tokens/**' },
      { method: null, path: '/api/v4/groups/*/access_tokens/**' },
      { method: null, path: '/api/v4/projects/*/deploy_tokens/**' },
      { method: null, path: '/api/v4/groups/*/deploy_tokens/**' },
      { method: null, path: '/api/v4/deploy_tokens/**' },
      { method: null, path: '/api/v4/user/runners/**' },
      { method: null, path: '/api/v4/runners/**' },
      { method: null, path: '/api/v4/user/emails/**' },
      { method: 'PUT', path: '/api/v4/users/*' },
      { method: null, path: '/oauth/**' },
    ],
  },
  /** A person has signed in, and a refresh token obtains access tokens; RFC 6749, RFC 8252, RFC 8628. */
  oauth2: {
    traits: {
      shape: 'refresh',
      oldEnds: 'at_once',
      repeat: 'after_inspect',
      endsOn: 'instant',
      longestDays: null,
      reuseEndsAll: true,
      isRevokedOnRemoval: true,
    },
    defaultBaseUrl: null,
    mayBeEmbedded: false,
    endOnRequest: { onlyFor: undefined },
    standby: null,
    inputs: [
      { name: 'service', kind: 'choice', choices: namesOf(oauthServices) },
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
    ready: oauthRules,
    paths: servicePaths,
    forbidden: oauthRoutes(),
  },
  /** A client id and its secret obtain access tokens (RFC 6749, section 4.4). */
  'oauth2-client': {
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
    mayBeEmbedded: false,
    standby: null,
    inputs: [
      { name: 'service', kind: 'choice', choices: namesOf(oauthClientServices) },
      { name: 'client_id', kind: 'text' },
      { name: 'issuer', kind: 'text', isOptional: true, onlyFor: { input: 'service', values: ['other'] } },
      { name: 'scope', kind: 'text', isOptional: true },
      ...(['token_url', 'revocation_url'] as const).map(ownEndpoint),
    ],
    slot: { header: 'authorization', prefix: 'Bearer ' },
    ready: oauthRules,
    paths: servicePaths,
    forbidden: oauthRoutes(),
  },
} as const satisfies Record<string, ProviderFacts>;

export type ProviderId = keyof typeof providers;
export const providerIds = Object.keys(providers) as [ProviderId, ...ProviderId[]];

/** What the provider of a file is called; `text/providers.ts` has the names of the others. */
export interface ProviderFileNames {
  readonly name: string;
  readonly summary: string;
  readonly searchWords: readonly string[];
  readonly inputs: Readonly<Record<string, { readonly label: string; readonly hint: string }>>;
}

export interface KnownFile {
  readonly facts: ProviderFacts;
  readonly names: ProviderFileNames;
}

/** Providers that are files; loaded once, before anything else is opened. Windows and commands do not have them. */
const ofFiles = new Map<string, KnownFile>();

/** Makes the providers of files known. */
export function setProviderFiles(files: Iterable<readonly [id: string, file: KnownFile]>): void {
  ofFiles.clear();
  for (const [id, file] of files) ofFiles.set(id, file);
}

/** The ids of all providers that are known here. */
export function knownProviderIds(): string[] {
  return [...providerIds, ...ofFiles.keys()];
}

/** Null: it is no file, or not known here. */
export function providerFileNames(id: string): ProviderFileNames | null {
  return ofFiles.get(id)?.names ?? null;
}

export function isBuiltIn(id: string): id is ProviderId {
  return Object.hasOwn(providers, id);
}

export function isKnownProvider(id: string): boolean {
  return isBuiltIn(id) || ofFiles.has(id);
}

/** What is true of a provider whose file was removed: nothing may be done with its tokens. */
const missing: ProviderFacts = {
  traits: {
    shape: 'assisted',
    oldEnds: 'never',
    repeat: 'after_inspect',
    endsOn: 'instant',
    longestDays: null,
    reuseEndsAll: false,
  },
  defaultBaseUrl: null,
  mayBeEmbedded: false,
  inputs: [],
  standby: null,
  slot: { header: 'authorization', prefix: 'Bearer ' },
  forbidden: [{ method: null, path: '/**' }],
};

/** The facts of one; the type has what differs between them only as far as all have it. */
export function providerFacts(id: string): ProviderFacts {
  return isBuiltIn(id) ? providers[id] : (ofFiles.get(id)?.facts ?? missing);
}

const idError = 'must be the id of a provider: lower-case letters, digits, dashes and underscores';
/** Built in, or of a file. */
export const ProviderName = z.string({ error: idError }).regex(/^[a-z][a-z0-9_-]{0,62}$/, idError);

/** `a, b or c`. */
export function listed(values: readonly string[]): string {
  return values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}

/** Whether a long secret obtains short tokens: then a token that has ended is replaced on demand, and nothing is lost. */
export function isRefreshed({ id }: Pick<ProviderChoice, 'id'>): boolean {
  return providerFacts(id).traits.shape === 'refresh';
}

/** Whether the same token expires later, instead of another one taking its place. */
export function isRenewed({ id }: Pick<ProviderChoice, 'id'>): boolean {
  return providerFacts(id).traits.shape === 'renew';
}

/** Whether its tokens are revoked when the credential is removed, where their server can do that. */
export function isRevoked({ id }: Pick<ProviderChoice, 'id'>): boolean {
  return providerFacts(id).traits.isRevokedOnRemoval === true;
}

/** Which provider a credential has, and what it was told. */
export const ProviderChoice = z.object(
  {
    id: ProviderName,
    inputs: z
      .record(z.string(), z.string({ error: 'must be a text' }), { error: 'must be a JSON object' })
      .default({}),
  },
  { error: 'must be a JSON object with the id of a provider' },
);
export type ProviderChoice = z.infer<typeof ProviderChoice>;

/** Every credential had this provider before there were others. */
export const defaultProvider: ProviderChoice = { id: 'rotavox', inputs: {} };

/** Whether nothing has to be said about it, as before there were others. */
export function isDefaultProvider({ id, inputs }: ProviderChoice): boolean {
  return id === defaultProvider.id && Object.keys(inputs).length === 0;
}

/** Whether only a person can create its tokens: they are watched, never rotated. */
export function isAssisted({ id }: Pick<ProviderChoice, 'id'>): boolean {
  return providerFacts(id).traits.shape === 'assisted';
}

/** Whether something of a provider applies to a token with these inputs. */
export function isFor(onlyFor: ProviderInput['onlyFor'], inputs: ProviderChoice['inputs']): boolean {
  return onlyFor === undefined || onlyFor.values.includes(inputs[onlyFor.input] ?? '');
}

/** Whether a credential may have a second token. */
export function mayHaveStandby({ id, inputs }: ProviderChoice): boolean {
  const { standby } = providerFacts(id);
  return standby !== null && isFor(standby.onlyFor, inputs);
}

/** Whether a service can be asked to end a token. */
export function endsOnRequest({ id, inputs }: ProviderChoice): boolean {
  const { endOnRequest } = providerFacts(id);
  return endOnRequest !== undefined && isFor(endOnRequest.onlyFor, inputs);
}

/** Whether the service of a token can be asked for how long the next one is valid. */
export function takesValidity({ id, inputs }: ProviderChoice): boolean {
  const { validity } = providerFacts(id);
  return validity !== undefined && isFor(validity.onlyFor, inputs);
}

/** Where a person creates a token of a service like this one; null: not known. */
export function tokenPageOfAssisted(inputs: ProviderChoice['inputs'], baseUrl: string): string | null {
  const { baseUrl: usual, page } = assistedServiceOf(inputs);
  if (usual === null) return inputs['page'] ?? null;
  // A server of one's own has its pages beside its API; only GitHub has such servers.
  if (inputs['service'] !== 'github' || originOf(baseUrl) === originOf(usual)) return page;
  return `${originOf(baseUrl)}/settings/tokens`;
}

/** The same for any provider. */
export function tokenPageIfAssisted({ id, inputs }: ProviderChoice, baseUrl: string): string | null {
  return id === 'assisted' ? tokenPageOfAssisted(inputs, baseUrl) : null;
}
