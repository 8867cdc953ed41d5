import { expect, it } from 'vitest';
import { GraphicsEnds } from '../../src/main/graphics-ends.ts';

it('three ends of the graphics process within a minute are too many, three in a day are not', () => {
  const ends = new GraphicsEnds();
  expect([0, 1_000, 59_999].map((atMs) => ends.isTooMany(atMs))).toEqual([false, false, true]);
  const rare = new GraphicsEnds();
  expect([0, 30_000, 60_001, 120_002].map((atMs) => rare.isTooMany(atMs))).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
