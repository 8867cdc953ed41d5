import type { Low } from 'lowdb';
import type { AuditEvent, EventDraft, HistoryEvent } from '../contract/history/audit-event.ts';
import type { JournalCheck, StoreRefusal, StoreState } from '../contract/service/store-problem.ts';
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
import { HistoryReader } from './history-reader.ts';
import type { Journal } from './journal.ts';
import { encodeLine } from './journal-line.ts';
import { systemCodeOf, unavailable } from './store-error.ts';

export interface CheckpointPolicy {
  /** A checkpoint is due after this many events … */
  readonly minEvents: number;
  /** … or after this share of the tokens, whichever is more, so that the cost for each event does not grow with the state. */
  readonly shareOfTokens: number;
}

export const defaultCheckpointPolicy: CheckpointPolicy = { minEvents: 100_000, shareOfTokens: 1 };

export interface StoreContent {
  readonly journal: Journal;
  /** The state as of the last event of the journal. Its `seq` and `head` are those of the last checkpoint. */
  readonly db: Low<Checkpoint>;
  /** The hash of the last event. */
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
  /** Called when the journal starts to refuse changes, and when the state could not be written. */
  readonly onTrouble: (trouble: StoreTrouble) => void;
}

/** The requests that share a write. */
interface Batch {
  readonly firstSeq: number;
  readonly headBefore: string;
  readonly events: AuditEvent[];
  readonly lines: string[];
  readonly settled: PromiseWithResolvers<undefined>;
  /** Where its entries end in the log of the state, and those of the next batch begin. */
  undoEnd: number;
}

/** State in memory that has exactly the durable events. */
export interface DurableState {
  readonly state: State;
  readonly seq: number;
  readonly head: string;
}

/**
 * State in memory, events in a journal.
 *
 * Invariants: 1. memory changes only by applying an event; 2. no request is answered before its events, and
 * all events that it could have seen, are durable; 3. a batch that was refused is rolled back completely with the one that
 * gathered meanwhile, and all their requests are refused; 4. only durable events reach subscribers; 5. one batch at a time is under
 * way, and memory has no events but the durable ones, those of this batch and those of the next one.
 */
export class Store implements Ledger {
  readonly state: State;
  readonly #db: Low<Checkpoint>;
  readonly #parts: StoreParts;
  readonly #journal: Journal;
  readonly #history: HistoryReader;
  readonly #listeners = new Set<(event: AuditEvent) => void>();
  readonly #healthListeners = new Set<() => void>();
  /** The last event in memory, and its hash. */
  #seq: number;
  #head: string;
  /** Gathers until it is written. */
  #batch: Batch | null = null;
  /** Is being written, by a journal that does not do it at once. */
  #underWay: Batch | null = null;
  /** Why changes are refused; null while they are accepted. */
  #refusal: (StoreRefusal & { readonly since: string }) | null = null;
  #checkpoint: PromiseWithResolvers<undefined> | null = null;
  #isCheckpointing = false;
  #checkpointedSeq: number;
  #nextCheckpointSeq: number;
  #isClosed = false;
  /** Nothing is written any more. */
  #isAbandoned = false;

  constructor({ journal, db, head }: StoreContent, parts: StoreParts) {
    this.#db = db;
    this.state = db.data.state;
    this.#journal = journal;
    this.#history = new HistoryReader(journal, () => subjectNames(this.state));
    this.#seq = journal.lastSeq;
    this.#head = head;
    this.#parts = parts;
    this.#checkpointedSeq = db.data.seq;
    this.#nextCheckpointSeq = db.data.seq + this.#checkpointInterval();
  }

