import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonError } from '../../../../src/core/ivr/import/find-json-error.ts';

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
    ['{"a":1 "b":2}', 1, 8, 'comma_or_brace'],
    ['[1,\n 2', 2, 3, 'comma_or_bracket'],
    ['{"a"}', 1, 5, 'colon'],
    ['{a:1}', 1, 2, 'name'],
    ['["a\nb"]', 1, 2, 'string_end'],
    ['[1] x', 1, 5, 'end'],
    ["['a']", 1, 2, 'value'],
  ])('%j', (text, line, column, expected) => {
    expect(findJsonError(text)).toEqual({ line, column, expected });
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
