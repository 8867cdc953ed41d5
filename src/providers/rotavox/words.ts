import type { ProviderWords } from '../../contract/credential/provider-facts.ts';

export const rotavoxWords: ProviderWords = {
  name: 'A service with the Rotavox API',
  summary: 'Tokens of this program, or of a service whose tokens rotate at /v1/auth/rotate.',
  searchWords: ['rotavox', 'smartflo', 'api', 'v1', 'other', 'custom', 'rvx'],
  addressHint: 'The part of its address before /v1, such as https://api.example.com.',
  inputs: {},
};
