import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { hasToken, searchedBody } from '../../../src/service/proxy/search-answer.ts';

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
