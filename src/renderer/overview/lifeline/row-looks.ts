import type { LifelineRow } from '../../../contract/lifeline.ts';

/** What the present value of a row looks like. */
export function lookOf(row: LifelineRow): 'fresh' | 'failing' | 'resting' | 'unkept' {
  if (row.kind === 'family') return row.status === 'Suspended' ? 'resting' : 'unkept';
  if (row.state === 'paused') return 'resting';
  if (row.state === 'reminder') return 'unkept';
  return row.needs_attention && row.state !== 'delivery_failing' && row.state !== 'fine'
    ? 'failing'
    : 'fresh';
}

/** How its words are coloured: beside them its sign says the same by its shape. */
export function toneOf(row: LifelineRow): 'bad' | 'warn' | undefined {
  if (!row.needs_attention) return undefined;
  return lookOf(row) === 'failing' ? 'bad' : 'warn';
}
