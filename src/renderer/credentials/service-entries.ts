/**
 * The services that a credential can be added for, as people know them: one entry each for “Google” and “Slack”, though both are the
 * same provider. Start at `serviceEntries`.
 */
import { isAssisted } from '../../providers/catalogue.ts';
import { isAsked } from '../../contract/credential/provider-inputs.ts';
import { readPasted } from '../../contract/credential/pasted-token.ts';
import { type ProviderView, providerOfToken } from '../../contract/credential/provider-view.ts';
import { addCredentialText } from '../../text/credential/add-credential.ts';
import { plainLetters, searchList } from '../kit/search-list.ts';

const text = addCredentialText.service;

/** A service to choose: a provider, one of the services that it knows by name, or this program itself. */
export interface ServiceEntry {
  readonly id: string;
  readonly provider: ProviderView;
  readonly isEmbedded: boolean;
  readonly name: string;
  readonly summary: string;
  readonly searchWords: readonly string[];
  /** What choosing it says about the inputs. */
  readonly inputs: Readonly<Record<string, string>>;
}

/** A service that is no known one. */
const otherService = 'other';

function isOther({ inputs }: ServiceEntry): boolean {
  return inputs['service'] === otherService;
}

/** Whether it is for a token of any service, whose end is watched and nothing else. */
export function isReminderOnly(entry: ServiceEntry): boolean {
  return isOther(entry) && isAssisted(entry.provider);
}

/** This program first, then services by their names; who does not find theirs chooses by its API. */
export function serviceEntries(providers: readonly ProviderView[]): ServiceEntry[] {
  const own = providers.filter((one) => one.may_be_embedded);
  const named = providers
    .filter((one) => !one.may_be_embedded)
    .flatMap(entriesOf)
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
  const ofOwn = (provider: ProviderView, isEmbedded: boolean): ServiceEntry => ({
    ...(isEmbedded ? text.embedded : text.remote),
    id: isEmbedded ? 'this' : provider.id,
    provider,
    isEmbedded,
    searchWords: provider.search_words,
    inputs: {},
  });
  return [
    ...own.map((provider) => ofOwn(provider, true)),
    ...named.filter((one) => !isOther(one)),
    ...own.map((provider) => ofOwn(provider, false)),
    ...named.filter(isOther),
  ];
}

function entriesOf(provider: ProviderView): ServiceEntry[] {
  const { id, name, summary, search_words: searchWords, services } = provider;
  if (services.length === 0) {
    return [{ id, provider, isEmbedded: false, name, summary, searchWords, inputs: {} }];
  }
  return services.map(({ value, search_words: words, ...shown }) => ({
    ...shown,
    id: `${id}:${value}`,
    provider,
    isEmbedded: false,
    searchWords: words,
    inputs: { service: value },
  }));
}

/** The entry that a token belongs to by its beginning, and what that says about the inputs. */
export function entryOfToken(token: string, entries: readonly ServiceEntry[]) {
  const found = providerOfToken(
    readPasted(token).token ?? token.trim(),
    entries.map(({ provider }) => provider),
  );
  if (found === null) return null;
  const entry = entries.find(
    ({ provider, inputs }) =>
      provider.id === found.id && (found.inputs['service'] ?? '') === (inputs['service'] ?? ''),
  );
  return entry === undefined ? null : { entry, inputs: found.inputs };
}

/** Whether both are the same kind of service; this program and another one with its API are. */
export function isSameService(one: ServiceEntry, other: ServiceEntry): boolean {
  return one.provider.id === other.provider.id && one.inputs['service'] === other.inputs['service'];
}

/**
 * What a search means, the likeliest first: names, other words, domains, and the beginning of a token. Where nothing matches, one
 * letter of each word may be wrong.
 */
export function searchServices(entries: readonly ServiceEntry[], sought: string): readonly ServiceEntry[] {
  const ofToken = entryOfToken(sought, entries);
  if (ofToken !== null) return [ofToken.entry];
  // Of an address only its host is known here.
  const typed = sought.trim();
  const wanted = /^https?:\/\/(?:www\.)?([^/?#:]*)/i.exec(typed)?.[1] ?? typed;
  const found = searchList(entries, wanted, (entry) => wordsOf(entry).join('\n'));
  if (found.length === 0) return entries.filter((entry) => isAlmost(entry, wanted));
  const start = plainLetters(wanted).trim();
  if (start === '') return found;
  const rank = ({ name }: ServiceEntry): number => {
    const plain = plainLetters(name);
    if (plain.startsWith(start)) return 0;
    return plain.split(/[^a-z0-9]+/).some((word) => word.startsWith(start)) ? 1 : 2;
  };
  return found.toSorted((one, other) => rank(one) - rank(other));
}

function wordsOf({ name, summary, searchWords, provider, isEmbedded }: ServiceEntry): string[] {
  const address = isEmbedded ? null : provider.default_base_url;
  return [name, summary, ...searchWords, ...(address === null ? [] : [address])];
}

function isAlmost(entry: ServiceEntry, wanted: string): boolean {
  const known = plainLetters(wordsOf(entry).join(' '))
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  const words = plainLetters(wanted).split(/\s+/).filter(Boolean);
  return words.every((word) => known.some((one) => one.includes(word) || isMistyped(word, one)));
}

/** Shorter words are like too many others. */
const shortestMistyped = 4;

/** Whether a word, or its beginning, was typed with one letter too many, too few or wrong, or with two in the wrong order. */
function isMistyped(typed: string, word: string): boolean {
  if (typed.length < shortestMistyped) return false;
  return [-1, 0, 1].some((more) => differsByOne(typed, word.slice(0, typed.length + more)));
}

function differsByOne(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [here, there] = [one, other].map((text) => text.slice(start, text.length - end));
  if (here === undefined || there === undefined) return false;
  if (here.length <= 1 && there.length <= 1) return true;
  return here.length === 2 && there === `${here[1]}${here[0]}`;
}

/** How a person creates what is entered here, for what is known of it so far; null: there is nothing to say. */
export function creationOf(
  { creation, inputs: known }: ProviderView,
  inputs: Readonly<Record<string, string>>,
): string | null {
  const facts = {
    inputs: known.map(({ name, choices }) => ({ name, choices: choices.map(({ value }) => value) })),
  };
  const found = creation.find(({ only_for: onlyFor }) =>
    isAsked({ onlyFor: onlyFor ?? undefined }, facts, inputs),
  );
  return found?.text ?? null;
}
