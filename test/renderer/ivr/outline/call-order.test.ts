import { expect, test } from 'vitest';
import { NodeId } from '../../../../src/contract/menu/ivr-draft.ts';
import { connect } from '../../../../src/core/ivr/edit/lines.ts';
import { callOrder, nextOf } from '../../../../src/renderer/ivr/designer/outline.tsx';
import { twoMenus } from '../../../fixtures/ivr-documents.ts';

const idsOf = (document: typeof twoMenus) => callOrder(document).map(({ id }) => String(id));

test('parts are listed as a call comes to them, those that none reaches last', () => {
  expect(idsOf(twoMenus)).toEqual(['reception', 'sales', 'opening']);
  expect(idsOf(connect(twoMenus, { kind: 'caller' }, NodeId.parse('opening')))).toEqual([
    'opening',
    'sales',
    'reception',
  ]);
  expect(idsOf(connect(twoMenus, { kind: 'caller' }, null))).toEqual(Object.keys(twoMenus.nodes));
});

test('a line to what is not there any more leads nowhere', () => {
  expect(idsOf(connect(twoMenus, { kind: 'caller' }, NodeId.parse('gone')))).toEqual(
    Object.keys(twoMenus.nodes),
  );
});

test.each([
  ['ArrowDown', 0, 1],
  ['ArrowDown', 2, 2],
  ['ArrowUp', 0, 0],
  ['Home', 2, 0],
  ['End', 0, 2],
  ['Enter', 1, null],
])('%s leads from %i of three to %j', (key, from, to) => {
  expect(nextOf(key, from, 3)).toBe(to);
});
