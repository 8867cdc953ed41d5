import type { SaveGroup } from '../../contract/history/history.ts';
import type { SeqRun } from './seq-runs.ts';

/**
 * Groups the saves of drafts that follow each other in a list of events, newest first.
 *
 * `matches` are the events of the list, `saves` those among them that are saves of each draft.
 */
export function groupSaves(
  matches: readonly SeqRun[],
  saves: ReadonlyMap<string, Iterable<number>>,
): SaveGroup[] {
  const rows = new RowFinder(matches);
  const groups: { seq: number; count: number; readonly subject: string }[] = [];
  for (const [subject, seqs] of saves) {
    let lastRow = -Infinity;
    for (const seq of seqs) {
      const row = rows.rowOf(seq);
      if (row === null) continue;
      const group = groups.at(-1);
      if (group?.subject === subject && row === lastRow + 1) group.count += 1;
      else groups.push({ seq, count: 1, subject });
      lastRow = row;
    }
  }
  return groups.sort((a, b) => b.seq - a.seq);
}

/** Finds the rows of events that are asked for newest first within a subject. */
class RowFinder {
  readonly #runs: readonly SeqRun[];
  readonly #firstRows: readonly number[];

  constructor(runs: readonly SeqRun[]) {
    this.#runs = runs;
    let count = 0;
    this.#firstRows = runs.map((run) => {
      const first = count;
      count += run.count;
      return first;
    });
  }

  /** Null where the event is not in the list. */
  rowOf(seq: number): number | null {
    let [low, high] = [0, this.#runs.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      const { from = 0, count = 0 } = this.#runs[middle] ?? {};
      if (seq > from - count) high = middle;
      else low = middle + 1;
    }
    const { from = 0, count = 0 } = this.#runs[low] ?? {};
    return seq <= from && seq > from - count ? (this.#firstRows[low] ?? 0) + from - seq : null;
  }
}
