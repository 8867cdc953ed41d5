import type { LifelineRow } from '../../../contract/lifeline.ts';
import { StateDrawing } from '../../credentials/state-shape.tsx';
import { stateSign } from '../../credentials/state-words.ts';
import { StatusShape } from '../../tokens/status-shape.tsx';

/** How a row stands, as a shape; its words stand beside it. */
export function RowSign({ row }: { row: LifelineRow }) {
  // A shape that says “all is well” beside words that do not would mislead.
  if (row.needs_attention && isCalm(row)) return <StateDrawing shape="triangle" tone="warn" />;
  if (row.kind === 'family') return <StatusShape status={row.status} />;
  const { shape, tone } = stateSign({
    state: row.state,
    trouble: row.trouble === null ? null : { kind: row.trouble },
  });
  return <StateDrawing shape={shape} tone={tone} />;
}

/** Whether its own state says nothing of why it needs somebody: a token that ends, or one that is still used. */
function isCalm(row: LifelineRow): boolean {
  return row.kind === 'family' ? row.status === 'Active' : row.state === 'fine' || row.state === 'reminder';
}
