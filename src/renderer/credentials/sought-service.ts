/**
 * What a person enters to find a service: words, an address, or a token. Start at `readSought`.
 *
 * A token is never shown where people search, whether its service is known or not.
 */
import type { OwnServers } from '../../contract/credential/provider-facts.ts';
import { readPasted } from '../../contract/credential/pasted-token.ts';
import { usualBaseUrl } from '../../contract/credential/provider-inputs.ts';
import { knownServiceOf, providerFacts } from '../../providers/catalogue.ts';
import { plainLetters } from '../kit/search-list.ts';
import { entryOfToken, searchServices, type ServiceEntry } from './service-entries.ts';

export type Sought =
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'address'; readonly address: SoughtAddress };

/** An address without a user, a password and parameters: they may be secret. */
export interface SoughtAddress {
  readonly scheme: 'http' | 'https';
  /** With its port. */
  readonly host: string;
  readonly path: string;
}

/** Shorter texts are words, until they are pasted and find nothing. */
const shortestTyped = 16;
const shortestPasted = 8;

/** `isPasted`: it came at once, so that it is rather a token than a word. */
export function readSought(text: string, isPasted: boolean, entries: readonly ServiceEntry[]): Sought {
  const known = entryOfToken(text, entries);
  if (known !== null && !isPrefixAlone(text, known.entry)) return { kind: 'token', token: text.trim() };
  const address = isWrapped(text) ? null : readAddress(text);
  if (address !== null) return { kind: 'address', address };
  return looksSecret(text, isPasted, entries)
    ? { kind: 'token', token: text.trim() }
    : { kind: 'words', text };
}

function isPrefixAlone(text: string, { provider }: ServiceEntry): boolean {
  return provider.token_prefixes.some(({ prefix }) => text.trim() === prefix);
}

function looksSecret(text: string, isPasted: boolean, entries: readonly ServiceEntry[]): boolean {
  if (isWrapped(text)) return true;
  const alone = readPasted(text).token ?? text.trim();
  if (/\s/.test(alone)) return false;
  const isMixed = /\d/.test(alone) && /[a-z]/i.test(alone);
  if (alone.length >= shortestTyped && (isMixed || alone.length >= 2 * shortestTyped)) return true;
  return isPasted && alone.length >= shortestPasted && searchServices(entries, alone).length === 0;
}

/** Whether it stands in what a token is copied with, such as a header or a line of a dotenv file. */
function isWrapped(text: string): boolean {
  return readPasted(text).mistakes.some((one) => one === 'header' || one === 'assignment' || one === 'json');
}

/** A host as people type it: in small letters, but for the first where a keyboard writes it large. A token has more of them. */
const typedHost = /^(?:[A-Z]?[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d+)?$/;

/** Null: it is none. A name without a dot is one with its port or its scheme only. */
export function readAddress(text: string): SoughtAddress | null {
  const typed = text.trim();
  const hasScheme = /^https?:\/\//i.test(typed);
  const whole = hasScheme ? typed : `https://${typed}`;
  if (/\s/.test(typed) || !URL.canParse(whole)) return null;
  const [entered = ''] = typed.split(/[/?#]/);
  if (!hasScheme && !typedHost.test(entered.slice(entered.lastIndexOf('@') + 1))) return null;
  const { protocol, host, hostname, port, pathname } = new URL(whole);
  const isNumbers = /^\d{1,3}(?:\.\d{1,3}){3}(?=[:/]|$)/.test(typed) || hostname.startsWith('[');
  const isHere = /^(?:localhost$|127\.|\[::1\])/.test(hostname);
  const isWhole = hasScheme || port !== '' || isHere || isNumbers || /\.[a-z]{2,18}$/.test(hostname);
  if (!isWhole) return null;
  return {
    scheme: protocol === 'http:' || (!hasScheme && isHere) ? 'http' : 'https',
    host,
    path: pathname === '/' ? '' : pathname,
  };
}

/** How an address is shown while one searches with it. */
export function addressText({ scheme, host, path }: SoughtAddress): string {
  return `${scheme}://${host}${path}`;
}

/** How servers of one's own are known; null: there are none, or this program's is meant. */
function ownServersOf({ provider, inputs, isEmbedded, name }: ServiceEntry): OwnServers | null {
  if (isEmbedded) return null;
  const choice = { id: provider.id, inputs };
  const known = knownServiceOf(choice)?.ownServers ?? providerFacts(provider.id).ownServers;
  if (known !== undefined) return known;
  const isAnywhere = provider.default_base_url === null && usualBaseUrl(choice) === null;
  const [word = ''] = plainLetters(name).split(/[^a-z0-9]+/);
  return isAnywhere ? { hosts: [word] } : null;
}

/** Whether a token of this service may be of another server than the usual one. */
export function mayBeElsewhere(entry: ServiceEntry): boolean {
  const { provider, inputs } = entry;
  return usualBaseUrl({ id: provider.id, inputs }) !== null && ownServersOf(entry) !== null;
}

/** Services that may be at an address that is not known: first those that it looks like. */
export function servicesAt(address: SoughtAddress, entries: readonly ServiceEntry[]) {
  const own = entries.flatMap((entry) => {
    const servers = ownServersOf(entry);
    return servers === null ? [] : [{ entry, likeness: likenessOf(address, servers) }];
  });
  const alike = own.filter(({ likeness }) => likeness > 0);
  return {
    likely: alike.toSorted((one, other) => other.likeness - one.likeness).map(({ entry }) => entry),
    others: own.filter(({ likeness }) => likeness === 0).map(({ entry }) => entry),
  };
}

/** A page that only this service has says most, then its name in the host. */
function likenessOf({ host, path }: SoughtAddress, { hosts, paths = [], ports = [] }: OwnServers): number {
  const [name = '', port] = host.split(/:(?=\d+$)/);
  const words = name.split(/[.-]/);
  const named = hosts.findIndex((word) => words.includes(word));
  return (
    (paths.some((one) => `${path}/`.includes(one)) ? 4 : 0) +
    pointsForName(named) +
    (ports.includes(Number(port)) ? 2 : 0)
  );
}

/** The first name of a service counts most; -1: the host has none of its names. */
function pointsForName(place: number): number {
  if (place === -1) return 0;
  return place === 0 ? 3 : 1;
}

/** The address of a service, from that of any of its pages. */
export function baseUrlAt({ scheme, host, path }: SoughtAddress, entry: ServiceEntry): string {
  const { paths, api = '' } = ownServersOf(entry) ?? { hosts: [] };
  if (paths === undefined) return `${scheme}://${host}${path.endsWith('/') ? path.slice(0, -1) : path}`;
  const page = paths.find((one) => `${path}/`.includes(one));
  const below = page === undefined ? '' : path.slice(0, `${path}/`.indexOf(page));
  return `${scheme}://${host}${below}${api}`;
}
