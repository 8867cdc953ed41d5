import { describe, expect, it, test } from 'vitest';
import { type IvrDocument, NodeId } from '../../../src/contract/menu/ivr-draft.ts';
import type { IvrBody } from '../../../src/contract/menu/ivr.ts';
import { ScheduleId } from '../../../src/contract/menu/schedule.ts';
import { bodyOfMenu } from '../../../src/core/ivr/body/menu-body.ts';
import { asStored, callerChanges, callerFlowOf, isHeard } from '../../../src/core/ivr/caller-changes.ts';
import { compileDraft } from '../../../src/core/ivr/compile/compile-draft.ts';
import { addKey, changeKey } from '../../../src/core/ivr/edit/edit-keys.ts';
import {
  changeEnd,
  changeHours,
  changeMenu,
  changeMessage,
  moveNodes,
  newHours,
  newMessage,
  removeNodes,
} from '../../../src/core/ivr/edit/edit-nodes.ts';
import { connect, menusOf } from '../../../src/core/ivr/edit/lines.ts';
import { fingerprintOf } from '../../../src/core/ivr/fingerprint.ts';
import { changeFlowPrompt } from '../../../src/core/ivr/flow-prompts.ts';
import { twoMenus } from '../../fixtures/ivr-documents.ts';

const reception = NodeId.parse('reception');
const opening = NodeId.parse('opening');
const sales = NodeId.parse('sales');
const key = (name: string) => ({ kind: 'key', key: name }) as const;
const to101 = { kind: 'destination', destination: 'extension||101' } as const;
const ids = { reception: 'ivr_1', opening: 'ivr_2' };

function compare(after: IvrDocument, before = twoMenus) {
  return callerChanges(callerFlowOf(before), callerFlowOf(after));
}
const ofReception = (after: IvrDocument) =>
  compare(after).menus.find(({ menu }) => menu === reception)?.changes;

/** The menus of a document as this service stores them when they are published. */
function stored(document: IvrDocument): Map<string, IvrBody> {
  const flow = compileDraft(document, {});
  if (!flow.ok) throw new Error('the document has errors');
  const idOf = (menu: string) => ids[menu as keyof typeof ids];
  return new Map([...flow.value.menus.values()].map((menu) => [idOf(menu.id), bodyOfMenu(menu, idOf)]));
}

