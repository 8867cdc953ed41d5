import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { problems } from '../../../src/contract/problems.ts';
import { jwtExpiryMs, meaningOfRefusal, messageIn } from '../../../src/providers/http/read-reply.ts';
import { readExpiry } from '../../../src/providers/http/read-expiry.ts';
import { noon } from '../../fixtures/make-events.ts';
import { isPageInstead, titleOf } from '../../../src/providers/http/service-caller.ts';

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
    [{ error: 'invalid_token', error_description: 'It has expired.' }, 'It has expired.'],
    // A text of the spec is compared, so it is not hidden by another one.
    [
      { error: problems.token_suspended.message, error_description: 'Ask support.' },
      problems.token_suspended.message,
    ],
    [{ type: 'about:blank', title: 'Conflict', detail: 'It is being rotated.' }, 'It is being rotated.'],
    [{ error: { code: 7, message: 'inside' } }, 'inside'],
    [{ errors: [{ title: 'Bad', detail: 'the first' }, { detail: 'the second' }] }, 'the first'],
    [{ errors: ['only a text'] }, 'only a text'],
    [{ errors: [] }, null],
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

const hourMs = 3_600_000;
const at = (said: unknown, more = {}) => readExpiry(said, { nowMs: noon, ...more });

/** `noon` is 2026-01-10T12:00:00Z. */
describe('when a service says that a token expires', () => {
  it.each<[unknown, string]>([
    ['2026-03-01T10:00:00Z', '2026-03-01T10:00:00Z'],
    ['2026-03-01T10:00:00.123456789Z', '2026-03-01T10:00:00.123Z'],
    ['2026-03-01T10:00:00+02:00', '2026-03-01T08:00:00Z'],
    ['2026-03-01T10:00:00+0200', '2026-03-01T08:00:00Z'],
    ['2026-03-01T10:00:00+02', '2026-03-01T08:00:00Z'],
    ['2026-03-01 10:00:00 UTC', '2026-03-01T10:00:00Z'],
    ['2026-03-01 10:00:00 -0500', '2026-03-01T15:00:00Z'],
    ['2026-03-01 10:00:00 +0000 UTC', '2026-03-01T10:00:00Z'],
    ['2026-03-01T10:00Z', '2026-03-01T10:00:00Z'],
    // As a number they would be of the year 2612 or 8390: never.
    ['20260301100005Z', '2026-03-01T10:00:05Z'],
    ['20260301T100005Z', '2026-03-01T10:00:05Z'],
    ['20260301T100005+0200', '2026-03-01T08:00:05Z'],
    ['20260301100005', '2026-02-28T20:00:05Z'],
    [20260301100005, '2026-02-28T20:00:05Z'],
    // With parts of a second; LDAP has them behind a point (RFC 4517).
    ['20260301100005250', '2026-02-28T20:00:05.250Z'],
    [20260301100005000, '2026-02-28T20:00:05Z'],
    ['20260301100005250000', '2026-02-28T20:00:05.250Z'],
    ['20260301100005.0', '2026-02-28T20:00:05Z'],
    ['20260301100005.0Z', '2026-03-01T10:00:05Z'],
    ['20260301100005,25+0200', '2026-03-01T08:00:05.250Z'],
    ['202603011000', '2026-02-28T20:00:00Z'],
    ['2026-03-01T10:00:00+01:00[Europe/Berlin]', '2026-03-01T09:00:00Z'],
    ['/Date(1772359200000)/', '2026-03-01T10:00:00Z'],
    ['/Date(1772359200000+0200)/', '2026-03-01T10:00:00Z'],
    ['Sun Mar  1 10:00:00 2026', '2026-02-28T20:00:00Z'],
    ['Sun Mar 01 10:00:00 UTC 2026', '2026-03-01T10:00:00Z'],
    ['Sun Mar 01 10:00:00 +0200 2026', '2026-03-01T08:00:00Z'],
    // Names of zones are not unique: a local time of the service.
    ...['CET', 'CEST', 'IST', 'AEST', 'HST', 'EST'].map((zone): [string, string] => [
      `Sun Mar 01 10:00:00 ${zone} 2026`,
      '2026-02-28T20:00:00Z',
    ]),
    ['Sun, 01 Mar 2026 10:00:00 CET', '2026-02-28T20:00:00Z'],
    // A date without a time, whose year is no zone.
    ['01-Mar-2026', '2026-02-28T10:00:00Z'],
    ['Sun, 01 Mar 2026 10:00:00 GMT', '2026-03-01T10:00:00Z'],
    [1772359200, '2026-03-01T10:00:00Z'],
    ['1772359200', '2026-03-01T10:00:00Z'],
    [1772359200.5, '2026-03-01T10:00:00.500Z'],
    [1772359200000, '2026-03-01T10:00:00Z'],
    ['1772359200000', '2026-03-01T10:00:00Z'],
    [1772359200000000, '2026-03-01T10:00:00Z'],
    // Where a text leaves it open, the earliest instant: in the zone that is furthest ahead.
    ['2026-03-01', '2026-02-28T10:00:00Z'],
    ['2026/3/1', '2026-02-28T10:00:00Z'],
    [20260301, '2026-02-28T10:00:00Z'],
    ['2026-03-01T10:00:00', '2026-02-28T20:00:00Z'],
    ['2026-03-01 10:00', '2026-02-28T20:00:00Z'],
    ['Mar 1, 2026', '2026-02-28T10:00:00Z'],
  ])('reads %j as %s', (said, instant) => {
    expect(at(said)).toEqual({ kind: 'at', atMs: Date.parse(instant) });
  });

  it.each([
    null,
    false,
    0,
    -1,
    'never',
    'Never',
    'none',
    'unlimited',
    '9999-12-31',
    '9999-12-31T23:59:59Z',
    '2999-12-31T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '1970-01-01T00:00:00Z',
    253402300799,
  ])('reads %j as never', (said) => {
    expect(at(said).kind).toBe('never');
  });

  it('believes nothing later than ten years', () => {
    expect(at('2036-01-08T12:00:00Z')).toEqual({ kind: 'at', atMs: Date.parse('2036-01-08T12:00:00Z') });
    expect(at('2036-01-09T12:00:00Z')).toEqual({ kind: 'too_far', said: '2036-01-09T12:00:00Z' });
  });

  it.each([
    'soon',
    '2026-02-30',
    '31/12/2026',
    'in 30 days',
    3600,
    { at: 1 },
    true,
    133800000000000000,
    '638712000000000000',
  ])('cannot read %j', (said) => {
    expect(at(said).kind).toBe('unreadable');
  });

  it.each([undefined, ''])('is not told by %j', (said) => {
    expect(at(said)).toEqual({ kind: 'not_said' });
  });

  it('counts by our clock', () => {
    expect(at('2026-03-01T10:00:00Z', { skewMs: hourMs })).toEqual({
      kind: 'at',
      atMs: Date.parse('2026-03-01T09:00:00Z'),
    });
  });

  it('reads an open text as the first instant ahead where the earliest has passed: the token still works', () => {
    expect(at('2026-01-10')).toEqual({ kind: 'at', atMs: noon + hourMs });
    expect(at('2026-01-10T13:30:00')).toEqual({ kind: 'at', atMs: noon + hourMs / 2 });
    expect(at('2026-01-10T11:00:00Z')).toEqual({ kind: 'at', atMs: noon - hourMs });
  });
});

