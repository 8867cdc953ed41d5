import type { Low } from 'lowdb';
import { basename, dirname } from 'node:path';
import type { AuditEvent, EventDraft, HistoryEvent } from '../contract/audit-event.ts';
import type { JournalCheck, StoreRefusal, StoreState } from '../contract/store-problem.ts';
import { applyEvent } from '../core/apply-event.ts';
import { subjectNames } from '../core/history/name-of-subject.ts';
import type { SeqRun } from '../core/history/seq-runs.ts';
import { isoInstant } from '../core/iso-instant.ts';
import {
  type Clock,
  type Decision,
  type HistoryFilter,
  type HistorySearch,
  HistoryUnreadable,
  type Ledger,
  StoreUnavailable,
} from '../core/ledger.ts';
import type { State } from '../core/state.ts';
import type { Checkpoint } from './checkpoint-file.ts';
import { currentFormat } from './formats.ts';
import type { HistoryIndex } from './history-index.ts';
import { HistoryReader } from './history-reader.ts';
import type { JournalEnd } from './journal-end.ts';
import { encodeLine } from './journal-line.ts';
import { verifyJournal } from './journal-reader.ts';
import { OpenSegment } from './segment.ts';
import { systemCodeOf, unavailable } from './store-error.ts';

export interface CheckpointPolicy {
  /** A checkpoint is due after this many events … */
  readonly minEvents: number;
  /** … or after this share of the tokens, whichever is more, so that the cost for each event does not grow with the state. */
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
  readonly end: JournalEnd;
  readonly index: HistoryIndex;
  readonly head: string;
}

/** `refusal`: why no change can be saved; null if only the state could not be written and nothing is lost. */
export interface StoreTrouble {
  readonly refusal: StoreRefusal | null;
  readonly cause: unknown;
}

export interface StoreParts {
  readonly clock: Clock;
  readonly policy: CheckpointPolicy;
  /** Called when the disk starts to refuse changes, and when the state could not be written. */
  readonly onTrouble: (trouble: StoreTrouble) => void;
  /** Throws `StoreUnavailable` once this process no longer holds the data folder. */
  readonly assertHeld: () => void;
}

/** The requests that share a write. */
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
 * Invariants: 1. memory changes only by applying an event; 2. no request is answered before its events, and
 * all events that it could have seen, are on disk; 3. a batch that could not be written is rolled back completely, and
 * all its requests are refused; 4. only events on disk are in the index and reach subscribers; 5. nothing is written
 * unless the folder and the journal were just verified to be the ones that were opened.
 */
export class Store implements Ledger {
  readonly state: State;
  readonly #db: Low<Checkpoint>;
  readonly #parts: StoreParts;
  readonly #index: HistoryIndex;
  readonly #history: HistoryReader;
  readonly #end: JournalEnd;
  readonly #listeners = new Set<(event: AuditEvent) => void>();
  readonly #healthListeners = new Set<() => void>();
  #segment: OpenSegment;
  #seq: number;
  #head: string;
  #batch: Batch | null = null;
  /** Why changes are refused; null while they are accepted. */
  #refusal: (StoreRefusal & { readonly since: string }) | null = null;
  #checkpoint: PromiseWithResolvers<undefined> | null = null;
  #isCheckpointing = false;
  /** The segment is sealed at this size. */
  #sealAtBytes: number;
  #checkpointedSeq: number;
  #nextCheckpointSeq: number;
  #isClosed = false;

  constructor(opened: OpenedJournal, parts: StoreParts) {
    this.#db = opened.db;
    this.state = opened.db.data.state;
    this.#segment = opened.segment;
    this.#end = opened.end;
    this.#index = opened.index;
    this.#history = new HistoryReader(opened.index, () => subjectNames(this.state));
    this.#seq = opened.index.lastSeq;
    this.#head = opened.head;
    this.#parts = parts;
    this.#checkpointedSeq = opened.db.data.seq;
    this.#nextCheckpointSeq = opened.db.data.seq + this.#checkpointInterval();
    this.#sealAtBytes = parts.policy.maxSegmentBytes;
  }

