import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasToken, searchedBody } from '../../../src/service/proxy/search-answer.ts';
import { carriedIn } from '../../../src/service/proxy/upstream-caller.ts';
import { outgoingQuery } from '../../../src/service/proxy/outgoing-request.ts';
import { isTextType, scrubbedBody } from '../../../src/service/proxy/send-answer.ts';
import { secret } from './proxy-setup.ts';

/** What arrives of a body in parts of this many bytes. */
async function searched(body: string, { size, isHeld }: { readonly size: number; readonly isHeld: boolean }) {
  const bytes = Buffer.from(body);
  const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  return text(searchedBody(Readable.from(parts), 'any', isHeld));
}

/** The least processor time of two: the machine does other things, too, and the process collects its garbage. */
async function leastWork(run: () => Promise<unknown>): Promise<number> {
  const all: number[] = [];
  for (let at = 0; at < 2; at += 1) {
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    all.push(user + system);
  }
  return Math.min(...all);
}

describe('the search of an answer', () => {
  it.each([
    ['a text that is held', 'x', true],
    ['a stream without spaces', 'x', false],
    ['a stream of spaces', ' ', false],
    ['a stream of words', 'word ', false],
    ['a stream of beginnings', '"token" : ', false],
    ['a stream of values with spaces', `"password":"${'a b '.repeat(20)}",`.padEnd(100), false],
  ])('takes time that grows with the bytes, in parts of one byte: %s', async (_name, repeated, isHeld) => {
    const of = (bytes: number) => repeated.repeat(bytes / repeated.length);
    const times = 20;
    const [short, long] = [of(2_000), of(times * 2_000)];
    const inParts = await leastWork(async () => {
      for (let at = 0; at < times; at += 1) await searched(short, { size: 1, isHeld });
    });
    const atOnce = await leastWork(async () => {
      expect(await searched(long, { size: 1, isHeld })).toHaveLength(long.length);
    });
    // As many bytes; twenty times as long where all of what came is searched for each.
    expect(atOnce / inParts).toBeLessThan(5);
  });

  it.each([1, 7, 4_096, 100_000])('finds a token in parts of %i bytes', async (size) => {
    for (const isHeld of [true, false])
      for (const filler of ['x ', ' ', 'x,']) {
        const before = filler.repeat(40_000);
        const leaking = searched(`${before}"glpat-${'a'.repeat(20)}" and more`, { size, isHeld });
        await expect(leaking).rejects.toThrow(expect.objectContaining({ name: 'TokenFound' }));
        const harmless = `${before}"glpat-" and more`;
        expect(await searched(harmless, { size, isHeld })).toBe(harmless);
      }
  });

  it.each<readonly [string, string, string]>([
    ['"runners_token":"', 'GR1348941abcdefghij1', '","id":1'],
    ...[
      'private_key',
      'signing_key',
      'client_key',
      'secret_key',
      'masterKey',
      'primaryKey',
      'privateKeyData',
    ].map((name) => [`"${name}" : "`, 'Zm9v+YmFy/MTIz==', '"'] as const),
    ...[
      'ConnectionString',
      'activationToken',
      'userPassword',
      'runners_registration_token',
      'apikey',
      'token',
    ].map((name) => [`{"${name}":"`, String.raw`abc\"def ghi`, '"}'] as const),
    ['"to":"https://example.com/in#access_token=', 'abcdefgh12', '&a=b"'],
    ['"download_url":"https://example.com/file?token=', 'ABCDEFGH12', '"'],
    ['postgres://app:', 'hunter2', '@db.example.com/app'],
    ['otpauth://totp/x?secret=', 'JBSWY3DPEHPK3PXP', '&issuer=y'],
    ['Endpoint=x;SharedAccessKey=', 'Zm9vYmFyMTIz', '";'],
    ['a=1&access_token=', 'abcdefgh12', ''],
  ])('replaces a secret that has a name, however the text is cut: %s', async (before, value, after) => {
    for (const size of [1, 5, 1_000])
      for (const isHeld of [true, false])
        expect(await searched(`{"x": ${before}${value}${after} more`, { size, isHeld })).toBe(
          `{"x": ${before}${'*'.repeat(value.length)}${after} more`,
        );
  });

  it.each([
    '{"next_page_token":"abcdefgh12","nextPageToken":"abcdefgh12","pageToken":"abcdefgh12"}',
    '{"continuationToken":"abcdefgh12","syncToken":"abcdefgh12","key":"ABC-12345","projectKey":"LONGNAME1"}',
    '{"token":"short","password":null,"secret":"********","public_key":"ssh-ed25519 AAAA"}',
    '{"reset_password":"disabled","last_token":"2026-03-01T10:00:00Z","ssh_key":"https://example.com/keys"}',
    '{"body":"The token: see the documentation, password: required, monkey:banana123"}',
    'https://example.com/a:b/c@d http://host:8080/x?page=12345678',
  ])('changes nothing that only looks alike: %s', async (body) => {
    for (const size of [1, 1_000])
      for (const isHeld of [true, false]) expect(await searched(body, { size, isHeld })).toBe(body);
  });

  it.each([
    'a: 1\ntoken: abcdefgh12\nb: 2',
    "  password: 'hunter22x'",
    String.raw`{"config":"users:\n- name: x\n  user:\n    token: \"kubeconfig-user-4xk2p:h7fdl8xg4nmc5q\"\n"}`,
    String.raw`{"body":"{\"client_secret\":\"abcdefgh12\"}"}`,
    `{"private_key":"${'ab '.repeat(3_000)}"}`.padStart(70_000),
  ])('finds one that cannot be replaced, however the text is cut', async (body) => {
    for (const size of [1, 1_000]) {
      const leaking = searched(body, { size, isHeld: false });
      await expect(leaking).rejects.toThrow(expect.objectContaining({ name: 'TokenFound' }));
    }
  });

  it('finds one in the address of a header', () => {
    expect(hasToken('https://example.com/in#access_token=abcdefgh12', 'any')).toBe(true);
    expect(hasToken('https://example.com/in?page=abcdefgh12', 'any')).toBe(false);
  });
});

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

