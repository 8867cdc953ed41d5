import type { ProviderFacts } from '../../contract/credential/provider-facts.ts';
import { onlyForService } from '../../contract/credential/ready-rules.ts';
import { type AssistedService, assistedServices } from './assisted-services.ts';

const services: readonly (readonly [string, AssistedService])[] = Object.entries(assistedServices);
const revocations = services.flatMap(([name, { revocation }]) =>
  revocation === undefined ? [] : [{ name, prefixes: revocation.prefixes }],
);
const revocable = revocations.map(({ name }) => name);

/** Tokens that only a person can create, such as GitHub's personal access tokens. */
export const assistedFacts = {
  traits: {
    shape: 'assisted',
    oldEnds: 'never',
    repeat: 'free',
    endsOn: 'instant',
    longestDays: null,
    reuseEndsAll: false,
  },
  defaultBaseUrl: null,
  services: assistedServices,
  mayBeEmbedded: false,
  inputs: [
    { name: 'service', kind: 'choice', choices: services.map(([name]) => name) },
    { name: 'page', kind: 'text', isOptional: true, onlyFor: { input: 'service', values: ['other'] } },
    {
      name: 'old_token',
      kind: 'choice',
      choices: ['revoke', 'keep'],
      onlyFor: { input: 'service', values: revocable },
    },
  ],
  tokenPrefixes: services.flatMap(([service, { prefixes = [] }]) =>
    prefixes.map((prefix) => ({ prefix, inputs: { service } })),
  ),
  endOnRequest: { onlyFor: { input: 'service', values: revocable } },
  endsReplaced: {
    onlyFor: { input: 'old_token', values: ['revoke'] },
    prefixes: revocations.flatMap(({ prefixes }) => prefixes),
  },
  standby: null,
  slot: { header: 'authorization', prefix: 'Bearer ' },
  ready: services.flatMap(([name, { ready = [] }]) => onlyForService(name, ready)),
  paths: services.flatMap(([name, { paths }]) =>
    paths === undefined ? [] : [{ ...paths, onlyFor: { input: 'service', values: [name] } }],
  ),
  forbidden: services.flatMap(([, { forbidden = [] }]) => forbidden),
} as const satisfies ProviderFacts;
