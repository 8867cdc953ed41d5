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
import { connect } from '../../../../src/core/ivr/edit/lines.ts';
import { callerSize, sizeOf } from '../../../../src/renderer/ivr/designer/canvas/card-geometry.ts';
import { autoLayout, spreadOut } from '../../../../src/renderer/ivr/designer/layout/auto-layout.ts';
import { templates } from '../../../../src/renderer/ivr/drafts/templates.ts';

const origin: Place = { x: 0, y: 0 };

/** Drawings of any wiring: lines back, to itself, to nothing; cards that nothing leads to. */
const drawing = fc
  .record({
    menus: fc.integer({ min: 1, max: 8 }),
    ends: fc.integer({ min: 0, max: 12 }),
    lines: fc.array(fc.tuple(fc.nat(7), fc.nat(19)), { maxLength: 40 }),
  })
  .map(({ menus, ends, lines }) => {
    const ids = [
      ...Array.from({ length: menus }, (_, place) => `menu${place + 1}` as NodeId),
      ...Array.from({ length: ends }, (_, place) => `end${place + 1}` as NodeId),
    ];
    let document: IvrDocument = emptyDocument('Any');
    for (const id of ids)
      document = putNode(
        document,
        id.startsWith('menu') ? newMenu(id, id, origin) : newEnd(id, 'extension', '1', origin),
      );
    for (const [from, to] of lines)
      document = addKey(document, `menu${(from % menus) + 1}` as NodeId, {
        to: ids[to % ids.length] ?? null,
      });
    return connect(document, { kind: 'caller' }, 'menu1' as NodeId);
  });

describe('the layout', () => {
  it('puts no card on another, whatever leads where', () => {
    fc.assert(
      fc.property(drawing, (document) => {
        expect(overlapping(moveNodes(document, autoLayout(document)))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('is the same the second time', () => {
    fc.assert(
      fc.property(drawing, (document) => {
        const once = moveNodes(document, autoLayout(document));
        expect(moveNodes(once, autoLayout(once))).toEqual(once);
      }),
      { numRuns: 30 },
    );
  });

  it('leads from left to right where nothing leads back', () => {
    const reception = templates[0]!.document;
    const places = autoLayout(reception);
    const menu = places.get('reception')!;
    expect(menu.x).toBeGreaterThan(places.get('caller')!.x + callerSize.width);
    for (const end of ['sales', 'support', 'accounts', 'desk'])
      expect(places.get(end)!.x).toBeGreaterThan(menu.x);
    // In the order of the keys, so that no line crosses another.
    const heights = ['sales', 'support', 'accounts', 'desk'].map((end) => places.get(end)!.y);
    expect(heights).toEqual(heights.toSorted((one, other) => one - other));
  });
});

/** The cards that lie on another. */
function overlapping({ caller, nodes }: IvrDocument): string[] {
  const cards = [
    { id: 'caller', ...caller.place, ...callerSize },
    ...Object.values(nodes).map((node) => ({ id: node.id, ...node.place, ...sizeOf(node) })),
  ];
  return cards
    .filter((one) =>
      cards.some(
        (other) =>
          one.id !== other.id &&
          one.x < other.x + other.width &&
          other.x < one.x + one.width &&
          one.y < other.y + other.height &&
          other.y < one.y + one.height,
      ),
    )
    .map(({ id }) => id);
}

describe('a call flow that is imported', () => {
  it('is arranged where a card lies on another one, and left as it is where none does', () => {
    const { document } = templates[0]!;
    const places = new Map(Object.keys(document.nodes).map((id) => [id, origin]));
    const piled = moveNodes(document, places);
    expect(spreadOut(piled)).toEqual(moveNodes(piled, autoLayout(piled)));
    expect(spreadOut(document)).toBe(document);
  });

  it('keeps the places that a person has chosen where only a few cards lie on another one', () => {
    const { nodes } = templates[0]!.document;
    // Not as the layout has them: from right to left.
    const drawn = Object.keys(nodes).map((id, at) => [id, { x: -600 * (at + 1), y: 40 }] as const);
    const document = moveNodes(templates[0]!.document, new Map(drawn));
    const [first, second, third, ...others] = Object.values(document.nodes);
    const piled = moveNodes(document, new Map([second!, third!].map(({ id }) => [id, first!.place])));
    const spread = spreadOut(piled);
    expect(overlapping(spread)).toEqual([]);
    expect(spread.caller).toEqual(document.caller);
    for (const { id, place } of [first!, ...others]) expect(spread.nodes[id]!.place).toEqual(place);
  });
});
