import type { LifelineRow } from '../../../contract/window/lifeline.ts';

/** One thing in a row that can be pointed at: a life, or a planned rotation, by its place in its list. */
export interface RowPart {
  readonly kind: 'token' | 'plan';
  readonly place: number;
}

/** What lies at an instant, in seconds: a mark that is as near as `reach`, before the bar below it. */
export function partAt(row: LifelineRow, seconds: number, reach: number): RowPart | null {
  const planned = plannedOf(row);
  const mark = nearest(planned, seconds);
  if (mark !== null && Math.abs((planned[mark] ?? Infinity) - seconds) <= reach)
    return { kind: 'plan', place: mark };
  const life = row.generations.findLastIndex(
    ([from, until]) => from - reach <= seconds && seconds <= until + reach,
  );
  return life === -1 ? null : { kind: 'token', place: life };
}

/** The part after or before another one; without one, the present life, from which there is a way to all. */
export function nextPart(row: LifelineRow, part: RowPart | null, step: 1 | -1): RowPart {
  const lives = row.generations.length;
  if (part === null) return { kind: 'token', place: lives - 1 };
  const count = lives + plannedOf(row).length;
  const at = (part.kind === 'token' ? part.place : lives + part.place) + step;
  const place = Math.max(0, Math.min(count - 1, at));
  return place < lives ? { kind: 'token', place } : { kind: 'plan', place: place - lives };
}

/** The instant that a part is shown at, in seconds: where a bar begins or comes into the past's 90 days, or the mark. */
export function placeOf(
  row: LifelineRow,
  { kind, place }: RowPart,
): { readonly from: number; readonly until: number } {
  if (kind === 'token') {
    const [from, until] = row.generations[place] ?? [0, 0];
    return { from, until };
  }
  const at = plannedOf(row)[place] ?? 0;
  return { from: at, until: at };
}

function plannedOf(row: LifelineRow): readonly number[] {
  return row.kind === 'credential' ? row.planned : [];
}

/** The place of the instant that is nearest, by halving. */
function nearest(instants: readonly number[], at: number): number | null {
  if (instants.length === 0) return null;
  let low = 0;
  let high = instants.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((instants[middle] ?? 0) <= at) low = middle;
    else high = middle;
  }
  return at - (instants[low] ?? 0) <= (instants[high] ?? 0) - at ? low : high;
}