describe('what differs for callers between two call flows', () => {
  test('nothing, where a copy is compared, or where parts were only moved', () => {
    expect(compare(structuredClone(twoMenus))).toEqual({ start: null, menus: [] });
    expect(compare(moveNodes(twoMenus, new Map([['sales', { x: 7, y: 0 }]])))).toEqual({
      start: null,
      menus: [],
    });
  });

  test('a key that leads elsewhere, a new one, and one that is gone', () => {
    const led = connect(twoMenus, { kind: 'key', menu: reception, index: 1 }, sales);
    expect(ofReception(led)).toEqual([
      { kind: 'led', way: key('2'), from: { kind: 'menu', menu: 'Opening' }, to: to101 },
    ]);
    const added = addKey(twoMenus, reception, { key: '3', to: sales });
    expect(ofReception(added)).toEqual([{ kind: 'led', way: key('3'), from: null, to: to101 }]);
    expect(compare(twoMenus, added).menus[0]?.changes).toEqual([
      { kind: 'led', way: key('3'), from: to101, to: null },
    ]);
  });

  test('a way that leads nowhere yet in an incomplete draft', () => {
    const led = connect(twoMenus, { kind: 'key', menu: reception, index: 0 }, null);
    expect(ofReception(led)).toEqual([{ kind: 'led', way: key('1'), from: to101, to: { kind: 'open' } }]);
    expect(ofReception(connect(twoMenus, { kind: 'timeout', menu: reception }, null))).toEqual([
      { kind: 'led', way: { kind: 'silence' }, from: to101, to: null },
    ]);
  });

  test('another number of a destination changes every way that leads there', () => {
    const { menus } = compare(changeEnd(twoMenus, sales, { ref: '102' }));
    const to = { kind: 'destination', destination: 'extension||102' };
    const ways = menus.map(({ changes }) => changes.map((one) => one.kind === 'led' && [one.way, one.to]));
    expect(ways).toEqual([
      [
        [key('1'), to],
        [{ kind: 'wrong_key' }, to],
        [{ kind: 'silence' }, to],
      ],
      [
        [key('1'), to],
        [{ kind: 'wrong_key' }, to],
        [{ kind: 'silence' }, to],
      ],
    ]);
  });

  test('prompts, also where a menu has that of all menus; retries, the time for a key, and SMS templates', () => {
    expect(
      ofReception(
        changeMenu(twoMenus, reception, {
          recording: 'recording||9',
          timeout: 8,
          incorrect_count: 0,
          timeout_tries: 3,
        }),
      ),
    ).toEqual([
      { kind: 'prompt', which: 'recording', from: 'recording||1', to: 'recording||9' },
      { kind: 'count', which: 'timeout', from: 5, to: 8 },
      { kind: 'count', which: 'incorrect_count', from: 2, to: 0 },
      { kind: 'count', which: 'timeout_tries', from: 1, to: 3 },
    ]);
    const bare = changeMenu(twoMenus, reception, { invalid_recording: null });
    const heard = (prompt: string) => changeFlowPrompt(bare, 'wrong_key', prompt);
    expect(compare(heard('recording||2'))).toEqual({ start: null, menus: [] });
    expect(compare(heard('recording||8')).menus[0]?.changes).toEqual([
      { kind: 'prompt', which: 'invalid_recording', from: 'recording||2', to: 'recording||8' },
    ]);
    expect(ofReception(changeKey(twoMenus, reception, 0, { sms_template: '31' }))).toEqual([
      { kind: 'sms', key: '1', from: null, to: '31' },
    ]);
  });

  test('a menu that is new or gone, and where calls begin', () => {
    const fewer = removeNodes(twoMenus, new Set(['opening']));
    expect(compare(fewer).menus).toContainEqual({
      menu: opening,
      name: 'Opening',
      kind: 'removed',
      changes: [],
    });
    const added = compare(twoMenus, fewer).menus.find(({ menu }) => menu === opening);
    expect(added).toMatchObject({ kind: 'added', name: 'Opening' });
    expect(added?.changes).toHaveLength(11);
    expect(compare(connect(twoMenus, { kind: 'caller' }, opening)).start).toEqual({
      from: { kind: 'menu', menu: 'Reception' },
      to: { kind: 'menu', menu: 'Opening' },
    });
  });

  test('names, descriptions and the order of keys differ, but no caller notices', () => {
    const menu = twoMenus.nodes[reception];
    if (menu?.kind !== 'menu') throw new Error('the reception is a menu');
    const changed = compare(
      changeMenu(twoMenus, reception, { name: 'Front desk', description: '', keys: menu.keys.toReversed() }),
    );
    expect(changed.menus).toEqual([
      {
        menu: reception,
        name: 'Front desk',
        kind: 'changed',
        changes: [
          { kind: 'unheard', which: 'name', from: 'Reception', to: 'Front desk' },
          { kind: 'unheard', which: 'description', from: 'Who is called', to: '' },
          { kind: 'unheard', which: 'order', from: '1 2', to: '2 1' },
        ],
      },
    ]);
    expect(isHeard(changed)).toBe(false);
    expect(isHeard(compare(addKey(twoMenus, reception, { key: '3', to: sales })))).toBe(true);
  });

  test('before the first publication everything is new', () => {
    const { start, menus } = callerChanges(null, callerFlowOf(twoMenus));
    expect(start).toEqual({ from: null, to: { kind: 'menu', menu: 'Reception' } });
    expect(menus.map(({ kind }) => kind)).toEqual(['added', 'added']);
  });
});

