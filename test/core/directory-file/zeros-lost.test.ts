import { expect, it } from 'vitest';
import { zerosLost } from '../../../src/core/directory-file/zeros-lost.ts';

it.each([
  ['a new one that is known with a zero', ['101'], ['0101'], [{ id: '101', known: '0101' }]],
  ['a new one that is known with two', ['7'], ['007'], [{ id: '7', known: '007' }]],
  ['one that is known without', ['101'], ['0101', '101'], []],
  ['one of a file that has both, which has lost no zero', ['101', '0101'], ['0101'], []],
  ['one of a file that has both, both new', ['105', '0105'], [], []],
  ['no number', ['x5'], ['0x5'], []],
])('suspects %s or does not', (_what, fileIds, known, expected) => {
  expect(zerosLost(fileIds, new Map(known.map((id) => [id, id])))).toEqual(expected);
});
