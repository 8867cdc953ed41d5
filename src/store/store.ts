import { open } from 'node:fs/promises';
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
import { presentEvent } from '../core/present-event.ts';
import type { State } from '../core/state.ts';
import type { Checkpoint } from './checkpoint-file.ts';
import { currentFormat } from './formats.ts';
import type { HistoryIndex } from './history-index.ts';
import { decodeLine, encodeLine } from './journal-line.ts';
import { OpenSegment } from './segment.ts';
import { systemCodeOf } from './store-error.ts';
import { verifyJournal } from './verify-journal.ts';

/** Everything that waits for the same write. */
interface Batch {
  readonly firstSeq: number;
  readonly headBefore: string;
  readonly events: AuditEvent[];
  readonly lines: string[];
  readonly settled: PromiseWithResolvers<undefined>;
}

export interface CheckpointPolicy {
  /** A checkpoint is due after this many events … */
  readonly minEvents: number;
  /** … or this share of the tokens, whichever is more: so its cost per event does not grow with the state. */
  readonly shareOfTokens: number;
  /** A segment is sealed at this size at the latest, in bytes. */
  readonly maxSegmentBytes: number;
}

export const defaultCheckpointPolicy: CheckpointPolicy = {
  minEvents: 20_000,
  shareOfTokens: 0.5,
  maxSegmentBytes: 64 * 1024 * 1024,
};

export interface OpenedJournal {
  readonly db: Low<Checkpoint>;
  readonly segment: OpenSegment;
  readonly index: HistoryIndex;
  readonly head: string;
}

/**
 * State in memory, journal on disk.
 *
 * Invariants: 1. memory changes only by applying an event; 2. nobody is answered before the events of the answer, and
 * those that it could have seen, are on disk; 3. a batch that could not be written is taken back whole, and everybody in
 * it is refused; 4. only events on disk are in the index and reach subscribers.
 */
export class Store implements Ledger {
  readonly state: State;
  readonly #db: Low<Checkpoint>;
  readonly #clock: Clock;
  readonly #policy: CheckpointPolicy;
  readonly #index: HistoryIndex;
  readonly #listeners = new Set<(event: AuditEvent) => void>();
  readonly #onTrouble: (message: string, cause: unknown) => void;
  #segment: OpenSegment;
  #seq: number;
  #head: string;
  #batch: Batch | null = null;
  #health: Exclude<StoreHealth, { status: 'ok' }> | null = null;
  #checkpointRun: Promise<void> | null = null;
  #checkpointedSeq: number;
  #nextCheckpointSeq: number;
  #isClosed = false;

  constructor(
    opened: OpenedJournal,
    options: {
      clock: Clock;
      policy: CheckpointPolicy;
      onTrouble: (message: string, cause: unknown) => void;
    },
  ) {
    this.#db = opened.db;
    this.state = opened.db.data.state;
    this.#segment = opened.segment;
    this.#index = opened.index;
    this.#seq = opened.index.lastSeq;
    this.#head = opened.head;
    this.#clock = options.clock;
    this.#policy = options.policy;
    this.#onTrouble = options.onTrouble;
    this.#checkpointedSeq = opened.db.data.seq;
    this.#nextCheckpointSeq = opened.db.data.seq + this.#checkpointInterval();
  }

  transact<T>(decide: (state: State, nowMs: number) => Decision<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailable('CLOSED', 'The service is stopping.'));
    const nowMs = this.#clock();
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

  /** Puts events into the batch of this turn of the event loop and makes them true in memory, all of them or none. */
  #enter(drafts: readonly EventDraft[], nowMs: number): void {
    const at = new Date(nowMs).toISOString();
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

