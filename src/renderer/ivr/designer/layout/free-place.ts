import type { DraftNode, IvrDocument, NodeId, Place } from '../../../../contract/menu/ivr-draft.ts';
import { newHours, newMenu, newMessage, moveNodes } from '../../../../core/ivr/edit/edit-nodes.ts';
import type { Box } from '../../../../core/ivr/drawing/line-path.ts';
import { nodeOf } from '../../../../core/ivr/edit/lines.ts';
import { boxAt, endSize, type Size, sizeOf } from '../canvas/card-geometry.ts';

/** The distance between two places that are tried, and the least between two cards: a line of problems is below a card. */
const step = 20;
export const cardGap = 32;
/** How far to the right of its source a new node is placed. */
const besideX = 400;

/** What a card that is not there yet covers. */
export const newSizes = {
  menu: sizeOf(newMenu('menu' as NodeId, '', { x: 0, y: 0 })),
  hours: sizeOf(newHours('hours' as NodeId, null, { x: 0, y: 0 })),
  message: sizeOf(newMessage('message' as NodeId, '', { x: 0, y: 0 })),
  end: endSize,
} as const satisfies Readonly<Record<DraftNode['kind'], Size>>;

/** The place nearest to the wanted one where a card of this size covers no other. */
export function freePlace(document: IvrDocument, wanted: Place, size: Size): Place {
  const taken = [...boxesOf(document).values()];
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
 * Below what is there already, so that the destinations of a menu stand in one column, in the order of their keys.
 */
export function placeBeside(document: IvrDocument, from: NodeId | null, kind: DraftNode['kind']): Place {
  const { x, y } = nodeOf(document, from)?.place ?? document.caller.place;
  return placeBelow(document, { x: x + besideX, y }, newSizes[kind]);
}

/** The wanted place, or the first below it where a card of this size covers no other. */
export function placeBelow(document: IvrDocument, wanted: Place, size: Size): Place {
  const taken = [...boxesOf(document).values()];
  let place = wanted;
  for (;;) {
    const above = taken.find((other) => overlap({ ...place, ...size }, other, cardGap));
    if (above === undefined) return place;
    place = { ...place, y: above.y + above.height + cardGap };
  }
}

/** What each card covers, by its id; the caller's first. */
export function boxesOf({ caller, nodes }: IvrDocument): Map<string, Box> {
  const boxes = new Map([['caller', boxAt(undefined, caller.place)]]);
  for (const node of Object.values(nodes)) boxes.set(node.id, boxAt(node, node.place));
  return boxes;
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

/**
 * Moves the cards down that a menu would cover because an edit made its card taller, such as by a new key.
 *
 * The cards that they would then cover follow. Cards that covered each other before the edit stay as they are: a person put
 * them there.
 */
export function makeRoom(before: IvrDocument, after: IvrDocument): IvrDocument {
  if (before.nodes === after.nodes) return after;
  const known = boxesOf(before);
  const boxes = boxesOf(after);
  const moved = new Map<string, Place>();
  const growing = [...boxes].filter(([id, { height }]) => height > (known.get(id)?.height ?? height));
  const taller = growing.map(([id]) => id);
  for (let id = taller.shift(); id !== undefined; id = taller.shift()) {
    const box = boxes.get(id);
    if (box === undefined) continue;
    for (const [other, otherBox] of boxes) {
      const below = { ...box, height: box.height + cardGap };
      if (other === id || !overlap(below, otherBox) || covered(known, id, other)) continue;
      const place = { x: otherBox.x, y: box.y + box.height + cardGap };
      moved.set(other, place);
      boxes.set(other, { ...otherBox, ...place });
      taller.push(other);
    }
  }
  return moved.size === 0 ? after : moveNodes(after, moved);
}

function covered(boxes: ReadonlyMap<string, Box>, one: string, other: string): boolean {
  const [box, otherBox] = [boxes.get(one), boxes.get(other)];
  return box !== undefined && otherBox !== undefined && overlap(box, otherBox);
}
