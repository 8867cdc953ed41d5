import { describe, expect, it } from 'vitest';
import { urgencyOf } from '../../../src/core/rotation/urgency-of.ts';
import { lifeOf, lifetimes, noon } from './lives.ts';

describe.each(lifetimes)('a failing credential with a value of %s', (_name, lifeMs) => {
  it.each([
    [1.5, null],
    [1, null],
    [0.2001, null],
    [0.2, 20],
    [0.1001, 20],
    [0.1, 10],
    [0.0201, 10],
    [0.02, 2],
    [0, 2],
    [-3, 2],
  ])('and the share %d of it left is urgent at %s', (share, urgency) => {
    const life = lifeOf(lifeMs);
    expect(urgencyOf(life, life.expiresAtMs - Math.round(lifeMs * share))).toBe(urgency);
  });
});

it('is as urgent as it gets where a value never had a life', () => {
  expect(urgencyOf(lifeOf(0), noon - 1000)).toBe(2);
  expect(urgencyOf(lifeOf(-1000), noon - 5000)).toBe(2);
});
