import type { ProviderWords } from '../../contract/credential/provider-facts.ts';

export const vaultWords: ProviderWords = {
  name: 'HashiCorp Vault or OpenBao',
  summary: 'Tokens that are renewed: the same token expires later.',
  searchWords: ['vault', 'openbao', 'hashicorp', 'hvs', 'renew', 'lease'],
  addressHint: 'Such as https://vault.example.com:8200.',
  inputs: {
    namespace: { label: 'Namespace', hint: 'Only for Vault with namespaces, such as team/app.' },
  },
};
