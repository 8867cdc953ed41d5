import { describe, expect, test } from 'vitest';
import type { CallerChange, CallerPlace, MenuChange } from '../../src/contract/menu/caller-change.ts';
import { type IvrDocument, NodeId } from '../../src/contract/menu/ivr-draft.ts';
import { callerChanges, callerFlowOf } from '../../src/core/ivr/caller-changes.ts';
import { changeEnd, changeMenu, removeNodes } from '../../src/core/ivr/edit/edit-nodes.ts';
import { startSentence, toldMenus } from '../../src/text/menu/change-sentences.ts';
import { twoMenus } from '../fixtures/ivr-documents.ts';

const reception = NodeId.parse('reception');
const known = {
  extensions: [{ id: '101', name: 'Sales' }],
  menus: [{ id: 'ivr_9', name: 'Elsewhere' }],
  recordings: [{ id: 1, name: 'Welcome' }],
};

function told(changes: readonly CallerChange[], kind: MenuChange['kind'] = 'changed'): readonly string[] {
  const [menu] = toldMenus(
    { start: null, menus: [{ menu: reception, name: 'Reception', kind, changes }] },
    known,
  );
  return menu?.sentences ?? [];
}
const place = (destination: string) => ({ kind: 'destination', destination }) as const;
const led = (from: string | null, to: string | null): CallerChange => ({
  kind: 'led',
  way: { kind: 'key', key: '2' },
  from: from === null ? null : place(from),
  to: to === null ? null : place(to),
});

