import type { TokenSort } from '../../contract/token/token-list.ts';
import { type FamilyId, type TokenStatus, tokenStatuses } from '../../contract/token/token.ts';
import { compareTexts } from '../compare-texts.ts';
import { invariant, unreachable } from '../unreachable.ts';
import type { TokenTable } from './token-table.ts';
import { changedAtMs, statusAt, type Token, type TokenFamily } from './token-record.ts';
import type { CredentialNames } from './view-token.ts';

/** The sort key of a token at an instant, a whole number. Equal keys are ordered by time of issue. */
export type PlaceOf = (token: Token, nowMs: number) => number;

/** How many tokens can be added before the arrays have to grow. */
const spare = 1024;

/**
 * Tokens in ascending order, with insertion and removal.
 *
 * Each token is one number, made of its sort key and its ordinal, which sorts ten times as fast as comparing tokens.
 * The number is exact as long as keys times tokens stay below 2^52.
 */
export class OrderedTokens {
  readonly #placeOf: PlaceOf;
  /** More than any ordinal. */
  readonly #width: number;
  readonly #keys: Float64Array;
  #length: number;
  /** The number of each token, by its ordinal; NaN if it is not in the list. */
  readonly #keyByOrdinal: Float64Array;

  /** `members` are ordinals in the order of issue. */
  constructor(tokens: TokenTable, members: readonly number[], placeOf: PlaceOf, nowMs: number) {
    this.#placeOf = placeOf;
    this.#width = 2 * tokens.size + spare;
    this.#keyByOrdinal = new Float64Array(this.#width).fill(Number.NaN);
    this.#keys = new Float64Array(members.length + spare);
    this.#length = members.length;
    let isInOrder = true;
    for (let place = 0; place < members.length; place += 1) {
      const token = tokens.at(members[place] ?? 0);
      invariant(token !== undefined, 'a member is in the table');
      const key = this.#keyOf(token, nowMs);
      this.#keys[place] = this.#keyByOrdinal[token.ordinal] = key;
      isInOrder &&= place === 0 || key > (this.#keys[place - 1] ?? 0);
    }
    if (!isInOrder) this.#keys.subarray(0, this.#length).sort();
  }

  get length(): number {
    return this.#length;
  }

  /** The ordinal of the token at a place. */
  at(place: number): number {
    const key = this.#keys[place] ?? 0;
    return key - Math.floor(key / this.#width) * this.#width;
  }

  /** How many come before a token, which need not be in the list. */
  countBefore(token: Token, nowMs: number): number {
    return this.#countBelow(this.#keyOf(token, nowMs));
  }

  has(token: Token): boolean {
    return !Number.isNaN(this.#keyByOrdinal[token.ordinal] ?? Number.NaN);
  }

  /**
   * Moves a token to its current position, or removes it. False when there is no space: then the list has to be
   * rebuilt.
   */
  move(token: Token, isMember: boolean, nowMs: number): boolean {
    if (token.ordinal >= this.#width || this.#length === this.#keys.length) return false;
    const held = this.#keyByOrdinal[token.ordinal] ?? Number.NaN;
    const key = isMember ? this.#keyOf(token, nowMs) : Number.NaN;
    if (Object.is(held, key)) return true;
    if (!Number.isNaN(held)) this.#take(this.#countBelow(held));
    if (isMember) this.#put(key);
    this.#keyByOrdinal[token.ordinal] = key;
    return true;
  }

  #keyOf(token: Token, nowMs: number): number {
    return this.#placeOf(token, nowMs) * this.#width + token.ordinal;
  }

  #take(place: number): void {
    this.#keys.copyWithin(place, place + 1, this.#length);
    this.#length -= 1;
  }

  #put(key: number): void {
    const place = this.#countBelow(key);
    this.#keys.copyWithin(place + 1, place, this.#length);
    this.#keys[place] = key;
    this.#length += 1;
  }

  #countBelow(key: number): number {
    let [from, to] = [0, this.#length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#keys[middle] ?? 0) < key) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** How many new families are inserted one by one; more are sorted with the others. */
const few = 20;

/**
 * The rank of each family by one of its texts.
 *
 * A family's texts change only with the names of credentials, so the order is computed once and then only extended. The
 * first time takes about a tenth of a second with 100,000 families. Equal texts have equal ranks.
 */
export class FamilyRanks {
  readonly #textOf: (family: TokenFamily, names: CredentialNames) => string;
  #names: CredentialNames = new Map();
  /** By the ordinal of the family. */
  #texts: string[] = [];
  /** Ordinals of families in the order of their texts. */
  #order: number[] = [];
  #ranks: Uint32Array = new Uint32Array();
  #newest: FamilyId | undefined;

  constructor(textOf: (family: TokenFamily, names: CredentialNames) => string) {
    this.#textOf = textOf;
  }

  /** The rank of each family, by its ordinal. */
  of({ members }: TokenTable, names: CredentialNames): Uint32Array {
    // A family that could not be made durable is rolled back, and another one may have its ordinal now.
    if (this.#names !== names || members[this.#texts.length - 1]?.family.id !== this.#newest) {
      this.#names = names;
      this.#texts = [];
      this.#order = [];
    }
    const added = members.slice(this.#texts.length);
    if (added.length === 0) return this.#ranks;
    for (const { family } of added) this.#texts.push(sortable(this.#textOf(family, names)));
    this.#newest = added.at(-1)?.family.id;
    const ordinals = added.map(({ family }) => family.ordinal);
    if (ordinals.length > few)
      this.#order = [...this.#order, ...ordinals].sort((a, b) => this.#compare(a, b));
    else for (const ordinal of ordinals) this.#order.splice(this.#placeOf(ordinal), 0, ordinal);
    this.#ranks = this.#ranked();
    return this.#ranks;
  }

  #placeOf(ordinal: number): number {
    let [from, to] = [0, this.#order.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#compare(this.#order[middle] ?? 0, ordinal) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #compare(a: number, b: number): number {
    return compareTexts(this.#texts[a] ?? '', this.#texts[b] ?? '') || a - b;
  }

  #ranked(): Uint32Array {
    const ranks = new Uint32Array(this.#order.length);
    let rank = 0;
    let before: string | undefined;
    for (const ordinal of this.#order) {
      const text = this.#texts[ordinal];
      if (text !== before) rank += 1;
      before = text;
      ranks[ordinal] = rank;
    }
    return ranks;
  }
}

/** Ignoring case and accents, and with `app-9` before `app-10`. */
function sortable(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\d+/g, (digits) => digits.padStart(12, '0'));
}

/** Seconds are counted from here: small numbers leave room for many tokens. */
const firstSecond = Date.UTC(2026, 0, 1) / 1000;

const placeByStatus = Object.fromEntries(tokenStatuses.map((status, place) => [status, place])) as Record<
  TokenStatus,
  number
>;

/** What tokens are put in order by. */
export class TokenPlaces {
  readonly #tokens: TokenTable;
  readonly #names = new FamilyRanks(({ id, configuration: { name } }, names) => {
    const credentialName = names.get(id);
    return credentialName === undefined ? name : `${credentialName} ${name}`;
  });
  readonly #categories = new FamilyRanks(({ configuration }) => configuration.category);

  constructor(tokens: TokenTable) {
    this.#tokens = tokens;
  }

  /** For the current table and names; a new family or name changes the ranks of others if `dependsOnFamilies`. */
  by(sort: TokenSort, names: CredentialNames): PlaceOf {
    switch (sort) {
      case 'created':
        return () => 0; // the order of issue
      case 'changed':
        return (token, nowMs) => secondOf(changedAtMs(token, nowMs) ?? 0);
      case 'expires':
        return ({ expiresAtMs }) => secondOf(expiresAtMs);
      case 'status':
        return (token, nowMs) => placeByStatus[statusAt(token, nowMs)];
      case 'name':
      case 'category': {
        const ranks = this.#ranksBy(sort).of(this.#tokens, names);
        return ({ familyOrdinal }) => ranks[familyOrdinal] ?? 0;
      }
      default:
        return unreachable(sort);
    }
  }

  #ranksBy(sort: 'name' | 'category'): FamilyRanks {
    return sort === 'name' ? this.#names : this.#categories;
  }
}

/** Whether an order has to be rebuilt after a family was added or a credential has another name. */
export function dependsOnFamilies(sort: TokenSort): sort is 'name' | 'category' {
  return sort === 'name' || sort === 'category';
}

function secondOf(ms: number): number {
  return Math.floor(ms / 1000) - firstSecond;
}
