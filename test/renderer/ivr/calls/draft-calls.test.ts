import { expect, test } from 'vitest';
import type { LiveCall } from '../../../../src/contract/calls/call.ts';
import { withNotice } from '../../../../src/renderer/calls/live-calls.ts';
import {
  areSameCalls,
  ById,
  callersByNode,
  nodesByMenu,
  trafficByNode,
} from '../../../../src/renderer/ivr/designer/calls/draft-calls.ts';
import { twoMenus } from '../../../fixtures/ivr-documents.ts';

function call(id: string, menu: string, draft: string | null = null): LiveCall {
  return { id, menu, draft, keys: [], doing: 'waiting' } as unknown as LiveCall;
}

test('calls of published menus and of this draft are at its nodes, others are not', () => {
  const nodes = nodesByMenu({ reception: 'ivr_a', opening: 'ivr_b' });
  const calls = [
    call('1', 'ivr_a'),
    call('2', 'ivr_b'),
    call('3', 'ivr_z'),
    call('4', 'reception', 'draft_a'),
    call('5', 'reception', 'draft_b'),
  ];
  const ids = [...callersByNode(calls, 'draft_a', nodes)].map(([node, here]) => [
    node,
    here.map(({ id }) => id),
  ]);
  expect(ids).toEqual([
    ['reception', ['1', '4']],
    ['opening', ['2']],
  ]);
});

test('a notice replaces what changed, adds what is new and removes what has ended', () => {
  const before = [call('1', 'ivr_a'), call('2', 'ivr_a')];
  const after = withNotice(before, {
    changed: [call('2', 'ivr_b'), call('3', 'ivr_a')],
    ended: ['1', 'unknown'] as never,
  });
  expect(after.map(({ id, menu }) => [id, menu])).toEqual([
    ['2', 'ivr_b'],
    ['3', 'ivr_a'],
  ]);
  expect(withNotice(after, { changed: [], ended: [] })).toBe(after);
});

test('a value that is the same stays the same object, and nobody is told when none changed', () => {
  const values = new ById<readonly LiveCall[]>(areSameCalls);
  const [one, other] = [call('1', 'ivr_a'), call('2', 'ivr_b')];
  let told = 0;
  values.subscribe(() => (told += 1));
  values.set(new Map([['a', [one]]]));
  const kept = values.all().get('a');
  values.set(new Map([['a', [one]]]));
  expect(told).toBe(1);
  values.set(
    new Map([
      ['a', [one]],
      ['b', [other]],
    ]),
  );
  expect(told).toBe(2);
  expect(values.all().get('a')).toBe(kept);
});

test('traffic stands at the menus and exits of the draft, with zero where no call came', () => {
  const menus = [
    {
      menu: 'ivr_a',
      entered: 100,
      keys: { '1': 60, '2': 10 },
      wrong_keys: 8,
      timeouts: 20,
      hung_up: 12,
      led: { wrong_key: 2, timeout: 5 },
    },
  ];
  const { menus: found, exits } = trafficByNode({ menus }, twoMenus, {
    reception: 'ivr_a',
    opening: 'ivr_b',
  });
  expect(found.get('reception')?.entered).toBe(100);
  expect(found.get('opening')?.entered).toBe(0);
  expect(exits.get('reception:key-1')).toEqual({ count: 10, led: null, entered: 100 });
  expect(exits.get('reception:invalid')).toEqual({ count: 8, led: 2, entered: 100 });
  expect(exits.get('reception:timeout')).toEqual({ count: 20, led: 5, entered: 100 });
});
