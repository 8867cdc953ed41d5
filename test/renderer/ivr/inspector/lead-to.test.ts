import type { ScheduleId } from '../../../../src/contract/menu/schedule.ts';
import { firstNeed } from '../../../../src/renderer/ivr/designer/parts/place-part.ts';
import { describe, expect, test } from 'vitest';
import { defaultSettings } from '../../../../src/contract/service/settings.ts';
import { type IvrDocument, type MenuNode, NodeId } from '../../../../src/contract/menu/ivr-draft.ts';
import { destinationOffers, leadTo } from '../../../../src/renderer/ivr/designer/inspector/destinations.ts';
import { alignNodes, distributeNodes } from '../../../../src/renderer/ivr/designer/inspector/inspector.tsx';
import { matching, mostOffers } from '../../../../src/renderer/ivr/designer/inspector/combo.tsx';
import { readNumber } from '../../../../src/renderer/ivr/designer/inspector/text-lines.tsx';
import { emptyDocument, moveNodes } from '../../../../src/core/ivr/edit/edit-nodes.ts';
import type { ReferenceData } from '../../../../src/renderer/ivr/designer/use-designer.ts';
import { twoMenus } from '../../../fixtures/ivr-documents.ts';

const menu = NodeId.parse('reception');
const first = { kind: 'key', menu, index: 0 } as const;

describe('where a port leads', () => {
  test('to a node that is there, or to nothing', () => {
    const id = NodeId.parse('opening');
    expect(leadTo(twoMenus, first, { kind: 'node', id }).document.nodes[menu]).toMatchObject({
      keys: [{ to: id }, {}],
    });
    expect(leadTo(twoMenus, first, { kind: 'none' }).document.nodes[menu]).toMatchObject({
      keys: [{ to: null }, {}],
    });
  });

  test('a new node is connected, and lies on none that is there', () => {
    let { document } = leadTo(twoMenus, first, { kind: 'new-end', type: 'voicemail', ref: '' });
    ({ document } = leadTo(document, { kind: 'invalid', menu }, { kind: 'new-menu' }));
    ({ document } = leadTo(
      document,
      { kind: 'timeout', menu },
      { kind: 'new-end', type: 'hangup', ref: '' },
    ));
    expect(document.nodes[menu]).toMatchObject({
      keys: [{ to: 'end1' }, {}],
      invalid_destination: 'menu1',
      timeout_destination: 'end2',
    });
    const places = ['end1', 'menu1', 'end2'].map((id) =>
      JSON.stringify(document.nodes[NodeId.parse(id)]?.place),
    );
    expect(new Set(places).size).toBe(3);
  });
});

