import type { HistoryEvent } from '../contract/audit-event.ts';
import { chooseEvents } from '../core/history/choose-events.ts';
import { RunCollector, type SeqRun, seqsOf } from '../core/history/seq-runs.ts';
import type { HistoryFilter, HistorySearch } from '../core/ledger.ts';
import { presentEvent } from '../core/present-event.ts';
import type { HistoryIndex } from './history-index.ts';
import { decodeLine } from './journal-line.ts';
import { lineMatcherFor } from './line-matcher.ts';
import { readLines } from './line-reader.ts';

/** Finds events in the journal's files and reads them back, newest first; the index knows where they are. */
export class HistoryReader {
  readonly #index: HistoryIndex;
  readonly #nameOf: (subject: string) => string | undefined;

  /** `nameOf` gives the present name of a subject. */
  constructor(index: HistoryIndex, nameOf: (subject: string) => string | undefined) {
    this.#index = index;
    this.#nameOf = nameOf;
  }

  async read(filter: HistoryFilter): Promise<HistoryEvent[]> {
    const found = await this.find(filter);
    const events: HistoryEvent[] = [];
    for await (const lines of readLines(this.#index, seqsOf(found)))
      for (const { line } of lines) events.push(presentEvent(decodeLine(line)));
    return events;
  }

  async find(search: HistorySearch): Promise<readonly SeqRun[]> {
    const { limit = Infinity, signal } = search;
    const found = new RunCollector();
    const isWanted = lineMatcherFor(chooseEvents(search, this.#nameOf), search);
    if (isWanted === null) return this.#takePlaces(search);
    for await (const lines of readLines(this.#index, this.#placesOf(search))) {
      for (const { seq, line } of lines) {
        if (isWanted(line)) found.add(seq);
        if (found.count >= limit) return found.runs;
      }
      if (signal?.aborted === true) break;
    }
    return found.runs;
  }

  /** Without reading: whatever has its place there is wanted. */
  #takePlaces(search: HistorySearch): readonly SeqRun[] {
    const { limit = Infinity } = search;
    const { newest, oldest } = this.#rangeOf(search);
    if (search.subject === undefined && search.seqs === undefined) {
      const count = Math.min(newest - oldest + 1, limit);
      return count > 0 ? [{ from: newest, count }] : [];
    }
    const found = new RunCollector();
    for (const seq of this.#placesOf(search)) {
      if (found.count >= limit) break;
      found.add(seq);
    }
    return found.runs;
  }

  #rangeOf({ before = Infinity, after = 0 }: HistorySearch): { newest: number; oldest: number } {
    return { newest: Math.min(this.#index.lastSeq, before - 1), oldest: after + 1 };
  }

  /** Every place that can be meant, newest first; no file is read for that. */
  *#placesOf(search: HistorySearch): Generator<number> {
    const { newest, oldest } = this.#rangeOf(search);
    const only = search.seqs === undefined ? undefined : new Set(search.seqs);
    for (const seq of this.#candidatesOf(search, newest)) {
      if (seq < oldest) return;
      if (seq <= newest && (only?.has(seq) ?? true)) yield seq;
    }
  }

  *#candidatesOf({ subject, seqs }: HistorySearch, newest: number): Generator<number> {
    if (subject !== undefined) yield* this.#placesOfSubject(subject);
    else if (seqs !== undefined) yield* [...new Set(seqs)].sort((a, b) => b - a);
    else for (let seq = newest; seq > 0; seq -= 1) yield seq;
  }

  *#placesOfSubject(subject: string): Generator<number> {
    for (let seq = this.#index.lastOf(subject); seq > 0; seq = this.#index.previousOfSubject(seq)) yield seq;
  }
}
