import { describe, expect, test } from 'vitest';
import { type IvrDocument, NodeId, ScenarioId } from '../../../../src/contract/menu/ivr-draft.ts';
import { VoiceId } from '../../../../src/contract/menu/speech.ts';
import { addKey } from '../../../../src/core/ivr/edit/edit-keys.ts';
import {
  changeEnd,
  changeMenu,
  moveNodes,
  removeNodes,
  removeScenario,
} from '../../../../src/core/ivr/edit/edit-nodes.ts';
import { connect } from '../../../../src/core/ivr/edit/lines.ts';
import {
  changeSentences,
  compareDocuments,
} from '../../../../src/renderer/ivr/designer/versions/compare-documents.ts';
import { twoMenus } from '../../../fixtures/ivr-documents.ts';

const reception = NodeId.parse('reception');
const known = { extensions: [{ id: '101', name: 'Sales' }], menus: [], recordings: [] };
const compare = (after: IvrDocument) => compareDocuments(twoMenus, after, known);

describe('what differs between two versions of a call flow', () => {
  test('nothing, where nothing does', () => {
    expect(compare(structuredClone(twoMenus))).toEqual([]);
  });

  test('a menu in words and as fields of the JSON; what leads to a renamed menu leads to the same', () => {
    const after = changeMenu(twoMenus, reception, { name: 'Front desk', timeout: null });
    expect(compare(after)).toEqual([
      {
        id: 'reception',
        what: 'Front desk',
        change: 'changed',
        sentences: [
          'Time to press a key: not set any more, before 5 seconds.',
          'It is called “Front desk” instead of “Reception”. Callers do not notice.',
        ],
        fields: [
          { field: 'name', before: 'Reception', after: 'Front desk' },
          { field: 'timeout', before: '5', after: null },
        ],
      },
    ]);
  });

  test('another id of a destination changes it, and what callers meet in every menu that leads there', () => {
    const after = changeEnd(twoMenus, NodeId.parse('sales'), { ref: '102' });
    expect(compare(after).map(({ id }) => id)).toEqual(['reception', 'opening', 'sales']);
    expect(compare(after)[0]?.sentences).toContain(
      'Key 1 leads to extension 102 instead of Sales (extension 101).',
    );
    expect(compare(after)[2]?.sentences).toEqual(['Now “Extension 102”, before “Extension 101, Sales”.']);
  });

  test('the keys of the JSON are shown as they are sent', () => {
    const [part] = compare(addKey(twoMenus, reception, { key: '3', to: NodeId.parse('sales') }));
    expect(part?.fields).toEqual([
      { field: 'option', before: '["1","2"]', after: '["1","2","3"]' },
      {
        field: 'destination',
        before: '["extension||101","ivr||opening"]',
        after: '["extension||101","ivr||opening","extension||101"]',
      },
    ]);
    expect(part?.sentences).toEqual(['Key 3 is new and leads to Sales (extension 101).']);
  });

  test('a part that only lies elsewhere is moved', () => {
    const after = moveNodes(twoMenus, new Map([['sales', { x: 7, y: 0 }]]));
    expect(compare(after)).toEqual([
      { id: 'sales', what: 'Extension 101, Sales', change: 'moved', sentences: [], fields: [] },
    ]);
  });

  test('what was removed is told by the name that it had, and so is what was added', () => {
    const after = removeNodes(twoMenus, new Set(['opening']));
    expect(compare(after)).toContainEqual(
      expect.objectContaining({ id: 'opening', what: 'Opening', change: 'removed' }),
    );
    expect(compareDocuments(after, twoMenus, known)).toContainEqual(
      expect.objectContaining({ id: 'opening', what: 'Opening', change: 'added' }),
    );
  });

  test('the language and the voice of its texts', () => {
    const french = { ...twoMenus, speech: { language: 'fr-FR', voice: null } };
    expect(compare(french)).toEqual([
      {
        id: 'speech',
        what: 'Language and voice',
        change: 'changed',
        sentences: ['Typed prompts are spoken in French (France) instead of as in the settings.'],
        fields: [],
      },
    ]);
    const at = { kind: 'flow', field: 'speech' } as const;
    expect(changeSentences(twoMenus, french, at, known)).toEqual(compare(french)[0]?.sentences);
    const voice = VoiceId.parse('pico/fr-FR');
    const chosen = { ...twoMenus, speech: { language: 'fr-FR', voice } };
    expect(compareDocuments(french, chosen, known)[0]?.sentences).toEqual([
      'Typed prompts are spoken in French (France) by pico/fr-FR instead of in French (France).',
    ]);
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
    expect(compare(after)[1]?.sentences).toEqual(['Calls begin in “Opening” instead of “Reception”.']);
  });

  test('a scenario in which a caller presses something else, and ends elsewhere', () => {
    const scenario = twoMenus.scenarios[ScenarioId.parse('sales')];
    if (scenario === undefined) throw new Error('there is a scenario');
    const changed = {
      ...scenario,
      inputs: ['1' as const],
      expected: { kind: 'menu' as const, menu: reception },
    };
    expect(compare({ ...twoMenus, scenarios: { [scenario.id]: changed } })[0]?.sentences).toEqual([
      'The caller presses 1. Before, the caller presses 2, presses 1.',
      'Expected is still waiting in Reception instead of Extension 101, Sales.',
    ]);
  });
});