  transact<T>(decide: (state: State, nowMs: number) => Decision<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(this.#closed());
    const nowMs = this.#parts.clock();
    let decision: Decision<T>;
    try {
      this.#journal.assertCurrent();
      decision = decide(this.state, nowMs);
      if (decision.events.length > 0) this.#enter(decision.events, nowMs);
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
    const { value, events } = decision;
    const seen = this.#batch ?? this.#underWay;
    if (seen === null) return Promise.resolve(value);
    return seen.settled.promise.then(
      () => value,
      (refusal: unknown) => {
        if (events.length > 0) throw refusal;
        return this.transact(decide);
      },
    );
  }

  assertCurrent(): void {
    this.#journal.assertCurrent();
  }

  #closed(): StoreUnavailable {
    return new StoreUnavailable({ code: 'CLOSED', path: this.#journal.place });
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
    const settled = Promise.withResolvers<undefined>();
    settled.promise.catch(() => undefined); // a batch may be refused when nobody waits for it
    return { firstSeq: this.#seq + 1, headBefore: this.#head, events: [], lines: [], settled, undoEnd: 0 };
  }

  /** Writes the current batch, unless one is under way: then it goes on gathering. */
  #flush(): void {
    const batch = this.#batch;
    if (batch === null || this.#underWay !== null) return;
    this.#batch = null;
    const { firstSeq, events, lines } = batch;
    if (events.length === 0) {
      batch.settled.resolve(undefined);
      return;
    }
    let appending: Promise<void> | undefined;
    try {
      appending = this.#journal.append({ firstSeq, events, lines, head: this.#head });
    } catch (cause) {
      this.#takeBack(batch, cause);
      return;
    }
    if (appending === undefined) {
      this.state.undo.forget();
      this.#settle(batch);
    } else {
      batch.undoEnd = this.state.undo.mark();
      this.#underWay = batch;
      void this.#settleLater(batch, appending);
    }
  }

  async #settleLater(batch: Batch, appending: Promise<void>): Promise<void> {
    const refused = await appending.then(
      () => null,
      (cause: unknown) => ({ cause }),
    );
    this.#underWay = null;
    if (refused === null) {
      this.state.undo.forget(batch.undoEnd);
      this.#settle(batch);
    } else this.#takeBack(batch, refused.cause);
    if (this.#isCheckpointDue()) this.#takeSnapshot();
    this.#flush();
  }

  /** Notifies all waiting requests and listeners that the batch is durable. */
  #settle(batch: Batch): void {
    batch.settled.resolve(undefined);
    for (const listener of this.#listeners) for (const event of batch.events) listener(event);
    this.#recover();
  }

  /** Memory goes back to before the batch, so what gathered meanwhile has to go with it. */
  #takeBack(batch: Batch, cause: unknown): void {
    const gathered = this.#batch;
    this.#batch = null;
    this.state.undo.rollBack();
    this.#seq = batch.firstSeq - 1;
    this.#head = batch.headBefore;
    const refusal = this.#refuse(cause);
    batch.settled.reject(refusal);
    gathered?.settled.reject(refusal);
  }

  /** Stores why changes are refused, and reports it once. */
  #refuse(cause: unknown): StoreUnavailable {
    const unavailability = unavailable(cause, this.#journal.place);
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
    const { lastSeq: last_seq } = this.#journal;
    return this.#refusal === null
      ? { status: 'ok', last_seq }
      : { status: 'refusing', last_seq, ...this.#refusal };
  }

  look(): StoreState {
    if (!this.#isClosed) {
      try {
        this.#journal.probe({ byWriting: this.#refusal !== null });
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
    return this.#read(() => this.#journal.verify());
  }

  /** A refusal of the system is reported as such; anything else is a bug. */
  async #read<T>(read: () => Promise<T>): Promise<T> {
    try {
      this.#journal.assertReadable();
      return await read();
    } catch (cause) {
      const code = systemCodeOf(cause);
      if (code === 'UNKNOWN') throw cause;
      const { place } = this.#journal;
      const refusal = cause instanceof StoreUnavailable ? cause.refusal : { code, path: place };
      throw new HistoryUnreadable({ kind: 'unreadable', folder: place, refusal }, { cause });
    }
  }

  /**
   * Writes the state, while requests are answered. One at a time: a second call waits for the first.
   *
   * A failed checkpoint loses nothing, because the journal has everything. It is reported, and repeated when the journal has
   * grown.
   */
  checkpoint(): Promise<void> {
    if (this.#isAbandoned) return Promise.resolve();
    this.#checkpoint ??= Promise.withResolvers();
    const { promise } = this.#checkpoint;
    if (!this.#isCheckpointing) this.#beginCheckpoint();
    return promise;
  }

  #isCheckpointDue(): boolean {
    if (this.#isCheckpointing || this.#isAbandoned) return false;
    return this.#checkpoint !== null || this.#seq >= this.#nextCheckpointSeq || this.#journal.isCheckpointDue;
  }

  #checkpointInterval(): number {
    const { minEvents, shareOfTokens } = this.#parts.policy;
    return Math.max(minEvents, Math.ceil(this.state.tokens.size * shareOfTokens));
  }

  /** The current batch is written first. */
  #beginCheckpoint(): void {
    this.#flush();
    if (this.#underWay === null) this.#takeSnapshot();
    else this.#checkpoint ??= Promise.withResolvers(); // begins when that is settled
  }

  /** At an instant at which no batch is under way; without the events that gather for the next one. */
  #takeSnapshot(): void {
    const run = (this.#checkpoint ??= Promise.withResolvers());
    this.#isCheckpointing = true;
    this.#nextCheckpointSeq = this.#seq + this.#checkpointInterval();
    const gathered = this.#batch;
    this.state.undo.rollBack();
    void this.#writeCheckpoint({
      seq: gathered === null ? this.#seq : gathered.firstSeq - 1,
      head: gathered?.headBefore ?? this.#head,
    }).finally(() => {
      this.#isCheckpointing = false;
      this.#checkpoint = null;
      run.resolve(undefined);
    });
    for (const event of gathered?.events ?? []) applyEvent(this.state, event);
  }

  /** Takes the snapshot before it first yields. */
  async #writeCheckpoint(at: { readonly seq: number; readonly head: string }): Promise<void> {
    try {
      const { data } = this.#db;
      this.#journal.beginCheckpoint(data, at);
      Object.assign(data, at);
      await this.#db.write();
      this.#checkpointedSeq = at.seq;
      this.#journal.endCheckpoint(true);
    } catch (error) {
      this.#journal.endCheckpoint(false);
      this.#parts.onTrouble({ refusal: null, cause: error });
    }
  }

  /** Finishes pending work, writes the state, and releases the journal. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#flush();
    while (this.#underWay !== null) await settled(this.#underWay);
    await this.#checkpoint?.promise;
    if (this.#journal.lastSeq > this.#checkpointedSeq) await this.checkpoint();
    try {
      this.#journal.close();
    } catch (cause) {
      this.#refuse(cause);
    }
    this.#forgetListeners();
  }

  /**
   * Ends without writing anything: for a host that does not lead any more, or will not.
   *
   * Refuses the requests that gather, and waits until the outcome of the batch under way is known. The state goes on to be
   * used by whoever follows the journal from `seq`, which is its last durable event. The journal is left open.
   */
  async abandon(): Promise<DurableState> {
    this.#isClosed = true;
    this.#isAbandoned = true;
    const gathered = this.#batch;
    this.#batch = null;
    if (gathered !== null) {
      this.state.undo.rollBack(this.#underWay?.undoEnd);
      this.#seq = gathered.firstSeq - 1;
      this.#head = gathered.headBefore;
      gathered.settled.reject(this.#closed());
    }
    if (this.#underWay !== null) await settled(this.#underWay);
    if (!this.#isCheckpointing) this.#checkpoint?.resolve(undefined);
    this.#forgetListeners();
    return { state: this.state, seq: this.#seq, head: this.#head };
  }

  #forgetListeners(): void {
    this.#listeners.clear();
    this.#healthListeners.clear();
  }
}

function settled(batch: Batch): Promise<void> {
  return batch.settled.promise.catch(() => undefined);
}
