import type { ProviderWords } from '../../contract/credential/provider-facts.ts';
import { oauthInputs } from '../oauth2/words.ts';

export const oauth2ClientWords: ProviderWords = {
  name: 'OAuth client',
  summary:
    'Tailscale, 3CX, FreePBX and others: Rotavox obtains access tokens with a client ID and its secret.',
  searchWords: ['oauth', 'client credentials', 'tailscale', '3cx', 'freepbx', 'machine'],
  services: {
    tailscale: {
      name: 'Tailscale OAuth client',
      summary: 'Access tokens that are valid for an hour, from a client secret.',
      searchWords: ['tailscale.com', 'vpn', 'tailnet', 'tskey', 'client credentials'],
    },
    '3cx': {
      name: '3CX',
      summary: 'Access tokens of the phone system, from an API key.',
      searchWords: ['phone', 'phone system', 'pbx', 'voip', 'telephony', 'call', '3cx.com'],
    },
    freepbx: {
      name: 'FreePBX',
      summary: 'Access tokens of the phone system, from a client secret.',
      searchWords: ['phone', 'phone system', 'pbx', 'voip', 'telephony', 'call', 'asterisk', 'sangoma'],
    },
    other: {
      name: 'Another OAuth server, with a client secret',
      summary: 'Access tokens for programs, from a client secret.',
      searchWords: ['oauth client', 'client credentials', 'machine to machine', 'm2m', 'other', 'custom'],
    },
  },
  creation: [
    {
      text: 'Under “Trust credentials”, choose “Credential”, then “OAuth”. Tick the scopes that your programs need: the access tokens may do no more than these. Tailscale shows the client secret once.',
      onlyFor: { input: 'service', values: ['tailscale'] },
    },
    {
      text: 'In the admin console of 3CX, open Integrations, API and add a client with the department and the role that your programs need. 3CX shows the API key once.',
      onlyFor: { input: 'service', values: ['3cx'] },
    },
    {
      text: 'In FreePBX, open Connectivity, API and the tab “Applications”. Add an application of the kind “Machine-to-Machine app” with the scopes that your programs need.',
      onlyFor: { input: 'service', values: ['freepbx'] },
    },
    {
      text: 'Register a client at the server that may use the grant type client_credentials, with the scopes that your programs need.',
      onlyFor: { input: 'service', values: ['other'] },
    },
  ],
  addressHint: 'Where the access tokens are used, such as https://api.example.com.',
  inputs: {
    service: {
      label: 'Service',
      hint: 'The service where the client is registered.',
      choices: { other: 'Another server', tailscale: 'Tailscale', '3cx': '3CX', freepbx: 'FreePBX' },
    },
    ...oauthInputs,
  },
  secret: {
    label: 'Client secret',
    hint: 'The service shows it when you create the client. 3CX calls it the API key.',
  },
  exampleInputs: { service: 'tailscale', client_id: 'abc' },
};
