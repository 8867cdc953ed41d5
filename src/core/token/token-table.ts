import {
  type FamilyId,
  type TokenConfiguration,
  type TokenId,
  type TokenStatus,
  tokenStatuses,
} from '../../contract/token/token.ts';
import type { Restorable, UndoLog } from '../table.ts';
import { invariant } from '../unreachable.ts';
import { type Reuse, type Token, type TokenFamily, tokenIdOf } from './token-record.ts';

interface Members {
  family: TokenFamily;
  readonly ordinals: number[];
}

/** A token before the table has assigned its ordinal. */
type NewToken = Omit<Token, 'id' | 'ordinal' | 'familyOrdinal'>;

/** A family and the ordinals of its tokens, oldest to newest. */
export interface FamilyMembers {
  readonly family: TokenFamily;
  readonly ordinals: readonly number[];
}

/** The smallest number of writes that are remembered. */
const kept = 2000;

/** The most recently written rows of a table, for readers that update what they computed from them. */
class WriteLog {
  #ordinals: number[] = [];
  #revision = 0;

  /** How often the table was written to. */
  get revision(): number {
    return this.#revision;
  }

  note(ordinal: number): void {
    this.#revision += 1;
    if (this.#ordinals.length >= 2 * kept) this.#ordinals.splice(0, kept);
    this.#ordinals.push(ordinal);
  }

  /** A row was removed: readers have to start again. */
  noteRemoval(): void {
    this.#revision += 1;
    this.#ordinals = [];
  }

  /** The rows written since a revision, possibly with repetitions; null if that is too long ago. */
  since(revision: number): readonly number[] | null {
    const writes = this.#revision - revision;
    if (writes > this.#ordinals.length) return null;
    return this.#ordinals.slice(this.#ordinals.length - writes);
  }
}

/**
 * Every token in the order of issue, and its family. Each write is undoable; a row is replaced, never changed in place.
 *
 * A rotation is the most frequent change, so it costs one entry in one map: rows are in an array by their ordinal, an
 * id is parsed into family and generation, and a family has the ordinals of its tokens.
 *
 * Invariants: 1. every token has its family; 2. generations of a family count 1, 2, 3 … without a gap; 3. a digest
 * belongs to one token.
 */
// see decisions/token-families.md
export class TokenTable implements Restorable {
  readonly #undo: UndoLog;
  readonly #rows: Token[] = [];
  readonly #ordinalByDigest = new Map<string, number>();
  readonly #families = new Map<FamilyId, Members>();
  readonly #familiesInOrder: Members[] = [];
  /** The most recently written rows. */
  readonly writes = new WriteLog();
  readonly #counts = Object.fromEntries(tokenStatuses.map((status) => [status, 0])) as Record<
    TokenStatus,
    number
  >;

  constructor(undo: UndoLog) {
    this.#undo = undo;
  }

  /** How many there are; also the ordinal of the next one. */
  get size(): number {
    return this.#rows.length;
  }

  /** How many tokens are recorded in each status. */
  get counts(): Readonly<Record<TokenStatus, number>> {
    return this.#counts;
  }

  /** In the order of issue. */
  values(): IterableIterator<Token> {
    return this.#rows.values();
  }

  at(ordinal: number): Token | undefined {
    return this.#rows[ordinal];
  }

  withDigest(digest: string): Token | undefined {
    const ordinal = this.#ordinalByDigest.get(digest);
    return ordinal === undefined ? undefined : this.#rows[ordinal];
  }

  /** Finds `tok_<family>_<generation>`. */
  get(id: TokenId): Token | undefined {
    const end = id.lastIndexOf('_');
    const token = this.ofFamily(`fam_${id.slice(4, end)}` as FamilyId, Number(id.slice(end + 1)));
    return token?.id === id ? token : undefined;
  }

  /** A generation of a family, counting from 1. */
  ofFamily(familyId: FamilyId, generation: number): Token | undefined {
    const ordinal = this.#families.get(familyId)?.ordinals[generation - 1];
    return ordinal === undefined ? undefined : this.#rows[ordinal];
  }

  family(id: FamilyId): TokenFamily | undefined {
    return this.#families.get(id)?.family;
  }

  /** In the order of creation. */
  *families(): Generator<TokenFamily> {
    for (const { family } of this.#familiesInOrder) yield family;
  }

  /** Families with their tokens, for an iteration over all of them. */
  get members(): readonly FamilyMembers[] {
    return this.#familiesInOrder;
  }

  membersOf(id: FamilyId): FamilyMembers | undefined {
    return this.#families.get(id);
  }

  /** How many generations a family has; the newest has this number. */
  generationsOf(id: FamilyId): number {
    return this.#families.get(id)?.ordinals.length ?? 0;
  }

  addFamily(id: FamilyId, configuration: TokenConfiguration): void {
    invariant(!this.#families.has(id), `family ${id} is new`);
    this.#undo.note(this, 'family', id);
    const ordinal = this.#familiesInOrder.length;
    const members = { family: { id, configuration, ordinal, reuses: [] }, ordinals: [] };
    this.#families.set(id, members);
    this.#familiesInOrder.push(members);
  }

  setReuses(id: FamilyId, reuses: readonly Reuse[]): void {
    const members = this.#families.get(id);
    invariant(members !== undefined, `family ${id} is known`);
    this.#undo.note(this, 'reuse', members.family);
    members.family = { ...members.family, reuses };
  }

  /** The next generation of its family. */
  add(token: NewToken): Token {
    const members = this.#families.get(token.familyId);
    invariant(members !== undefined, `a token of ${token.familyId} has its family`);
    const { family, ordinals } = members;
    const isNext = token.generation === ordinals.length + 1;
    invariant(isNext, `generation ${token.generation} of ${family.id} follows ${ordinals.length}`);
    const ordinal = this.#rows.length;
    const row: Token = {
      ...token,
      id: tokenIdOf(family.id, token.generation),
      familyId: family.id,
      ordinal,
      familyOrdinal: family.ordinal,
    };
    this.#undo.note(this, 'added', ordinals);
    this.#rows.push(row);
    ordinals.push(ordinal);
    this.#ordinalByDigest.set(row.digest, ordinal);
    this.#counts[row.status] += 1;
    this.writes.note(ordinal);
    return row;
  }

  /** Replaces a row of a token. */
  replace(before: Token, after: Token): void {
    this.#undo.note(this, 'replaced', before);
    this.#put(after);
  }

  #put(row: Token): void {
    const before = this.#rows[row.ordinal];
    invariant(before?.id === row.id, `${row.id} is in its place`);
    this.#rows[row.ordinal] = row;
    this.writes.note(row.ordinal);
    if (before.status === row.status) return;
    this.#counts[before.status] -= 1;
    this.#counts[row.status] += 1;
  }

  /** Rolls back one write. */
  restore(what: 'family' | 'reuse' | 'added' | 'replaced', before: unknown): void {
    if (what === 'family') {
      this.#families.delete(before as FamilyId);
      this.#familiesInOrder.pop();
    } else if (what === 'reuse') {
      const family = before as TokenFamily;
      const members = this.#families.get(family.id);
      if (members !== undefined) members.family = family;
    } else if (what === 'replaced') {
      this.#put(before as Token);
    } else {
      const row = this.#rows.pop();
      (before as number[]).pop();
      if (row === undefined) return;
      this.#ordinalByDigest.delete(row.digest);
      this.#counts[row.status] -= 1;
      this.writes.noteRemoval();
    }
  }
}
