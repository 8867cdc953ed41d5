import type { ProviderWords } from '../../contract/credential/provider-facts.ts';

export const githubAppWords: ProviderWords = {
  name: 'GitHub App installation',
  summary: 'The private key of an app obtains tokens of an hour.',
  searchWords: ['github', 'app', 'installation', 'ghs', 'private key', 'pem', 'bot'],
  addressHint: 'Change it for GitHub on a server of your own, such as https://git.example.com/api/v3.',
  inputs: {
    app: { label: 'App', hint: 'Its client id or its number, as its settings show it.' },
    installation: {
      label: 'Installation',
      hint: 'Its number: the end of the address of its settings page.',
    },
  },
  secret: {
    label: 'Private key',
    hint: 'The whole text of the .pem file that GitHub gave you for the app.',
  },
  exampleInputs: { app: 'Iv23liAbC', installation: '4711' },
};
