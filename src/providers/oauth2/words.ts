import type { InputWords, ProviderWords } from '../../contract/credential/provider-facts.ts';

/** What every client at a server is asked for. */
export const oauthInputs = {
  issuer: {
    label: 'Issuer',
    hint: 'The address of the server that issues the tokens, such as https://login.example.com. Rotavox reads its other addresses there.',
  },
  client_id: {
    label: 'Client ID',
    hint: 'The service shows it when you register the app. It is not a secret.',
  },
  scope: {
    label: 'Scopes',
    hint: 'What the access tokens may do, with spaces between them. Leave it empty for the default of the service.',
  },
  token_url: {
    label: 'Token address',
    hint: 'Where access tokens are issued, such as https://login.example.com/token.',
  },
  authorization_url: {
    label: 'Sign-in address',
    hint: 'The page where people sign in, such as https://login.example.com/authorize.',
  },
  device_url: {
    label: 'Device address',
    hint: 'Where a sign-in with a code begins, such as https://login.example.com/device_authorization.',
  },
  revocation_url: {
    label: 'Revocation address',
    hint: 'Where Rotavox revokes the tokens when you remove the credential.',
  },
} as const satisfies Record<string, InputWords>;

export const oauth2Words: ProviderWords = {
  name: 'OAuth sign-in',
  summary: 'You sign in once. From then on Rotavox always has a valid access token.',
  searchWords: ['oauth', 'openid', 'oidc', 'google', 'microsoft', 'github app', 'slack', 'atlassian', 'jira'],
  services: {
    gitlab: {
      name: 'GitLab sign-in',
      summary: 'You sign in once, and Rotavox refreshes the tokens.',
      searchWords: ['gitlab.com', 'oauth', 'application'],
    },
    github: {
      name: 'GitHub App sign-in',
      summary: 'For users of your app. You sign in once.',
      searchWords: ['github.com', 'oauth', 'ghu', 'user access token'],
    },
    slack: {
      name: 'Slack',
      summary: 'Access tokens of a Slack app. You sign in once.',
      searchWords: ['slack.com', 'oauth', 'xoxe', 'xoxb', 'xoxp', 'bot', 'chat'],
    },
    google: {
      name: 'Google',
      summary: 'Access tokens for the Google APIs. You sign in once.',
      searchWords: ['google.com', 'googleapis', 'oauth', 'gmail', 'drive', 'calendar', 'workspace'],
    },
    microsoft: {
      name: 'Microsoft',
      summary: 'Access tokens for Microsoft Graph. You sign in once.',
      searchWords: ['microsoft.com', 'oauth', 'entra', 'azure ad', 'office 365', 'outlook', 'teams', 'graph'],
    },
    atlassian: {
      name: 'Atlassian sign-in',
      summary: 'Access tokens for Jira and Confluence. You sign in once.',
      searchWords: ['atlassian.com', 'oauth', '3lo', 'jira', 'confluence'],
    },
    other: {
      name: 'Another OAuth server, with a sign-in',
      summary: 'You sign in once. From then on Rotavox always has a valid access token.',
      searchWords: ['oauth sign-in', 'openid', 'oidc', 'keycloak', 'okta', 'auth0', 'other', 'custom'],
    },
  },
  creation: [
    {
      text: 'Add an application with the redirect address below. Tick the scopes that your programs need, such as read_api. Without “Confidential” it needs no client secret.',
      onlyFor: { input: 'service', values: ['gitlab'] },
    },
    {
      text: 'Create a GitHub App with the redirect address below as its callback URL. Leave “Expire user authorization tokens” ticked: without it there is nothing to refresh. Its permissions are what the tokens may do.',
      onlyFor: { input: 'service', values: ['github'] },
    },
    {
      text: 'Create an app. Under “OAuth & Permissions”, add the redirect address below and the scopes that your programs need, and turn token rotation on. Without a client secret, turn PKCE on too: it cannot be turned off again, and only user token scopes are possible then.',
      onlyFor: { input: 'service', values: ['slack'] },
    },
    {
      text: 'Create an OAuth client of the type “Desktop app”, which needs no redirect address. For a “Web application”, register the address below exactly, or Google answers redirect_uri_mismatch. Publish the app: while its status is Testing, each sign-in ends after 7 days.',
      onlyFor: { input: 'service', values: ['google'] },
    },
    {
      text: 'Register an app. Under “Authentication”, add the platform “Mobile and desktop applications” with the redirect address below. Its API permissions are what the tokens may do.',
      onlyFor: { input: 'service', values: ['microsoft'] },
    },
    {
      text: 'Create an OAuth 2.0 integration. Under “Authorization”, enter the redirect address below as its callback URL, and under “Permissions” add the APIs that your programs need.',
      onlyFor: { input: 'service', values: ['atlassian'] },
    },
    {
      text: 'Register an app at the server with the redirect address below. It must be allowed to use refresh tokens.',
      onlyFor: { input: 'service', values: ['other'] },
    },
  ],
  addressHint: 'Where the access tokens are used, such as https://api.example.com.',
  inputs: {
    service: {
      label: 'Service',
      hint: 'The service where you sign in.',
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
    tenant: {
      label: 'Tenant',
      hint: 'The directory of your organization, such as contoso.onmicrosoft.com. Default: common, for any account.',
    },
  },
  exampleInputs: { service: 'other', issuer: 'https://login.example.com', client_id: 'abc' },
};
