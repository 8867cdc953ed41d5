import type { ProviderWords } from '../../contract/credential/provider-facts.ts';

export const githubAppWords: ProviderWords = {
  name: 'GitHub App installation',
  summary: 'Tokens that are valid for an hour, from the private key of the app.',
  searchWords: ['github.com', 'app', 'installation', 'ghs', 'private key', 'pem', 'bot'],
  creation: [
    {
      text: 'In the settings of your app, choose “Generate a private key”. What its tokens may do is set under Permissions there; Rotavox itself needs none.',
    },
  ],
  addressHint: 'For GitHub on your own server, enter its address, such as https://git.example.com/api/v3.',
  inputs: {
    app: {
      label: 'Client ID or App ID',
      hint: 'Shown at the top of the settings page of the app. It is not a secret.',
    },
    installation: {
      label: 'Installation ID',
      hint: 'In the app’s settings, open “Install App” and the installation. The number at the end of the address of that page is the ID.',
    },
  },
  secret: {
    label: 'Private key',
    hint: 'The whole text of the .pem file that you downloaded from GitHub, with its first and last line.',
  },
  exampleInputs: { app: 'Iv23liAbC', installation: '4711' },
};
