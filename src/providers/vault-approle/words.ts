import type { ProviderWords } from '../../contract/credential/provider-facts.ts';

export const vaultApproleWords: ProviderWords = {
  name: 'Vault AppRole secret id',
  summary: 'Secret IDs of an AppRole in HashiCorp Vault or OpenBao. Another token creates each new one.',
  searchWords: ['vault', 'openbao', 'hashicorp', 'approle', 'secret id', 'secret-id', 'role id'],
  creation: [
    {
      text: 'Create one with the command “vault write -f auth/approle/role/NAME/secret-id”, in OpenBao with “bao” instead of “vault”.',
    },
  ],
  addressHint: 'The address of your Vault, such as https://vault.example.com:8200.',
  inputs: {
    role: { label: 'Role', hint: 'The name of the AppRole, not its role ID.' },
    guardian: {
      label: 'Credential that creates the secret IDs',
      hint: 'Holds a token of the same Vault. Its policy must allow “update” on four paths below the role: custom-secret-id, secret-id/lookup, secret-id-accessor/lookup and secret-id-accessor/destroy.',
    },
    mount: { label: 'Path of the auth method', hint: 'Where AppRole is enabled in Vault. Default: approle.' },
    namespace: {
      label: 'Namespace',
      hint: 'Only if your Vault has namespaces. Its path, such as team/app.',
    },
  },
  exampleInputs: { role: 'web', guardian: 'vault-admin' },
};