describe('what changes for callers, in words', () => {
  test.each<[CallerChange, string]>([
    [
      { kind: 'digit_time', from: 2, to: 4 },
      'Callers have 4 seconds for the next digit of a number instead of 2.',
    ],
    [
      { kind: 'prompt', which: 'recording', from: 'recording||1', to: 'outbound_tts||Good day' },
      'Callers will now hear “Good day” instead of recording “Welcome”.',
    ],
    [
      { kind: 'prompt', which: 'recording', from: 'outbound_tts||Welcome.', to: 'outbound_tts||Press 1.' },
      'Callers will now hear “Press 1.” instead of “Welcome.”',
    ],
    [
      { kind: 'prompt', which: 'invalid_recording', from: null, to: 'recording||7' },
      'After a wrong key callers will now hear recording 7.',
    ],
    [
      { kind: 'prompt', which: 'timeout_recording', from: 'recording||7', to: null },
      'After the last timeout callers will now hear nothing instead of recording 7.',
    ],
    [
      led('extension||101', 'extension||102'),
      'Key 2 leads to extension 102 instead of Sales (extension 101).',
    ],
    [led(null, 'hangup'), 'Key 2 is new and leads to the end of the call.'],
    [
      led('ivr||ivr_9', null),
      'Key 2 no longer works. It led to stored menu “Elsewhere”, and counts as a wrong key now.',
    ],
    [
      {
        kind: 'led',
        way: { kind: 'wrong_key' },
        from: place('hangup'),
        to: { kind: 'menu', menu: 'Opening' },
      },
      'Too many wrong keys lead to “Opening” instead of the end of the call.',
    ],
    [
      { kind: 'led', way: { kind: 'silence' }, from: place('hangup'), to: { kind: 'open' } },
      'Too many timeouts lead to no destination instead of the end of the call.',
    ],
    [
      { kind: 'count', which: 'timeout', from: 5, to: 1 },
      'Callers have 1 second to press a key instead of 5 seconds.',
    ],
    [
      { kind: 'count', which: 'incorrect_count', from: 0, to: 2 },
      'Callers get 2 retries after a wrong key instead of 0.',
    ],
    [
      { kind: 'count', which: 'timeout_tries', from: 3, to: 1 },
      'Callers get 1 retry after a timeout instead of 3.',
    ],
    [{ kind: 'sms', key: '1', from: '30', to: '31' }, 'Key 1 sends SMS template 31 instead of 30.'],
    [{ kind: 'sms', key: '1', from: '30', to: null }, 'Key 1 no longer sends SMS template 30.'],
    [
      { kind: 'unheard', which: 'order', from: '1 2', to: '2 1' },
      'The keys are in the order 2 1 instead of 1 2. Callers do not notice.',
    ],
  ])('%o', (change, sentence) => {
    expect(told([change])).toEqual([sentence]);
  });

  test('of a menu that is new, all that it does', () => {
    const changes = callerChanges(null, callerFlowOf(twoMenus));
    expect(toldMenus(changes, known)[0]).toEqual({
      isPart: false,
      menu: 'reception',
      name: 'Reception',
      kind: 'added',
      sentences: [
        'Callers hear recording “Welcome”.',
        'Key 1 leads to Sales (extension 101); key 2 leads to “Opening”.',
        'After a wrong key callers hear recording 2, get 2 retries, then go to Sales (extension 101).',
        'After 5 seconds without a key callers hear recording 3, get 1 retry, then hear recording 4 and go to Sales (extension 101).',
      ],
    });
  });

  test('of one that is no longer part of the flow, what becomes of it', () => {
    expect(told([], 'removed')).toEqual([
      'No longer part of this call flow. It stays stored as it is, until you delete it there.',
    ]);
  });

  test('where calls begin, if that differs', () => {
    const menu = (name: string | null): CallerPlace => ({ kind: 'menu', menu: name });
    const begins = (from: string | null, to: string | null) =>
      startSentence({ start: { from: from === null ? null : menu(from), to: menu(to) }, menus: [] });
    expect(startSentence({ start: null, menus: [] })).toBeNull();
    expect(begins('Reception', 'Opening')).toBe('Calls begin in “Opening” instead of “Reception”.');
    expect(begins(null, 'Opening')).toBe('Calls begin in “Opening”.');
    const hours = { from: menu('Opening'), to: { kind: 'hours' } } as const;
    expect(startSentence({ start: hours, menus: [] })).toBe(
      'Calls begin with the opening hours instead of in “Opening”.',
    );
    const message = { from: null, to: { kind: 'message', name: 'Closed' } } as const;
    expect(startSentence({ start: message, menus: [] })).toBe('Calls begin with the message “Closed”.');
    expect(startSentence({ start: { from: menu('Opening'), to: { kind: 'open' } }, menus: [] })).toBe(
      'Calls begin in no menu instead of “Opening”.',
    );
  });

  test('opening hours and messages, with the names of schedules', () => {
    const parts = { ...known, schedules: [{ id: 'hrs_1', name: 'Office' }] };
    const part = (node: 'hours' | 'message', kind: MenuChange['kind'], changes: readonly CallerChange[]) =>
      toldMenus({ start: null, menus: [{ menu: reception, name: 'Closed', node, kind, changes }] }, parts)[0];
    const asks = (from: string | null, to: string | null): CallerChange => ({ kind: 'hours', from, to });
    expect(part('hours', 'changed', [asks('hrs_0', 'hrs_1')])).toMatchObject({
      name: 'Opening hours',
      isPart: true,
      sentences: [
        'Callers are led by the opening hours “Office” instead of hrs_0, which are not stored any more.',
      ],
    });
    expect(part('hours', 'added', [asks(null, 'hrs_1')])?.sentences).toEqual([
      'Callers are led by the opening hours “Office”.',
    ]);
    expect(part('hours', 'changed', [asks('hrs_1', null)])?.sentences).toEqual([
      'No opening hours are chosen.',
    ]);
    expect(part('message', 'removed', [])?.sentences).toEqual(['No longer part of this call flow.']);
  });

  test('a sentence never has a name of the API', () => {
    const changed: IvrDocument = changeEnd(
      changeMenu(twoMenus, reception, {
        recording: 'recording||9',
        timeout: 9,
        incorrect_count: 9,
        timeout_tries: 9,
        invalid_recording: 'outbound_tts||No',
        timeout_recording: 'recording||9',
        timeout_retry_recording: 'recording||9',
        invalid_destination: NodeId.parse('opening'),
        timeout_destination: NodeId.parse('opening'),
      }),
      NodeId.parse('sales'),
      { type: 'time_condition', ref: '7' },
    );
    const said = [removeNodes(changed, new Set(['opening'])), changed].flatMap((document) =>
      toldMenus(callerChanges(callerFlowOf(twoMenus), callerFlowOf(document)), known).flatMap(
        ({ sentences }) => sentences,
      ),
    );
    expect(said.length).toBeGreaterThan(20);
    expect(said.filter((one) => /_|\|\||\[/.test(one))).toEqual([]);
  });
});
