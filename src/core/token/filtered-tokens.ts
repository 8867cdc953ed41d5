import { maxCategoriesListed, type TokenFacets } from '../../contract/token/token-list.ts';
import { type FamilyId, type TokenStatus, tokenStatuses } from '../../contract/token/token.ts';
import { invariant } from '../unreachable.ts';
import type { FamilyMembers, TokenTable } from './token-table.ts';
import { statusAt, type Token, type TokenFamily } from './token-record.ts';
import type { CredentialNames } from './view-token.ts';

/** How many tokens are checked in one step, which takes less than a millisecond. */
const tokensInStep = 1000;

/**
 * The result of a filter for a token, without the condition on the status, together with its status: one byte per
 * token.
 *
 * 0 if the text, the family or the generation does not match; otherwise the index of the status, counted from 1, plus
 * `inCategory` if the category matches too.
 */
type Mark = number;
const inCategory = 8;

/** Called for each token that started or stopped matching the filter, or was written while it matched. */
export type Moved = (token: Token, isMember: boolean) => void;

/**
 * The tokens that match a filter, and the counts of other choices; computed once and then updated with the table.
 *
 * The first pass checks every token, in steps that let requests in between. After that only written tokens are checked
 * again.
 *
 * Invariant: after the first pass, each mark is right for the table at `#revision` from `#fromMs` until
 * `#holdsUntilMs`.
 */
export class FilteredTokens {
  readonly #tokens: TokenTable;
  readonly #filter: TokenFilter;
  readonly #pattern: RegExp;
  readonly #credentialNames: CredentialNames;
  #marks = new Uint8Array();
  #byStatus: Record<TokenStatus, number> = noneOfAny();
  #byCategory = new Map<string, number>();
  #nextFamily = 0;
  #revision = 0;
  #fromMs = 0;
  #holdsUntilMs = 0;

  constructor(tokens: TokenTable, filter: TokenFilter, credentialNames: CredentialNames) {
    this.#tokens = tokens;
    this.#filter = filter;
    this.#credentialNames = credentialNames;
    this.#pattern = patternOf(filter);
  }

