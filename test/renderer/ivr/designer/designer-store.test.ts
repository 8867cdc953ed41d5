import { describe, expect, it } from 'vitest';
import type { IvrDocument, NodeId, ScenarioId } from '../../../../src/contract/menu/ivr-draft.ts';
import { addKey } from '../../../../src/core/ivr/edit/edit-keys.ts';
import {
  changeMenu,
  emptyDocument,
  newMenu,
  putNode,
  removeNodes,
} from '../../../../src/core/ivr/edit/edit-nodes.ts';
import { DesignerStore } from '../../../../src/renderer/ivr/designer/designer-store.ts';
import { goToProblem } from '../../../../src/renderer/ivr/designer/problems/go-to-problem.ts';

const menu = 'menu1' as NodeId;
const add = (document: IvrDocument) => putNode(document, newMenu(menu, 'Menu 1', { x: 0, y: 0 }));
const rename = (name: string) => (document: IvrDocument) => changeMenu(document, menu, { name });

function nameIn(store: DesignerStore): string | undefined {
  const node = store.state().document.nodes[menu];
  return node?.kind === 'menu' ? node.name : undefined;
}

describe('DesignerStore', () => {
  it('takes an edit back and does it again, with what was selected', () => {
    const store = new DesignerStore(emptyDocument('Draft'));
    store.edit('add a menu', add, { select: new Set([menu]) });
    expect(store.state().undoable).toBe('add a menu');
    store.undo();
    expect(store.state()).toMatchObject({
      document: emptyDocument('Draft'),
      undoable: null,
      redoable: 'add a menu',
    });
    expect(store.state().selection.size).toBe(0);
    store.redo();
    expect(nameIn(store)).toBe('Menu 1');
    expect([...store.state().selection]).toEqual([menu]);
  });

  describe('with what somebody else edits meanwhile', () => {
    const described = (description: string) => (document: IvrDocument) =>
      changeMenu(document, menu, { description });

    it('takes back only what was edited here', () => {
      const store = new DesignerStore(add(emptyDocument('Draft')));
      store.edit('rename', rename('Reception'));
      const known = store.state().document;
      const theirs = described('Theirs')(known);
      store.follow(known, theirs, theirs);
      expect(store.state()).toMatchObject({ document: theirs, undoable: 'rename', isReplaced: true });
      store.undo();
      expect(store.state().document.nodes[menu]).toMatchObject({ name: 'Menu 1', description: 'Theirs' });
      store.redo();
      expect(store.state().document).toEqual(theirs);
    });

    it('takes back nothing that was edited there after', () => {
      const store = new DesignerStore(add(emptyDocument('Draft')));
      store.edit('rename', rename('Reception'));
      store.edit('describe', described('Mine'));
      const known = store.state().document;
      const theirs = rename('Front desk')(known);
      store.follow(known, theirs, theirs);
      store.undo();
      expect(store.state().document.nodes[menu]).toMatchObject({ name: 'Front desk', description: '' });
      expect(store.state().undoable).toBeNull();
    });
  });

  it('keeps what is selected, where nothing was when the edit was made', () => {
    const store = new DesignerStore(add(emptyDocument('Draft')));
    store.edit('rename', rename('A'));
    store.select(new Set([menu]));
    store.undo();
    expect([...store.state().selection]).toEqual([menu]);
    store.edit('delete', (document) => removeNodes(document, new Set([menu])), { select: new Set() });
    store.undo();
    expect([...store.state().selection]).toEqual([menu]);
  });

  it('moves what a growing card would cover in the same edit, and replaces a document exactly', () => {
    const below = newMenu('menu2' as NodeId, 'Menu 2', { x: 0, y: 220 });
    const stacked = putNode(add(emptyDocument('Draft')), below);
    const store = new DesignerStore(stacked);
    store.edit('add a key', (document) => addKey(document, menu));
    const grown = store.state().document;
    expect(grown.nodes[below.id]!.place.y).toBeGreaterThan(220);
    store.undo();
    expect(store.state().document).toBe(stacked);
    const asSaved = addKey(stacked, menu);
    store.replace('load', asSaved);
    expect(store.state().document).toBe(asSaved);
    expect(store.state()).toMatchObject({ undoable: 'load', isReplaced: true });
    store.edit('add a key', (document) => addKey(document, menu));
    expect(store.state().isReplaced).toBe(false);
  });

  it('joins letters typed into one field to one edit, until the field is left', () => {
    const store = new DesignerStore(add(emptyDocument('Draft')));
    store.edit('rename', rename('R'), { merge: 'name' });
    store.edit('rename', rename('Re'), { merge: 'name' });
    store.settle();
    store.edit('rename', rename('Rec'), { merge: 'name' });
    store.undo();
    expect(nameIn(store)).toBe('Re');
    store.undo();
    expect(nameIn(store)).toBe('Menu 1');
    expect(store.state().undoable).toBeNull();
  });

  it('does not join an edit to one that was taken back and done again', () => {
    const store = new DesignerStore(add(emptyDocument('Draft')));
    store.edit('rename', rename('A'), { merge: 'name' });
    store.undo();
    store.redo();
    store.edit('rename', rename('B'), { merge: 'name' });
    store.undo();
    expect(nameIn(store)).toBe('A');
  });

  it('forgets what could be done again once something else is done', () => {
    const store = new DesignerStore(add(emptyDocument('Draft')));
    store.edit('rename', rename('A'));
    store.undo();
    store.edit('rename', rename('B'));
    expect(store.state().redoable).toBeNull();
    store.redo();
    expect(nameIn(store)).toBe('B');
  });

  it('does not count an edit that changes nothing', () => {
    const store = new DesignerStore(emptyDocument('Draft'));
    let told = 0;
    store.subscribe(() => (told += 1));
    store.edit('rename', rename('A'));
    expect([store.state().undoable, told]).toEqual([null, 0]);
  });

  it('selects only what is there', () => {
    const store = new DesignerStore(add(emptyDocument('Draft')));
    store.select(new Set([menu, 'menu9', 'caller']));
    expect([...store.state().selection]).toEqual([menu, 'caller']);
    store.edit('remove', (document) => removeNodes(document, new Set([menu])));
    expect([...store.state().selection]).toEqual(['caller']);
  });

  it('has one phone at most, and each that is opened is another call', () => {
    const store = new DesignerStore(emptyDocument('Draft'));
    store.openPhone('inspector');
    const first = store.state().phone;
    store.openPhone('scenarios', { inputs: ['9', '-'] });
    expect(store.state().phone).toMatchObject({ place: 'scenarios', planned: { inputs: ['9', '-'] } });
    expect(store.state().phone?.count).not.toBe(first?.count);
  });

  it('closes the phone to show the field of a problem, but not for one of a scenario', () => {
    const store = new DesignerStore(add(emptyDocument('Draft')));
    const place = { severity: 'error', field: null, scenario: null } as const;
    const params = { first: null };
    store.openPhone('inspector');
    const scenario = 'first' as ScenarioId;
    goToProblem(store, { ...place, code: 'no_start', params, node: null, scenario, path: 'scenarios.first' });
    expect(store.state()).toMatchObject({ phone: {}, requestedFocus: 'scenarios.first' });
    goToProblem(store, { ...place, code: 'no_start', params, node: menu, path: `nodes.${menu}.name` });
    expect(store.state()).toMatchObject({ phone: null, requestedFocus: `nodes.${menu}.name` });
    expect([...store.state().selection]).toEqual([menu]);
  });

  it('tells its listeners until they stop listening', () => {
    const store = new DesignerStore(emptyDocument('Draft'));
    let told = 0;
    const stop = store.subscribe(() => (told += 1));
    store.edit('add', add);
    stop();
    store.undo();
    expect(told).toBe(1);
  });
});
