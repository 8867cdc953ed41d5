import type { FamilyId } from '../../contract/token.ts';
import type { TokenFamily } from './token.ts';
import type { TokenTable } from './token-table.ts';

/** As many families as are taken in by one step, which takes some milliseconds. */
const familiesInStep = 2000;
/** As many as are put into their places one by one; more are sorted first and then merged. */
const few = 20;

/**
 * The place of each family among all of them by one of its texts.
 *
 * A family's texts never change, so the order is worked out once and then only added to: comparing texts is what makes
 * sorting slow. Equal texts have equal ranks.
 */
export class FamilyRanks {
  readonly #textOf: (family: TokenFamily) => string;
  /** By the ordinal of the family. */
  #texts: string[] = [];
  /** Ordinals of families, each run in the order of their texts, the longest run first. */
  #runs: number[][] = [];
  #ranks: Uint32Array = new Uint32Array();
  #newest: FamilyId | undefined;

  constructor(textOf: (family: TokenFamily) => string) {
    this.#textOf = textOf;
  }

  /** Takes some more families in; true when all of them are. */
  step({ members }: TokenTable): boolean {
    // A family that could not be made durable is taken back, and another one may have come in its place.
    if (members[this.#texts.length - 1]?.family.id !== this.#newest) this.#forget();
    const known = this.#texts.length;
    if (known === members.length) {
      if (this.#runs.length > 1) this.#mergeLast();
      return this.#runs.length <= 1;
    }
    const added = members.slice(known, known + familiesInStep).map(({ family }) => family);
    for (const family of added) this.#texts.push(sortable(this.#textOf(family)));
    this.#newest = added.at(-1)?.id;
    const ordinals = added.map(({ ordinal }) => ordinal);
    const [longest] = this.#runs;
    if (longest !== undefined && this.#runs.length === 1 && ordinals.length <= few) {
      for (const ordinal of ordinals) longest.splice(this.#placeIn(longest, ordinal), 0, ordinal);
    } else {
      this.#addRun(ordinals.sort((a, b) => this.#compare(a, b)));
    }
    return this.#texts.length === members.length && this.#runs.length === 1;
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
    this.#ranks = new Uint32Array();
    this.#newest = undefined;
  }

  /** Runs of a like length are merged, so that no family is compared often. */
  #addRun(run: number[]): void {
    this.#runs.push(run);
    while ((this.#runs.at(-2)?.length ?? Number.POSITIVE_INFINITY) <= (this.#runs.at(-1)?.length ?? 0))
      this.#mergeLast();
  }

  #mergeLast(): void {
    const [b = [], a = []] = [this.#runs.pop(), this.#runs.pop()];
    const merged: number[] = [];
    let [inA, inB] = [0, 0];
    while (inA < a.length || inB < b.length) {
      const isNextInA = inB >= b.length || (inA < a.length && this.#compare(a[inA] ?? 0, b[inB] ?? 0) < 0);
      merged.push((isNextInA ? a[inA++] : b[inB++]) ?? 0);
    }
    this.#runs.push(merged);
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
