import { describe, expect, it } from 'vitest';
import { joined } from '../../../src/renderer/recordings/microphone/start-capture.ts';
import { levelOf, longestMs, nextLevel } from '../../../src/renderer/recordings/microphone/use-microphone.ts';

describe('the level meter', () => {
  it.each([
    [1, 1],
    [0.1, 2 / 3], // 20 of 60 decibels below the loudest
    [0.001, 0],
    [0, 0],
    [4, 1],
  ])('shows a sample of %d at %d', (sample, level) => {
    expect(levelOf(Float32Array.from([0, -sample]))).toBeCloseTo(level, 5);
  });
});

it('the meter rises at once and falls slowly', () => {
  const [loud, silent] = [Float32Array.from([1]), Float32Array.from([0])];
  expect(nextLevel(0, loud)).toBe(1);
  expect(nextLevel(1, silent)).toBeCloseTo(0.96);
  expect(nextLevel(0, silent)).toBe(0);
});

describe('a recording under way', () => {
  it('ends before its file is too large', () => {
    expect(longestMs(48_000, 20 * 1024 * 1024)).toBe(218_000);
    expect(44 + 2 * 48_000 * 218).toBeLessThan(20 * 1024 * 1024);
  });

  it('is joined from its blocks, in their order', () => {
    const blocks = [[1, 2], [], [3]].map((block) => Float32Array.from(block));
    expect(Array.from(joined(blocks))).toEqual([1, 2, 3]);
    expect(joined([])).toHaveLength(0);
  });
});
