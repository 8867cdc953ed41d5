import type { ProviderWords } from '../../contract/credential/provider-facts.ts';
import { oauthInputs } from '../oauth2/words.ts';

export const oauth2ClientWords: ProviderWords = {
  name: 'OAuth client',
  summary: 'Tailscale, 3CX, FreePBX and others: a client id and its secret obtain access tokens.',
  searchWords: ['oauth', 'client credentials', 'tailscale', '3cx', 'freepbx', 'machine'],
  addressHint: 'Where the access tokens are used, such as https://api.example.com.',
  inputs: {
    service: {
      label: 'Service',
      hint: 'Where the client is registered.',
      choices: { other: 'Another server', tailscale: 'Tailscale', '3cx': '3CX', freepbx: 'FreePBX' },
    },
    ...oauthInputs,
  },
  secret: { label: 'Client secret', hint: 'Created with the client id. At 3CX it is the API key.' },
  exampleInputs: { service: 'tailscale', client_id: 'abc' },
};