  transact<T>(decide: (state: State, nowMs: number) => Decision<T>): Promise<T> {
    if (this.#isClosed)
      return Promise.reject(new StoreUnavailable({ code: 'CLOSED', path: dirname(this.#segment.path) }));
    const nowMs = this.#parts.clock();
    let decision: Decision<T>;
    try {
      decision = decide(this.state, nowMs);
      if (decision.events.length > 0) this.#enter(decision.events, nowMs);
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
    const { value, events } = decision;
    if (this.#batch === null) return Promise.resolve(value);
    return this.#batch.settled.promise.then(
      () => value,
      (refusal: unknown) => {
        if (events.length > 0) throw refusal;
        return this.transact(decide);
      },
    );
  }

  /** Adds events to the current batch and applies them to the state: all of them or none. */
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

  /** All events of this turn of the event loop share one write, which happens when the turn is over. */
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
   * Writes the current batch and settles its requests.
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
        this.#assertInPlace();
        this.#segment.append(Buffer.from(batch.lines.join('')));
      } catch (cause) {
        this.#takeBack(batch, cause);
        return;
      }
      this.state.undo.forget();
    }
    this.#settle(batch);
    if (batch.events.length > 0) {
      this.#end.note(this.#index.lastSeq, this.#parts.clock());
      this.#recover();
    }
  }

  // see decisions/look-for-the-folder-before-each-write.md
  #assertInPlace(): void {
    this.#parts.assertHeld();
    this.#segment.assertInPlace();
  }

  /** Notifies all waiting requests and listeners that the batch is on disk. */
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
    batch.settled.reject(this.#refuse(cause));
  }

  /** Stores why changes are refused, and reports it once. */
  #refuse(cause: unknown): StoreUnavailable {
    const unavailability = unavailable(cause, dirname(this.#segment.path));
    const { refusal } = unavailability;
    const isNew = this.#refusal?.code !== refusal.code;
    this.#refusal = { ...refusal, since: this.#refusal?.since ?? isoInstant(this.#parts.clock()) };
    if (isNew) {
      this.#parts.onTrouble({ refusal, cause });
      this.#tellHealth();
    }
    return unavailability;
  }

  #recover(): void {
    if (this.#refusal === null) return;
    this.#refusal = null;
    this.#tellHealth();
  }

  #tellHealth(): void {
    for (const listener of this.#healthListeners) listener();
  }

  subscribe(listener: (event: AuditEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  onHealth(listener: () => void): () => void {
    this.#healthListeners.add(listener);
    return () => {
      this.#healthListeners.delete(listener);
    };
  }

  health(): StoreState {
    const { lastSeq: last_seq } = this.#index;
    return this.#refusal === null
      ? { status: 'ok', last_seq }
      : { status: 'refusing', last_seq, ...this.#refusal };
  }

  look(): StoreState {
    if (!this.#isClosed) {
      try {
        this.#assertInPlace();
        this.#segment.probe({ byWriting: this.#refusal !== null });
        this.#end.note(this.#index.lastSeq, this.#parts.clock());
        this.#recover();
      } catch (cause) {
        this.#refuse(cause);
      }
    }
    return this.health();
  }

  history(filter: HistoryFilter): Promise<HistoryEvent[]> {
    return this.#read(() => this.#history.read(filter));
  }

  findEvents(search: HistorySearch): Promise<readonly SeqRun[]> {
    return this.#read(() => this.#history.find(search));
  }

  verify(): Promise<JournalCheck> {
    const { path, bytes } = this.#segment;
    return this.#read(() => verifyJournal(dirname(path), { file: basename(path), bytes }));
  }

  /** A refusal of the disk is reported as such; anything else is a bug. */
  async #read<T>(read: () => Promise<T>): Promise<T> {
    try {
      this.#segment.assertInPlace();
      return await read();
    } catch (cause) {
      const code = systemCodeOf(cause);
      if (code === 'UNKNOWN') throw cause;
      const folder = dirname(this.#segment.path);
      const refusal = cause instanceof StoreUnavailable ? cause.refusal : { code, path: folder };
      throw new HistoryUnreadable({ kind: 'unreadable', folder, refusal }, { cause });
    }
  }

  /**
   * Seals the segment and writes the state, while requests are answered. One at a time: a second call waits for the first.
   *
   * A failed checkpoint loses nothing, because the journal has everything. It is reported, and repeated when the journal has
   * grown by a good part of a segment (on a full disk it does not grow).
   */
  checkpoint(): Promise<void> {
    this.#checkpoint ??= Promise.withResolvers();
    const { promise } = this.#checkpoint;
    if (!this.#isCheckpointing) this.#beginCheckpoint();
    return promise;
  }

  #isCheckpointDue(): boolean {
    if (this.#isCheckpointing) return false;
    const isLarge = this.#segment.bytes >= this.#sealAtBytes;
    return this.#checkpoint !== null || this.#seq >= this.#nextCheckpointSeq || isLarge;
  }

  #checkpointInterval(): number {
    const { minEvents, shareOfTokens } = this.#parts.policy;
    return Math.max(minEvents, Math.ceil(this.state.tokens.size * shareOfTokens));
  }

  /** Takes a snapshot at an instant at which memory and disk agree; the current batch is written first. */
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
    const { maxSegmentBytes } = this.#parts.policy;
    try {
      this.#assertInPlace();
      if (this.#seq >= this.#segment.firstSeq) this.#beginSegment();
      const { data } = this.#db;
      data.seq = this.#seq;
      data.head = this.#head;
      const { seq } = data;
      await this.#db.write();
      this.#checkpointedSeq = seq;
      this.#sealAtBytes = maxSegmentBytes;
    } catch (error) {
      this.#sealAtBytes = Math.max(maxSegmentBytes, this.#segment.bytes + maxSegmentBytes / 8);
      this.#parts.onTrouble({ refusal: null, cause: error });
    }
  }

  #beginSegment(): void {
    // Before the next segment exists: a torn or blank end is only accepted in the last segment.
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

  /** Finishes pending work, writes the state, and releases the folder. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#flush();
    await this.#checkpoint?.promise;
    if (this.#seq > this.#checkpointedSeq) await this.checkpoint();
    this.#leaveSegment();
    this.#listeners.clear();
    this.#healthListeners.clear();
  }

  /** Removes blank space, unless the file may belong to another process by now: cutting would remove its data. */
  #leaveSegment(): void {
    try {
      this.#assertInPlace();
      this.#segment.cutToBytes();
      this.#end.record(this.#index.lastSeq);
    } catch (cause) {
      this.#refuse(cause);
    } finally {
      this.#end.close();
      this.#segment.close();
    }
  }
}
