import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { IvrDocument, Place } from '../../../../src/contract/menu/ivr-draft.ts';
import { emptyDocument, freeNodeId, newMenu, putNode } from '../../../../src/core/ivr/edit/edit-nodes.ts';
import { boxAt } from '../../../../src/renderer/ivr/designer/canvas/card-geometry.ts';
import {
  cardGap,
  freePlace,
  newSizes,
  placeBeside,
} from '../../../../src/renderer/ivr/designer/layout/free-place.ts';

const place = fc.record({ x: fc.integer({ min: -400, max: 400 }), y: fc.integer({ min: -300, max: 300 }) });

function withMenu(document: IvrDocument, at: Place): IvrDocument {
  const id = freeNodeId(document, 'menu');
  return putNode(document, newMenu(id, id, at));
}

function coverEachOther({ caller, nodes }: IvrDocument): boolean {
  const boxes = [
    boxAt(undefined, caller.place),
    ...Object.values(nodes).map((node) => boxAt(node, node.place)),
  ];
  return boxes.some((one, index) =>
    boxes
      .slice(index + 1)
      .some(
        (other) =>
          one.x < other.x + other.width &&
          other.x < one.x + one.width &&
          one.y < other.y + other.height &&
          other.y < one.y + one.height,
      ),
  );
}

test('menus that are dropped anywhere cover neither the caller nor each other', () => {
  fc.assert(
    fc.property(fc.array(place, { minLength: 1, maxLength: 12 }), (wanted) => {
      const document = wanted.reduce(
        (before, at) => withMenu(before, freePlace(before, at, newSizes.menu)),
        emptyDocument('Dropped'),
      );
      expect(coverEachOther(document)).toBe(false);
    }),
  );
});

test('a card stays where it was dropped when nothing is there', () => {
  expect(freePlace(emptyDocument('Empty'), { x: 700, y: 33 }, newSizes.menu)).toEqual({ x: 700, y: 33 });
});

test('what is dropped on the caller goes to the nearest free place, in any direction', () => {
  const at = freePlace(emptyDocument('Empty'), { x: -120, y: -170 }, newSizes.menu);
  expect(at.y).toBeLessThan(-170);
});

test('what is added beside a card stands in one column, each below what is there already', () => {
  let document = emptyDocument('Added');
  for (let count = 0; count < 3; count += 1)
    document = withMenu(document, placeBeside(document, null, 'menu'));
  expect(Object.values(document.nodes).map(({ place: at }) => at)).toEqual(
    [0, 1, 2].map((count) => ({ x: 400, y: count * (newSizes.menu.height + cardGap) })),
  );
  expect(coverEachOther(document)).toBe(false);
});
