/**
 * What becomes of the tokens that were found in a file: which credential each is for, at which service, and what is still needed.
 *
 * A token is sent to one address only: one that a person named, or that its file says, or the usual one of its service where nothing in
 * the file speaks of a server of one's own.
 */
// see decisions/taking-tokens-in.md
import type { DeliveryProblem } from '../../contract/credential/delivery-problem.ts';
import type { DeliveryTarget } from '../../contract/credential/credential.ts';
import { usualBaseUrl } from '../../contract/credential/provider-inputs.ts';
import { type ProviderView, providerOfToken } from '../../contract/credential/provider-view.ts';
import type { ProviderChoice } from '../../contract/credential/provider.ts';
import { isAssisted, knownServiceOf, providerFacts } from '../../providers/catalogue.ts';

/** How the place of a token gets the next one. */
export type TokenUse =
  | { readonly kind: 'target'; readonly target: DeliveryTarget }
  | {
      readonly kind: 'connection';
      readonly tool: 'git' | 'docker';
      readonly url: string;
      readonly username: string;
    };

/** Why a value of a file stays as it is: a problem of its target, or a code of ours. */
export type LeftReason =
  | DeliveryProblem
  | { readonly code: 'encrypted_value' | 'reference' | 'placeholder' | 'would_change' | 'no_place' }
  | { readonly code: 'same_place' | 'other_user' | 'token_is_user' }
  | { readonly code: 'connected'; readonly credential: string };

export interface FoundToken {
  /** What names it in its file; it is not secret. */
  readonly key: string;
  readonly line: number;
  readonly token: string;
  /** What a credential for it may be called. */
  readonly about: string;
  /** Where it is used, with nothing but scheme, host and port; null: its file does not say that. */
  readonly origin: string | null;
  readonly use: TokenUse;
  /** Why it cannot be taken in; null: it can. */
  readonly problem: LeftReason | null;
}

/** What a person has to say: where the service is, or when the token expires. */
export type Need = 'address' | 'validity';

export interface ImportItem {
  readonly found: FoundToken;
  /** `ready`: it can be done. `done`: it was done before. */
  readonly status: 'ready' | 'done' | 'needs' | 'left';
  /** The credential that has the token, or will have it. */
  readonly credential: string;
  readonly isNew: boolean;
  readonly provider: ProviderChoice;
  /** Null: this program, or not known yet. */
  readonly baseUrl: string | null;
  readonly needs: readonly Need[];
  readonly reason: LeftReason | null;
  /** Whether the tool asks for this credential already, and only the plain copy has to go. */
  readonly isConnected: boolean;
}

export interface KnownToken {
  readonly name: string;
  readonly token: string;
  readonly targets: readonly DeliveryTarget[];
}

interface Surroundings {
  readonly views: readonly ProviderView[];
  /** Credentials whose tokens are known. */
  readonly known: readonly KnownToken[];
  /** The names of all credentials. */
  readonly names: readonly string[];
  /** Origins of the addresses in the file. */
  readonly origins: readonly string[];
  /** The credential of the connection that a tool has for an address; null: it has none. */
  readonly connectedTo: (use: Extract<TokenUse, { kind: 'connection' }>) => string | null;
  /** Whether a token says itself when it expires. */
  readonly saysEnd: (token: string) => boolean;
  readonly given: {
    readonly name?: string | undefined;
    readonly baseUrl?: string | undefined;
    readonly hasValidity: boolean;
  };
}

/** The kind of service of a token, by its beginning; otherwise the kind of which only the end is watched. */
export function serviceOfToken(token: string, views: readonly ProviderView[]): ProviderChoice | null {
  const found = providerOfToken(token, views);
  if (found !== null) return { id: found.id, inputs: { ...found.inputs } };
  const reminder = views.find(({ id, services }) => isAssisted({ id }) && services.some(isOther));
  return reminder === undefined ? null : { id: reminder.id, inputs: { service: otherService } };
}

const otherService = 'other';
const isOther = ({ value }: { readonly value: string }): boolean => value === otherService;

/** Whether a service is any other one, of which nothing is known. */
export function isUnknownService({ inputs }: ProviderChoice): boolean {
  return inputs['service'] === otherService;
}

/** Plans what is done with each token, in the order of the file. */
export function planImport(found: readonly FoundToken[], around: Surroundings): ImportItem[] {
  const users = new Map<string, Set<string>>();
  for (const { use } of found) {
    if (use.kind !== 'connection') continue;
    const place = toolPlace(use);
    users.set(place, (users.get(place) ?? new Set()).add(use.username));
  }
  const planned: Planned = {
    // Of two with the same token, the first.
    holders: new Map(around.known.toReversed().map((one) => [one.token, one])),
    ready: new Map(),
    places: new Set(),
    names: new Set(around.names.map((name) => name.toLowerCase())),
  };
  return found.map((one) => {
    const isShared = one.use.kind === 'connection' && (users.get(toolPlace(one.use))?.size ?? 0) > 1;
    // The tool would ask for the token of one of them only, and the other could not sign in any more.
    const problem = one.problem ?? (isShared ? { code: 'other_user' as const } : null);
    const item = planOne({ ...one, problem }, planned, around);
    planned.names.add(item.credential.toLowerCase());
    if (item.status !== 'ready') return item;
    if (!planned.ready.has(one.token)) planned.ready.set(one.token, item.credential);
    if (one.use.kind === 'connection') planned.places.add(toolPlace(one.use));
    return item;
  });
}

