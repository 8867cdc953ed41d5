import type { HistoryFilters, HistoryMatches, SaveGroup } from '../../contract/history/history.ts';
import { readRuns, type SeqRun } from '../../core/history/seq-runs.ts';
import { askPortal } from '../kit/ask-portal.ts';
import type { Resource } from '../kit/live/resource.ts';
import { windowCache } from '../kit/live/window-cache.ts';
import type { PortalReply } from '../kit/read-portal.ts';

/**
 * Which events the rows of the list are, newest first, as far as they were known at one moment.
 *
 * 100,000 rows are as few numbers as there are gaps between them; the event of a row is found by halving.
 */
export class MatchedRows {
  readonly filters: HistoryFilters;
  /** The newest event of all then; events count from 1 without a gap, so it is also how many there are. */
  readonly lastSeq: number;
  /** How many rows there are: fewer than events where saves of a draft are one row. */
  readonly count: number;
  /** How many events match. */
  readonly events: number;
  readonly #all: RunRows;
  readonly #shown: RunRows;
  readonly #saves: readonly SaveGroup[];
  /** The oldest event of each group that is shown save by save: it stays the same while the group grows. */
  readonly #open: ReadonlySet<number>;
  readonly #groups: ReadonlyMap<number, SaveRow>;

  private constructor(
    filters: HistoryFilters,
    lastSeq: number,
    {
      runs,
      saves,
      open,
    }: {
      readonly runs: readonly SeqRun[];
      readonly saves: readonly SaveGroup[];
      readonly open: ReadonlySet<number>;
    },
  ) {
    this.filters = filters;
    this.lastSeq = lastSeq;
    this.#all = new RunRows(runs);
    this.#saves = saves;
    this.#open = open;
    const groups = new Map<number, SaveRow>();
    const hidden: { readonly from: number; readonly until: number }[] = [];
    for (const { seq, count } of saves) {
      const row = this.#all.rowOf(seq);
      if (count < 2 || row === undefined) continue;
      const oldest = this.#all.seqAt(row + count - 1);
      const isOpen = open.has(oldest);
      groups.set(seq, { count, oldest, isOpen });
      if (!isOpen) hidden.push({ from: row + 1, until: row + count });
    }
    this.#groups = groups;
    this.#shown = hidden.length === 0 ? this.#all : new RunRows(this.#all.without(hidden));
    this.count = this.#shown.count;
    this.events = this.#all.count;
  }

  static of(
    filters: HistoryFilters,
    { last_seq: lastSeq, runs, saves = [] }: Omit<HistoryMatches, 'saves'> & Partial<HistoryMatches>,
  ): MatchedRows {
    return new MatchedRows(filters, lastSeq, { runs: readRuns(lastSeq, runs), saves, open: new Set() });
  }

  /** The same search some time later: `newer` are the matches after these. */
  withNewer(newer: MatchedRows): MatchedRows {
    const [newerRuns, runs] = [newer.#all.runs, this.#all.runs];
    const saves = this.#savesWith(newer);
    const last = newerRuns.at(-1);
    const first = runs[0];
    const open = this.#open;
    if (last === undefined || last.from - last.count !== first?.from)
      return new MatchedRows(this.filters, newer.lastSeq, { runs: [...newerRuns, ...runs], saves, open });
    // Next to each other: without this the runs would grow with every event that comes.
    const joined = { from: last.from, count: last.count + first.count };
    const together = [...newerRuns.slice(0, -1), joined, ...runs.slice(1)];
    return new MatchedRows(this.filters, newer.lastSeq, { runs: together, saves, open });
  }

  /** Saves that went on are one group with those before. */
  #savesWith(newer: MatchedRows): readonly SaveGroup[] {
    const [last, first] = [newer.#saves.at(-1), this.#saves[0]];
    const isJoint =
      last !== undefined &&
      last.subject === first?.subject &&
      (newer.#all.rowOf(last.seq) ?? 0) + last.count === newer.events &&
      this.#all.rowOf(first.seq) === 0;
    if (!isJoint) return [...newer.#saves, ...this.#saves];
    return [
      ...newer.#saves.slice(0, -1),
      { ...last, count: last.count + first.count },
      ...this.#saves.slice(1),
    ];
  }

  /** With these groups of saves shown save by save; each is named by its oldest event. */
  withOpen(open: ReadonlySet<number>): MatchedRows {
    if (open.size === 0 && this.#open.size === 0) return this;
    return new MatchedRows(this.filters, this.lastSeq, { runs: this.#all.runs, saves: this.#saves, open });
  }

  /** The event of a row that there is. */
  seqAt(row: number): number {
    return this.#shown.seqAt(row);
  }

  /** The row of an event; nothing when it has none. */
  rowOf(seq: number): number | undefined {
    return this.#shown.rowOf(seq);
  }

  /** The saves of a draft that the row of this event begins; nothing where there are not several. */
  savesAt(seq: number): SaveRow | undefined {
    return this.#groups.get(seq);
  }
}

/** Several saves of one draft. */
export interface SaveRow {
  readonly count: number;
  /** The oldest of the events. */
  readonly oldest: number;
  /** Whether each has a row of its own. */
  readonly isOpen: boolean;
}

/** Runs of events as rows. */
class RunRows {
  readonly runs: readonly SeqRun[];
  readonly count: number;
  /** The row at which each run begins. */
  readonly #firstRows: Uint32Array;

  constructor(runs: readonly SeqRun[]) {
    this.runs = runs;
    this.#firstRows = new Uint32Array(runs.length);
    let count = 0;
    for (const [place, run] of runs.entries()) {
      this.#firstRows[place] = count;
      count += run.count;
    }
    this.count = count;
  }

  seqAt(row: number): number {
    let [low, high] = [0, this.runs.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#firstRows[middle] ?? 0) <= row) low = middle;
      else high = middle - 1;
    }
    return (this.runs[low]?.from ?? 0) - (row - (this.#firstRows[low] ?? 0));
  }

  rowOf(seq: number): number | undefined {
    const place = this.runs.findIndex(({ from, count }) => seq <= from && seq > from - count);
    const run = this.runs[place];
    return run === undefined ? undefined : (this.#firstRows[place] ?? 0) + run.from - seq;
  }

  /** The runs without some rows, which are given in order and do not overlap. */
  without(hidden: readonly { readonly from: number; readonly until: number }[]): SeqRun[] {
    const left: SeqRun[] = [];
    let next = 0;
    for (const [place, { from, count }] of this.runs.entries()) {
      const firstRow = this.#firstRows[place] ?? 0;
      const endRow = firstRow + count;
      let row = firstRow;
      const keep = (until: number): void => {
        if (until > row) left.push({ from: from - (row - firstRow), count: until - row });
      };
      while (next < hidden.length) {
        const gap = hidden[next];
        if (gap === undefined || gap.from >= endRow) break;
        keep(gap.from);
        row = Math.max(row, Math.min(gap.until, endRow));
        if (gap.until > endRow) break; // it goes on in the next run
        next += 1;
      }
      keep(endRow);
    }
    return left;
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
