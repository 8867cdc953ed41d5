/**
 * What is known of every kind of service, as data that every module may import: the facts and words of each folder here, and those
 * of provider files. The calls are for agent and host alone (`open-providers.ts`).
 *
 * What differs between services is a fact with a name: nobody asks which one it is.
 */
import { loopbackAddress, originOf, signInPath, signInPort } from '../contract/address.ts';
import {
  chosenService,
  type DocumentedRate,
  type KnownService,
  type ProviderFacts,
  type ProviderInput,
  type ProviderWords,
} from '../contract/credential/provider-facts.ts';
import type { ProviderChoice } from '../contract/credential/provider.ts';
import { assistedFacts } from './assisted/facts.ts';
import { assistedWords } from './assisted/words.ts';
import { datadogFacts } from './datadog/facts.ts';
import { datadogWords } from './datadog/words.ts';
import { githubAppFacts } from './github-app/facts.ts';
import { githubAppWords } from './github-app/words.ts';
import { gitlabFacts } from './gitlab/facts.ts';
import { gitlabWords } from './gitlab/words.ts';
import { oauth2ClientFacts } from './oauth2-client/facts.ts';
import { oauth2ClientWords } from './oauth2-client/words.ts';
import { oauth2Facts } from './oauth2/facts.ts';
import { oauth2Words } from './oauth2/words.ts';
import { rotavoxFacts } from './rotavox/facts.ts';
import { rotavoxWords } from './rotavox/words.ts';
import { smartfloFacts } from './smartflo/facts.ts';
import { smartfloWords } from './smartflo/words.ts';
import { vaultApproleFacts } from './vault-approle/facts.ts';
import { vaultApproleWords } from './vault-approle/words.ts';
import { vaultFacts } from './vault/facts.ts';
import { vaultWords } from './vault/words.ts';

/** In the order of lists. */
const builtInFacts = {
  rotavox: rotavoxFacts,
  smartflo: smartfloFacts,
  'github-app': githubAppFacts,
  assisted: assistedFacts,
  vault: vaultFacts,
  'vault-approle': vaultApproleFacts,
  gitlab: gitlabFacts,
  oauth2: oauth2Facts,
  'oauth2-client': oauth2ClientFacts,
  datadog: datadogFacts,
} as const satisfies Record<string, ProviderFacts>;

export type ProviderId = keyof typeof builtInFacts;
export const providerIds = Object.keys(builtInFacts) as [ProviderId, ...ProviderId[]];

// Apart from the facts, so that a bundle that needs no words has none.
const builtInWords: Readonly<Record<ProviderId, ProviderWords>> = {
  rotavox: rotavoxWords,
  smartflo: smartfloWords,
  'github-app': githubAppWords,
  assisted: assistedWords,
  vault: vaultWords,
  'vault-approle': vaultApproleWords,
  gitlab: gitlabWords,
  oauth2: oauth2Words,
  'oauth2-client': oauth2ClientWords,
  datadog: datadogWords,
};

export interface KnownFile {
  readonly facts: ProviderFacts;
  readonly words: ProviderWords;
}

/** Loaded once, before anything else is opened. Windows get them from the service, and commands do not have them. */
const ofFiles = new Map<string, KnownFile>();

export function setProviderFiles(files: Iterable<readonly [id: string, file: KnownFile]>): void {
  ofFiles.clear();
  for (const [id, file] of files) ofFiles.set(id, file);
}

export function knownProviderIds(): string[] {
  return [...providerIds, ...ofFiles.keys()];
}

export function isBuiltIn(id: string): id is ProviderId {
  return Object.hasOwn(builtInFacts, id);
}

export function isKnownProvider(id: string): boolean {
  return isBuiltIn(id) || ofFiles.has(id);
}

/** What is true of a provider whose file was removed: nothing may be done with its tokens. */
const missing: ProviderFacts = {
  traits: {
    shape: 'assisted',
    oldEnds: 'never',
    repeat: 'after_inspect',
    endsOn: 'instant',
    longestDays: null,
    reuseEndsAll: false,
  },
  defaultBaseUrl: null,
  mayBeEmbedded: false,
  inputs: [],
  standby: null,
  slot: { header: 'authorization', prefix: 'Bearer ' },
  forbidden: [{ method: null, path: '/**' }],
};

export function providerFacts(id: string): ProviderFacts {
  return isBuiltIn(id) ? builtInFacts[id] : (ofFiles.get(id)?.facts ?? missing);
}

/** What it is called; only the id where nothing is known. */
export function providerWords(id: string): ProviderWords {
  if (isBuiltIn(id)) return builtInWords[id];
  return ofFiles.get(id)?.words ?? { name: id, summary: '', searchWords: [], addressHint: '', inputs: {} };
}

type Provider = Pick<ProviderChoice, 'id'>;

/** Whether a long secret obtains short tokens: then a token that has ended is replaced on demand, and nothing is lost. */
export function isRefreshed({ id }: Provider): boolean {
  return providerFacts(id).traits.shape === 'refresh';
}

/** Whether the same token expires later, instead of another one taking its place. */
export function isRenewed({ id }: Provider): boolean {
  return providerFacts(id).traits.shape === 'renew';
}

