import type { Edge } from '@xyflow/react';

import type { IvrDocument } from '../../../../contract/ivr-draft.ts';
import { type Line, linesOf } from '../../../../core/ivr/edit/lines.ts';
import type { Port } from '../../../../core/ivr/edit/port.ts';
import type { LitPath } from '../designer-store.ts';
import { type LineWay, waysOf } from './line-ways.ts';
import { cardOf, handleOf, lineId } from './port-handle.ts';

interface LineData extends Record<string, unknown> {
  readonly from: Port;
  readonly isLit: boolean;
  readonly way: LineWay;
}
export type LineEdge = Edge<LineData, 'line'>;

/** What the lines show beside the document itself. */
interface LinesShown {
  readonly selected: string | null;
  readonly lit: LitPath | null;
  readonly nameOf: (id: string) => string;
}

/**
 * Makes of a document the lines that the canvas library draws: one a port, to a card that is there.
 *
 * Invariant: a line that shows the same is the very same object.
 */
export class FlowLines {
  #document: IvrDocument | null = null;
  #ways: ReadonlyMap<string, LineWay> = new Map();
  #lines = new Map<string, LineEdge>();

  of(document: IvrDocument, shown: LinesShown): LineEdge[] {
    if (document !== this.#document) {
      this.#document = document;
      this.#ways = waysOf(document, this.#ways);
    }
    const before = this.#lines;
    this.#lines = new Map();
    const litIds = new Set(shown.lit?.lines.map(lineId));
    for (const line of linesOf(document)) {
      const id = lineId(line.from);
      const way = this.#ways.get(id);
      if (way === undefined) continue;
      const edge = edgeFor(line, { ...shown, id, way, isLit: litIds.has(id) });
      const known = before.get(id);
      this.#lines.set(id, known !== undefined && isSame(known, edge) ? known : edge);
    }
    return [...this.#lines.values()];
  }
}

function edgeFor(
  { from, to }: Line,
  { id, way, isLit, selected, nameOf }: LinesShown & { id: string; way: LineWay; isLit: boolean },
): LineEdge {
  const isSelected = id === selected;
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
    data: { from, isLit, way },
  };
}

function isSame(one: LineEdge, other: LineEdge): boolean {
  return (
    one.target === other.target &&
    one.selected === other.selected &&
    one.data?.isLit === other.data?.isLit &&
    one.data?.way === other.data?.way &&
    one.ariaLabel === other.ariaLabel
  );
}