describe('the query of a request', () => {
  it.each([
    '_method=DELETE',
    '%5Fmethod=DELETE',
    '_METHOD=DELETE',
    '_method[]=DELETE',
    // PHP makes `_` of these, and ends a name at a NUL (owasp-modsecurity-crs#1386).
    '.method=DELETE',
    '%2Emethod=DELETE',
    '[method=DELETE',
    '%5Bmethod=DELETE',
    '_method%00=DELETE',
    '_method%00[x]=DELETE',
    '+_method=DELETE',
    '%09_method=DELETE',
    'private_token=theirs',
    'private.token=theirs',
    'private[token=theirs',
    'private%20token=theirs',
    'private_token%00x=theirs',
    'private_token[a][b]=theirs',
    '[private_token=theirs',
  ])('loses %s, and nothing else', (parameter) => {
    expect(outgoingQuery(`a=1&${parameter}&b=2`)).toBe('a=1&b=2');
  });

  it.each([
    'method=card',
    'a[method]=1',
    'filter[_method]=1',
    'a.method=1',
    'x_method=1',
    'token[0=1',
    '[a=1',
    '%00=1',
    '=',
  ])('keeps %s byte by byte', (parameter) => {
    expect(outgoingQuery(`a=1&${parameter}&b=2`)).toBe(`a=1&${parameter}&b=2`);
  });
});

/** What arrives of a body in these parts, and how often the token was found. */
async function scrub(parts: readonly string[]): Promise<{ text: string; found: number }> {
  let found = 0;
  const body = Readable.from(parts.map((part) => Buffer.from(part)));
  const arrived = await text(scrubbedBody(body, secret, () => (found += 1)));
  return { text: arrived, found };
}

