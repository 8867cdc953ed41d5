import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../../src/agent/remote/answer-words.ts';

const value = 'rvx_TheTokenThatNobodyMayEverReadAnywhere';

describe('the words of a service', () => {
  it('are on one line, bounded, well formed and without the value, whatever it says', () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 400 });
    fc.assert(
      fc.property(fc.array(fc.oneof(anyText, fc.constant(value)), { maxLength: 5 }), (parts) => {
        const words = wordsOf({ message: parts.join('') }, value);
        if (words === null) return;
        expect(words).not.toContain(value);
        expect(words).not.toMatch(/[\p{C}\r\n\u2028\u2029]/u);
        expect(words.isWellFormed()).toBe(true);
        expect(words.length).toBeLessThanOrEqual(201);
        expect(words.trim()).toBe(words);
        expect(words).not.toBe('');
      }),
    );
  });

  it.each([
    [{ message: 'a', Message: 'b', error: 'c' }, 'a'],
    [{ Message: 'b', error: 'c' }, 'b'],
    [{ message: ' ', error: 'c' }, 'c'],
    [{ message: { text: 'a' }, error: 'c' }, 'c'],
    [{ message: 'two\nlines\u0007 and\u202e more' }, 'two lines and more'],
    [{ message: `${value} is bad` }, '•••• is bad'],
    [{ message: 'x'.repeat(300) }, `${'x'.repeat(200)}…`],
    [{ message: '\0' }, null],
    [{ error: 5 }, null],
    [null, null],
    ['a text', null],
  ])('%j says %j', (body, words) => {
    expect(wordsOf(body, value)).toBe(words);
  });
});
