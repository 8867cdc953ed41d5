import type { Edge } from '@xyflow/react';

import type { IvrDocument } from '../../../../contract/ivr-draft.ts';
import { type Line, linesOf } from '../../../../core/ivr/edit/lines.ts';
import type { Port } from '../../../../core/ivr/edit/port.ts';
import type { LitPath } from '../designer-store.ts';
import { callerSize, endOf, sizeOf, startsOf } from './card-geometry.ts';
import { cardOf, handleOf, lineId } from './port-handle.ts';

interface LineData extends Record<string, unknown> {
  readonly from: Port;
  readonly isLit: boolean;
  /** From where the line begins and from where it ends down to the lower edge of the card there. */
  readonly belowStart: number;
  readonly belowEnd: number;
}
export type LineEdge = Edge<LineData, 'line'>;

/**
 * Makes of a document the lines that the canvas library draws: one a port, to a card that is there.
 *
 * Invariant: a line that shows the same is the very same object.
 */
export class FlowLines {
  #lines = new Map<string, LineEdge>();

  of(
    document: IvrDocument,
    {
      selected,
      lit,
      nameOf,
    }: { selected: string | null; lit: LitPath | null; nameOf: (id: string) => string },
  ): LineEdge[] {
    const before = this.#lines;
    this.#lines = new Map();
    const litIds = new Set(lit?.lines.map(lineId));
    for (const { from, to } of linesOf(document)) {
      if (!(to in document.nodes)) continue;
      const id = lineId(from);
      const line = lineFor(
        document,
        { from, to },
        { id, isSelected: id === selected, isLit: litIds.has(id), nameOf },
      );
      const known = before.get(id);
      this.#lines.set(id, known !== undefined && isSame(known, line) ? known : line);
    }
    return [...this.#lines.values()];
  }
}

function lineFor(
  document: IvrDocument,
  { from, to }: Line,
  shown: { id: string; isSelected: boolean; isLit: boolean; nameOf: (id: string) => string },
): LineEdge {
  const { id, isSelected, isLit, nameOf } = shown;
  return {
    id,
    type: 'line',
    source: cardOf(from),
    sourceHandle: handleOf(from),
    target: to,
    targetHandle: 'in',
    selected: isSelected,
    // A selected or lit line is drawn above the others.
    zIndex: isLit || isSelected ? 1 : 0,
    reconnectable: 'target',
    ariaLabel: `Line from ${nameOf(cardOf(from))} to ${nameOf(to)}`,
    data: { from, isLit, ...clearance(document, { from, to }) },
  };
}

function clearance(document: IvrDocument, { from, to }: Line): Pick<LineData, 'belowStart' | 'belowEnd'> {
  const start = from.kind === 'caller' ? undefined : document.nodes[from.menu];
  const end = document.nodes[to];
  return {
    belowStart:
      start?.kind === 'menu'
        ? sizeOf(start).height - (startsOf(start).get(handleOf(from))?.y ?? 0)
        : callerSize.height / 2,
    belowEnd: end === undefined ? 0 : sizeOf(end).height - endOf(end).y,
  };
}

function isSame(one: LineEdge, other: LineEdge): boolean {
  return (
    one.target === other.target &&
    one.selected === other.selected &&
    one.data?.isLit === other.data?.isLit &&
    one.data?.belowStart === other.data?.belowStart &&
    one.data?.belowEnd === other.data?.belowEnd &&
    one.ariaLabel === other.ariaLabel
  );
}
