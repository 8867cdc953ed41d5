import type { InputWords, ProviderWords } from '../../contract/credential/provider-facts.ts';

/** What every client at a server is asked for. */
export const oauthInputs = {
  issuer: {
    label: 'Issuer',
    hint: 'The address of the server that issues the tokens, which has its metadata.',
  },
  client_id: { label: 'Client id', hint: 'As the server shows it for your app.' },
  scope: { label: 'Scopes', hint: 'What the access token may do, with spaces between them.' },
  token_url: {
    label: 'Token address',
    hint: 'Where access tokens are issued, such as https://login.example.com/token.',
  },
  authorization_url: { label: 'Sign-in address', hint: 'The page where people sign in.' },
  device_url: { label: 'Device address', hint: 'Where a sign-in with a code begins.' },
  revocation_url: {
    label: 'Revocation address',
    hint: 'Where tokens are revoked when the credential is removed.',
  },
} as const satisfies Record<string, InputWords>;

export const oauth2Words: ProviderWords = {
  name: 'OAuth sign-in',
  summary: 'You sign in once, and Rotavox always has a valid access token.',
  searchWords: ['oauth', 'openid', 'oidc', 'google', 'microsoft', 'github app', 'slack', 'atlassian', 'jira'],
  addressHint: 'Where the access tokens are used, such as https://api.example.com.',
  inputs: {
    service: {
      label: 'Service',
      hint: 'Where you sign in.',
      choices: {
        other: 'Another server',
        gitlab: 'GitLab',
        github: 'GitHub App',
        slack: 'Slack',
        google: 'Google',
        microsoft: 'Microsoft',
        atlassian: 'Atlassian',
      },
    },
    ...oauthInputs,
    tenant: { label: 'Tenant', hint: 'The directory, such as contoso.onmicrosoft.com. Default: common.' },
  },
  exampleInputs: { service: 'other', issuer: 'https://login.example.com', client_id: 'abc' },
};
