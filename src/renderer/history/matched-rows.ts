import type { HistoryFilters, HistoryMatches } from '../../contract/history.ts';
import { readRuns, type SeqRun } from '../../core/history/seq-runs.ts';
import { askPortal } from '../kit/ask-portal.ts';
import type { Resource } from '../kit/live/resource.ts';
import { windowCache } from '../kit/live/window-cache.ts';
import type { PortalReply } from '../kit/portal-reply.ts';

/**
 * Which events the rows of the list are, newest first, as far as they were known at one moment.
 *
 * 100,000 rows are as few numbers as there are gaps between them; the event of a row is found by halving.
 */
export class MatchedRows {
  readonly filters: HistoryFilters;
  /** The newest event of all then; events count from 1 without a gap, so it is also how many there are. */
  readonly lastSeq: number;
  readonly count: number;
  readonly #runs: readonly SeqRun[];
  /** The row at which each run begins. */
  readonly #firstRows: Uint32Array;

  private constructor(filters: HistoryFilters, lastSeq: number, runs: readonly SeqRun[]) {
    this.filters = filters;
    this.lastSeq = lastSeq;
    this.#runs = runs;
    this.#firstRows = new Uint32Array(runs.length);
    let count = 0;
    for (const [place, run] of runs.entries()) {
      this.#firstRows[place] = count;
      count += run.count;
    }
    this.count = count;
  }

  static of(filters: HistoryFilters, { last_seq: lastSeq, runs }: HistoryMatches): MatchedRows {
    return new MatchedRows(filters, lastSeq, readRuns(lastSeq, runs));
  }

  /** The same search some time later: `newer` are the matches after these. */
  withNewer(newer: MatchedRows): MatchedRows {
    const last = newer.#runs.at(-1);
    const first = this.#runs[0];
    if (last === undefined || last.from - last.count !== first?.from)
      return new MatchedRows(this.filters, newer.lastSeq, [...newer.#runs, ...this.#runs]);
    // Next to each other: without this the runs would grow with every event that comes.
    const joined = { from: last.from, count: last.count + first.count };
    const runs = [...newer.#runs.slice(0, -1), joined, ...this.#runs.slice(1)];
    return new MatchedRows(this.filters, newer.lastSeq, runs);
  }

  /** The event of a row that there is. */
  seqAt(row: number): number {
    let [low, high] = [0, this.#runs.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#firstRows[middle] ?? 0) <= row) low = middle;
      else high = middle - 1;
    }
    return (this.#runs[low]?.from ?? 0) - (row - (this.#firstRows[low] ?? 0));
  }

  /** The row of an event; nothing when it has none. */
  rowOf(seq: number): number | undefined {
    const place = this.#runs.findIndex(({ from, count }) => seq <= from && seq > from - count);
    const run = this.#runs[place];
    return run === undefined ? undefined : (this.#firstRows[place] ?? 0) + run.from - seq;
  }
}

/** Which events a filter lets through. After a change only the newer ones are asked for. */
export function historyMatches(filters: HistoryFilters): Resource<MatchedRows> {
  const key = ['history-matches', JSON.stringify(filters)];
  return {
    key,
    about: [],
    keepsPrevious: true,
    read: (signal) => {
      const known = windowCache.getQueryData<{ readonly value: MatchedRows }>(key)?.value;
      return readMatches(filters, known, signal);
    },
  };
}

async function readMatches(
  filters: HistoryFilters,
  known: MatchedRows | undefined,
  signal: AbortSignal,
): Promise<PortalReply<MatchedRows>> {
  const news = known === undefined ? filters : { ...filters, after: String(known.lastSeq) };
  const reply = await askPortal('historyMatches', { query: news, signal });
  if (reply.kind !== 'ok') return reply;
  const found = MatchedRows.of(filters, reply.value);
  if (known === undefined) return { kind: 'ok', value: found };
  // Another history than the one that was known: the service was started on another folder.
  if (found.lastSeq < known.lastSeq) return readMatches(filters, undefined, signal);
  return { kind: 'ok', value: known.withNewer(found) };
}