  get facets(): TokenFacets {
    const categories = [...this.#byCategory]
      .filter(([, tokens]) => tokens > 0)
      .map(([category, tokens]) => ({ category, tokens }))
      .sort((a, b) => b.tokens - a.tokens || (a.category < b.category ? -1 : 1))
      .slice(0, maxCategoriesListed);
    return { statuses: { ...this.#byStatus }, categories };
  }

  /** Ordinals in the order of issue. */
  get members(): number[] {
    const found: number[] = [];
    for (let ordinal = 0; ordinal < this.#tokens.size; ordinal += 1) {
      if (this.#isMember(this.#marks[ordinal] ?? 0)) found.push(ordinal);
    }
    return found;
  }

  /** Discards everything: the first pass starts again. */
  begin(nowMs: number): void {
    this.#marks = new Uint8Array(roomFor(this.#tokens.size));
    this.#byStatus = noneOfAny();
    this.#byCategory = new Map();
    this.#nextFamily = 0;
    this.#revision = this.#tokens.writes.revision;
    this.#fromMs = nowMs;
    this.#holdsUntilMs = Number.POSITIVE_INFINITY;
  }

  /** Continues the first pass; true when it is complete. */
  step(): boolean {
    const families = this.#families();
    for (let seen = 0; seen < tokensInStep && this.#nextFamily < families.length; this.#nextFamily += 1) {
      const members = families[this.#nextFamily];
      invariant(members !== undefined, 'a family is not taken out of the middle');
      seen += members.ordinals.length;
      this.#lookAt(members);
    }
    return this.#nextFamily >= families.length;
  }

  /**
   * Whether only the writes since the last update can have changed something. Otherwise it starts again: after too many
   * writes, when time alone may have changed something, or when the clock was set back.
   */
  mayCatchUp(nowMs: number): boolean {
    const isKnown = this.#tokens.writes.since(this.#revision) !== null;
    return isKnown && nowMs >= this.#fromMs && nowMs < this.#holdsUntilMs;
  }

  /** Checks what was written since the last update. */
  catchUp(nowMs: number, onMoved: Moved): void {
    const written = new Set(this.#tokens.writes.since(this.#revision));
    // What is marked now is not known to be right for earlier instants, should the clock be set back.
    if (written.size > 0) this.#fromMs = nowMs;
    for (const ordinal of written) {
      const token = this.#tokens.at(ordinal);
      const members = token === undefined ? undefined : this.#tokens.members[token.familyOrdinal];
      invariant(token !== undefined && members !== undefined, 'what was written is there');
      const wasMember = this.#isMember(this.#marks[ordinal] ?? 0);
      this.#mark(token, members, this.#fits(members.family), nowMs);
      const isMember = this.#isMember(this.#marks[ordinal] ?? 0);
      if (wasMember || isMember) onMoved(token, isMember);
    }
    this.#revision = this.#tokens.writes.revision;
  }

  #families(): readonly FamilyMembers[] {
    const { familyId } = this.#filter;
    if (familyId === null) return this.#tokens.members;
    const members = this.#tokens.membersOf(familyId as FamilyId);
    return members === undefined ? [] : [members];
  }

  /** Names and category are the family's, so they are compared once for all its generations. */
  #lookAt(members: FamilyMembers): void {
    const fit = this.#fits(members.family);
    const { ordinals } = members;
    for (
      let place = this.#filter.isNewestOnly ? ordinals.length - 1 : 0;
      place < ordinals.length;
      place += 1
    ) {
      const token = this.#tokens.at(ordinals[place] ?? 0);
      if (token !== undefined) this.#mark(token, members, fit, this.#fromMs);
    }
  }

  #fits({ id, configuration: { name, category } }: TokenFamily): { inCategory: boolean; byText: boolean } {
    const credentialName = this.#credentialNames.get(id);
    return {
      inCategory: this.#filter.category === null || this.#filter.category === category,
      byText:
        this.#pattern.test(name) ||
        this.#pattern.test(category) ||
        (credentialName !== undefined && this.#pattern.test(credentialName)),
    };
  }

  #mark(
    token: Token,
    { family, ordinals }: FamilyMembers,
    fit: { inCategory: boolean; byText: boolean },
    nowMs: number,
  ): void {
    const { familyId, isNewestOnly } = this.#filter;
    const isFound =
      (familyId === null || familyId === family.id) &&
      (!isNewestOnly || ordinals.at(-1) === token.ordinal) &&
      (fit.byText || this.#pattern.test(token.id) || this.#pattern.test(token.reason ?? ''));
    const status = statusAt(token, nowMs);
    const isLive = status === 'Active' || status === 'Suspended';
    if (isLive && token.expiresAtMs < this.#holdsUntilMs) this.#holdsUntilMs = token.expiresAtMs;
    const mark = isFound ? tokenStatuses.indexOf(status) + 1 + (fit.inCategory ? inCategory : 0) : 0;

    if (token.ordinal >= this.#marks.length) this.#marks = grown(this.#marks, token.ordinal + 1);
    const before = this.#marks[token.ordinal] ?? 0;
    this.#count(before, family, -1);
    this.#count(mark, family, 1);
    this.#marks[token.ordinal] = mark;
  }

  #count(mark: Mark, { configuration: { category } }: TokenFamily, by: 1 | -1): void {
    const status = statusOf(mark);
    if (status === undefined) return;
    if (mark > inCategory) this.#byStatus[status] += by;
    if (this.#hasStatus(status)) this.#byCategory.set(category, (this.#byCategory.get(category) ?? 0) + by);
  }

  #isMember(mark: Mark): boolean {
    const status = mark > inCategory ? statusOf(mark) : undefined;
    return status !== undefined && this.#hasStatus(status);
  }

  #hasStatus(status: TokenStatus): boolean {
    return this.#filter.statuses?.includes(status) ?? true;
  }
}

function statusOf(mark: Mark): TokenStatus | undefined {
  return tokenStatuses[(mark % inCategory) - 1];
}

function noneOfAny(): Record<TokenStatus, number> {
  return Object.fromEntries(tokenStatuses.map((status) => [status, 0])) as Record<TokenStatus, number>;
}

/** With a reserve, so that it does not grow with every token. */
function roomFor(tokens: number): number {
  return Math.ceil(tokens * 1.25) + 1024;
}

function grown(marks: Uint8Array, tokens: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(roomFor(tokens));
  larger.set(marks);
  return larger;
}

/** The conditions of a filter: every condition that is not null must hold. */
export interface TokenFilter {
  readonly statuses: readonly TokenStatus[] | null;
  readonly familyId: string | null;
  readonly category: string | null;
  /** Found in its name or that of its credential, the category, the id or the reason, in upper or lower case. */
  readonly text: string | null;
  readonly isNewestOnly: boolean;
}

export const anyToken: TokenFilter = {
  statuses: null,
  familyId: null,
  category: null,
  text: null,
  isNewestOnly: false,
};

/** Finds a text in upper or lower case, or anything; twice as fast as making each text lower case first. */
function patternOf({ text }: TokenFilter): RegExp {
  return new RegExp((text ?? '').replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu');
}
