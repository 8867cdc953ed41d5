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
    const { subject, after = 0, limit = Infinity } = search;
    const newest = this.#newestOf(search);
    if (subject === undefined) {
      const count = Math.min(newest - after, limit);
      return count > 0 ? [{ from: newest, count }] : [];
    }
    const found = new RunCollector();
    for (const seq of this.#placesOf(search)) {
      if (found.count >= limit) break;
      found.add(seq);
    }
    return found.runs;
  }

  #newestOf({ before = Infinity }: HistorySearch): number {
    return Math.min(this.#index.lastSeq, before - 1);
  }

  /** Every place that can be meant, newest first; no file is read for that. */
  *#placesOf(search: HistorySearch): Generator<number> {
    const { subject, after = 0 } = search;
    const newest = this.#newestOf(search);
    if (subject === undefined) for (let seq = newest; seq > after; seq -= 1) yield seq;
    else
      for (let seq = this.#index.lastOf(subject); seq > after; seq = this.#index.previousOfSubject(seq))
        if (seq <= newest) yield seq;
  }
}
