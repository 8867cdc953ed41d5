import { useEffect, useState, useSyncExternalStore } from 'react';
import type { HistoryEvent } from '../../contract/history/audit-event.ts';
import { maxSeqs } from '../../contract/history/history.ts';
import type { HistoryPage } from '../../contract/service/portal.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { useStreamEvent } from '../kit/live/change-stream.ts';
import type { PortalProblem, PortalReply } from '../kit/read-portal.ts';
import type { MatchedRows } from './matched-rows.ts';

/** An event, and what it is about is called now. */
export interface KnownEvent {
  readonly event: HistoryEvent;
  readonly name: string | undefined;
}

export type ReadEvents = (seqs: readonly number[], signal?: AbortSignal) => Promise<PortalReply<HistoryPage>>;

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
 * what was read once holds for every search; 3. rows in sight are never forgotten.
 */
export class EventReader {
  readonly #read: ReadEvents;
  readonly #events = new Map<number, KnownEvent>();
  readonly #listeners = new Set<() => void>();
  /** How many drawn rows show each row; twice for a moment while one takes the place of another. */
  readonly #inSight = new Map<number, number>();
  #rows: MatchedRows | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reading: { readonly seqs: ReadonlySet<number>; readonly abort: AbortController } | undefined;
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
    this.#rows = rows;
    this.#inSight.set(row, (this.#inSight.get(row) ?? 0) + 1);
    this.readSoon();
    return () => {
      const left = (this.#inSight.get(row) ?? 0) - 1;
      if (left > 0) this.#inSight.set(row, left);
      else this.#inSight.delete(row);
    };
  }

  /** Reads one event that need not have a row. */
  async readOne(seq: number): Promise<void> {
    if (!this.#events.has(seq)) this.#keep(await this.#read([seq]));
  }

  /** Reads what is in sight and not there, also what could not be read before. */
  readSoon(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#readMissing();
    }, settledMs);
  }

  async #readMissing(): Promise<void> {
    const missing = this.#missingSeqs();
    if (missing.length === 0) return;
    if (this.#reading !== undefined) {
      if (missing.some((seq) => this.#reading?.seqs.has(seq))) return;
      this.#reading.abort.abort();
    }
    const reading = { seqs: new Set(missing), abort: new AbortController() };
    this.#reading = reading;
    const reply = await this.#ask(missing, reading.abort.signal);
    if (this.#reading !== reading) return;
    this.#reading = undefined;
    if (reply === undefined) return;
    this.#keep(reply);
    // More may have come into sight meanwhile. An event that is not in the answer is not there: no use in asking again.
    if (missing.every((seq) => this.#events.has(seq))) this.readSoon();
  }

  /** Nothing for a question that was withdrawn. */
  async #ask(seqs: readonly number[], signal: AbortSignal): Promise<PortalReply<HistoryPage> | undefined> {
    try {
      return await this.#read(seqs, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  /** Nothing while all in sight are there; otherwise those and what is missing around them, the nearest first. */
  #missingSeqs(): readonly number[] {
    const rows = this.#rows;
    if (rows === undefined || this.#inSight.size === 0) return [];
    const seqOf = (row: number): number[] => (row >= 0 && row < rows.count ? [rows.seqAt(row)] : []);
    const isMissing = (seq: number): boolean => !this.#events.has(seq);
    const inSight = [...this.#inSight.keys()];
    const wanted = inSight.flatMap(seqOf).filter(isMissing);
    if (wanted.length === 0) return [];
    const [first, last] = [Math.min(...inSight), Math.max(...inSight)];
    const around = Array.from({ length: rowsAhead }, (_, step) => [last + 1 + step, first - 1 - step]);
    return [...wanted, ...around.flat().flatMap(seqOf).filter(isMissing)].slice(0, maxSeqs);
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

/** Reads events from the service for as long as the view is there; again when a lost service is back. */
export function useEventReader(): EventReader {
  const [reader] = useState(
    () =>
      new EventReader((seqs, signal) =>
        askPortal('readHistory', {
          query: { seq: seqs.join(','), limit: String(seqs.length) },
          signal,
        }),
      ),
  );
  useStreamEvent('open', () => reader.readSoon());
  return reader;
}

/** The event of a row that is drawn; nothing until it has been read. */
export function useRowEvent(reader: EventReader, rows: MatchedRows, row: number): KnownEvent | undefined {
  useEffect(() => reader.show(rows, row), [reader, rows, row]);
  return useKnownEvent(reader, rows.seqAt(row));
}

/** An event if it is known; nobody asks for it here. */
export function useKnownEvent(reader: EventReader, seq: number): KnownEvent | undefined {
  return useSyncExternalStore(reader.subscribe, () => reader.eventOf(seq));
}