describe('compared with what is stored', () => {
  const published = callerFlowOf(twoMenus, { ids });
  const compareStored = (menus: ReadonlyMap<string, IvrBody>, after = twoMenus) =>
    callerChanges(asStored(published, ids, menus), callerFlowOf(after, { ids }));

  test('nothing differs after a publication, though menus there have other ids', () => {
    expect(compareStored(stored(twoMenus))).toEqual({ start: null, menus: [] });
  });

  test('what was changed there since would be undone', () => {
    const menus = stored(addKey(twoMenus, reception, { key: '7', to: opening }));
    expect(compareStored(menus).menus[0]?.changes).toEqual([
      { kind: 'led', way: key('7'), from: { kind: 'menu', menu: 'Opening' }, to: null },
    ]);
  });

  test('a menu that was deleted there is stored anew', () => {
    const menus = stored(twoMenus);
    menus.delete('ivr_2');
    expect(compareStored(menus).menus.map(({ menu, kind }) => [menu, kind])).toContainEqual([
      opening,
      'added',
    ]);
  });

  test('a destination that names a menu of the flow by its stored id is that menu', () => {
    const byId = changeEnd(connect(twoMenus, { kind: 'key', menu: reception, index: 1 }, sales), sales, {
      type: 'ivr',
      ref: 'ivr_2',
    });
    const changes = callerChanges(published, callerFlowOf(byId, { ids })).menus[0]?.changes ?? [];
    expect(changes).not.toContainEqual(expect.objectContaining({ way: key('2') }));
  });

  test('SMS templates that are left out there are no difference', () => {
    const after = changeKey(twoMenus, reception, 0, { sms_template: '31' });
    expect(callerChanges(published, callerFlowOf(after, { ids, sms: false })).menus).toEqual([]);
    expect(callerChanges(published, callerFlowOf(after, { ids })).menus).toHaveLength(1);
  });
});

describe('opening hours, messages and dialled numbers', () => {
  const place = { x: 0, y: 0 };
  const [ask, shut] = ['ask', 'shut'].map((id) => NodeId.parse(id)) as [NodeId, NodeId];
  const hours = ScheduleId.parse('hrs_1');
  const end = Object.values(twoMenus.nodes).find(({ kind }) => kind === 'end')!;
  const before: IvrDocument = {
    ...twoMenus,
    caller: { ...twoMenus.caller, to: ask },
    nodes: {
      ...twoMenus.nodes,
      [ask]: { ...newHours(ask, hours, place), open: twoMenus.caller.to, closed: shut },
      [shut]: { ...newMessage(shut, 'Shut', place), recording: 'recording||9', then: end.id },
    },
  };
  const changed = (after: IvrDocument) => callerChanges(callerFlowOf(before), callerFlowOf(after)).menus;

  it('are compared like menus', () => {
    expect(changed(before)).toEqual([]);
    const after = changeHours(changeMessage(before, shut, { recording: 'recording||8' }), ask, {
      holiday: shut,
      hours: ScheduleId.parse('hrs_2'),
    });
    expect(changed(after)).toEqual([
      {
        menu: ask,
        name: '',
        node: 'hours',
        kind: 'changed',
        changes: [
          { kind: 'hours', from: 'hrs_1', to: 'hrs_2' },
          {
            kind: 'led',
            way: { kind: 'holiday' },
            from: { kind: 'open' },
            to: { kind: 'message', name: 'Shut' },
          },
        ],
      },
      {
        menu: shut,
        name: 'Shut',
        node: 'message',
        kind: 'changed',
        changes: [{ kind: 'prompt', which: 'recording', from: 'recording||9', to: 'recording||8' }],
      },
    ]);
    expect(fingerprintOf(after)).not.toBe(fingerprintOf(before));
    expect(fingerprintOf(changeHours(before, ask, { place: { x: 9, y: 9 } }))).toBe(fingerprintOf(before));
  });

  it('tell what callers may dial', () => {
    const { id } = menusOf(before)[0]!;
    const after = changeMenu(before, id, { direct_dial: { numbers: 'directory', digit_timeout: 2 } });
    expect(changed(after)).toMatchObject([
      { menu: id, changes: [{ kind: 'dial', from: null, to: 'directory' }] },
    ]);
  });
});
