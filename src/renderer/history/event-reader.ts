import type { HistoryEvent } from '../../contract/audit-event.ts';
import type { HistoryFilters } from '../../contract/history.ts';
import type { HistoryPage } from '../../contract/portal.ts';
import type { PortalProblem, PortalReply } from '../kit/portal-reply.ts';
import type { MatchedRows } from './matched-rows.ts';

/** An event, and what it is about is called now. */
export interface KnownEvent {
  readonly event: HistoryEvent;
  readonly name: string | undefined;
}

/** Which events to read: those that a filter lets through, from `before` (without it) down. */
export interface EventRange {
  readonly filters: HistoryFilters;
  readonly before: number;
  readonly limit: number;
}

export type ReadEvents = (range: EventRange, signal: AbortSignal) => Promise<PortalReply<HistoryPage>>;

/** Rows that fly past are not read: only those that are there for so long, in milliseconds. */
const settledMs = 30;
/** How many rows are read beyond those in sight, each way, so that scrolling meets rows that are there. */
const rowsAhead = 60;
/** How many events are kept. A row's event is asked for again when it comes back after that many others. */
const maxKept = 3_000;

/**
 * Reads the events of the rows that are in sight, and of some around them.
 *
 * Invariants: 1. one request at a time, and one that nobody needs any more is withdrawn; 2. an event never changes, so
 * what was read once holds for every filter; 3. rows in sight are never forgotten.
 */
export class EventReader {
  readonly #read: ReadEvents;
  readonly #events = new Map<number, KnownEvent>();
  readonly #listeners = new Set<() => void>();
  /** How many drawn rows show each row; twice for a moment while one takes the place of another. */
  readonly #inSight = new Map<number, number>();
  #rows: MatchedRows | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reading: { readonly first: number; readonly last: number; readonly abort: AbortController } | undefined;
  #problem: PortalProblem | undefined;

  constructor(read: ReadEvents) {
    this.#read = read;
  }

  /** Why rows in sight are not there. */
  readonly problem = (): PortalProblem | undefined => this.#problem;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  eventOf(seq: number): KnownEvent | undefined {
    return this.#events.get(seq);
  }

  /** A row has come into sight. Returns how to say that it has left. */
  show(rows: MatchedRows, row: number): () => void {
    if (rows !== this.#rows) {
      this.#rows = rows;
      this.#withdraw();
    }
    this.#inSight.set(row, (this.#inSight.get(row) ?? 0) + 1);
    this.#readSoon();
    return () => {
      const left = (this.#inSight.get(row) ?? 0) - 1;
      if (left > 0) this.#inSight.set(row, left);
      else this.#inSight.delete(row);
    };
  }

  /** Reads one event that need not have a row. */
  async readOne(seq: number): Promise<void> {
    if (this.#events.has(seq)) return;
    this.#keep(await this.#read({ filters: {}, before: seq + 1, limit: 1 }, new AbortController().signal));
  }

  /** Tries again what could not be read. */
  readAgain(): void {
    this.#readSoon();
  }

  #readSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#readMissing();
    }, settledMs);
  }

  #withdraw(): void {
    this.#reading?.abort.abort();
    this.#reading = undefined;
  }

  async #readMissing(): Promise<void> {
    const missing = this.#missingRows();
    if (missing === undefined || this.#rows === undefined) return;
    if (this.#reading !== undefined) {
      if (this.#reading.first <= missing.last && missing.first <= this.#reading.last) return;
      this.#withdraw();
    }
    const reading = { ...missing, abort: new AbortController() };
    this.#reading = reading;
    const rows = this.#rows;
    const newest = rows.seqAt(missing.first);
    const limit = missing.last - missing.first + 1;
    const { signal } = reading.abort;
    const reply = await this.#ask({ filters: rows.filters, before: newest + 1, limit }, signal);
    if (this.#reading !== reading) return;
    this.#reading = undefined;
    if (reply === undefined) return;
    this.#keep(reply);
    // What a row is about was renamed meanwhile, and the filter lets it through no more: the row is there all the same.
    if (reply.kind === 'ok') await this.readOne(newest);
    if (this.#events.has(newest)) this.#readSoon();
  }

  /** Nothing for a question that was withdrawn. */
  async #ask(range: EventRange, signal: AbortSignal): Promise<PortalReply<HistoryPage> | undefined> {
    try {
      return await this.#read(range, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  /** From the first to the last row that has to be read; nothing while all in sight are there. */
  #missingRows(): { first: number; last: number } | undefined {
    const rows = this.#rows;
    if (rows === undefined || this.#inSight.size === 0) return undefined;
    const isMissing = (row: number): boolean => row < rows.count && !this.#events.has(rows.seqAt(row));
    const inSight = [...this.#inSight.keys()];
    if (!inSight.some(isMissing)) return undefined;
    const around = {
      first: Math.max(0, Math.min(...inSight) - rowsAhead),
      last: Math.min(rows.count - 1, Math.max(...inSight) + rowsAhead),
    };
    let { first, last } = around;
    while (first < last && !isMissing(first)) first += 1;
    while (last > first && !isMissing(last)) last -= 1;
    return { first, last };
  }

  #keep(reply: PortalReply<HistoryPage>): void {
    this.#problem = reply.kind === 'ok' ? undefined : reply;
    if (reply.kind === 'ok') {
      const { events, names = {} } = reply.value;
      for (const event of events) {
        this.#events.delete(event.seq); // so that it counts as new
        this.#events.set(event.seq, { event, name: names[event.subject] });
      }
      this.#forgetOldest();
    }
    for (const listener of this.#listeners) listener();
  }

  #forgetOldest(): void {
    const rows = this.#rows;
    const inSight = new Set(
      rows === undefined ? [] : [...this.#inSight.keys()].map((row) => rows.seqAt(row)),
    );
    for (const seq of this.#events.keys()) {
      if (this.#events.size <= maxKept) return;
      if (!inSight.has(seq)) this.#events.delete(seq);
    }
  }
}