/** What is known of the tokens that were planned so far. */
interface Planned {
  /** The credentials that have a token, by it. */
  readonly holders: ReadonlyMap<string, KnownToken>;
  /** The credential that a token of the file will have, by the token. */
  readonly ready: Map<string, string>;
  /** Where a tool will ask for a credential. */
  readonly places: Set<string>;
  /** Taken names, in small letters. */
  readonly names: Set<string>;
}

function toolPlace({ tool, url }: Extract<TokenUse, { kind: 'connection' }>): string {
  return `${tool} ${url}`;
}

/** Why the place where a token is used cannot ask for its credential; `connected` is another one that it asks for. */
function placeProblem(use: TokenUse, connected: string | null, places: Planned['places']): LeftReason | null {
  if (connected !== null) return { code: 'connected', credential: connected };
  return use.kind === 'connection' && places.has(toolPlace(use)) ? { code: 'same_place' } : null;
}

function planOne(found: FoundToken, planned: Planned, around: Surroundings): ImportItem {
  const { token, use, problem } = found;
  const holder = planned.holders.get(token);
  const earlier = planned.ready.get(token);
  const provider = serviceOfToken(token, around.views) ?? { id: '', inputs: {} };
  const baseUrl = addressOf(provider, found, around);
  const credential = holder?.name ?? earlier ?? newName(found, provider, planned.names, around);
  const connected = use.kind === 'connection' ? around.connectedTo(use) : null;
  const item = {
    found,
    credential,
    isNew: holder === undefined && earlier === undefined,
    provider,
    baseUrl: baseUrl ?? null,
    needs: [],
    reason: null,
    isConnected: connected === credential,
  } as const;
  const otherConnected = connected === credential ? null : connected;
  const reason = problem ?? placeProblem(use, otherConnected, planned.places);
  if (reason !== null) return { ...item, status: 'left', reason };
  if (use.kind === 'target' && holder?.targets.some((one) => isSameTarget(one, use.target)) === true)
    return { ...item, status: 'done' };
  if (!item.isNew) return { ...item, status: 'ready' };
  const needs: Need[] = [
    ...(baseUrl === undefined ? (['address'] as const) : []),
    ...(isUnknownService(provider) && !around.given.hasValidity && !around.saysEnd(token)
      ? (['validity'] as const)
      : []),
  ];
  return { ...item, needs, status: needs.length > 0 ? 'needs' : 'ready' };
}

function isSameTarget(one: DeliveryTarget, other: DeliveryTarget): boolean {
  return placeOf(one) === placeOf(other);
}

function placeOf(target: DeliveryTarget): string {
  if (target.kind === 'dotenv') return JSON.stringify([target.path, target.variable]);
  return target.kind === 'setting' ? JSON.stringify([target.path, target.key]) : JSON.stringify(target);
}

/** Null: this program. Undefined: only a person knows it. */
function addressOf(
  provider: ProviderChoice,
  { token, origin, use }: FoundToken,
  { views, origins, given }: Surroundings,
): string | null | undefined {
  if (given.baseUrl !== undefined) return given.baseUrl;
  const view = views.find(({ id }) => id === provider.id);
  const usual = usualBaseUrl(provider) ?? view?.default_base_url ?? null;
  if (isUnknownService(provider)) return origin ?? undefined;
  const own = knownServiceOf(provider)?.ownServers ?? providerFacts(provider.id).ownServers;
  // One with a prefix before the usual one is of a server of one's own.
  const isUsual = view?.token_prefixes.some(({ prefix }) => token.startsWith(prefix)) === true;
  const isOwn = (one: string): boolean =>
    own !== undefined &&
    (usual === null || !isOfSameOwner(one, usual)) &&
    wordsOfHost(one).some((word) => own.hosts.includes(word));
  if (origin !== null && usual !== null && !isOfSameOwner(origin, usual)) {
    // What git is served by is the service itself; a registry has another name.
    const isServer = own !== undefined && use.kind === 'connection' && use.tool === 'git';
    return isServer ? `${origin}${own.api ?? ''}` : undefined;
  }
  if (!isUsual || (origin === null && origins.some(isOwn))) return undefined;
  if (usual !== null) return usual;
  return view.may_be_embedded ? null : undefined;
}

function wordsOfHost(origin: string): string[] {
  return hostOf(origin).split(/[.-]/);
}

function hostOf(origin: string): string {
  return origin.replace(/^[a-z]+:\/\//, '').split(/[:/]/)[0] ?? '';
}

/** Whether two hosts end alike, as `github.com` and `api.github.com` do. */
function isOfSameOwner(origin: string, baseUrl: string): boolean {
  const end = (one: string) => hostOf(one).split('.').slice(-2).join('.');
  return origin.startsWith('https:') && end(origin) === end(baseUrl);
}

const fillers: ReadonlySet<string> = new Set([
  'token',
  'key',
  'secret',
  'api',
  'access',
  'auth',
  'oauth',
  'pat',
  'personal',
]);
const longestName = 40;

/** A short name that is free: of what it is for, otherwise of its service. */
function newName(
  { about }: FoundToken,
  { id, inputs }: ProviderChoice,
  taken: ReadonlySet<string>,
  { given }: Surroundings,
): string {
  const words = about
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const telling = words.filter((word) => !fillers.has(word));
  const service = isUnknownService({ id, inputs }) ? 'token' : (inputs['service'] ?? id);
  const name = (telling.length === 0 ? service : telling.join('-')).slice(0, longestName).replace(/-$/, '');
  if (given.name !== undefined) return given.name;
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}-${number}`;
  return free;
}
