import type { ProviderWords } from '../../contract/credential/provider-facts.ts';

export const smartfloWords: ProviderWords = {
  name: 'Smartflo, Acefone or Servetel',
  summary: 'Access tokens that are valid for an hour. Rotavox refreshes them.',
  searchWords: [
    'smartflo',
    'acefone',
    'servetel',
    'tata tele',
    'tatatelebusiness.com',
    'tatateleservices.com',
    'phone',
    'phone system',
    'pbx',
    'voip',
    'cloud telephony',
    'call',
  ],
  creation: [
    {
      text: 'In the portal of the service, open API Connect, then API Tokens, and choose Generate Token. Its access control must cover what your programs call.',
    },
  ],
  addressHint:
    'For Acefone or Servetel, enter the address of that API: the part before /v1, such as https://api.acefone.co.uk.',
  inputs: {
    email: {
      label: 'Email address of the account',
      hint: 'If you enter it with the password of the account, Rotavox can log in and get a new token when the current one is lost or has expired.',
    },
  },
  exampleInputs: { email: 'ada@example.com' },
};
