import type { ProviderWords } from '../../contract/credential/provider-facts.ts';

export const vaultApproleWords: ProviderWords = {
  name: 'Vault AppRole secret id',
  summary: 'Secret ids of an AppRole in HashiCorp Vault or OpenBao, created by another token.',
  searchWords: ['vault', 'openbao', 'hashicorp', 'approle', 'secret id', 'secret-id', 'role id'],
  addressHint: 'Such as https://vault.example.com:8200.',
  inputs: {
    role: { label: 'Role', hint: 'The name of the AppRole, not its role id.' },
    guardian: {
      label: 'Credential that creates the secret ids',
      hint: 'A token of the same Vault. Its policy allows update on custom-secret-id, secret-id/lookup, secret-id-accessor/lookup and secret-id-accessor/destroy of the role.',
    },
    mount: { label: 'Path of the auth method', hint: 'Default: approle.' },
    namespace: { label: 'Namespace', hint: 'Only for Vault with namespaces, such as team/app.' },
  },
  exampleInputs: { role: 'web', guardian: 'vault-admin' },
};
