import { expect, test } from 'vitest';
import { exampleAt } from '../../../src/renderer/overview/guide/example-token.tsx';

test.for([
  [0, { place: 1, ageS: 0, rotatesInS: 20, expiresInS: 30 }],
  [999, { place: 1, ageS: 0, rotatesInS: 20, expiresInS: 30 }],
  [1000, { place: 1, ageS: 1, rotatesInS: 19, expiresInS: 29 }],
  [19_999, { place: 1, ageS: 19, rotatesInS: 1, expiresInS: 11 }],
  [20_000, { place: 2, ageS: 0, rotatesInS: 20, expiresInS: 30 }],
  [61_000, { place: 4, ageS: 1, rotatesInS: 19, expiresInS: 29 }],
] as const)(
  'after %i ms the example has the token that a rotation at two thirds gives',
  ([elapsedMs, state]) => {
    expect(exampleAt(elapsedMs)).toEqual(state);
  },
);
