import { expect, it } from 'vitest';
import { carriedIn } from '../../../src/service/proxy/upstream-caller.ts';

it.each([
  [{ header: 'authorization', prefix: 'Bearer ' }, 'abc', 'Bearer abc'],
  [{ header: 'private-token', prefix: '' }, 'abc', 'abc'],
  // RFC 7617, section 2.
  [
    { header: 'authorization', prefix: 'Basic ', isBasic: true },
    'Aladdin:opensesame',
    'Basic QWxhZGRpbjpvcGVuc2VzYW1l',
  ],
])('%j carries %s as %s', (slot, token, value) => {
  expect(carriedIn(slot, token)).toBe(value);
});
