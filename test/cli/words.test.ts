import { describe, expect, it } from 'vitest';
import { eventLine } from '../../src/cli/event-line.ts';
import { formatTable } from '../../src/cli/format-table.ts';
import { timeLeft } from '../../src/cli/moments.ts';
import { plainDocument, plainText } from '../../src/cli/terminal.ts';
import { eventKindNames, type HistoryEvent } from '../../src/contract/audit-event.ts';
import { TokenId } from '../../src/contract/token.ts';

describe('the time that is left', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  it.each([
    ['2026-11-28T11:59:59Z', '6d 23h'],
    ['2026-11-28T12:00:00Z', '7d 0h'],
    ['2026-11-21T15:12:59Z', '3h 12m'],
    ['2026-11-21T12:12:05Z', '12m 5s'],
    ['2026-11-21T12:00:45Z', '45s'],
    ['2026-11-21T12:00:00Z', '0s'],
    ['2026-11-20T12:00:00Z', '0s'],
  ])('until %s is %s', (until, expected) => {
    expect(timeLeft(until, now)).toBe(expected);
  });
});

describe('a table', () => {
  it('aligns its columns, also under wide characters and combined ones', () => {
    expect(
      formatTable(
        [
          ['メニュー', 'a'],
          ['e\u0301te\u0301', 'b'],
          ['plain', 'c'],
        ],
        ['name', 'x'],
      ),
    ).toEqual(['NAME      X', 'メニュー  a', 'e\u0301te\u0301       b', 'plain     c']);
  });

  it('has no blanks at the end of a line', () => {
    expect(
      formatTable([
        ['a', ''],
        ['bbb', 'c'],
      ]),
    ).toEqual(['a', 'bbb  c']);
  });
});

describe('a text from elsewhere', () => {
  it.each([
    ['\u001b[31mred', '\\u001b[31mred'],
    ['two\nlines\tand a tab', 'two lines and a tab'],
    ['\u202eturned', '\\u202eturned'],
    ['\u009b2J', '\\u009b2J'],
    ['\u007f\u061c\u2028\u2029', '\\u007f\\u061c\\u2028\\u2029'],
    ['\r\n', '\\u000d '],
    ['Grüße, メニュー 👋', 'Grüße, メニュー 👋'],
  ])('is shown without what would move the terminal: %j', (text, expected) => {
    expect(plainText(text)).toBe(expected);
  });

  it('keeps its lines where it is a document', () => {
    expect(plainDocument('a\tb\r\nc\rd\n\u001b')).toBe('a\tb\r\nc\\u000dd\n\\u001b');
  });
});

describe('the line of an event', () => {
  const event: HistoryEvent = {
    seq: 1,
    at: '2026-11-21T12:00:00.000Z',
    kind: 'token.first_used',
    subject: 'fam_a',
    actor: { kind: 'system' },
    data: { token_id: 'tok_a_1' },
  };

  it.each(eventKindNames)('has words for %s, also when its data is not what was expected', (kind) => {
    const line = eventLine({ ...event, kind, data: {} });
    expect(line).not.toContain(kind);
    expect(line).toMatch(/by the service$/);
  });

  it('names who did it and from where', () => {
    const actor = {
      kind: 'bearer',
      token_id: TokenId.parse('tok_a_1'),
      address: '::1',
      user_agent: 'curl\u001b[2J',
    } as const;
    expect(eventLine({ ...event, actor })).toMatch(/tok_a_1 {2}by tok_a_1 from ::1 \(curl\\u001b\[2J\)$/);
    expect(eventLine({ ...event, actor: { ...actor, user_agent: null } })).toMatch(/from ::1$/);
    expect(eventLine({ ...event, actor: { kind: 'owner' } })).toMatch(/by the owner$/);
  });
});