describe('what one of two people changed where they contradict each other', () => {
  const told = (after: IvrDocument, at: Parameters<typeof changeSentences>[2]) =>
    changeSentences(twoMenus, after, at, known);

  test('one field of a menu, and nothing of its other fields', () => {
    const after = changeMenu(twoMenus, reception, { name: 'Front desk', timeout: 9, description: 'By day' });
    const field = (name: 'name' | 'timeout' | 'description') =>
      told(after, { kind: 'node', id: reception, field: name });
    expect(field('timeout')).toEqual(['Callers have 9 seconds to press a key instead of 5 seconds.']);
    expect(field('name')).toEqual([
      'It is called “Front desk” instead of “Reception”. Callers do not notice.',
    ]);
    expect(field('description')).toEqual(['The description differs. Callers do not notice.']);
  });

  test('where its keys and its other outcomes lead', () => {
    const cut = (port: Parameters<typeof connect>[1]) => connect(twoMenus, port, null);
    const keys = told(cut({ kind: 'key', menu: reception, index: 0 }), {
      kind: 'node',
      id: reception,
      field: 'keys',
    });
    expect(keys).toEqual([expect.stringMatching(/^Key \d leads to no destination instead of /u)]);
    const wrongKey = told(cut({ kind: 'invalid', menu: reception }), {
      kind: 'node',
      id: reception,
      field: 'invalid_destination',
    });
    expect(wrongKey).toEqual([expect.stringMatching(/^Too many wrong keys lead to no destination/u)]);
  });

  test('a card that was removed, and one that was not because something leads to it', () => {
    const at = { kind: 'node', id: reception, field: null } as const;
    expect(told(removeNodes(twoMenus, new Set([reception])), at)).toEqual(['Removed.']);
    expect(told(twoMenus, at)).toEqual(['Not removed: something leads to it.']);
  });

  test('the name, the start, and the prompts of all menus', () => {
    expect(told({ ...twoMenus, name: 'Night' }, { kind: 'flow', field: 'name' })).toEqual([
      `The draft is called “Night” instead of “${twoMenus.name}”.`,
    ]);
    expect(told(connect(twoMenus, { kind: 'caller' }, null), { kind: 'flow', field: 'start' })).toEqual([
      'Calls begin in no menu instead of “Reception”.',
    ]);
    const prompts = { wrong_key: 'outbound_tts||Try again.', timeout: null };
    expect(told({ ...twoMenus, prompts }, { kind: 'flow', field: 'wrong_key' })).toEqual([
      'After a wrong key callers will hear “Try again.” instead of nothing, in menus without a prompt of their own.',
    ]);
  });
});
