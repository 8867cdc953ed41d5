import type { ProviderFacts, OwnServers } from '../../contract/credential/provider-facts.ts';
import { type PathFacts, type ReadyRules, rulesOf } from '../../contract/credential/ready-rules.ts';

/** https://docs.gitlab.com/api/rest */
const gitLabProject = '/api/v4/projects/*';
export const gitLabRules: readonly ReadyRules[] = [
  {
    id: 'read-projects',
    rules: rulesOf(
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
    rules: rulesOf(
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
      ...rulesOf('GET', `${gitLabProject}/issues/**`),
      ...rulesOf('POST', `${gitLabProject}/issues`, `${gitLabProject}/issues/*/notes`),
      ...rulesOf('PUT', `${gitLabProject}/issues/*`, `${gitLabProject}/issues/*/notes/*`),
    ],
  },
  {
    id: 'write-merge-requests',
    rules: [
      ...rulesOf('GET', `${gitLabProject}/merge_requests/**`),
      ...rulesOf('POST', `${gitLabProject}/merge_requests`, `${gitLabProject}/merge_requests/*/notes`),
      ...rulesOf('PUT', `${gitLabProject}/merge_requests/*`, `${gitLabProject}/merge_requests/*/notes/*`),
    ],
  },
  {
    // Not the variables of a pipeline, nor its bridges: they may have credentials.
    id: 'read-pipelines',
    rules: rulesOf(
      'GET',
      ...['/pipelines', '/pipelines/*', '/pipelines/*/jobs', '/jobs/*', '/jobs/*/trace'].map(
        (rest) => gitLabProject + rest,
      ),
    ),
  },
];

/** Pages of a project, a user or the administration have `/-/` in their path. */
export const gitLabServers: OwnServers = { hosts: ['gitlab', 'git'], paths: ['/-/', '/users/sign_in'] };

export const gitLabPaths: PathFacts = {
  slashNames: [
    gitLabProject,
    '/api/v4/groups/*',
    ...['branches', 'commits', 'files', 'tags'].map((one) => `${gitLabProject}/repository/${one}/*`),
  ],
  // They show passwords of other services.
  rights: ['service', 'setting'],
};

/** GitLab access tokens and runner tokens; https://docs.gitlab.com/api/personal_access_tokens */
export const gitlabFacts = {
  traits: {
    shape: 'self_rotate',
    oldEnds: 'at_once',
    repeat: 'after_inspect',
    endsOn: 'day',
    longestDays: 365,
    reuseEndsAll: true,
  },
  defaultBaseUrl: 'https://gitlab.com',
  ownServers: gitLabServers,
  /** Calls of one user; other servers have limits of their own: https://docs.gitlab.com/user/gitlab_com/rate_limits */
  rate: { calls: 2000, perSeconds: 60 },
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
  /** https://docs.gitlab.com/security/tokens/#token-prefixes; `glrtr-`: of a runner that was registered with a registration token. */
  tokenPrefixes: [
    { prefix: 'glpat-' },
    { prefix: 'glrt-', inputs: { kind: 'runner' } },
    { prefix: 'glrtr-', inputs: { kind: 'runner' } },
  ],
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
  // GitLab accepts any user name beside a token of a person or a project.
  git: { username: 'oauth2' },
  // The registry of another server has a name that only its owner knows.
  docker: {
    username: 'oauth2',
    origins: { 'https://gitlab.com': 'https://registry.gitlab.com' },
    isElsewhere: true,
  },
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
} as const satisfies ProviderFacts;
