import type { IvrDocument, NodeId, Place } from '../../../../contract/ivr-draft.ts';

/** How far to the right of what leads to it a new node is put, and how much room it needs, in pixels. */
const step = { x: 400, y: 120 } as const;

/** A free place to the right of a node (or of the caller, for null), for a node that is made without the mouse. */
export function placeBeside(document: IvrDocument, from: NodeId | null): Place {
  const origin = (from === null ? undefined : document.nodes[from]?.place) ?? document.caller.place;
  const x = origin.x + step.x;
  const isTaken = (y: number): boolean =>
    Object.values(document.nodes).some(
      ({ place }) => Math.abs(place.x - x) < step.x * 0.75 && Math.abs(place.y - y) < step.y,
    );
  let { y } = origin;
  while (isTaken(y)) y += step.y;
  return { x, y };
}
