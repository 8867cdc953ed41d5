import type { ProviderFacts, OwnServers } from '../../contract/credential/provider-facts.ts';
import { rulesOf, type ReadyRules } from '../../contract/credential/ready-rules.ts';

/** https://developer.hashicorp.com/vault/api-docs/secret/kv/kv-v2 */
const vaultSecrets = ['/v1/{mount}/data/{folder}/**', '/v1/{mount}/metadata/{folder}/**'] as const;
const vaultRules: readonly ReadyRules[] = [
  { id: 'read-secrets', rules: rulesOf('GET', ...vaultSecrets) },
  { id: 'write-secrets', rules: [...rulesOf('GET', ...vaultSecrets), ...rulesOf('POST', vaultSecrets[0])] },
];

/** https://developer.hashicorp.com/vault/docs/configuration/listener/tcp */
export const vaultServers: OwnServers = {
  hosts: ['vault', 'openbao', 'bao'],
  paths: ['/ui/vault'],
  ports: [8200],
};

/** Tokens of HashiCorp Vault and OpenBao; https://developer.hashicorp.com/vault/api-docs/auth/token */
export const vaultFacts = {
  traits: {
    shape: 'renew',
    oldEnds: 'never',
    repeat: 'free',
    endsOn: 'instant',
    longestDays: null,
    reuseEndsAll: false,
  },
  defaultBaseUrl: null,
  ownServers: vaultServers,
  mayBeEmbedded: false,
  inputs: [{ name: 'namespace', kind: 'text', isOptional: true }],
  /**
   * Service and batch tokens: https://developer.hashicorp.com/vault/docs/concepts/tokens#token-prefixes. Those of OpenBao, and of
   * Vault before 1.10, have one letter: https://openbao.org/docs/concepts/tokens/#token-formats
   */
  tokenPrefixes: [
    { prefix: 'hvs.' },
    { prefix: 'hvb.' },
    { prefix: 's.', letters: 24 },
    { prefix: 'b.', letters: 24 },
  ],
  endOnRequest: { onlyFor: undefined },
  standby: null,
  slot: { header: 'x-vault-token', prefix: '' },
  ready: vaultRules,
  secretFolders: ['data', 'metadata'],
  forbidden: [
    // A token that is looked up is in the answer.
    { method: null, path: '/v1/auth/**' },
    // Of a namespace.
    { method: null, path: '/v1/**/auth/token/**' },
    { method: null, path: '/v1/**/auth/*/login/**' },
    { method: null, path: '/v1/**/auth/*/role/*/secret-id/**' },
    { method: null, path: '/v1/**/auth/*/role/*/custom-secret-id' },
    { method: null, path: '/v1/**/identity/oidc/token/*' },
    { method: null, path: '/v1/**/sys/generate-root/**' },
  ],
} as const satisfies ProviderFacts;
