import type { ProviderWords } from '../../contract/credential/provider-facts.ts';

export const smartfloWords: ProviderWords = {
  name: 'Smartflo, Acefone or Servetel',
  summary: 'Tokens of an hour, which are refreshed. With a login, a lost token is no problem.',
  searchWords: ['smartflo', 'acefone', 'servetel', 'tata', 'telephony', 'call'],
  addressHint: 'Change it for Acefone or Servetel: the part before /v1.',
  inputs: {
    email: {
      label: 'Email address',
      hint: 'Of the account, where its password is stored too. Rotavox logs in with it when the token is lost or has expired.',
    },
  },
  exampleInputs: { email: 'ada@example.com' },
};
