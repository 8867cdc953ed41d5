import { expect, it } from 'vitest';
import { stackOf, withoutSecrets } from '../../src/text/service/stack-of.ts';

function parseError(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}

it.each([
  ['a short text', '{"a":s3cret'],
  ['a text with quotation marks and line breaks', 's3cret "x"\n"y"'],
  ['a long text', 's3cret '.repeat(50)],
])('says nothing of what a parser could not read: %s', (_, text) => {
  const told = stackOf(new Error('outside', { cause: parseError(text) }));
  expect(told).toContain('is not valid JSON');
  expect(told).not.toContain('s3cret');
  expect(told).toContain('because of: SyntaxError');
});

it('hides tokens, values of a query and what authorises a call, and leaves the rest', () => {
  expect(withoutSecrets('GET /x?code=abc&a=b with Bearer abcdefgh12 and rvx_abcdefgh12, "here"')).toBe(
    'GET /x?code=••••&a=•••• with Bearer •••• and rvx_••••, "here"',
  );
});

it('has a text for what is no error', () => {
  expect(stackOf('plain')).toBe('plain');
  expect(stackOf(Object.create(null))).toBe('object');
});
