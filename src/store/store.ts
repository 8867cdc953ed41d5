import { basename, dirname } from 'node:path';
import type { Low } from 'lowdb';
import type { AuditEvent, EventDraft, HistoryEvent } from '../contract/audit-event.ts';
import type { StoreHealth, Verification } from '../contract/portal.ts';
import { applyEvent } from '../core/apply-event.ts';
import {
  type Clock,
  type Decision,
  type HistoryFilter,
  type HistorySearch,
  type Ledger,
  StoreUnavailable,
} from '../core/ledger.ts';
import { nameOfSubject } from '../core/history/name-of-subject.ts';
import type { SeqRun } from '../core/history/seq-runs.ts';
import type { State } from '../core/state.ts';
import type { Checkpoint } from './checkpoint-file.ts';
import { currentFormat } from './formats.ts';
import type { HistoryIndex } from './history-index.ts';
import { HistoryReader } from './history-reader.ts';
import { encodeLine } from './journal-line.ts';
import { OpenSegment } from './segment.ts';
import { systemCodeOf } from './store-error.ts';
import { whyRefusing } from './why-refusing.ts';
import { verifyJournal } from './verify-journal.ts';
import { isoInstant } from '../core/iso-instant.ts';

export interface CheckpointPolicy {
  /** A checkpoint is due after this many events … */
  readonly minEvents: number;
  /** … or this share of the tokens, whichever is more: so its cost per event does not grow with the state. */
  readonly shareOfTokens: number;
  /** A segment is sealed at this size at the latest, in bytes. */
  readonly maxSegmentBytes: number;
}

export const defaultCheckpointPolicy: CheckpointPolicy = {
  minEvents: 100_000,
  shareOfTokens: 1,
  maxSegmentBytes: 64 * 1024 * 1024,
};

export interface OpenedJournal {
  readonly db: Low<Checkpoint>;
  readonly segment: OpenSegment;
  readonly index: HistoryIndex;
  readonly head: string;
}

export interface StoreParts {
  readonly clock: Clock;
  readonly policy: CheckpointPolicy;
  /** Told when the disk refuses, once for each time that it begins to. */
  readonly onTrouble: (message: string, cause: unknown) => void;
}

/** Everything that waits for the same write. */
interface Batch {
  readonly firstSeq: number;
  readonly headBefore: string;
  readonly events: AuditEvent[];
  readonly lines: string[];
  readonly settled: PromiseWithResolvers<undefined>;
}

/**
 * State in memory, journal on disk.
 *
 * Invariants: 1. memory changes only by applying an event; 2. nobody is answered before the events of the answer, and
 * those that it could have seen, are on disk; 3. a batch that could not be written is taken back whole, and
 * everybody in it is refused; 4. only events on disk are in the index and reach subscribers.
 */
export class Store implements Ledger {
  readonly state: State;
  readonly #db: Low<Checkpoint>;
  readonly #parts: StoreParts;
  readonly #index: HistoryIndex;
  readonly #history: HistoryReader;
  readonly #listeners = new Set<(event: AuditEvent) => void>();
  #segment: OpenSegment;
  #seq: number;
  #head: string;
  #batch: Batch | null = null;
  #health: Exclude<StoreHealth, { status: 'ok' }> | null = null;
  #checkpoint: PromiseWithResolvers<undefined> | null = null;
  #isCheckpointing = false;
  #checkpointedSeq: number;
  #nextCheckpointSeq: number;
  #isClosed = false;

  constructor(opened: OpenedJournal, parts: StoreParts) {
    this.#db = opened.db;
    this.state = opened.db.data.state;
    this.#segment = opened.segment;
    this.#index = opened.index;
    this.#history = new HistoryReader(opened.index, (subject) => nameOfSubject(this.state, subject));
    this.#seq = opened.index.lastSeq;
    this.#head = opened.head;
    this.#parts = parts;
    this.#checkpointedSeq = opened.db.data.seq;
    this.#nextCheckpointSeq = opened.db.data.seq + this.#checkpointInterval();
  }

  transact<T>(decide: (state: State, nowMs: number) => Decision<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailable('CLOSED', 'The service is stopping.'));
    const nowMs = this.#parts.clock();
    let decision: Decision<T>;
    try {
      decision = decide(this.state, nowMs);
      if (decision.events.length > 0) this.#enter(decision.events, nowMs);
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
    const { value } = decision;
    return this.#batch === null ? Promise.resolve(value) : this.#batch.settled.promise.then(() => value);
  }