/** Whether its tokens are revoked when the credential is removed, where their server can do that. */
export function isRevoked({ id }: Provider): boolean {
  return providerFacts(id).traits.isRevokedOnRemoval === true;
}

/** Whether only a person can create its tokens: they are watched, never rotated. */
export function isAssisted({ id }: Provider): boolean {
  return providerFacts(id).traits.shape === 'assisted';
}

/** Whether a person signs in at a page of the server instead of entering a token. */
export function isSignedIn({ id }: Provider): boolean {
  return providerFacts(id).traits.signsIn === true;
}

/** Whether its name says more of a service than the address does. */
export function isNamedKind({ id }: Provider): boolean {
  return providerFacts(id).traits.isOfAnyService !== true;
}

/** Whether something of a provider applies to a token with these inputs. */
export function isFor(onlyFor: ProviderInput['onlyFor'], inputs: ProviderChoice['inputs']): boolean {
  return onlyFor === undefined || onlyFor.values.includes(inputs[onlyFor.input] ?? '');
}

/** What a provider has for some of its tokens, or for none. */
type SomeTokens = { readonly onlyFor: ProviderInput['onlyFor'] } | null | undefined;

function isForTokens(some: SomeTokens, { inputs }: ProviderChoice): boolean {
  return some !== null && some !== undefined && isFor(some.onlyFor, inputs);
}

/** Whether a credential may have a second token. */
export function mayHaveStandby(choice: ProviderChoice): boolean {
  return isForTokens(providerFacts(choice.id).standby, choice);
}

/** Whether a service can be asked to end a token. */
export function endsOnRequest(choice: ProviderChoice): boolean {
  return isForTokens(providerFacts(choice.id).endOnRequest, choice);
}

/** Whether the old token is ended at its service after a person has entered a new one. */
export function endsReplaced(choice: ProviderChoice): boolean {
  return endsOnRequest(choice) && isForTokens(providerFacts(choice.id).endsReplaced, choice);
}

/** Whether this token is one of them. Only then its value is kept until every target has the new one. */
export function isEndedWhenReplaced(choice: ProviderChoice, old: string): boolean {
  const prefixes = providerFacts(choice.id).endsReplaced?.prefixes ?? [];
  return endsReplaced(choice) && prefixes.some((prefix) => old.startsWith(prefix));
}

/** Whether the service of a token can be asked for how long the next one is valid. */
export function takesValidity(choice: ProviderChoice): boolean {
  return isForTokens(providerFacts(choice.id).validity, choice);
}

/** The known service that the inputs name; null: the provider knows none by name. */
export function knownServiceOf({ id, inputs }: ProviderChoice): KnownService | null {
  const { services } = providerFacts(id);
  return services === undefined ? null : chosenService(services, inputs);
}

/** Whether a person may sign in with a code on another device. */
export function maySignInWithCode(choice: ProviderChoice): boolean {
  return knownServiceOf(choice)?.mayTakeCode === true;
}

/** Where a person creates a token of the same kind; null: not known. */
export function tokenPage(choice: ProviderChoice, baseUrl: string): string | null {
  const { inputs } = choice;
  const service = knownServiceOf(choice);
  if (service !== null) {
    const { baseUrl: usual, page = null, ownPage } = service;
    if (usual === null) return inputs['page'] ?? page;
    // A server of one's own has its pages beside its API.
    if (ownPage === undefined || originOf(baseUrl) === originOf(usual)) return page;
    return ownPage === null ? null : `${originOf(baseUrl)}${ownPage}`;
  }
  const page = providerFacts(choice.id).tokenPages?.find((one) => isFor(one.onlyFor, inputs));
  if (page === undefined) return null;
  const places = [...page.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => inputs[name] ?? '');
  // Pages are found by path, not by the number that a call takes as well.
  if (places.some((value) => value === '' || /^\d+$/.test(value))) return null;
  return `${baseUrl}${page.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURI(inputs[name] ?? ''))}`;
}

/** Where a person registers the app whose client id obtains the tokens; null: not known. */
export function appPage(choice: ProviderChoice, baseUrl: string | null): string | null {
  const { baseUrl: usual = null, appPage: page = null, ownAppPage } = knownServiceOf(choice) ?? {};
  if (ownAppPage === undefined || !baseUrl || (usual !== null && originOf(baseUrl) === originOf(usual))) {
    return page;
  }
  return `${originOf(baseUrl)}${ownAppPage}`;
}

/** Where the browser is sent back to after a sign-in at a service; it has to be registered there. */
export function redirectAddress(choice: ProviderChoice): string {
  return `http://${knownServiceOf(choice)?.loopback ?? loopbackAddress}:${signInPort}${signInPath}`;
}

/** The same where nobody but a person can create one. */
export function tokenPageIfAssisted(choice: ProviderChoice, baseUrl: string): string | null {
  return isAssisted(choice) ? tokenPage(choice, baseUrl) : null;
}

/** The limit of calls that the service at an origin documents; null: it is not known. */
export function documentedRateOf(origin: string): DocumentedRate | null {
  const documented = knownProviderIds()
    .map(providerFacts)
    .find(({ defaultBaseUrl: url, rate }) => url !== null && rate !== undefined && originOf(url) === origin);
  return documented?.rate ?? null;
}
