import { describe, expect, it } from 'vitest';
import { factsOf } from '../../../src/renderer/history/event-dialog.tsx';

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
