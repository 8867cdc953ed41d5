import type { IvrDocument, NodeId, Place } from '../../../../contract/ivr-draft.ts';
import { nodeOf } from '../../../../core/ivr/edit/lines.ts';
import { callerSize, menuWidth, type Size, sizeOf } from '../canvas/card-geometry.ts';

const step = 40;
/** How far to the right of its source a new node is placed. */
const besideX = 400;
/** Large enough for any new card. */
const newCard: Size = { width: menuWidth, height: 200 };

/** The nearest place below or to the right where a new card covers no other. */
export function freePlace(document: IvrDocument, wanted: Place): Place {
  const taken = [
    { place: document.caller.place, size: callerSize },
    ...Object.values(document.nodes).map((node) => ({ place: node.place, size: sizeOf(node) })),
  ];
  const isTaken = (place: Place): boolean =>
    taken.some(({ place: other, size }) => overlap(place, newCard, other, size));
  for (let ring = 0; ring < 100; ring += 1) {
    for (let along = 0; along <= ring; along += 1) {
      const place = { x: wanted.x + (ring - along) * step, y: wanted.y + along * step };
      if (!isTaken(place)) return place;
    }
  }
  return wanted;
}

/** A free place to the right of a node (null: of the caller), for a node that is added without the mouse. */
export function placeBeside(document: IvrDocument, from: NodeId | null): Place {
  const { x, y } = nodeOf(document, from)?.place ?? document.caller.place;
  return freePlace(document, { x: x + besideX, y });
}

function overlap(one: Place, size: Size, other: Place, otherSize: Size): boolean {
  return (
    one.x < other.x + otherSize.width &&
    other.x < one.x + size.width &&
    one.y < other.y + otherSize.height &&
    other.y < one.y + size.height
  );
}
