import { describe, expect, it } from 'vitest';
import { urgencyOf } from '../../../src/core/rotation/due-at.ts';
import { lifetimeOf, lifetimes, noon } from './lifetimes.ts';

describe.each(lifetimes)('a failing credential with a token of %s', (_name, lifetimeMs) => {
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
    const lifetime = lifetimeOf(lifetimeMs);
    expect(urgencyOf(lifetime, lifetime.expiresAtMs - Math.round(lifetimeMs * share))).toBe(urgency);
  });
});

it('is as urgent as it gets where a token never had a lifetime', () => {
  expect(urgencyOf(lifetimeOf(0), noon - 1000)).toBe(2);
  expect(urgencyOf(lifetimeOf(-1000), noon - 5000)).toBe(2);
});
