import { open } from 'node:fs/promises';
import type { HistoryEvent } from '../contract/audit-event.ts';
import type { HistoryFilter } from '../core/ledger.ts';
import { presentEvent } from '../core/present-event.ts';
import type { HistoryIndex } from './history-index.ts';
import { decodeLine } from './journal-line.ts';

/** How many neighbours are read from disk at once. */
const stretch = 500;

/** Reads events back from the journal's files, newest first; the index knows where they are. */
export class HistoryReader {
  readonly #index: HistoryIndex;

  constructor(index: HistoryIndex) {
    this.#index = index;
  }

  async read(filter: HistoryFilter): Promise<HistoryEvent[]> {
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

  /** From `newest` down, until `take` has enough. */
  async #readBackwards(newest: number, take: (event: HistoryEvent) => boolean): Promise<void> {
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
    const { path } = this.#index.segmentOf(first);
    const start = this.#index.offsetOf(first);
    const bytes = Buffer.alloc(this.#index.endOf(last) - start);
    const file = await open(path, 'r');
    try {
      await file.read(bytes, 0, bytes.length, start);
    } finally {
      await file.close();
    }
    const lines = bytes
      .toString()
      .split('\n')
      .slice(0, last - first + 1);
    return lines.map((line) => presentEvent(decodeLine(line)));
  }
}
