import { describe, expect, it } from 'vitest';
import { nextPart, partAt, type RowPart } from '../../../src/renderer/overview/lifeline/row-parts.ts';
import { credentialRow, day, familyRow, noon } from './rows.ts';

const row = credentialRow();

describe('what lies at an instant of a row', () => {
  it.each<[string, number, RowPart | null]>([
    ['nothing before the first life', noon - 7 * day, null],
    ['the life that was lived then', noon - 4 * day, { kind: 'token', place: 0 }],
    ['the newer of two where they meet', noon - 2 * day, { kind: 'token', place: 1 }],
    ['the present life', noon, { kind: 'token', place: 1 }],
    ['a mark before the bar below it', noon + 3 * day + 60, { kind: 'plan', place: 0 }],
    ['a mark that is near enough', noon + 8 * day - 3600, { kind: 'plan', place: 1 }],
    ['nothing between marks', noon + 10 * day, null],
    ['nothing after the last', noon + 60 * day, null],
  ])('is %s', (_what, seconds, expected) => {
    expect(partAt(row, seconds, 3600)).toEqual(expected);
  });

  it('is the token, where nothing is planned', () => {
    expect(partAt(familyRow(), noon, 3600)).toEqual({ kind: 'token', place: 0 });
    expect(partAt(familyRow(), noon + 9 * day, 3600)).toBeNull();
  });
});

describe('going from part to part', () => {
  it('begins at the current token, leads through the plan and ends at its end', () => {
    const forward: RowPart[] = [];
    for (let part: RowPart | null = null; forward.length < 6; forward.push(part))
      part = nextPart(row, part, 1);
    expect(forward.map(({ kind, place }) => `${kind} ${place}`)).toEqual([
      'token 1',
      'plan 0',
      'plan 1',
      'plan 2',
      'plan 2',
      'plan 2',
    ]);
  });

  it('leads back into the past', () => {
    expect(nextPart(row, { kind: 'plan', place: 0 }, -1)).toEqual({ kind: 'token', place: 1 });
    expect(nextPart(row, { kind: 'token', place: 1 }, -1)).toEqual({ kind: 'token', place: 0 });
    expect(nextPart(row, { kind: 'token', place: 0 }, -1)).toEqual({ kind: 'token', place: 0 });
  });
});
