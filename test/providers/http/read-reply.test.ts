import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { problems } from '../../../src/contract/problems.ts';
import { meaningOfRefusal, messageIn } from '../../../src/providers/http/read-reply.ts';

const value = 'rvx_TheTokenThatNobodyMayEverReadAnywhere';

describe('the words of a service', () => {
  it('are on one line, bounded, well formed and without the token, whatever it says', () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 400 });
    fc.assert(
      fc.property(fc.array(fc.oneof(anyText, fc.constant(value)), { maxLength: 5 }), (parts) => {
        const words = messageIn({ message: parts.join('') }, value);
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
    expect(messageIn(body, value)).toBe(words);
  });
});

it.each([
  [401, problems.token_invalid.message, 'invalid'],
  [401, problems.token_expired.message, 'expired'],
  [403, problems.token_suspended.message, 'suspended'],
  [403, problems.token_blacklisted.message, 'blacklisted'],
  [401, problems.token_blacklisted.message, 'invalid'],
  [403, problems.token_expired.message, 'refused'],
  [403, 'Not from here.', 'refused'],
  [401, null, 'invalid'],
  [403, null, 'refused'],
] as const)('a %i that says “%s” means %s: only the texts of the spec say more', (status, said, meaning) => {
  expect(meaningOfRefusal(status, said)).toBe(meaning);
});
