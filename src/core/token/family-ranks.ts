import type { FamilyId } from '../../contract/token.ts';
import type { TokenFamily } from './token.ts';
import type { FamilyMembers, TokenTable } from './token-table.ts';

/** As many families as are taken in or merged by one step, which takes a millisecond or two. */
const familiesInStep = 1000;
/** As many as are put into their places one by one; more are sorted first and then merged. */
const few = 20;

/** Two runs on their way to one. */
interface Merge {
  readonly a: readonly number[];
  readonly b: readonly number[];
  inA: number;
  inB: number;
  readonly merged: number[];
}

/**
 * The place of each family among all of them by one of its texts.
 *
 * A family's texts never change, so the order is worked out once, in steps, and then only added to: comparing texts is
 * what makes sorting slow. Equal texts have equal ranks.
 */
export class FamilyRanks {
  readonly #textOf: (family: TokenFamily) => string;
  /** By the ordinal of the family. */
  #texts: string[] = [];
  /** Ordinals of families, each run in the order of their texts, the longest run first. */
  #runs: number[][] = [];
  #merge: Merge | null = null;
  #ranks: Uint32Array = new Uint32Array();
  #newest: FamilyId | undefined;

  constructor(textOf: (family: TokenFamily) => string) {
    this.#textOf = textOf;
  }

  /** Does some of the work; true when all families are in one run. */
  step({ members }: TokenTable): boolean {
    // A family that could not be made durable is taken back, and another one may have come in its place.
    if (members[this.#texts.length - 1]?.family.id !== this.#newest) this.#forget();
    const waiting = members.length - this.#texts.length;
    if (this.#merge !== null) this.#mergeOn(this.#merge);
    else if (this.#isTimeToMerge(waiting)) this.#beginMerge();
    else if (waiting > 0) this.#takeIn(members);
    return this.#texts.length === members.length && this.#runs.length <= 1 && this.#merge === null;
  }

  /** The rank of each family, by its ordinal. */
  of(tokens: TokenTable): Uint32Array {
    while (!this.step(tokens));
    if (this.#ranks.length !== this.#texts.length) this.#ranks = this.#ranked();
    return this.#ranks;
  }

  #forget(): void {
    this.#texts = [];
    this.#runs = [];
    this.#merge = null;
    this.#ranks = new Uint32Array();
    this.#newest = undefined;
  }

  #takeIn(members: readonly FamilyMembers[]): void {
    const known = this.#texts.length;
    const added = members.slice(known, known + familiesInStep).map(({ family }) => family);
    for (const family of added) this.#texts.push(sortable(this.#textOf(family)));
    this.#newest = added.at(-1)?.id;
    const ordinals = added.map(({ ordinal }) => ordinal);
    const [all, ...others] = this.#runs;
    if (all !== undefined && others.length === 0 && ordinals.length <= few) {
      for (const ordinal of ordinals) all.splice(this.#placeIn(all, ordinal), 0, ordinal);
    } else {
      this.#runs.push(ordinals.sort((a, b) => this.#compare(a, b)));
    }
  }

  /** Runs of a like length are merged, so that no family is compared often; all of them when only a few have yet to come. */
  #isTimeToMerge(waiting: number): boolean {
    const [last, before] = [this.#runs.at(-1), this.#runs.at(-2)];
    return last !== undefined && before !== undefined && (waiting <= few || before.length <= last.length);
  }

  #beginMerge(): void {
    const [b = [], a = []] = [this.#runs.pop(), this.#runs.pop()];
    this.#merge = { a, b, inA: 0, inB: 0, merged: [] };
  }

  #mergeOn(merge: Merge): void {
    const { a, b, merged } = merge;
    for (let times = 0; times < familiesInStep && merged.length < a.length + b.length; times += 1) {
      const [nextA, nextB] = [a[merge.inA], b[merge.inB]];
      if (nextA !== undefined && (nextB === undefined || this.#compare(nextA, nextB) < 0)) {
        merged.push(nextA);
        merge.inA += 1;
      } else if (nextB !== undefined) {
        merged.push(nextB);
        merge.inB += 1;
      }
    }
    if (merged.length < a.length + b.length) return;
    this.#runs.push(merged);
    this.#merge = null;
  }

  #placeIn(run: readonly number[], ordinal: number): number {
    let [from, to] = [0, run.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#compare(run[middle] ?? 0, ordinal) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #compare(a: number, b: number): number {
    const textA = this.#texts[a] ?? '';
    const textB = this.#texts[b] ?? '';
    return textA < textB ? -1 : textA > textB ? 1 : a - b;
  }

  #ranked(): Uint32Array {
    const [order = []] = this.#runs;
    const ranks = new Uint32Array(order.length);
    let rank = 0;
    let before: string | undefined;
    for (const ordinal of order) {
      const text = this.#texts[ordinal];
      if (text !== before) rank += 1;
      before = text;
      ranks[ordinal] = rank;
    }
    return ranks;
  }
}

/** Without case and accents, and with `app-9` before `app-10`. */
function sortable(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\d+/g, (digits) => digits.padStart(12, '0'));
}
