import { describe, expect, it } from 'vitest';
import type { NodeId } from '../../../../src/contract/menu/ivr-draft.ts';
import { changeMenu } from '../../../../src/core/ivr/edit/edit-nodes.ts';
import { type CardContent, cardContents } from '../../../../src/renderer/ivr/designer/canvas/card-content.ts';
import { FlowNodes, type Shown, marksOf } from '../../../../src/renderer/ivr/designer/canvas/flow-nodes.ts';
import {
  freeKeys,
  handleOf,
  readHandle,
} from '../../../../src/renderer/ivr/designer/canvas/card-geometry.ts';
import { SameEntries } from '../../../../src/renderer/ivr/designer/canvas/use-cards.ts';
import { templates } from '../../../../src/renderer/ivr/drafts/templates.ts';

const queue = templates.find(({ name }) => name === 'support-queue')!.document;
const none = new Map<string, string>();
const names = { recordings: none, extensions: none, menus: none, smsTemplates: none, schedules: none };
const same = new SameEntries<CardContent>();
const show = (document: typeof queue, change: Partial<Shown> = {}): Shown => ({
  document,
  selection: new Set(),
  lit: null,
  marks: new Map(),
  contents: same.of(cardContents(document, names)),
  moved: new Map(),
  ...change,
});

describe('the cards of the canvas', () => {
  it('are the same objects but for the one that changed and those that mention it', () => {
    const cards = new FlowNodes();
    const before = cards.of(show(queue));
    const after = cards.of(show(changeMenu(queue, 'phone' as NodeId, { name: 'Landline' })));
    const other = after.filter((card, place) => card !== before[place]).map(({ id }) => id);
    expect(other).toEqual(['support', 'phone']);
  });

  it('are the same objects but for those that are being moved, selected or lit', () => {
    const cards = new FlowNodes();
    const before = cards.of(show(queue));
    const after = cards.of(
      show(queue, {
        moved: new Map([['callback', { x: 1, y: 2 }]]),
        selection: new Set(['internet']),
        lit: { nodes: new Set(['caller']), lines: [], at: 'support' },
      }),
    );
    const other = after.filter((card, place) => card !== before[place]).map(({ id }) => id);
    expect(other.toSorted()).toEqual(['callback', 'caller', 'internet', 'support']);
    expect(after.find(({ id }) => id === 'callback')?.position).toEqual({ x: 1, y: 2 });
  });

  it('say at which of their ports something is wrong', () => {
    const place = { severity: 'error', field: null, scenario: null } as const;
    const way = { kind: 'silence' } as const;
    const problem = { ...place, code: 'destination_open', params: { menu: 'Support', way } } as const;
    const node = 'support' as NodeId;
    const marks = marksOf([
      { ...problem, node, path: 'nodes.support.keys.1.to' },
      { ...problem, node, path: 'nodes.support.timeout_recording', severity: 'warning' },
      { ...place, node: null, path: 'caller.to', code: 'no_start', params: { first: 'Support' } },
    ]);
    expect(marks.get('support')).toMatchObject({
      severity: 'error',
      parts: { 'key-1': 'error', timeout: 'warning' },
    });
    expect([...marks.keys()]).toEqual(['support', 'caller']);
  });

  it('name each of their ports so that it is found again', () => {
    const menu = 'support' as NodeId;
    for (const start of [
      { kind: 'key', menu, index: 3 },
      { kind: 'free-key', menu, key: '#' },
      { kind: 'invalid', menu },
      { kind: 'timeout', menu },
    ] as const)
      expect(readHandle(menu, handleOf(start))).toEqual(start);
    expect(readHandle('caller', 'caller')).toEqual({ kind: 'caller' });
    expect(readHandle(menu, 'in')).toBeUndefined();
  });
});

it('a menu with as many keys as it can have offers none', () => {
  const menu = Object.values(queue.nodes).find((node) => node.kind === 'menu')!;
  const longer = (count: number) => ({
    ...menu,
    keys: Array.from({ length: count }, (_, at) => ({ ...menu.keys[0]!, key: String(10 + at) })),
  });
  expect(freeKeys(longer(23))).toHaveLength(12);
  expect(freeKeys(longer(24))).toEqual([]);
});