  /** All that arrives in this turn shares one write, which happens when the turn is over. */
  #beginBatch(): Batch {
    setImmediate(() => {
      this.#flush();
    });
    return {
      firstSeq: this.#seq + 1,
      headBefore: this.#head,
      events: [],
      lines: [],
      settled: Promise.withResolvers(),
    };
  }

  #flush(): void {
    const batch = this.#batch;
    if (batch === null) return;
    this.#batch = null;
    if (batch.events.length === 0) {
      batch.settled.resolve(undefined);
      return;
    }
    let offset = this.#segment.bytes;
    try {
      this.#segment.append(Buffer.from(batch.lines.join('')));
    } catch (cause) {
      this.#takeBack(batch, cause);
      return;
    }
    this.state.undo.forget();
    this.#health = null;
    for (const [place, event] of batch.events.entries()) {
      this.#index.add(event.subject, offset);
      offset += Buffer.byteLength(batch.lines[place] ?? '');
    }
    batch.settled.resolve(undefined);
    this.#announce(batch.events);
    if (this.#seq >= this.#nextCheckpointSeq || this.#segment.bytes >= this.#policy.maxSegmentBytes) {
      void this.checkpoint();
    }
  }

  #takeBack(batch: Batch, cause: unknown): void {
    this.state.undo.rollBack();
    this.#seq = batch.firstSeq - 1;
    this.#head = batch.headBefore;
    const code = systemCodeOf(cause);
    const since = this.#health?.since ?? new Date(this.#clock()).toISOString();
    const reason = whyRefusing(code, dirname(this.#segment.path));
    if (this.#health === null) this.#onTrouble(reason, cause);
    this.#health = { status: 'refusing', last_seq: this.#seq, code, reason, since };
    batch.settled.reject(new StoreUnavailable(code, reason, { cause }));
  }

  #announce(events: readonly AuditEvent[]): void {
    for (const listener of this.#listeners) {
      for (const event of events) listener(event);
    }
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

  async history(filter: HistoryFilter): Promise<HistoryEvent[]> {
    const found: HistoryEvent[] = [];
    const newest = Math.min(this.#index.lastSeq, (filter.before ?? Number.MAX_SAFE_INTEGER) - 1);
    const take = (event: HistoryEvent): boolean => {
      const fits = (filter.kind ?? event.kind) === event.kind && (filter.matches?.(event) ?? true);
      if (fits) found.push(event);
      return found.length < filter.limit;
    };
    if (filter.subject === undefined) await this.#readBackwards(newest, take);
    else await this.#readSubject(filter.subject, newest, take);
    return found;
  }

  /** Reads from `newest` down, a stretch of neighbours at a time, until `take` has enough. */
  async #readBackwards(newest: number, take: (event: HistoryEvent) => boolean): Promise<void> {
    const stretch = 500;
    for (let last = newest; last >= 1;) {
      const { firstSeq } = this.#index.segmentOf(last);
      const first = Math.max(firstSeq, last - stretch + 1);
      const events = await this.#readStretch(first, last);
      for (const event of events.reverse()) if (!take(event)) return;
      last = first - 1;
    }
  }

  async #readSubject(subject: string, newest: number, take: (event: HistoryEvent) => boolean): Promise<void> {
    for (let seq = this.#index.lastOf(subject); seq > 0; seq = this.#index.previousOfSubject(seq)) {
      if (seq > newest) continue;
      const [event] = await this.#readStretch(seq, seq);
      if (event !== undefined && !take(event)) return;
    }
  }

  /** Events `first` to `last`, which lie in one segment. */
  async #readStretch(first: number, last: number): Promise<HistoryEvent[]> {
    const segment = this.#index.segmentOf(first);
    const start = this.#index.offsetOf(first);
    const file = await open(segment.path, 'r');
    try {
      const end =
        last < segment.lastSeq
          ? this.#index.offsetOf(last + 1)
          : this.#endOf(segment.path, await file.stat());
      const bytes = Buffer.alloc(end - start);
      await file.read(bytes, 0, bytes.length, start);
      return bytes
        .toString()
        .split('\n')
        .slice(0, last - first + 1)
        .map((line) => presentEvent(decodeLine(Buffer.from(line))));
    } finally {
      await file.close();
    }
  }

  #endOf(path: string, { size }: { size: number }): number {
    return path === this.#segment.path ? this.#segment.bytes : size;
  }

  verify(): Promise<Verification> {
    return verifyJournal(dirname(this.#segment.path), {
      file: basename(this.#segment.path),
      bytes: this.#segment.bytes,
    });
  }

  /**
   * Seals the segment and writes the state beside it, while requests go on. One at a time.
   *
   * A failed checkpoint loses nothing: the journal has everything; it is told and tried again later.
   */
  checkpoint(): Promise<void> {
    this.#checkpointRun ??= this.#writeCheckpoint().finally(() => {
      this.#checkpointRun = null;
    });
    return this.#checkpointRun;
  }

  async #writeCheckpoint(): Promise<void> {
    this.#nextCheckpointSeq = this.#seq + this.#checkpointInterval();
    try {
      // Between two batches: what is in memory is on disk.
      this.#flush();
      const data = this.#db.data;
      if (this.#seq >= this.#segment.firstSeq) {
        const next = OpenSegment.create(dirname(this.#segment.path), {
          format: currentFormat,
          segment: this.#segment.number + 1,
          first_seq: this.#seq + 1,
          prev: this.#head,
        });
        data.segments = [...data.segments, this.#segment.seal(this.#seq)];
        this.#segment = next;
        this.#index.beginSegment(next.path, next.firstSeq);
      }
      data.seq = this.#seq;
      data.head = this.#head;
      const { seq } = data;
      await this.#db.write();
      this.#checkpointedSeq = seq;
    } catch (error) {
      this.#onTrouble(
        'The state could not be written; the journal has everything, and it is tried again later.',
        error,
      );
    }
  }

  #checkpointInterval(): number {
    return Math.max(this.#policy.minEvents, Math.ceil(this.state.tokens.size * this.#policy.shareOfTokens));
  }

  /** Finishes what was begun, writes the state, and lets go of the folder. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#flush();
    this.#isClosed = true;
    await this.#checkpointRun;
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
