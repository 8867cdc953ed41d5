import { describe, expect, test } from 'vitest';
import { NodeId } from '../../../../src/contract/ivr-draft.ts';
import { leadTo } from '../../../../src/renderer/ivr/designer/inspector/destination-picker.tsx';
import { alignNodes, distributeNodes } from '../../../../src/renderer/ivr/designer/inspector/inspector.tsx';
import { matching, mostOffers } from '../../../../src/renderer/ivr/designer/inspector/combo.tsx';
import { readNumber } from '../../../../src/renderer/ivr/designer/inspector/text-lines.tsx';
import { moveNodes } from '../../../../src/core/ivr/edit/edit-nodes.ts';
import { twoMenus } from '../../../fixtures/ivr-documents.ts';

const menu = NodeId.parse('reception');
const first = { kind: 'key', menu, index: 0 } as const;

describe('where a port leads', () => {
  test('to a node that is there, or to nothing', () => {
    const id = NodeId.parse('opening');
    expect(leadTo(twoMenus, first, { kind: 'node', id }).nodes[menu]).toMatchObject({
      keys: [{ to: id }, {}],
    });
    expect(leadTo(twoMenus, first, { kind: 'none' }).nodes[menu]).toMatchObject({ keys: [{ to: null }, {}] });
  });

  test('a new node is connected, and lies on none that is there', () => {
    let document = leadTo(twoMenus, first, { kind: 'new-end', type: 'voicemail' });
    document = leadTo(document, { kind: 'invalid', menu }, { kind: 'new-menu' });
    document = leadTo(document, { kind: 'timeout', menu }, { kind: 'new-end', type: 'hangup' });
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
