import { describe, expect, it } from 'vitest';
import { HistoryFilters } from '../../../src/contract/history/history.ts';
import { exportPath, filtersOf, isFiltered } from '../../../src/renderer/history/history-filters.ts';
import { factsOf } from '../../../src/renderer/history/event-dialog.tsx';

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

describe('the facts of an event', () => {
  it.each<[Record<string, unknown>, [string, string][]]>([
    [{ token_id: 'tok_a_1' }, [['token id', 'tok_a_1']]],
    [
      { reason: null, note: '' },
      [
        ['reason', 'none'],
        ['note', 'none'],
      ],
    ],
    [
      { configuration: { name: 'a', scopes: [] } },
      [
        ['configuration · name', 'a'],
        ['configuration · scopes', 'none'],
      ],
    ],
    [{ scopes: ['ivr:read', 'ivr:write'] }, [['scopes', 'ivr:read, ivr:write']]],
    [
      { count: 3, may_have_acted: false },
      [
        ['count', '3'],
        ['may have acted', 'no'],
      ],
    ],
    [{ list: [{ a: 1 }] }, [['list', '{"a":1}']]],
  ])('of %j are %j', (data, expected) => {
    expect(factsOf(data).map(({ name, value }) => [name, value])).toEqual(expected);
  });

  it('know an instant from other texts', () => {
    const facts = factsOf({ expires_at: '2026-01-17T12:00:00.000Z', name: '2026-01-17' });
    expect(facts.map(({ isInstant }) => isInstant)).toEqual([true, false]);
  });
});
