import { describe, expect, test } from 'vitest';
import {
  type DraftNode,
  type IvrDocument,
  NodeId,
  ScenarioId,
} from '../../../../src/contract/menu/ivr-draft.ts';
import { addKey, changeKey } from '../../../../src/core/ivr/edit/edit-keys.ts';
import {
  changeEnd,
  changeMenu,
  moveNodes,
  removeNodes,
  removeScenario,
} from '../../../../src/core/ivr/edit/edit-nodes.ts';
import { changeFlowPrompt } from '../../../../src/core/ivr/flow-prompts.ts';
import { connect } from '../../../../src/core/ivr/edit/lines.ts';
import { compareDocuments } from '../../../../src/renderer/ivr/designer/versions/compare-documents.ts';
import { twoMenus } from '../../../fixtures/ivr-documents.ts';

const reception = NodeId.parse('reception');
const words = (_document: IvrDocument, node: DraftNode): string =>
  node.kind === 'menu' ? node.name : `${node.type} ${node.ref}`;
const compare = (after: IvrDocument) => compareDocuments(twoMenus, after, words);

describe('what differs between two versions of a call flow', () => {
  test('nothing, where nothing does', () => {
    expect(compare(structuredClone(twoMenus))).toEqual([]);
  });

  test('a field of a menu, under its name in the body; what leads to a renamed menu leads to the same', () => {
    const after = changeMenu(twoMenus, reception, { name: 'Front desk', timeout: null });
    expect(compare(after)).toEqual([
      {
        id: 'reception',
        what: 'Front desk',
        change: 'changed',
        fields: [
          {
            field: 'name',
            before: 'Reception',
            after: 'Front desk',
            sentence: 'Name: Reception → Front desk',
          },
          { field: 'timeout', before: '5', after: null, sentence: 'Time to press a key: 5 s → nothing' },
        ],
      },
    ]);
  });

  test('another id of a destination changes it, and every menu that leads there', () => {
    const after = changeEnd(twoMenus, NodeId.parse('sales'), { ref: '102' });
    expect(compare(after).map(({ id }) => id)).toEqual(['reception', 'opening', 'sales']);
    expect(compare(after)[1]?.fields).toContainEqual({
      field: 'key 1',
      before: 'extension 101',
      after: 'extension 102',
      sentence: 'Key 1 now leads to extension 102, before to extension 101.',
    });
  });

  test('one key more is one key more, and the others are the same', () => {
    const [part] = compare(addKey(twoMenus, reception, { key: '3', to: NodeId.parse('sales') }));
    expect(part?.fields).toEqual([
      { field: 'option', before: '1 2', after: '1 2 3', sentence: null },
      {
        field: 'key 3',
        before: null,
        after: 'extension 101',
        sentence: 'Key 3 was added and leads to extension 101.',
      },
    ]);
  });

  test('a key that leads elsewhere, or has an SMS template now', () => {
    const led = connect(twoMenus, { kind: 'key', menu: reception, index: 0 }, null);
    expect(compare(led)[0]?.fields).toEqual([
      {
        field: 'key 1',
        before: 'extension 101',
        after: 'no destination',
        sentence: 'Key 1 now leads to no destination, before to extension 101.',
      },
    ]);
    const sms = changeKey(twoMenus, reception, 0, { sms_template: '31' });
    expect(compare(sms)[0]?.fields).toEqual([
      {
        field: 'key 1, sms_template',
        before: null,
        after: '31',
        sentence: 'SMS template of key 1: nothing → 31',
      },
    ]);
  });

  test('a prompt is told by its name, also where the prompt of all menus changed', () => {
    const own = changeMenu(twoMenus, reception, { recording: 'recording||9' });
    expect(compare(own)[0]?.fields).toEqual([
      {
        field: 'recording',
        before: 'recording||1',
        after: 'recording||9',
        sentence: 'Prompt: Recording 1 → Recording 9',
      },
    ]);
    const bare = changeMenu(twoMenus, reception, { invalid_recording: null });
    const heard = (prompt: string) => changeFlowPrompt(bare, 'wrong_key', prompt);
    expect(compare(heard('recording||2'))).toEqual([]);
    const [changed] = compareDocuments(heard('recording||2'), heard('recording||8'), words);
    expect(changed?.fields.map(({ sentence }) => sentence)).toEqual([
      'Prompt after a wrong key: Recording 2 → Recording 8',
    ]);
  });

  test('keys that only stand in another order', () => {
    const menu = twoMenus.nodes[reception];
    if (menu?.kind !== 'menu') throw new Error('the reception is a menu');
    const [part] = compare(changeMenu(twoMenus, reception, { keys: menu.keys.toReversed() }));
    expect(part?.fields.map(({ sentence }) => sentence)).toEqual(['Order of the keys: 1 2 → 2 1']);
  });

  test('a part that only lies elsewhere is moved', () => {
    const after = moveNodes(twoMenus, new Map([['sales', { x: 7, y: 0 }]]));
    expect(compare(after)).toEqual([{ id: 'sales', what: 'extension 101', change: 'moved', fields: [] }]);
  });

  test('what was removed is told by the name that it had, and so is what was added', () => {
    const after = removeNodes(twoMenus, new Set(['opening']));
    expect(compare(after)).toContainEqual(
      expect.objectContaining({ id: 'opening', what: 'Opening', change: 'removed' }),
    );
    expect(compareDocuments(after, twoMenus, words)).toContainEqual(
      expect.objectContaining({ id: 'opening', what: 'Opening', change: 'added' }),
    );
  });

  test('the name of the draft, the first menu and the scenarios count too', () => {
    const renamed = { ...twoMenus, name: 'Other' };
    const led = connect(renamed, { kind: 'caller' }, NodeId.parse('opening'));
    const after = removeScenario(led, ScenarioId.parse('sales'));
    expect(compare(after).map(({ id, what, change }) => [id, what, change])).toEqual([
      ['name', 'The draft', 'changed'],
      ['caller', 'Caller', 'changed'],
      ['sales', 'Scenario “To sales by the opening hours”', 'removed'],
    ]);
  });
});
