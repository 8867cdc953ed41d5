import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonError } from '../../src/contract/find-json-error.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('finding what is wrong with JSON', () => {
  it.each([
    ['{"a":1 "b":2}', 1, 8, 'comma_or_brace', 'text'],
    ['[1,\n 2', 2, 3, 'comma_or_bracket', 'end'],
    ['{"a"}', 1, 5, 'colon', 'closing'],
    ['{a:1}', 1, 2, 'name', 'word'],
    ['[1] x', 1, 5, 'end', 'word'],
    ["['a']", 1, 2, 'value', 'single_quote'],
    ['', 1, 1, 'value', 'end'],
    // What people write in bodies by hand and in templates: commas at the end, comments, Python, JavaScript, curly quotes.
    ['{"a":1,}', 1, 8, 'name', 'closing'],
    ['[1,]', 1, 4, 'value', 'closing'],
    ['{"a":1, // one\n"b":2}', 1, 9, 'name', 'comment'],
    ['{"a":True}', 1, 6, 'value', 'word'],
    ['{"a":NaN}', 1, 6, 'value', 'word'],
    ['{"a":01}', 1, 7, 'comma_or_brace', 'number'],
    ['{"a":+1}', 1, 6, 'value', 'number'],
    ['{“a”:1}', 1, 2, 'name', 'curly_quote'],
    ['{"a":,}', 1, 6, 'value', 'comma'],
    ['[1}', 1, 3, 'comma_or_bracket', 'closing'],
    ['{"a"::1}', 1, 6, 'value', 'colon'],
    ['<html>', 1, 1, 'value', 'sign'],
    ['[\ufeff1]', 1, 2, 'value', 'mark'],
    ['["a\nb"]', 1, 2, 'string_end', 'line_break'],
    ['["a\tb"]', 1, 2, 'string_end', 'control'],
    [String.raw`["C:\Users"]`, 1, 2, 'string_end', 'backslash'],
    ['{"a', 1, 2, 'string_end', 'end'],
  ])('%j', (text, line, column, expected, found) => {
    expect(findJsonError(text)).toEqual({ line, column, expected, found });
  });

  it('finds an error exactly where the runtime finds one', () => {
    const broken = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ...'{}[],:"\\ \n01e-.tu'.split('')))
      .map(
        ([text, at, sign]) =>
          text.slice(0, at % (text.length + 1)) + sign + text.slice((at % (text.length + 1)) + 1),
      );
    fc.assert(
      fc.property(fc.oneof(fc.json(), broken, fc.string()), (text) => {
        expect(findJsonError(text) === null).toBe(isJson(text));
      }),
      { numRuns: 2000 },
    );
  });
});
