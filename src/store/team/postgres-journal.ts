import { Low } from 'lowdb';
import { performance } from 'node:perf_hooks';
import type { JournalCheck, JournalDamage, JournalPlace } from '../../contract/service/store-problem.ts';
import type { EventLine, Journal, JournalBatch } from '../journal.ts';
import { checkLine, genesis } from '../journal-line.ts';
import { damaged, StoreError } from '../store-error.ts';
import type { Checkpoint } from '../checkpoint-file.ts';
import { defaultCheckpointPolicy, Store, type StoreParts } from '../store.ts';
import type { PostgresDatabase } from './postgres-database.ts';
import type { StoredLine } from './team-database.ts';
import { notLeading, type Term } from './term.ts';
import { CheckpointTable } from './checkpoint-table.ts';
import type { Replica } from './replica.ts';

/** How many lines are read with one statement, when so many are wanted. */
const linesPerRead = 500;

/** What it needs of the database; appends go through the term. */
export type JournalDatabase = Pick<
  PostgresDatabase,
  'place' | 'findOtherSubject' | 'readAfter' | 'readLines' | 'seqsOf' | 'tryToWrite'
> & {
  /** The first event from which on every line has the mark of a host; null while none needs one. */
  readonly markedFrom: number | null;
};

/** The journal in a table of PostgreSQL, for one term of a leader. */
export class PostgresJournal implements Journal {
  /** The table may become as large as it likes. */
  readonly isCheckpointDue = false;
  readonly #database: JournalDatabase;
  readonly #term: Term;
  /** What refused the last append; null when it was accepted. */
  #refusal: Error | null = null;
  #isTrying = false;

  constructor(database: JournalDatabase, term: Term) {
    this.#database = database;
    this.#term = term;
  }

  get place(): string {
    return this.#database.place;
  }

  get lastSeq(): number {
    return this.#term.last.seq;
  }

  assertCurrent(): void {
    if (!this.#term.isCurrent()) throw notLeading(this.place);
  }

  /** Only the leader knows which event is the last. */
  assertReadable(): void {
    this.assertCurrent();
  }

  async append(batch: JournalBatch): Promise<void> {
    try {
      await this.#term.append(batch);
      this.#refusal = null;
    } catch (cause) {
      this.#refusal = cause instanceof Error ? cause : null;
      throw cause;
    }
  }

  /** What refused the last append is thrown until a write is accepted, which is tried meanwhile. */
  probe({ byWriting }: { readonly byWriting: boolean }): void {
    this.assertCurrent();
    if (this.#refusal === null) return;
    if (byWriting && !this.#isTrying) void this.#tryToWrite();
    throw this.#refusal;
  }

  async #tryToWrite(): Promise<void> {
    this.#isTrying = true;
    try {
      await this.#database.tryToWrite();
      this.#refusal = null;
    } catch {
      // it is refused still, for the reason that is known
    } finally {
      this.#isTrying = false;
    }
  }

  beginCheckpoint(): void {
    this.assertCurrent();
  }

  endCheckpoint(): void {
    // nothing of the journal depends on it
  }

  seqsOf(subject: string, newest: number): Promise<number[]> {
    return this.#database.seqsOf(subject, newest);
  }

  async *readLines(seqs: Iterable<number>): AsyncGenerator<EventLine[]> {
    let wanted: number[] = [];
    for (const seq of seqs) {
      wanted.push(seq);
      if (wanted.length < linesPerRead) continue;
      yield await this.#read(wanted);
      wanted = [];
    }
    if (wanted.length > 0) yield await this.#read(wanted);
  }

  async #read(wanted: readonly number[]): Promise<EventLine[]> {
    const lines = await this.#database.readLines(wanted);
    for (const [place, seq] of wanted.entries()) {
      const found = lines[place]?.seq ?? 0;
      if (found !== seq) throw damaged(this.place, seq, { kind: 'event_missing', seq, found_seq: found });
    }
    return lines;
  }

  async verify(): Promise<JournalCheck> {
    const { seq: lastSeq, head } = this.#term.last;
    let at = { seq: 0, head: genesis };
    const damagedBy = (damage: JournalDamage): JournalCheck => ({
      status: 'damaged',
      verified_to: at.seq,
      problem: { code: 'JOURNAL_DAMAGED', file: this.place, line: at.seq + 1, damage },
    });
    /** Found when it was read; what is before it is checked first. */
    let found: (JournalPlace & { code: 'JOURNAL_DAMAGED' }) | null = null;
    let upTo = lastSeq;
    while (at.seq < upTo) {
      const toSeq = Math.min(at.seq + linesPerRead, upTo);
      const other = await this.#database.findOtherSubject(at.seq, toSeq);
      let read: StoredLine[];
      try {
        read = await this.#database.readAfter(at.seq, toSeq - at.seq);
      } catch (error) {
        const problem = error instanceof StoreError ? error.problem : null;
        if (problem?.code !== 'JOURNAL_DAMAGED') throw error;
        found = problem;
        upTo = problem.line - 1;
        continue;
      }
      const lines = new Map(read.map(({ seq, line }) => [seq, line]));
      while (at.seq < toSeq) {
        const seq = at.seq + 1;
        const line = lines.get(seq);
        if (line === undefined) return damagedBy({ kind: 'line_missing' });
        const check = checkLine(Buffer.from(line), at.head);
        if (!check.ok) return damagedBy(check.damage);
        if (seq === other) return damagedBy({ kind: 'subject_differs' });
        at = { seq, head: check.head };
      }
    }
    if (found !== null) return { status: 'damaged', verified_to: at.seq, problem: found };
    if (at.head !== head) return damagedBy({ kind: 'state_differs' });
    const marked_from = this.#database.markedFrom;
    return { status: 'intact', verified_to: lastSeq, head, segments: 0, marked_from };
  }

  close(): void {
    // the connections belong to the host, which outlives the term
  }
}

interface TermStoreParts extends Omit<StoreParts, 'policy'> {
  readonly database: PostgresDatabase;
  readonly term: Term;
  /** Its state becomes the store's, until that is abandoned. */
  readonly replica: Replica;
  /** The last event in the newest checkpoint that this host knows. */
  readonly checkpointSeq: number;
  /** A batch of so many events became durable, in milliseconds. */
  readonly onAppend: (ms: number, events: number) => void;
}

/** The store of a host that leads, for one term. */
export function openTermStore(parts: TermStoreParts): Store {
  const { database, term, replica, checkpointSeq, onAppend } = parts;
  const journal = new PostgresJournal(database, {
    get epoch() {
      return term.epoch;
    },
    get last() {
      return term.last;
    },
    isCurrent: () => term.isCurrent(),
    async append(batch: JournalBatch) {
      const begunAt = performance.now();
      await term.append(batch);
      onAppend(performance.now() - begunAt, batch.events.length);
    },
  });
  const { head } = term.last;
  const data: Checkpoint = { seq: checkpointSeq, head, segments: [], state: replica.state };
  const db = new Low<Checkpoint>(new CheckpointTable(database, () => term.epoch), data);
  const { clock, onTrouble } = parts;
  return new Store({ journal, db, head }, { clock, onTrouble, policy: defaultCheckpointPolicy });
}
