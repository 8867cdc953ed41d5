import { longestValidityDays } from '../../contract/credential/provider.ts';
import type { ProviderFacts } from '../../contract/credential/provider-facts.ts';
import { rulesOf, type ReadyRules } from '../../contract/credential/ready-rules.ts';

const rotavoxRules: readonly ReadyRules[] = [
  { id: 'read-menus', rules: rulesOf('GET', '/v1/ivrs', '/v1/ivr/*') },
];

/** A service with this program's `/v1/auth/rotate`. */
export const rotavoxFacts = {
  traits: {
    shape: 'self_rotate',
    oldEnds: 'at_once',
    repeat: 'with_key',
    endsOn: 'instant',
    longestDays: longestValidityDays,
    reuseEndsAll: false,
    isOfAnyService: true,
  },
  defaultBaseUrl: null,
  ownServers: { hosts: ['rotavox'], paths: [], ports: [7682] },
  mayBeEmbedded: true,
  inputs: [],
  tokenPrefixes: [{ prefix: 'rvx_' }],
  examplePath: '/v1/auth/token',
  standby: null,
  validity: { onlyFor: undefined },
  slot: { header: 'authorization', prefix: 'Bearer ' },
  ready: rotavoxRules,
  forbidden: [
    { method: null, path: '/v1/auth/rotate' },
    { method: null, path: '/v1/auth/refresh' },
  ],
} as const satisfies ProviderFacts;
