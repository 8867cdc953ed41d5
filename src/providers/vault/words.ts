import type { ProviderWords } from '../../contract/credential/provider-facts.ts';

export const vaultWords: ProviderWords = {
  name: 'HashiCorp Vault or OpenBao',
  summary: 'Tokens that can be renewed. The token stays the same and expires later.',
  searchWords: ['vault', 'openbao', 'hashicorp', 'hvs', 'renew', 'lease', 'vaultproject.io'],
  creation: [
    {
      text: 'Create one with the command “vault token create -policy=NAME -period=24h”, in OpenBao with “bao” instead of “vault”. With a period, it can be renewed any number of times; to set one, you need a root token or the capability sudo on auth/token/create. The policy “default” lets it look itself up and renew itself.',
    },
  ],
  addressHint: 'The address of your Vault, such as https://vault.example.com:8200.',
  inputs: {
    namespace: {
      label: 'Namespace',
      hint: 'Only if your Vault has namespaces. Its path, such as team/app.',
    },
  },
};
