import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jwtExpiryMs } from '../../../src/providers/http/read-reply.ts';

function jwt(payload: unknown): string {
  const part = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url');
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part(payload)}.c2lnbmF0dXJl`;
}

it.each([
  ['whole seconds', 1_800_000_000, 1_800_000_000_000],
  ['parts of a second', 1_800_000_000.5, 1_800_000_000_500],
  ['the epoch', 0, 0],
])('reads exp: %s', (_what, exp, ms) => {
  expect(jwtExpiryMs(jwt({ sub: 'crm', exp }))).toBe(ms);
});

it('reads a payload whose base64 has the letters of an address', () => {
  const token = jwt({ sub: '???>>>~~~ü', exp: 1_800_000_000 });
  expect(token).toMatch(/[-_]/);
  expect(jwtExpiryMs(token)).toBe(1_800_000_000_000);
});

it.each([
  ['a token of ours', 'rvx_0123456789'],
  ['three parts that are none', 'a.b.c'],
  ['two parts', jwt({ exp: 1 }).split('.').slice(0, 2).join('.')],
  ['five parts, encrypted', `${jwt({ exp: 1 })}.d.e`],
  ['no exp', jwt({ sub: 'crm' })],
  ['an exp in words', jwt({ exp: '1800000000' })],
  ['an exp that no date can name', jwt({ exp: 1e13 })],
  ['an exp far before that', jwt({ exp: -1e300 })],
  ['null', jwt(null)],
  ['a list', jwt([1_800_000_000])],
])('knows of no end in %s', (_what, token) => {
  expect(jwtExpiryMs(token)).toBeNull();
});

it('gives an instant or null for any text, and never throws', () => {
  const part = fc.oneof(
    fc.string(),
    fc.json().map((text) => Buffer.from(text).toString('base64url')),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
      const ms = jwtExpiryMs(parts.join('.'));
      if (ms !== null) expect(new Date(ms).getTime()).toBe(ms);
    }),
  );
});
