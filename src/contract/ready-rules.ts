/**
 * Ready rules of the proxy for each provider: what apps usually need of a service, as rules that name each of its calls.
 *
 * `text/proxy.ts` has their names. Where a wildcard stands here, the service has a name or an id and never a call, so a rule of
 * this kind may have one there whatever the name is. Nothing here may make, show or extend a credential or a right.
 */
import type { ProxyMethod } from './proxy.ts';

export interface ReadyRule {
  readonly method: ProxyMethod;
  /** `{mount}` and `{folder}` stand for the two parts of a folder that the person names, such as `secret/team`. */
  readonly path: string;
}

export interface ReadyRules {
  /** One of `readyRulesIds`, or of a provider's file. */
  readonly id: string;
  /** Of a provider's file. */
  readonly title?: string;
  readonly rules: readonly ReadyRule[];
  /** Only where an input of the provider has one of these values. */
  readonly onlyFor?: { readonly input: string; readonly values: readonly string[] };
}

export const readyRulesIds = [
  'read-repositories',
  'read-projects',
  'read-issues',
  'write-issues',
  'write-pull-requests',
  'write-merge-requests',
  'read-pipelines',
  'read-secrets',
  'write-secrets',
  'read-menus',
  'read-calls',
  'read-packages',
  'read-servers',
  'read-devices',
  'read-mail',
  'read-calendar',
  'read-dns',
] as const;
export type ReadyRulesId = (typeof readyRulesIds)[number];

/** What is known of the paths of one service, beyond its ready rules. */
export interface PathFacts {
  /** Where each `*` is a name, whatever words are in it. */
  readonly names?: readonly string[];
  /** Where the last `*` is a name that may be written with `%2F` in it. */
  readonly slashNames?: readonly string[];
  /** Words that name credentials or rights here and not everywhere. */
  readonly rights?: readonly string[];
  /** Parts that look like a call that extends rights, and are none. */
  readonly plain?: readonly string[];
}

/** The rules of one method. */
function of(method: ProxyMethod, ...paths: readonly string[]): ReadyRule[] {
  return paths.map((path) => ({ method, path }));
}

/** https://docs.github.com/rest */
const gitHubRepository = '/repos/*/*';
export const gitHubRules: readonly ReadyRules[] = [
  {
    id: 'read-repositories',
    rules: of(
      'GET',
      '/user/repos',
      '/users/*/repos',
      '/orgs/*/repos',
      ...['', '/branches', '/branches/*', '/commits/**', '/compare/**', '/contents/**', '/git/**'].map(
        (rest) => gitHubRepository + rest,
      ),
      ...['/languages', '/license', '/readme/**', '/releases/**', '/tags', '/topics'].map(
        (rest) => gitHubRepository + rest,
      ),
    ),
  },
  {
    id: 'read-issues',
    rules: of(
      'GET',
      ...['/issues/**', '/pulls/**', '/labels/**', '/milestones/**'].map((rest) => gitHubRepository + rest),
    ),
  },
  {
    id: 'write-issues',
    rules: [
      ...of('GET', '/repos/*/*/issues/**'),
      ...of('POST', '/repos/*/*/issues', '/repos/*/*/issues/*/comments', '/repos/*/*/issues/*/labels'),
      ...of('PATCH', '/repos/*/*/issues/*', '/repos/*/*/issues/comments/*'),
    ],
  },
  {
    id: 'write-pull-requests',
    rules: [
      ...of('GET', '/repos/*/*/pulls/**'),
      ...of('POST', '/repos/*/*/pulls', '/repos/*/*/pulls/*/comments', '/repos/*/*/pulls/*/reviews'),
      ...of('PATCH', '/repos/*/*/pulls/*'),
    ],
  },
];

export const gitHubPaths: PathFacts = {
  names: ['/repos/*/*'],
  slashNames: ['/branches/*', '/commits/*', '/compare/*', '/contents/*', '/readme/*'].map(
    (rest) => gitHubRepository + rest,
  ),
};

/** https://docs.gitlab.com/api/rest */
const gitLabProject = '/api/v4/projects/*';
export const gitLabRules: readonly ReadyRules[] = [
  {
    id: 'read-projects',
    rules: of(
      'GET',
      '/api/v4/projects',
      '/api/v4/groups',
      '/api/v4/groups/*',
      '/api/v4/groups/*/projects',
      ...['', '/languages', '/releases/**', '/repository/**'].map((rest) => gitLabProject + rest),
    ),
  },
  {
    id: 'read-issues',
    rules: of(
      'GET',
      '/api/v4/issues',
      '/api/v4/merge_requests',
      ...['/issues/**', '/labels/**', '/merge_requests/**', '/milestones/**'].map(
        (rest) => gitLabProject + rest,
      ),
    ),
  },
  {
    id: 'write-issues',
    rules: [
      ...of('GET', `${gitLabProject}/issues/**`),
      ...of('POST', `${gitLabProject}/issues`, `${gitLabProject}/issues/*/notes`),
      ...of('PUT', `${gitLabProject}/issues/*`, `${gitLabProject}/issues/*/notes/*`),
    ],
  },
  {
    id: 'write-merge-requests',
    rules: [
      ...of('GET', `${gitLabProject}/merge_requests/**`),
      ...of('POST', `${gitLabProject}/merge_requests`, `${gitLabProject}/merge_requests/*/notes`),
      ...of('PUT', `${gitLabProject}/merge_requests/*`, `${gitLabProject}/merge_requests/*/notes/*`),
    ],
  },
  {
    // Not the variables of a pipeline, nor its bridges: they may have credentials.
    id: 'read-pipelines',
    rules: of(
      'GET',
      ...['/pipelines', '/pipelines/*', '/pipelines/*/jobs', '/jobs/*', '/jobs/*/trace'].map(
        (rest) => gitLabProject + rest,
      ),
    ),
  },
];

