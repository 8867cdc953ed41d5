import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IvrDocument, NodeId, Place } from '../../../../src/contract/menu/ivr-draft.ts';
import { addKey } from '../../../../src/core/ivr/edit/edit-keys.ts';
import {
  emptyDocument,
  moveNodes,
  newEnd,
  newMenu,
  putNode,
} from '../../../../src/core/ivr/edit/edit-nodes.ts';
import { boxAt } from '../../../../src/renderer/ivr/designer/canvas/card-geometry.ts';
import {
  cardGap,
  freePlace,
  newSizes,
  overlap,
  makeRoom,
} from '../../../../src/renderer/ivr/designer/layout/free-place.ts';

const first = 'first' as NodeId;
const { height } = newSizes.menu;

/** A menu above another one and a destination, each as near as a card may be dropped. */
function stacked(): IvrDocument {
  const top = height + cardGap;
  const one = putNode(emptyDocument('Stacked'), newMenu(first, 'First', { x: 0, y: 0 }));
  const two = putNode(one, newMenu('second' as NodeId, 'Second', { x: 40, y: top }));
  const three = putNode(
    two,
    newEnd('end' as NodeId, 'extension', '101', { x: 200, y: top + height + cardGap }),
  );
  return moveNodes(three, new Map([['caller', { x: -400, y: 0 }]]));
}

function boxes({ caller, nodes }: IvrDocument) {
  return [boxAt(undefined, caller.place), ...Object.values(nodes).map((node) => boxAt(node, node.place))];
}

function coveredPairs(document: IvrDocument): number {
  const all = boxes(document);
  return all.flatMap((one, index) => all.slice(index + 1).filter((other) => overlap(one, other))).length;
}

function withKeys(document: IvrDocument, menu: NodeId, count: number): IvrDocument {
  let grown = document;
  for (let key = 0; key < count; key += 1) grown = makeRoom(grown, addKey(grown, menu));
  return grown;
}

describe('makeRoom', () => {
  it('moves what is below a menu down by each key that is added to it, and what is below that', () => {
    const before = stacked();
    const after = withKeys(before, first, 3);
    const down = (id: string): Place => {
      const [from, to] = [before.nodes[id as NodeId]!.place, after.nodes[id as NodeId]!.place];
      return { x: to.x - from.x, y: to.y - from.y };
    };
    expect(down('second')).toEqual({ x: 0, y: 96 });
    expect(down('end')).toEqual({ x: 0, y: 96 });
    expect(down('first')).toEqual({ x: 0, y: 0 });
    expect(after.caller.place).toEqual(before.caller.place);
  });

  it('leaves everything where it is when a key goes, and where nothing is in the way', () => {
    const before = withKeys(stacked(), first, 2);
    const menu = before.nodes[first]!;
    const without = putNode(before, { ...menu, ...(menu.kind === 'menu' ? { keys: [] } : {}) });
    expect(makeRoom(before, without)).toBe(without);
    const end = addKey(before, 'second' as NodeId);
    expect(makeRoom(end, { ...end, name: 'Another name' }).nodes).toBe(end.nodes);
  });

  it('leaves cards on each other that a person has put there', () => {
    const before = moveNodes(stacked(), new Map([['second', { x: 10, y: 10 }]]));
    expect(withKeys(before, first, 1).nodes['second' as NodeId]!.place).toEqual({ x: 10, y: 10 });
  });

  it('moves the caller too', () => {
    const before = moveNodes(stacked(), new Map([['caller', { x: -100, y: height + 4 }]]));
    expect(coveredPairs(withKeys(before, first, 1))).toBe(coveredPairs(before));
    expect(withKeys(before, first, 1).caller.place).toEqual({ x: -100, y: height + 32 + cardGap });
  });

  it('keeps cards apart that were dropped anywhere, whichever menus get keys', () => {
    const place = fc.record({
      x: fc.integer({ min: -400, max: 400 }),
      y: fc.integer({ min: -300, max: 300 }),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(place, fc.nat({ max: 12 })), { minLength: 2, maxLength: 9 }), (menus) => {
        let document = emptyDocument('Dropped');
        for (const [index, [at]] of menus.entries()) {
          const id = `menu${index}` as NodeId;
          document = putNode(document, newMenu(id, id, freePlace(document, at, newSizes.menu)));
        }
        for (const [index, [, keys]] of menus.entries())
          document = withKeys(document, `menu${index}` as NodeId, keys);
        expect(coveredPairs(document)).toBe(0);
      }),
    );
  });
});
