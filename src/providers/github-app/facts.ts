import type { ProviderFacts, OwnServers } from '../../contract/credential/provider-facts.ts';
import { type PathFacts, type ReadyRules, rulesOf } from '../../contract/credential/ready-rules.ts';

/** https://docs.github.com/rest */
const gitHubRepository = '/repos/*/*';
export const gitHubRules: readonly ReadyRules[] = [
  {
    id: 'read-repositories',
    rules: rulesOf(
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
    rules: rulesOf(
      'GET',
      ...['/issues/**', '/pulls/**', '/labels/**', '/milestones/**'].map((rest) => gitHubRepository + rest),
    ),
  },
  {
    id: 'write-issues',
    rules: [
      ...rulesOf('GET', '/repos/*/*/issues/**'),
      ...rulesOf('POST', '/repos/*/*/issues', '/repos/*/*/issues/*/comments', '/repos/*/*/issues/*/labels'),
      ...rulesOf('PATCH', '/repos/*/*/issues/*', '/repos/*/*/issues/comments/*'),
    ],
  },
  {
    id: 'write-pull-requests',
    rules: [
      ...rulesOf('GET', '/repos/*/*/pulls/**'),
      ...rulesOf('POST', '/repos/*/*/pulls', '/repos/*/*/pulls/*/comments', '/repos/*/*/pulls/*/reviews'),
      ...rulesOf('PATCH', '/repos/*/*/pulls/*'),
    ],
  },
];

export const gitHubPaths: PathFacts = {
  names: ['/repos/*/*'],
  slashNames: ['/branches/*', '/commits/*', '/compare/*', '/contents/*', '/readme/*'].map(
    (rest) => gitHubRepository + rest,
  ),
};

/** Installations of GitHub Apps; https://docs.github.com/apps */
/** GitHub Enterprise Server; https://docs.github.com/enterprise-server/rest/quickstart */
export const gitHubServers: OwnServers = {
  hosts: ['github', 'ghe', 'git'],
  paths: ['/settings/tokens', '/settings/personal-access-tokens', '/settings/apps'],
  api: '/api/v3',
};

export const githubAppFacts = {
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
  ownServers: gitHubServers,
  services: {
    other: {
      baseUrl: 'https://api.github.com',
      page: 'https://github.com/settings/apps',
      ownPage: '/settings/apps',
    },
  },
  /** GitHub counts 900 points a minute, and a call that creates something is five: https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api */
  rate: { calls: 180, perSeconds: 60 },
  mayBeEmbedded: false,
  inputs: [
    { name: 'app', kind: 'text' },
    { name: 'installation', kind: 'text' },
  ],
  tokenPrefixes: [{ prefix: 'ghs_' }],
  standby: null,
  git: { username: 'x-access-token', origins: { 'https://api.github.com': 'https://github.com' } },
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
} as const satisfies ProviderFacts;
