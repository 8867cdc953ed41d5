import type { DraftNode, IvrDocument, NodeId, Place } from '../../../../contract/ivr-draft.ts';
import { newMenu } from '../../../../core/ivr/edit/edit-nodes.ts';
import type { Box } from '../../../../core/ivr/drawing/line-path.ts';
import { nodeOf } from '../../../../core/ivr/edit/lines.ts';
import { boxAt, endSize, rowHeight, type Size, sizeOf } from '../canvas/card-geometry.ts';

/** The distance between two places that are tried, and the least between two cards. */
const step = 20;
export const cardGap = 24;
/** How far to the right of its source a new node is placed. */
const besideX = 400;
/** How many keys a menu can get before it grows over what is below it. */
const expectedKeys = 5;

/** What a card that is not there yet covers. */
export const newSizes = {
  menu: sizeOf(newMenu('menu' as NodeId, '', { x: 0, y: 0 })),
  end: endSize,
} as const satisfies Readonly<Record<'menu' | 'end', Size>>;

/** The place nearest to the wanted one where a card of this size covers no other. */
export function freePlace(document: IvrDocument, wanted: Place, size: Size): Place {
  return nearestPlace(document, wanted, size, sizeOf);
}

function nearestPlace(
  document: IvrDocument,
  wanted: Place,
  size: Size,
  sizeOfOther: (node: DraftNode) => Size,
): Place {
  const taken: Box[] = [
    boxAt(undefined, document.caller.place),
    ...Object.values(document.nodes).map((node) => ({ ...node.place, ...sizeOfOther(node) })),
  ];
  const isFree = (place: Place): boolean =>
    taken.every((other) => !overlap({ ...place, ...size }, other, cardGap));
  for (let ring = 0; ring <= 200; ring += 1) {
    const [nearest] = ringAround(wanted, ring)
      .filter(isFree)
      .sort((one, other) => distance(one, wanted) - distance(other, wanted));
    if (nearest !== undefined) return nearest;
  }
  return wanted;
}

/**
 * A free place to the right of a node (null: of the caller), for a node that is added without the mouse.
 *
 * A menu gets room for its keys too.
 */
export function placeBeside(document: IvrDocument, from: NodeId | null, kind: 'menu' | 'end'): Place {
  const { x, y } = nodeOf(document, from)?.place ?? document.caller.place;
  return roomyPlace(document, { x: x + besideX, y }, kind);
}

/** The nearest place for a card that is added without the mouse: this menu and the others have room for their keys. */
export function roomyPlace(document: IvrDocument, wanted: Place, kind: 'menu' | 'end'): Place {
  const { width, height } = newSizes.menu;
  const grown = { width, height: height + expectedKeys * rowHeight };
  return nearestPlace(document, wanted, kind === 'menu' ? grown : newSizes.end, (node) =>
    node.kind === 'menu' ? { width, height: Math.max(grown.height, sizeOf(node).height) } : sizeOf(node),
  );
}

/** The places on the edge of a square around a place; only the place itself in ring 0. */
function ringAround({ x, y }: Place, ring: number): Place[] {
  if (ring === 0) return [{ x, y }];
  const places: Place[] = [];
  for (let along = -ring; along <= ring; along += 1) {
    places.push({ x: x + along * step, y: y + ring * step }, { x: x + along * step, y: y - ring * step });
    if (Math.abs(along) < ring)
      places.push({ x: x + ring * step, y: y + along * step }, { x: x - ring * step, y: y + along * step });
  }
  return places;
}

function distance(one: Place, other: Place): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

/** Whether one card covers another, or comes nearer to it than the gap. */
export function overlap(one: Box, other: Box, gap = 0): boolean {
  return (
    one.x < other.x + other.width + gap &&
    other.x < one.x + one.width + gap &&
    one.y < other.y + other.height + gap &&
    other.y < one.y + one.height + gap
  );
}
