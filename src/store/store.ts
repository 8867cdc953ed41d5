import { basename, dirname } from 'node:path';
import type { Low } from 'lowdb';
import type { AuditEvent, EventDraft, HistoryEvent } from '../contract/audit-event.ts';
import type { StoreHealth, Verification } from '../contract/portal.ts';
import { applyEvent } from '../core/apply-event.ts';
import {
  type Clock,
  type Decision,
  type HistoryFilter,
  type Ledger,
  StoreUnavailable,
} from '../core/ledger.ts';
import type { State } from '../core/state.ts';
import { undo, type UndoSteps } from '../core/undo-log.ts';
import type { Checkpoint } from './checkpoint-file.ts';
import { currentFormat } from './formats.ts';
import type { HistoryIndex } from './history-index.ts';
import { HistoryReader } from './history-reader.ts';
import { encodeLine } from './journal-line.ts';
import { OpenSegment } from './segment.ts';
import { systemCodeOf } from './store-error.ts';
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
 * One caller at a time is written for on the spot: handing the write to another thread would cost it more than it gains.
 * Two such batches in a row tell that there is only one; among many, a small batch is a chance to gather more.
 */
const loneBatch = 1;

/**
 * State in memory, journal on disk.
 *
 * Invariants: 1. memory changes only by applying an event; 2. nobody is answered before the events of the answer, and
 * those that it could have seen, are on disk; 3. a batch that could not be written is taken back whole, with all that
 * was decided on top of it, and everybody concerned is refused; 4. only events on disk are in the index and reach
 * subscribers; 5. one write at a time, so batches reach the disk in the order of their events.
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
  /** What gathers now … */
  #batch: Batch | null = null;
  /** … and what is being written. */
  #writing: Batch | null = null;
  #lastBatchSize = 0;
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
    this.#history = new HistoryReader(opened.index);
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
    const awaited = this.#batch ?? this.#writing;
    return awaited === null ? Promise.resolve(value) : awaited.settled.promise.then(() => value);
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

  /** All that arrives in this turn of the event loop, and while an earlier batch is being written, shares one write. */
  #beginBatch(): Batch {
    if (this.#writing === null) this.#flushSoon();
    return {
      firstSeq: this.#seq + 1,
      headBefore: this.#head,
      events: [],
      lines: [],
      settled: Promise.withResolvers(),
    };
  }

  #flushSoon(): void {
    setImmediate(() => {
      this.#flush();
    });
  }

  /** Writes what has gathered: a few at hand, many aside while further callers are served. */
  #flush(): void {
    if (this.#writing !== null) return;
    const batch = this.#takeBatch();
    if (batch === null) return;
    const size = batch.events.length;
    const isLone = size <= loneBatch && this.#lastBatchSize <= loneBatch;
    this.#lastBatchSize = size;
    if (isLone) {
      this.#writeAtHand(batch);
      this.#afterWrite();
      return;
    }
    this.#writing = batch;
    const undoSteps = this.state.undo.take();
    void this.#segment.appendAside(Buffer.from(batch.lines.join(''))).then(
      () => {
        this.#writing = null;
        this.#settle(batch);
        this.#afterWrite();
      },
      (cause: unknown) => {
        this.#writing = null;
        this.#takeBack(batch, undoSteps, cause);
      },
    );
  }

  /** What has gathered; null when that is nothing. */
  #takeBatch(): Batch | null {
    const batch = this.#batch;
    this.#batch = null;
    if (batch === null || batch.events.length > 0) return batch;
    batch.settled.resolve(undefined);
    return null;
  }

  #writeAtHand(batch: Batch): void {
    const undoSteps = this.state.undo.take();
    try {
      this.#segment.append(Buffer.from(batch.lines.join('')));
    } catch (cause) {
      this.#takeBack(batch, undoSteps, cause);
      return;
    }
    this.#settle(batch);
  }

  /** Tells everybody that the batch is on disk. */
  #settle(batch: Batch): void {
    this.#health = null;
    for (const [place, event] of batch.events.entries()) {
      this.#index.add(event.subject, Buffer.byteLength(batch.lines[place] ?? ''));
    }
    batch.settled.resolve(undefined);
    for (const listener of this.#listeners) for (const event of batch.events) listener(event);
  }

  /** First the replies that wait for this turn to end, then what has gathered meanwhile. */
  #afterWrite(): void {
    if (this.#isCheckpointDue()) this.#beginCheckpoint();
    if (this.#batch !== null) this.#flushSoon();
  }

  /** Undoes a batch, and first what has gathered on top of it since. */
  #takeBack(batch: Batch, undoSteps: UndoSteps, cause: unknown): void {
    const gathered = this.#batch;
    this.#batch = null;
    this.state.undo.rollBack();
    undo(undoSteps);
    this.#seq = batch.firstSeq - 1;
    this.#head = batch.headBefore;
    const code = systemCodeOf(cause);
    const since = this.#health?.since ?? isoInstant(this.#parts.clock());
    const reason = whyRefusing(code, dirname(this.#segment.path));
    if (this.#health === null) this.#parts.onTrouble(reason, cause);
    this.#health = { status: 'refusing', last_seq: this.#seq, code, reason, since };
    const refusal = new StoreUnavailable(code, reason, { cause });
    batch.settled.reject(refusal);
    gathered?.settled.promise.catch(() => undefined); // whoever waits for it hears of it; nobody may
    gathered?.settled.reject(refusal);
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
    if (this.#writing === null && !this.#isCheckpointing) this.#beginCheckpoint();
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
    const batch = this.#takeBatch();
    if (batch !== null) this.#writeAtHand(batch);
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
    while (this.#batch !== null || this.#writing !== null) {
      this.#flush();
      await this.#writing?.settled.promise.catch(() => undefined);
    }
    await this.#checkpoint?.promise;
    if (this.#seq > this.#checkpointedSeq) await this.checkpoint();
    this.#segment.close();
    this.#listeners.clear();
  }
}

function whyRefusing(code: string, folder: string): string {
  const place = `The data folder (${folder})`;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return `${place} is on a full disk. Free some space; the next change tries again.`;
  if (code === 'EFBIG')
    return `${place} is at its file size limit. Raise the limit; the next change tries again.`;
  if (code === 'EROFS')
    return `${place} has become read-only. Make it writable; the next change tries again.`;
  return `${place} could not be written to (${code}). The next change tries again.`;
}
