import { describe, expect, it } from 'vitest';
import { HistoryFilters } from '../../../src/contract/history/history.ts';
import { exportPath, filtersOf, isFiltered } from '../../../src/renderer/history/history-filters.ts';

function filters(search: string): HistoryFilters {
  return filtersOf(new URLSearchParams(search));
}

describe('the address of the history', () => {
  it.each<[string, HistoryFilters]>([
    ['', {}],
    ['event=7', {}],
    ['kind=token.&result=failed&subject=fam_a', { kind: 'token.', result: 'failed', subject: 'fam_a' }],
    ['text=%20lost%20', { text: 'lost' }],
    ['text=%20', {}],
    ['text=token+susp', { text: 'token susp', text_kind: 'token.suspended' }],
    [
      'from=2026-03-10&to=2026-03-11',
      { from: new Date(2026, 2, 10).toISOString(), until: new Date(2026, 2, 12).toISOString() },
    ],
    ['from=soon&to=', {}],
    ['kind=nonsense&result=good&subject=', {}],
  ])('%j filters by %j', (search, expected) => {
    expect(filters(search)).toEqual(expected);
    expect(isFiltered(filters(search))).toBe(Object.keys(expected).length > 0);
  });

  it('never asks for what the contract refuses', () => {
    for (const search of [
      `text=${'x'.repeat(500)}`,
      `kind=${'token.,'.repeat(500)}`,
      `subject=${'x'.repeat(500)}`,
    ])
      expect(HistoryFilters.safeParse(filters(search)).success, search).toBe(true);
  });

  it('leads to a file of what it shows', () => {
    const path = exportPath('/export', 'csv', filters('text=a %26 b&result=ok'));
    expect(path).toBe('/export?format=csv&result=ok&text=a+%26+b');
  });
});