describe('the destinations that are offered', () => {
  const known: ReferenceData = {
    recordings: [],
    smsTemplates: [],
    pbxs: [],
    smsTemplatesEnabled: false,
    outside: { countries: [], perHour: 30 },
    spokenAs: defaultSettings,
    usualSpokenAs: defaultSettings,
    voices: null,
    pronunciations: [],
    menus: [],
    extensions: [
      { id: '102', name: 'Sales desk' },
      { id: '1010', name: 'Asha Rao' },
    ],
  };
  const names = (typed: string, document = twoMenus, options = {}) =>
    destinationOffers(document.nodes, known, typed, options).map(({ name }) => name);
  const empty = emptyDocument('Nothing yet');

  test('a number is an extension first, and a number of every other kind', () => {
    const offered = names('105');
    expect(offered[0]).toBe('Extension 105');
    expect(offered).toContain('Voicemail 105');
    expect(offered).not.toContain('Hang up 105');
    expect(names('101', empty)[0]).toBe('Extension 101');
  });

  test('a number of the directory has its name, and one of the call flow is offered once', () => {
    expect(names('102')[0]).toBe('Extension 102, Sales desk');
    expect(names('101').filter((name) => name.startsWith('Extension 101'))).toEqual([
      'Extension 101',
      'Extension 1010, Asha Rao',
    ]);
    expect(destinationOffers(twoMenus.nodes, known, '101')[0]?.lead).toEqual({ kind: 'node', id: 'sales' });
  });

  test('a name finds people of the directory and menus of the call flow', () => {
    expect(names('sales')).toEqual(['Extension 102, Sales desk']);
    expect(names('open')[0]).toBe('Opening');
    expect(names('hang')).toEqual(['Hang up']);
    expect(names('No destination')).toEqual(['No destination']);
  });

  test('the end of a call is offered before what needs a number, and said to be new once there is one', () => {
    const offered = (document: IvrDocument) =>
      destinationOffers(document.nodes, known, '').flatMap(({ name, group }) =>
        group === 'new' ? [name] : [],
      );
    expect(offered(empty).slice(0, 5)).toEqual([
      'New menu',
      'Hang up',
      'New opening hours',
      'New message',
      'New: extension',
    ]);
    const { document } = leadTo(
      twoMenus,
      { kind: 'invalid', menu },
      { kind: 'new-end', type: 'hangup', ref: '' },
    );
    expect(offered(document)[1]).toBe('New: hang up');
  });

  test('a kind with its number or id is one destination', () => {
    expect(names('voicemail 7')[0]).toBe('Voicemail 7');
    expect(names('dep front-desk')).toEqual(['Queue or department front-desk']);
    expect(names('queue 400')).toEqual(['Queue or department 400']);
    expect(names('+49 (0)30 227350')[0]).toBe('Outside number +4930227350');
    expect(names('4711')).not.toContain('Outside number 4711');
    const [offer] = destinationOffers(empty.nodes, known, 'ext 7');
    const { document, added } = leadTo(twoMenus, { kind: 'free-key', menu, key: '5' }, offer!.lead);
    expect(document.nodes[added!]).toMatchObject({ kind: 'end', type: 'extension', ref: '7' });
    expect(document.nodes[menu]).toMatchObject({ keys: [{}, {}, { key: '5', to: added }] });
  });

  test('a call starts with a menu, opening hours or a message', () => {
    expect(names('', twoMenus, { isStart: true })).toEqual([
      'Reception',
      'Opening',
      'New menu',
      'New opening hours',
      'New message',
      'No destination',
    ]);
  });

  test('a submenu does the same after a wrong key and a timeout as the menu before it', () => {
    const { document, added } = leadTo(twoMenus, first, { kind: 'new-menu' });
    const { invalid_destination, timeout_recording } = twoMenus.nodes[menu] as MenuNode;
    expect(document.nodes[added!]).toMatchObject({ invalid_destination, timeout_recording, keys: [] });
    expect(leadTo(twoMenus, { kind: 'caller' }, { kind: 'new-menu' }).document.nodes[added!]).toMatchObject({
      invalid_destination: null,
    });
  });

  test('a new part asks for what it lacks: a name, a number, opening hours', () => {
    expect(firstNeed({ kind: 'end', type: 'extension', ref: '' })).toBe('ref');
    expect(firstNeed({ kind: 'end', type: 'extension', ref: '101' })).toBeNull();
    expect(firstNeed({ kind: 'end', type: 'hangup', ref: '' })).toBeNull();
    expect(firstNeed({ kind: 'menu' })).toBe('name');
    expect(firstNeed({ kind: 'message' })).toBe('name');
    expect(firstNeed({ kind: 'hours', hours: null })).toBe('hours');
    expect(firstNeed({ kind: 'hours', hours: 'office' as ScheduleId })).toBeNull();
  });

  test('an exit leads to new opening hours and to a new message, and each exit of these leads on', () => {
    const hours = leadTo(twoMenus, { kind: 'caller' }, { kind: 'new-hours', hours: 'office' as ScheduleId });
    expect(hours.document.caller.to).toBe(hours.added);
    expect(hours.document.nodes[hours.added!]).toMatchObject({ kind: 'hours', hours: 'office', open: null });
    const closed = leadTo(hours.document, { kind: 'closed', menu: hours.added! }, { kind: 'new-message' });
    expect(closed.document.nodes[hours.added!]).toMatchObject({ closed: closed.added, holiday: null });
    expect(closed.document.nodes[closed.added!]).toMatchObject({ kind: 'message', name: 'Message 1' });
    const ended = leadTo(
      closed.document,
      { kind: 'then', menu: closed.added! },
      { kind: 'new-end', type: 'voicemail', ref: '7' },
    );
    expect(ended.document.nodes[closed.added!]).toMatchObject({ then: ended.added });
  });

  test('a directory of thousands is cut off', () => {
    const many = {
      ...known,
      extensions: Array.from({ length: 5_000 }, (_, place) => ({ id: `${place}`, name: 'Desk' })),
    };
    expect(destinationOffers(twoMenus.nodes, many, '').length).toBeLessThan(60);
    expect(destinationOffers(twoMenus.nodes, many, 'desk').length).toBeLessThan(100);
  });
});

describe('several parts', () => {
  const drawn = moveNodes(
    twoMenus,
    new Map([
      ['caller', { x: -100, y: 0 }],
      ['reception', { x: 10, y: 50 }],
      ['opening', { x: 70, y: 90 }],
      ['sales', { x: 40, y: 400 }],
    ]),
  );

  test('are aligned with the foremost, the caller too', () => {
    const { caller, nodes } = alignNodes(drawn, new Set(['caller', 'opening', 'sales']), 'x');
    expect([
      caller.place.x,
      nodes[NodeId.parse('opening')]?.place.x,
      nodes[NodeId.parse('sales')]?.place.x,
    ]).toEqual([-100, -100, -100]);
    expect(nodes[menu]?.place).toEqual({ x: 10, y: 50 });
  });

  test('get the same distance between them, in the order in which they lie', () => {
    const { nodes } = distributeNodes(drawn, new Set(['reception', 'opening', 'sales']), 'y');
    expect(Object.values(nodes).map(({ place }) => place.y)).toEqual([50, 225, 400]);
  });
});

describe('what is typed', () => {
  test.each([
    ['5', 5],
    [' 12 ', 12],
    ['007', 7],
    ['-1', -1],
    ['', null],
    ['5x', null],
    ['1.5', null],
    ['12345678', null],
  ])('%j is the number %j', (text, number) => {
    expect(readNumber(text)).toBe(number);
  });

  test('what begins with it is offered before what has it in it, and never too many', () => {
    const offers = [
      { value: '100', name: 'Back desk' },
      { value: '10', name: 'Anna' },
      { value: '7', name: 'Desk' },
    ];
    expect(matching(offers, 'desk').map(({ value }) => value)).toEqual(['7', '100']);
    expect(matching(offers, '10').map(({ value }) => value)).toEqual(['100', '10']);
    const many = Array.from({ length: 10_000 }, (_, place) => ({ value: `${place}`, name: 'Desk' }));
    expect(matching(many, '')).toHaveLength(mostOffers);
  });
});
