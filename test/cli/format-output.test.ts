import { describe, expect, it } from 'vitest';
import { formatTable } from '../../src/cli/format-table.ts';
import { plainDocument, plainText } from '../../src/cli/terminal.ts';

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
    ['Suspend “\u2068קו\u2069”?', 'Suspend “קו”?'],
    ['\u2069\u2068', '\\u2069\\u2068'],
    ['Grüße, メニュー 👋', 'Grüße, メニュー 👋'],
  ])('is shown without what would move the terminal: %j', (text, expected) => {
    expect(plainText(text)).toBe(expected);
  });

  it('keeps its lines where it is a document', () => {
    expect(plainDocument('a\tb\r\nc\rd\n\u001b')).toBe('a\tb\r\nc\\u000dd\n\\u001b');
  });
});
