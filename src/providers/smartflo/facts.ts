import type { ProviderFacts } from '../../contract/credential/provider-facts.ts';
import { rulesOf, type ReadyRules } from '../../contract/credential/ready-rules.ts';

/** https://docs.smartflo.tatatelebusiness.com */
const smartfloRules: readonly ReadyRules[] = [
  { id: 'read-calls', rules: rulesOf('GET', '/v1/call/records', '/v1/live_calls') },
];

/** Smartflo, Acefone and Servetel; https://docs.smartflo.tatatelebusiness.com/reference/authentication-using-tokens */
export const smartfloFacts = {
  traits: {
    shape: 'refresh',
    oldEnds: 'at_once',
    repeat: 'free',
    endsOn: 'instant',
    longestDays: null,
    reuseEndsAll: false,
  },
  defaultBaseUrl: 'https://api-smartflo.tatateleservices.com',
  mayBeEmbedded: false,
  // The password to it is entered with the token, and stored in the vault.
  inputs: [{ name: 'email', kind: 'text', isOptional: true }],
  standby: null,
  slot: { header: 'authorization', prefix: '' },
  ready: smartfloRules,
  forbidden: [{ method: null, path: '/v1/auth/**' }],
} as const satisfies ProviderFacts;