const html = { 'content-type': 'text/html; charset=UTF-8' };

function heard(status: number, text: string, headers: Record<string, string> = html, body?: unknown) {
  return { status, text, headers, body };
}

describe('a web page in place of an answer', () => {
  // As reported in public: a proxy of a company, Cloudflare in front of a server and its check of browsers, a hotel's sign-in, and the
  // website at an address that was meant to be that of an API.
  it.each([
    ['of a website', heard(200, '<!doctype html><html><head><title>App</title></head></html>')],
    ['that a proxy blocks with', heard(403, '<html><title>Access Denied</title></html>')],
    [
      'of a check for browsers',
      heard(403, '<!DOCTYPE html><html lang="en-US"><title>Just a moment...</title>'),
    ],
    ['without a type', heard(200, '\uFEFF<!DOCTYPE HTML>\n<html>', {})],
    [
      'with a wrong type',
      heard(200, '<?xml version="1.0"?><!DOCTYPE html PUBLIC "x"><html>', {
        'content-type': 'application/json',
      }),
    ],
    ['with a comment first', heard(200, '<!-- x -->\n<html>', {})],
    ['of a network that wants a sign-in', heard(511, '<html>')],
  ])('is seen: one %s', (_what, one) => {
    expect(isPageInstead(one)).toBe(true);
  });

  it.each([
    ['JSON, whatever its type', heard(200, '{"access_token":"x"}', html, { access_token: 'x' })],
    ['nothing', heard(200, ' ')],
    ['text', heard(200, 'ok', { 'content-type': 'text/plain' })],
    ['XML', heard(200, '<Error><Code>AccessDenied</Code></Error>', { 'content-type': 'application/xml' })],
    ['that a token is not known', heard(401, '<html>')],
    ['that there is nothing', heard(404, '<html>')],
    ['that it is down', heard(502, '<html>')],
    ['a redirect', heard(302, '<html>')],
  ])('is not seen in %s', (_what, one) => {
    expect(isPageInstead(one)).toBe(false);
  });

  it('is called as it calls itself', () => {
    expect(titleOf('<title>\n Sign in &amp; go &lt;now&gt; </title>', [])).toBe('Sign in & go <now>');
    expect(titleOf('<TITLE lang="en">Zscaler</TITLE>', ['Bearer glpat-abcdefgh'])).toBe('Zscaler');
    expect(titleOf('<html>', [])).toBeNull();
    expect(titleOf('<title> </title>', [])).toBeNull();
  });

  it('shows nothing of what was sent', () => {
    expect(titleOf('<title>No: glpat-abcdefgh</title>', ['Bearer glpat-abcdefgh'])).toBeNull();
    expect(titleOf('<title>No: r3fr3shing</title>', ['grant_type=x&refresh_token=r3fr3shing'])).toBeNull();
  });
});
