import { expect, it } from 'vitest';
import { groupSaves } from '../../../src/core/history/save-groups.ts';

it('groups saves of one draft that nothing in the list stands between', () => {
  const all = [{ from: 10, count: 10 }];
  const saves = new Map([
    ['draft_a', [10, 9, 6, 5, 4]],
    ['draft_b', [8, 7]],
  ]);
  expect(groupSaves(all, saves)).toEqual([
    { seq: 10, count: 2, subject: 'draft_a' },
    { seq: 8, count: 2, subject: 'draft_b' },
    { seq: 6, count: 3, subject: 'draft_a' },
  ]);
});

it('groups them over events that the list leaves out', () => {
  const filtered = [
    { from: 10, count: 2 },
    { from: 6, count: 3 },
  ];
  expect(groupSaves(filtered, new Map([['draft_a', [10, 9, 6, 5, 4, 2]]]))).toEqual([
    { seq: 10, count: 5, subject: 'draft_a' },
  ]);
});
