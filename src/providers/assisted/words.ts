import type { ProviderWords } from '../../contract/credential/provider-facts.ts';

export const assistedWords: ProviderWords = {
  name: 'A token that you create',
  summary:
    'GitHub, npm, DigitalOcean, Tailscale, Atlassian and others: Rotavox reminds you to create a new token, then checks and delivers it.',
  searchWords: [
    'github',
    'npm',
    'digitalocean',
    'tailscale',
    'atlassian',
    'jira',
    'personal access token',
    'ghp',
    'github_pat',
    'reminder',
  ],
  services: {
    github: {
      name: 'GitHub',
      summary: 'Personal access tokens. Rotavox reminds you to replace them.',
      searchWords: ['github.com', 'git', 'ghp', 'github_pat', 'pat', 'personal access token', 'classic'],
    },
    npm: {
      name: 'npm',
      summary: 'Access tokens of the registry. Rotavox reminds you to replace them.',
      searchWords: ['npmjs.com', 'node', 'package', 'registry', 'publish', 'granular'],
    },
    digitalocean: {
      name: 'DigitalOcean',
      summary: 'Personal access tokens. Rotavox reminds you to replace them.',
      searchWords: ['cloud.digitalocean.com', 'droplet', 'dop_v1', 'personal access token'],
    },
    tailscale: {
      name: 'Tailscale API token',
      summary: 'Access tokens of a person. Rotavox reminds you to replace them.',
      searchWords: ['tailscale.com', 'vpn', 'tailnet', 'tskey'],
    },
    atlassian: {
      name: 'Atlassian API token',
      summary: 'For Jira and Confluence. Rotavox reminds you to replace them.',
      searchWords: ['atlassian.com', 'atlassian.net', 'jira', 'confluence', 'bitbucket', 'trello'],
    },
    other: {
      name: 'Another service, reminders only',
      summary: 'For any token. Rotavox reminds you to replace it in time.',
      searchWords: ['other', 'custom', 'reminder', 'manual', 'api key'],
    },
  },
  creation: [
    {
      text: 'Choose an expiration, and the permissions that your programs need. Rotavox itself needs none.',
      onlyFor: { input: 'service', values: ['github'] },
    },
    {
      text: 'Choose “Generate New Token”, then the packages and permissions that your programs need; Rotavox itself needs none. With write access it expires after 90 days at the latest.',
      onlyFor: { input: 'service', values: ['npm'] },
    },
    {
      text: 'Choose “Generate New Token”, an expiration and the scopes that your programs need. With custom scopes, tick account:read too, so that Rotavox can check the token.',
      onlyFor: { input: 'service', values: ['digitalocean'] },
    },
    {
      text: 'Choose “Generate access token”. You need the role Owner, Admin, IT admin or Network admin. There are no scopes to tick: the token may use the whole API. It expires after 90 days at the latest.',
      onlyFor: { input: 'service', values: ['tailscale'] },
    },
    {
      text: 'Choose “Create API token with scopes”, an expiry date within a year, and the scopes that your programs need; Rotavox itself needs none. Bitbucket takes no token without scopes. Tokens of a service account are created by an organization admin, at admin.atlassian.com under “Directory”, “Service accounts”.',
      onlyFor: { input: 'service', values: ['atlassian'] },
    },
  ],
  addressHint: 'Where the token is used, such as https://api.example.com.',
  inputs: {
    service: {
      label: 'Service',
      hint: 'The service where you create the token.',
      choices: {
        github: 'GitHub',
        npm: 'npm registry',
        digitalocean: 'DigitalOcean',
        tailscale: 'Tailscale',
        atlassian: 'Atlassian',
        other: 'Another service',
      },
    },
    page: {
      label: 'Page for new tokens',
      hint: 'The address of the page where you create a token. Reminders link to it.',
    },
    old_token: {
      label: 'Old token',
      hint: 'When you enter a new token later, Rotavox revokes the old one once every target has the new one, and after 24 hours at the latest.',
      choices: { revoke: 'Revoke at GitHub', keep: 'Keep until it expires' },
    },
  },
  exampleInputs: { service: 'npm' },
  oldToken:
    'The old token works until it expires. At GitHub, Rotavox revokes it once every target has the new one, and after 24 hours at the latest, ' +
    'unless you choose to keep it.',
};
