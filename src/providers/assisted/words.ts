import type { ProviderWords } from '../../contract/credential/provider-facts.ts';

export const assistedWords: ProviderWords = {
  name: 'A token that you create',
  summary:
    'GitHub, npm, DigitalOcean, Tailscale, Atlassian and others: reminders, and help with the new token.',
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
  addressHint: 'Where the token is used, such as https://api.example.com.',
  inputs: {
    service: {
      label: 'Service',
      hint: 'Where you create the token.',
      choices: {
        github: 'GitHub',
        npm: 'npm registry',
        digitalocean: 'DigitalOcean',
        tailscale: 'Tailscale',
        atlassian: 'Atlassian',
        other: 'Another service',
      },
    },
    page: { label: 'Page for new tokens', hint: 'The address of the page where you create a token.' },
    old_token: {
      label: 'Old token',
      hint: 'When you enter a new token later, Rotavox revokes the old one once every target has the new one, and after 24 hours at the latest.',
      choices: { revoke: 'Revoke at GitHub', keep: 'Leave until it expires' },
    },
  },
  exampleInputs: { service: 'npm' },
  oldToken:
    'The old token works until it expires. At GitHub Rotavox revokes it when every target has the new one, and after 24 hours at the latest, ' +
    'unless you choose to keep it.',
};
