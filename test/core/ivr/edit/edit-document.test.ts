import { describe, expect, it } from 'vitest';
import { IvrDocument, type MenuNode, type NodeId } from '../../../../src/contract/menu/ivr-draft.ts';
import { addKey, changeKey, moveKey, removeKey } from '../../../../src/core/ivr/edit/edit-keys.ts';
import {
  changeEnd,
  changeMenu,
  emptyDocument,
  freeMenuName,
  freeNodeId,
  moveNodes,
  newEnd,
  newMenu,
  pasteNodes,
  putNode,
  removeNodes,
} from '../../../../src/core/ivr/edit/edit-nodes.ts';
import { connect, linesOf } from '../../../../src/core/ivr/edit/lines.ts';

const start = 'menu1' as NodeId;
const sales = 'end1' as NodeId;
const other = 'menu2' as NodeId;
const origin = { x: 0, y: 0 };

/** Caller -> Reception; 1 -> extension 101, 2 -> Sales menu; wrong key and silence -> extension 101. */
function reception(): IvrDocument {
  let document = emptyDocument('Reception');
  document = putNode(document, newMenu(start, 'Reception', { x: 200, y: 0 }));
  document = putNode(document, newMenu(other, 'Sales', { x: 500, y: 200 }));
  document = putNode(document, newEnd(sales, 'extension', '101', { x: 500, y: 0 }));
  document = connect(document, { kind: 'caller' }, start);
  document = addKey(document, start, { to: sales });
  document = addKey(document, start, { to: other });
  document = connect(document, { kind: 'invalid', menu: start }, sales);
  return connect(document, { kind: 'timeout', menu: start }, sales);
}

function menuOf(document: IvrDocument, id: NodeId): MenuNode {
  const node = document.nodes[id];
  if (node?.kind !== 'menu') throw new Error(`${id} is no menu`);
  return node;
}

describe('a document that is edited', () => {
  it('is one that the contract allows', () => {
    expect(IvrDocument.parse(reception())).toEqual(reception());
  });

  it('is a new value each time; the one before stays as it was', () => {
    const before = reception();
    const written = structuredClone(before);
    removeNodes(before, new Set([sales, start]));
    changeMenu(before, start, { name: 'Other' });
    moveNodes(before, new Map([[start, { x: 9, y: 9 }]]));
    addKey(before, start);
    pasteNodes(before, Object.values(before.nodes), { x: 1, y: 1 });
    expect(before).toEqual(written);
  });

  it('stays the very same where there is nothing to change', () => {
    const document = reception();
    const nobody = 'menu99' as NodeId;
    expect(changeMenu(document, nobody, { name: 'x' })).toBe(document);
    expect(changeMenu(document, sales, { name: 'x' })).toBe(document);
    expect(changeEnd(document, start, { ref: 'x' })).toBe(document);
    expect(connect(document, { kind: 'invalid', menu: nobody }, sales)).toBe(document);
    expect(addKey(document, nobody)).toBe(document);
  });
});

describe('lines', () => {
  it('are told caller first, then keys, wrong key and timeout', () => {
    expect(linesOf(reception())).toEqual([
      { from: { kind: 'caller' }, to: start },
      { from: { kind: 'key', menu: start, index: 0 }, to: sales },
      { from: { kind: 'key', menu: start, index: 1 }, to: other },
      { from: { kind: 'invalid', menu: start }, to: sales },
      { from: { kind: 'timeout', menu: start }, to: sales },
    ]);
  });

  it('go away with the node that they lead to, wherever they begin', () => {
    const without = removeNodes(reception(), new Set([sales]));
    expect(linesOf(without)).toEqual([
      { from: { kind: 'caller' }, to: start },
      { from: { kind: 'key', menu: start, index: 1 }, to: other },
    ]);
    expect(removeNodes(reception(), new Set([start])).caller.to).toBeNull();
  });
});

describe('keys', () => {
  it('are given out in the order of the telephone, and the twelfth is the last', () => {
    let document = emptyDocument('All keys');
    document = putNode(document, newMenu(start, 'All', origin));
    for (let count = 0; count < 14; count += 1) document = addKey(document, start);
    expect(
      menuOf(document, start)
        .keys.map(({ key }) => key)
        .join(''),
    ).toBe('1234567890*#');
  });

  it('are filled in where one was taken away', () => {
    const document = addKey(removeKey(reception(), start, 0), start);
    expect(menuOf(document, start).keys.map(({ key }) => key)).toEqual(['2', '1']);
  });

  it('keep their lines when they are renamed or moved', () => {
    const renamed = changeKey(reception(), start, 0, { key: '9' });
    expect(menuOf(renamed, start).keys[0]).toEqual({ key: '9', to: sales, sms_template: null });
    const moved = moveKey(reception(), start, 0, 5);
    expect(menuOf(moved, start).keys.map(({ key, to }) => [key, to])).toEqual([
      ['2', other],
      ['1', sales],
    ]);
  });
});

describe('nodes', () => {
  it('get ids and names that are free', () => {
    const document = reception();
    expect(freeNodeId(document, 'menu')).toBe('menu3');
    expect(freeNodeId(document, 'end', new Set(['end2']))).toBe('end3');
    expect(freeMenuName(changeMenu(document, start, { name: 'Menu 1' }))).toBe('Menu 2');
  });

  it('lie on whole pixels, the caller too', () => {
    const moved = moveNodes(
      reception(),
      new Map([
        [start, { x: 10.4, y: -3.6 }],
        ['caller', { x: 0.5, y: 0.4 }],
      ]),
    );
    expect(moved.nodes[start]?.place).toEqual({ x: 10, y: -4 });
    expect(moved.caller.place).toEqual({ x: 1, y: 0 });
  });

  it('are pasted with the lines among them, and with lines to what is still there', () => {
    const document = reception();
    const copied = [menuOf(document, start), menuOf(document, other)];
    const pasted = pasteNodes(document, copied, { x: 40, y: 40 });
    expect([...pasted.ids]).toEqual(['menu3', 'menu4']);
    const copy = menuOf(pasted.document, 'menu3' as NodeId);
    expect(copy.place).toEqual({ x: 240, y: 40 });
    expect(copy.keys.map(({ to }) => to)).toEqual([sales, 'menu4']);
    expect(IvrDocument.safeParse(pasted.document).success).toBe(true);

    const elsewhere = pasteNodes(emptyDocument('Other'), copied, origin);
    expect(menuOf(elsewhere.document, 'menu1' as NodeId).keys.map(({ to }) => to)).toEqual([null, 'menu2']);
  });

  it('that hang up need no id', () => {
    expect(newEnd(sales, 'hangup', '17', origin).ref).toBe('');
  });
});