const inAddress = encodeURIComponent(secret);
const basic = Buffer.from(`user:${secret}`).toString('base64');
const forms = {
  raw: secret,
  'in an address': inAddress,
  'in an address in lower case': inAddress.toLowerCase().replace('5fa9', '5fA9'),
  'in JSON with escaped slashes': secret.replaceAll('/', String.raw`\/`),
};

describe('the token in the text of an answer', () => {
  it.each(Object.entries(forms))('is replaced by as many asterisks: %s', async (_name, form) => {
    const { text: arrived, found } = await scrub([`{"is":"${form}","ä":1} ${form}`]);
    expect(arrived).toBe(`{"is":"${'*'.repeat(form.length)}","ä":1} ${'*'.repeat(form.length)}`);
    expect(found).toBe(1);
  });

  it('is found in base64 beside other text, wherever it stands there', async () => {
    for (const user of ['user:', 'me:', 'a:', '']) {
      const coded = Buffer.from(`${user}${secret} more`).toString('base64');
      const { text: arrived } = await scrub([`Basic ${coded}`]);
      expect(arrived).toHaveLength(6 + coded.length);
      expect(Buffer.from(arrived.slice(6), 'base64').toString('latin1')).not.toContain(secret.slice(3, -3));
    }
  });

  it('is found however the text is cut into parts', async () => {
    const whole = `a ${secret} b ${inAddress}${secret} c ${basic} ${secret.slice(0, -1)} end`;
    const { text: expected } = await scrub([whole]);
    expect(expected).not.toContain(secret);
    const cuts = fc.array(fc.nat(whole.length), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const sorted = [0, ...places.toSorted((a, b) => a - b), whole.length];
        const parts = sorted.slice(1).map((end, at) => whole.slice(sorted[at], end));
        expect((await scrub(parts.filter((part) => part !== ''))).text).toBe(expected);
      }),
    );
  });

  it('changes nothing else, and holds nothing back but what could be its beginning', async () => {
    const source = new Readable({ read: () => undefined });
    const scrubbed = scrubbedBody(source, secret, () => undefined);
    const next = async (): Promise<string> => {
      const before = scrubbed.read() as Buffer | null;
      if (before !== null) return String(before);
      const { promise, resolve } = Promise.withResolvers<string>();
      scrubbed.once('readable', () => resolve(String(scrubbed.read())));
      return promise;
    };
    source.push('data: 1\n\n');
    expect(await next()).toBe('data: 1\n\n');
    source.push(`data: ${secret.slice(0, 5)}`);
    expect(await next()).toBe('data: ');
    source.push('\n\n');
    expect(await next()).toBe(`${secret.slice(0, 5)}\n\n`);
    source.push(secret.slice(0, 7));
    source.push(null);
    expect(await text(scrubbed)).toBe(secret.slice(0, 7));
  });

  it('ends with the body that it is made from, and that one with it', async () => {
    for (const isOurs of [false, true]) {
      const body = new Readable({ read: () => undefined });
      const scrubbed = scrubbedBody(body, secret, () => undefined);
      const ended = Promise.all(
        [body, scrubbed].map(
          (one) => new Promise((resolve) => one.on('error', resolve).on('close', resolve)),
        ),
      );
      (isOurs ? scrubbed : body).destroy(new Error('cut'));
      await ended;
      expect([body.destroyed, scrubbed.destroyed]).toEqual([true, true]);
    }
  });
});

it.each([
  ['application/json; charset=utf-8', true],
  ['application/problem+json', true],
  ['TEXT/event-stream', true],
  ['application/x-ndjson', true],
  ['application/atom+xml', true],
  [undefined, true],
  ['application/octet-stream', false],
  ['image/png', false],
  ['application/zip', false],
])('a body of the type %s is text: %s', (type, isText) => {
  expect(isTextType(type)).toBe(isText);
});