export const gitLabPaths: PathFacts = {
  slashNames: [
    gitLabProject,
    '/api/v4/groups/*',
    ...['branches', 'commits', 'files', 'tags'].map((one) => `${gitLabProject}/repository/${one}/*`),
  ],
  // They show passwords of other services.
  rights: ['service', 'setting'],
};

/** https://developer.hashicorp.com/vault/api-docs/secret/kv/kv-v2 */
const vaultSecrets = ['/v1/{mount}/data/{folder}/**', '/v1/{mount}/metadata/{folder}/**'] as const;
export const vaultRules: readonly ReadyRules[] = [
  { id: 'read-secrets', rules: of('GET', ...vaultSecrets) },
  { id: 'write-secrets', rules: [...of('GET', ...vaultSecrets), ...of('POST', vaultSecrets[0])] },
];

/** The rules of a service that a person creates tokens for, or signs in to. */
export function onlyForService(service: string, sets: readonly ReadyRules[]): ReadyRules[] {
  return sets.map((set) => ({ ...set, onlyFor: { input: 'service', values: [service] } }));
}

/** https://github.com/npm/registry/blob/main/docs/REGISTRY-API.md */
export const npmRules: readonly ReadyRules[] = [{ id: 'read-packages', rules: of('GET', '/*', '/*/-/*') }];

/** https://docs.digitalocean.com/reference/api */
export const digitalOceanRules: readonly ReadyRules[] = [
  { id: 'read-servers', rules: of('GET', '/v2/droplets', '/v2/droplets/*', '/v2/images', '/v2/regions') },
  { id: 'read-dns', rules: of('GET', '/v2/domains', '/v2/domains/*', '/v2/domains/*/records') },
];

/** https://tailscale.com/api */
export const tailscaleRules: readonly ReadyRules[] = [
  { id: 'read-devices', rules: of('GET', '/api/v2/tailnet/*/devices', '/api/v2/device/*') },
];

/** https://developer.atlassian.com/cloud/jira/platform/rest/v3 */
export const atlassianRules: readonly ReadyRules[] = [
  {
    id: 'read-issues',
    rules: of('GET', '/ex/jira/*/rest/api/3/issue/*', '/ex/jira/*/rest/api/3/search/jql'),
  },
  {
    id: 'write-issues',
    rules: [
      ...of('GET', '/ex/jira/*/rest/api/3/issue/*'),
      ...of('POST', '/ex/jira/*/rest/api/3/issue', '/ex/jira/*/rest/api/3/issue/*/comment'),
      ...of('PUT', '/ex/jira/*/rest/api/3/issue/*'),
    ],
  },
];

/** A ticket. */
export const atlassianPaths: PathFacts = { plain: ['issue'] };

/** https://learn.microsoft.com/graph/api/overview */
export const microsoftRules: readonly ReadyRules[] = [
  { id: 'read-mail', rules: of('GET', '/v1.0/me/messages', '/v1.0/me/messages/*') },
  { id: 'read-calendar', rules: of('GET', '/v1.0/me/events', '/v1.0/me/events/*') },
];

export const rotavoxRules: readonly ReadyRules[] = [
  { id: 'read-menus', rules: of('GET', '/v1/ivrs', '/v1/ivr/*') },
];

/** https://docs.smartflo.tatatelebusiness.com */
export const smartfloRules: readonly ReadyRules[] = [
  { id: 'read-calls', rules: of('GET', '/v1/call/records', '/v1/live_calls') },
];

/** What has to be named before the rules of a set are whole. */
export function needsFolder({ rules }: Pick<ReadyRules, 'rules'>): boolean {
  return rules.some(({ path }) => path.includes('{folder}'));
}

/** The rules of a set with a folder such as `secret/team` in them; null: the folder has not both parts. */
export function rulesInFolder(
  { rules }: { readonly rules: readonly ReadyRule[] },
  folder: string,
): ReadyRule[] | null {
  const [mount = '', ...rest] = folder.split('/').filter((part) => part !== '');
  if (rules.some(({ path }) => path.includes('{folder}')) && rest.length === 0) return null;
  const [first, below] = [mount, rest.join('/')].map((part) =>
    encodeURI(part).replace(/[?#*;]/g, encodeURIComponent),
  );
  return rules.map(({ method, path }) => ({
    method,
    path: path.replace('{mount}', () => first ?? '').replace('{folder}', () => below ?? ''),
  }));
}
