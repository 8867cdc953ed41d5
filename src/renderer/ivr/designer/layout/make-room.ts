import type { IvrDocument, Place } from '../../../../contract/menu/ivr-draft.ts';
import { moveNodes } from '../../../../core/ivr/edit/edit-nodes.ts';
import type { Box } from '../../../../core/ivr/drawing/line-path.ts';
import { boxesOf, cardGap, overlap } from './free-place.ts';

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
