import TinyQueue from 'tinyqueue';

/** What a row's place depends on. */
export interface Placed {
  readonly needsAttention: boolean;
  /** Whether there is nothing alive in it any more. */
  readonly isOver: boolean;
  readonly expiresAtMs: number;
}

/** First what needs attention, then what expires sooner, then what is over, the latest first. */
function compareRows(a: Placed, b: Placed): number {
  if (a.needsAttention !== b.needsAttention) return a.needsAttention ? -1 : 1;
  if (a.isOver !== b.isOver) return a.isOver ? 1 : -1;
  return a.isOver ? b.expiresAtMs - a.expiresAtMs : a.expiresAtMs - b.expiresAtMs;
}

/** The first rows in their order, without ordering all the others: there may be a hundred thousand. */
export function firstRows<T extends Placed>(
  rows: Iterable<T>,
  count: number,
): { first: T[]; leftOut: number } {
  const kept = new TinyQueue<T>([], (a, b) => compareRows(b, a));
  let leftOut = 0;
  for (const row of rows) {
    const last = kept.peek();
    if (kept.length >= count) {
      leftOut += 1;
      if (last === undefined || compareRows(row, last) >= 0) continue;
      kept.pop();
    }
    kept.push(row);
  }
  return { first: kept.data.sort(compareRows), leftOut };
}
