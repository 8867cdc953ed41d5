import { invariant } from '../unreachable.ts';
import type { Token } from './token.ts';
import type { TokenTable } from './token-table.ts';

/** Where a token stands in an order at an instant, before the order of issue tells equal ones apart. A whole number. */
export type PlaceOf = (token: Token, nowMs: number) => number;

/** As many tokens more as there is room for without making any anew. */
const spare = 1024;

/**
 * Tokens in ascending order, into which one more can be put and from which one can be taken.
 *
 * What is sorted is one number a token, its place in the order and its ordinal in one: ten times as fast as comparing
 * tokens. Such a number is exact as long as places times tokens stay below 2^52.
 */
export class OrderedTokens {
  readonly #placeOf: PlaceOf;
  /** More than any ordinal. */
  readonly #width: number;
  readonly #keys: Float64Array;
  #length: number;
  /** Under which key each token stands here, by its ordinal; NaN where it does not. */
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

  /** How many stand before a token, which itself need not be among them. */
  countBefore(token: Token, nowMs: number): number {
    return this.#countBelow(this.#keyOf(token, nowMs));
  }

  has(token: Token): boolean {
    return !Number.isNaN(this.#keyByOrdinal[token.ordinal] ?? Number.NaN);
  }

  /** Puts a token where it belongs now, or takes it out. False when there is no room: then it has to be made anew. */
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