  /** Puts events into the batch that gathers and makes them true in memory, all of them or none. */
  #enter(drafts: readonly EventDraft[], nowMs: number): void {
    const at = isoInstant(nowMs);
    const batch = (this.#batch ??= this.#beginBatch());
    const before = {
      seq: this.#seq,
      head: this.#head,
      lines: batch.lines.length,
      undo: this.state.undo.mark(),
    };
    try {
      for (const draft of drafts) {
        const event = { ...draft, seq: this.#seq + 1, at };
        applyEvent(this.state, event);
        const { line, head } = encodeLine(event, batch.firstSeq, this.#head);
        batch.events.push(event);
        batch.lines.push(line);
        this.#seq = event.seq;
        this.#head = head;
      }
    } catch (error) {
      this.state.undo.rollBack(before.undo);
      batch.events.length = before.lines;
      batch.lines.length = before.lines;
      this.#seq = before.seq;
      this.#head = before.head;
      throw error;
    }
  }

  /** All that arrives in this turn of the event loop shares one write, which happens when the turn is over. */
  #beginBatch(): Batch {
    setImmediate(() => {
      this.#flush();
      if (this.#isCheckpointDue()) this.#beginCheckpoint();
    });
    return {
      firstSeq: this.#seq + 1,
      headBefore: this.#head,
      events: [],
      lines: [],
      settled: Promise.withResolvers(),
    };
  }

  /**
   * Writes what has gathered and settles it.
   *
   * On this thread: while the disk works, further calls queue up in the sockets and make the next batch a larger one.
   * Handing the write to another thread was measured to cost more than it gains, at one connection and at fifty.
   */
  #flush(): void {
    const batch = this.#batch;
    if (batch === null) return;
    this.#batch = null;
    if (batch.events.length > 0) {
      try {
        this.#segment.append(Buffer.from(batch.lines.join('')));
      } catch (cause) {
        this.#takeBack(batch, cause);
        return;
      }
      this.state.undo.forget();
      this.#health = null;
    }
    this.#settle(batch);
  }

  /** Tells everybody that the batch is on disk. */
  #settle(batch: Batch): void {
    for (const [place, event] of batch.events.entries()) {
      this.#index.add(event.subject, Buffer.byteLength(batch.lines[place] ?? ''));
    }
    batch.settled.resolve(undefined);
    for (const listener of this.#listeners) for (const event of batch.events) listener(event);
  }

  #takeBack(batch: Batch, cause: unknown): void {
    this.state.undo.rollBack();
    this.#seq = batch.firstSeq - 1;
    this.#head = batch.headBefore;
    const code = systemCodeOf(cause);
    const since = this.#health?.since ?? isoInstant(this.#parts.clock());
    const reason = whyRefusing(code, dirname(this.#segment.path));
    const isNew = this.#health === null;
    this.#health = { status: 'refusing', last_seq: this.#seq, code, reason, since };
    if (isNew) this.#parts.onTrouble(reason, cause);
    batch.settled.reject(new StoreUnavailable(code, reason, { cause }));
  }

  subscribe(listener: (event: AuditEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  health(): StoreHealth {
    return this.#health ?? { status: 'ok', last_seq: this.#index.lastSeq };
  }

  history(filter: HistoryFilter): Promise<HistoryEvent[]> {
    return this.#history.read(filter);
  }

  findEvents(search: HistorySearch): Promise<readonly SeqRun[]> {
    return this.#history.find(search);
  }

  verify(): Promise<Verification> {
    const { path, bytes } = this.#segment;
    return verifyJournal(dirname(path), { file: basename(path), bytes });
  }

  /**
   * Seals the segment and writes the state, while requests go on. One at a time: a second call waits for the first.
   *
   * A failed checkpoint loses nothing: the journal has everything; it is told and tried again later.
   */
  checkpoint(): Promise<void> {
    this.#checkpoint ??= Promise.withResolvers();
    const { promise } = this.#checkpoint;
    if (!this.#isCheckpointing) this.#beginCheckpoint();
    return promise;
  }

  #isCheckpointDue(): boolean {
    if (this.#isCheckpointing) return false;
    const isLarge = this.#segment.bytes >= this.#parts.policy.maxSegmentBytes;
    return this.#checkpoint !== null || this.#seq >= this.#nextCheckpointSeq || isLarge;
  }

  #checkpointInterval(): number {
    const { minEvents, shareOfTokens } = this.#parts.policy;
    return Math.max(minEvents, Math.ceil(this.state.tokens.size * shareOfTokens));
  }

  /** Takes the picture at an instant at which memory is what is on disk; what has gathered is written first. */
  #beginCheckpoint(): void {
    this.#flush();
    const run = (this.#checkpoint ??= Promise.withResolvers());
    this.#isCheckpointing = true;
    this.#nextCheckpointSeq = this.#seq + this.#checkpointInterval();
    void this.#writeCheckpoint().finally(() => {
      this.#isCheckpointing = false;
      this.#checkpoint = null;
      run.resolve(undefined);
    });
  }

  async #writeCheckpoint(): Promise<void> {
    try {
      if (this.#seq >= this.#segment.firstSeq) this.#beginSegment();
      const { data } = this.#db;
      data.seq = this.#seq;
      data.head = this.#head;
      const { seq } = data;
      await this.#db.write();
      this.#checkpointedSeq = seq;
    } catch (error) {
      const message =
        'The state could not be written; the journal has everything, and it is tried again later.';
      this.#parts.onTrouble(message, error);
    }
  }

  #beginSegment(): void {
    // Before there is a next one: a torn or blank end is understood in the last segment only.
    this.#segment.cutToBytes();
    const next = OpenSegment.create(dirname(this.#segment.path), {
      format: currentFormat,
      segment: this.#segment.number + 1,
      first_seq: this.#seq + 1,
      prev: this.#head,
    });
    const { data } = this.#db;
    data.segments = [...data.segments, this.#segment.seal(this.#seq)];
    this.#segment = next;
    this.#index.beginSegment(next.path, next.firstSeq, next.bytes);
  }

  /** Finishes what was begun, writes the state, and lets go of the folder. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#flush();
    await this.#checkpoint?.promise;
    if (this.#seq > this.#checkpointedSeq) await this.checkpoint();
    this.#segment.close();
    this.#listeners.clear();
  }
}
