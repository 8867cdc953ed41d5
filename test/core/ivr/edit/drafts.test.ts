import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DraftNode,
  IvrDocument,
  type MenuNode,
  type NodeId,
  type Scenario,
} from '../../../../src/contract/menu/ivr-draft.ts';
import { addKey, changeKey, moveKey, removeKey } from '../../../../src/core/ivr/edit/edit-keys.ts';
import {
  changeEnd,
  changeMenu,
  emptyDocument,
  freeNodeName,
  freeNodeId,
  moveNodes,
  newEnd,
  newMenu,
  pasteNodes,
  putNode,
  removeNodes,
} from '../../../../src/core/ivr/edit/edit-nodes.ts';
import { connect, linesOf } from '../../../../src/core/ivr/edit/lines.ts';
import { applyDelta, deltaBetween } from '../../../../src/core/ivr/draft/document-delta.ts';
import { halfWired, twoMenus } from '../../../fixtures/ivr-documents.ts';
import { DraftTally } from '../../../../src/core/ivr/draft/view-draft.ts';
import { State } from '../../../../src/core/state.ts';
import { checkDraft } from '../../../../src/core/ivr/check-draft.ts';
import { tallyOf, blocksPublishing, withToDos } from '../../../../src/core/ivr/finding-severity.ts';

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
  it('are given out in the order of the telephone; then they are empty, for several digits, up to 24', () => {
    let document = emptyDocument('All keys');
    document = putNode(document, newMenu(start, 'All', origin));
    for (let count = 0; count < 26; count += 1) document = addKey(document, start);
    const keys = menuOf(document, start).keys.map(({ key }) => key);
    expect(keys).toEqual([...Array.from('1234567890*#'), ...Array<string>(12).fill('')]);
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
    expect(freeNodeName(changeMenu(document, start, { name: 'Menu 1' }), 'Menu')).toBe('Menu 2');
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

const ids = fc.constantFrom('a', 'b', 'c', 'd', 'constructor', 'valueof');
const nodes = fc
  .uniqueArray(fc.record({ id: ids, ref: fc.constantFrom('1', '2') }), { selector: ({ id }) => id })
  .map((list) =>
    Object.fromEntries(
      list.map(({ id, ref }) => [id, { kind: 'end', id, place: { x: 0, y: 0 }, type: 'extension', ref }]),
    ),
  ) as unknown as fc.Arbitrary<Record<string, DraftNode>>;
const scenarios = fc
  .uniqueArray(fc.record({ id: ids, name: fc.constantFrom('x', 'y') }), { selector: ({ id }) => id })
  .map((list) =>
    Object.fromEntries(
      list.map(({ id, name }) => [
        id,
        { id, name, inputs: [], expected: { kind: 'destination', destination: 'hangup' } },
      ]),
    ),
  ) as unknown as fc.Arbitrary<Record<string, Scenario>>;
const documents = fc.record({
  name: fc.constantFrom('one', 'two'),
  caller: fc.record({ place: fc.constant({ x: 0, y: 0 }), to: fc.constantFrom(null, 'a') }),
  nodes,
  scenarios,
}) as unknown as fc.Arbitrary<IvrDocument>;

describe('what a save changed', () => {
  it('makes the new drawing of the old one, with its entries in their order', () => {
    fc.assert(
      fc.property(documents, documents, (before, after) => {
        const delta = deltaBetween(before, after);
        const made = delta === null ? before : applyDelta(before, delta);
        // As text: the order of entries shows there.
        expect(JSON.stringify(made)).toBe(JSON.stringify(after));
      }),
    );
  });

  it('is nothing between two that are the same, and only then', () => {
    fc.assert(
      fc.property(documents, documents, (before, after) => {
        expect(deltaBetween(before, structuredClone(before))).toBeNull();
        const isSame = JSON.stringify(before) === JSON.stringify(after);
        expect(deltaBetween(before, after) === null).toBe(isSame);
      }),
    );
  });

  it('is one node if one node changed, and contains no order if that is implied', () => {
    expect(deltaBetween(twoMenus, halfWired)).toEqual({
      set_nodes: [halfWired.nodes['reception' as never]],
      removed_nodes: [],
      set_scenarios: [],
      removed_scenarios: [],
    });
  });
});

describe('the tally of a drawing', () => {
  it('is counted once for as long as the drawing is the same value', () => {
    const tally = new DraftTally();
    const state = new State();
    const document = structuredClone(halfWired);
    const before = tally.of(state, document, 0);
    // Values must not be changed like this; here it shows that it is not read again.
    document.nodes = twoMenus.nodes;
    expect(tally.of(state, document, 0)).toBe(before);
    expect(tally.of(state, { ...document }, 0).errors).toBe(0);
  });

  it('is counted again when something that the call flow refers to is added or removed, and only then', () => {
    const tally = new DraftTally();
    const state = new State();
    const before = tally.of(state, twoMenus, 0);
    state.extensions.set('999', { id: '999', name: 'Somebody else' });
    expect(tally.of(state, twoMenus, 0)).toBe(before);
    state.extensions.set('101', { id: '101', name: 'Sales' });
    expect(tally.of(state, twoMenus, 0)).toEqual({ ...before, warnings: before.warnings - 1 });
    state.extensions.delete('101');
    expect(tally.of(state, twoMenus, 0)).toEqual(before);
  });

  it('follows every kind of thing that a drawing may name', () => {
    const reception = twoMenus.nodes['reception' as NodeId];
    if (reception?.kind !== 'menu') throw new Error('the reception is no menu');
    const [first, ...rest] = reception.keys;
    const keys = [{ ...first!, sms_template: '31' }, ...rest];
    const elsewhere = { ...twoMenus.nodes['sales' as NodeId], type: 'ivr', ref: 'ivr_1' };
    const nodes = { ...twoMenus.nodes, reception: { ...reception, keys }, sales: elsewhere };
    const document = { ...twoMenus, nodes: nodes as typeof twoMenus.nodes, scenarios: {} };
    const tally = new DraftTally();
    const state = new State();
    let { warnings } = tally.of(state, document, 0);
    const known = [
      () => state.smsTemplates.set('31', { id: '31', name: 'Way', text: 'Here' }),
      () => state.setSettings({ ...state.settings, sms_templates_enabled: true }),
      () => state.ivrs.set('ivr_1' as never, {} as never),
    ];
    for (const learn of known) {
      learn();
      expect(tally.of(state, document, 0)).toEqual({ errors: 0, todos: 0, warnings: (warnings -= 1) });
    }
    state.recordings.set('1' as never, {} as never);
    // Both menus play it.
    expect(tally.of(state, document, 0).warnings).toBe(warnings - 2);
  });
});

const id = 'menu1' as NodeId;
const fresh = putNode(emptyDocument('New'), newMenu(id, 'Menu 1', { x: 0, y: 0 }));

describe('what is not done yet', () => {
  it('is a to-do in a new menu, and blocks publishing like an error', () => {
    const { problems } = checkDraft(fresh, null, 0);
    const shown = withToDos(problems);
    expect(tallyOf(problems).todos).toBe(0);
    expect(tallyOf(shown)).toEqual({ errors: 0, todos: problems.length, warnings: 0 });
    expect(shown.every(blocksPublishing)).toBe(true);
  });

  it('is told apart from mistakes, which come first', () => {
    const keys = [
      { key: 'x', to: null, sms_template: null },
      { key: '', to: null, sms_template: null },
    ];
    const shown = withToDos(
      checkDraft(changeMenu(fresh, id, { keys, recording: 'nothing', timeout: 500 }), null, 0).problems,
    );
    expect(shown.filter(({ severity }) => severity === 'error').map(({ path }) => path)).toEqual([
      'nodes.menu1.recording',
      'nodes.menu1.timeout',
      'nodes.menu1.keys.0.key',
    ]);
    expect(shown.findIndex(({ severity }) => severity === 'todo')).toBe(3);
    expect(shown.find(({ path }) => path === 'nodes.menu1.keys.1.key')?.severity).toBe('todo');
  });
});
