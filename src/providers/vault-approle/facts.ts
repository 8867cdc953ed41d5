import type { ProviderFacts } from '../../contract/credential/provider-facts.ts';
import { vaultServers } from '../vault/facts.ts';

/** Secret ids of AppRole in HashiCorp Vault and OpenBao; https://developer.hashicorp.com/vault/api-docs/auth/approle */
export const vaultApproleFacts = {
  traits: {
    shape: 'replace',
    oldEnds: 'when_retired',
    repeat: 'free',
    endsOn: 'instant',
    longestDays: null,
    reuseEndsAll: false,
  },
  defaultBaseUrl: null,
  ownServers: vaultServers,
  mayBeEmbedded: false,
  inputs: [
    { name: 'role', kind: 'text' },
    { name: 'guardian', kind: 'credential' },
    { name: 'mount', kind: 'text', isOptional: true },
    { name: 'namespace', kind: 'text', isOptional: true },
  ],
  standby: null,
  validity: { onlyFor: undefined },
  slot: { header: 'x-vault-token', prefix: '' },
  // A secret id only logs in: no call carries it.
  forbidden: [{ method: null, path: '/**' }],
} as const satisfies ProviderFacts;
