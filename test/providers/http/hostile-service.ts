import fc from 'fast-check';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { problems } from '../../../src/contract/problems.ts';

/** The bytes that a service writes, and what happens to the connection after them. */
export interface RawReply {
  readonly bytes: Buffer;
  readonly then: 'keep' | 'end' | 'reset';
}

export interface RawService {
  readonly baseUrl: string;
  /** What it writes for a call, such as `POST /v1/auth/rotate`. */
  reply: (call: string) => RawReply;
  readonly calls: string[];
}

/** A service without an HTTP library, so that it can send anything. */
export async function startRawService(): Promise<RawService> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined); // the caller may disconnect
    let heard = '';
    socket.on('data', (chunk: Buffer) => {
      heard += chunk.toString('latin1');
      const [head = '', rest] = heard.split('\r\n\r\n', 2);
      if (rest === undefined) return;
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (rest.length < length) return;
      heard = '';
      const call = head.split(' ', 2).join(' ');
      service.calls.push(call);
      const { bytes, then } = service.reply(call);
      socket.write(bytes, () => {
        if (then === 'end') socket.end();
        if (then === 'reset') socket.resetAndDestroy();
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const service: RawService = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reply: answerPlainly,
    calls: [],
  };
  return service;
}

export function plainReply(status: number, body = '', headers = ''): RawReply {
  const length = `content-length: ${Buffer.byteLength(body)}\r\n`;
  const head = `HTTP/1.1 ${status} Said\r\n${headers}${length}connection: close\r\n\r\n`;
  return { bytes: Buffer.from(head + body), then: 'end' };
}

/** A service that can rotate, knows none of our tokens, and has nothing else. */
export function answerPlainly(call: string): RawReply {
  if (call !== 'POST /v1/auth/rotate') return plainReply(404);
  return plainReply(401, JSON.stringify({ success: false, message: problems.token_invalid.message }));
}

/** An invented reply, and whether a caller has to be able to read its body. */
export interface HostileReply extends RawReply {
  readonly isWhole: boolean;
  readonly status: number;
  readonly body: unknown;
}

const absurdInstants = [
  'Fri, 01 Jan 99999 00:00:00 GMT',
  'Sat, 13 Sep 275760 00:00:00 GMT',
  'Sun, 14 Sep 275760 00:00:01 GMT',
  'Fri, 31 Dec 9999 23:59:59 GMT',
  'Thu, 01 Jan 1970 00:00:00 GMT',
  'Mon, 01 Jan -9999 00:00:00 GMT',
  '+275760-09-13T00:00:00.000Z',
  '-271821-04-20T00:00:00.000Z',
  '-1',
  '1e400',
  '99999999999999999999',
  '-99999999999',
  'NaN',
  '',
];
const instantText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...absurdInstants) },
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
  fc.integer().map(String),
);
const anyNumber = fc.oneof(
  fc.constantFrom(0, -1, 1, 30, 3650, 3651, 1e308, -1e308, 5e-324, 2 ** 53, -0, 1.5),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const rubbish = fc.oneof(
  anyNumber,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom('30', 'NaN', 'Infinity', '\u0000', '\ud800', '', [[[[7]]]], { days: 7 }, null, true),
);

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const goodToken = fc.oneof(
  fc.stringMatching(/^rvx_[A-Za-z0-9]{20,60}$/),
  fc.stringMatching(/^[A-Za-z0-9]{40}$/).map((part) => part.repeat(200)),
  fc
    .record({
      exp: fc.oneof(anyNumber, rubbish),
      jti: fc.stringMatching(/^[A-Za-z0-9]{20}$/),
    })
    .map((payload) => `${base64({ alg: 'none' })}.${base64(payload)}.c2ln`),
);
const badToken = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\n',
    'rvx_a\r\nX: y',
    'rvx_\u0000',
    'rvx_\ud800\udfff\udc00',
    'rvx_ü',
    '\u202ervx',
  ),
  fc.constant('t'.repeat(8001)),
  fc.constant('t'.repeat(1_000_000)),
  rubbish.filter((value) => typeof value !== 'string'),
);

/** Possible answers to a rotation; `token` is the one that a caller has to take from it, null if there is none. */
export const rotationBody = fc.oneof(
  { weight: 3, arbitrary: goodToken.chain((token) => bodyWith(fc.constant(token))) },
  { weight: 1, arbitrary: badToken.chain((token) => bodyWith(fc.constant(token))) },
  { weight: 1, arbitrary: rubbish },
);

function bodyWith(token: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.record(
    {
      access_token: token,
      success: rubbish,
      message: fc.oneof(rubbish, fc.string({ unit: 'binary', maxLength: 2000 })),
      token_type: rubbish,
      validity_days: fc.oneof(anyNumber, rubbish),
      expires_in: fc.oneof(anyNumber, rubbish),
    },
    { requiredKeys: ['access_token'] },
  );
}

export const selfBody: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record(
      {
        expires_at: fc.oneof(
          instantText,
          fc.constantFrom('9999-12-31T23:59:59-14:00', '0000-01-01T00:00:00+14:00', '1969-12-31T23:59:59Z'),
          fc
            .date({ min: new Date('2026-01-01'), max: new Date('2026-12-31'), noInvalidDate: true })
            .map((date) => date.toISOString()),
        ),
        created_at: fc.oneof(instantText, rubbish),
        validity_days: fc.oneof(anyNumber, rubbish),
        name: fc.oneof(rubbish, fc.string({ unit: 'binary' })),
        status: rubbish,
      },
      { requiredKeys: ['expires_at'] },
    ),
  },
  { weight: 1, arbitrary: rubbish },
);

const menuId = fc.oneof(
  rubbish,
  fc.constantFrom('.', '..', '../..', '%2e%2e', 'a|b', '\ud800', 'x'.repeat(60_000), 'ivr_1'),
  fc.string({ unit: 'binary', maxLength: 300 }),
);
const menu = fc.record({ id: menuId, ivr_id: menuId, name: rubbish, option: rubbish }, { requiredKeys: [] });

/** Possible answers about menus: about one that was stored, or about all. */
export const menusBody: fc.Arbitrary<unknown> = fc.oneof(
  menu,
  fc.array(menu, { maxLength: 5 }),
  fc.record({ data: fc.array(menu, { maxLength: 5 }) }),
  rubbish,
);

/** The form is correct, but the clock is wrong. */
export const lyingReply: fc.Arbitrary<RawReply> = fc
  .tuple(
    fc.constantFrom(...absurdInstants),
    fc.constantFrom('2026-01-17T12:00:00Z', '9999-12-31T23:59:59Z', '0000-01-01T00:00:00Z'),
  )
  .map(([date, end]) => plainReply(200, JSON.stringify({ expires_at: end }), `date: ${date}\r\n`));

const headerName = fc.constantFrom(
  'Retry-After',
  'Location',
  'Content-Encoding',
  'Content-Type',
  'Set-Cookie',
  'Trailer',
  'Upgrade',
  'X-Rubbish',
);
const headerValue = fc.oneof(
  instantText,
  fc.constantFrom(
    '-5',
    '1e400',
    '999999999',
    'gzip',
    'br',
    'identity, gzip',
    '//',
    'https://[',
    'http://a b/',
  ),
  fc.stringMatching(/^[ -~\x80-\xff]{0,200}$/),
);
/** Variants that HTTP ignores: in all of them the body is complete. */
const harmlessHeaders = fc
  .array(
    fc.oneof(
      instantText.map((date): [string, string] => ['Date', date]),
      fc.tuple(headerName, headerValue),
    ),
    { maxLength: 6 },
  )
  .map((headers) => headers.map(([name, value]) => `${name}: ${value}\r\n`).join(''));
const brokenHeaders = fc.constantFrom(
  `X-Long: ${'x'.repeat(70_000)}\r\n`,
  'X-Many: 1\r\n'.repeat(5_000),
  'Content-Length: 5\r\nContent-Length: 6\r\n',
  'Content-Length: -1\r\n',
  'Transfer-Encoding: gzip, rubbish\r\n',
  'no colon at all\r\n',
  ': nameless\r\n',
  'X-Nul: \0\r\n',
);

const framing = fc.constantFrom(
  'length',
  'chunked',
  'until_end',
  'too_short',
  'too_long',
  'bad_chunks',
  'cut_chunks',
  'twice',
) satisfies fc.Arbitrary<string>;
type Framing = typeof framing extends fc.Arbitrary<infer F> ? F : never;

/** Replies of one kind, each in every form of HTTP, and in some invalid forms. */
export function hostileReply(body: fc.Arbitrary<unknown>): fc.Arbitrary<HostileReply> {
  return fc
    .record({
      status: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(200, 200, 201) },
        { weight: 1, arbitrary: fc.integer({ min: 100, max: 599 }) },
      ),
      body,
      headers: harmlessHeaders,
      broken: fc.oneof({ weight: 7, arbitrary: fc.constant('') }, brokenHeaders),
      framing: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom<Framing>('length', 'chunked', 'until_end') },
        framing,
      ),
      then: fc.constantFrom('end', 'reset', 'keep'),
      isText: fc.boolean(),
    })
    .map(({ status, body: said, headers, broken, framing: form, then: after, isText }) => {
      const text = isText ? escaped(said) : JSON.stringify(said);
      const bytes = Buffer.from(text);
      const head = `HTTP/1.1 ${status} Said\r\n${headers}${broken}`;
      const isSound = broken === '' && status >= 200 && bytes.length <= 64 * 1024;
      const tellsItsEnd = isSound && ['length', 'chunked'].includes(form);
      // A connection that stays open would only be waited for; a reset may arrive before what was written.
      const then = after === 'keep' && !tellsItsEnd ? 'end' : after;
      return {
        bytes: Buffer.concat([Buffer.from(head, 'latin1'), framed(bytes, form)]),
        then,
        isWhole: (tellsItsEnd || (isSound && form === 'until_end')) && then !== 'reset',
        status,
        body: said,
      };
    });
}

/** The same JSON, with every non-ASCII character escaped: this way lone surrogates arrive. */
function escaped(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^ -~]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function framed(bytes: Buffer, form: Framing): Buffer {
  const sized = (length: number, body: Buffer) =>
    Buffer.concat([Buffer.from(`Content-Length: ${length}\r\n\r\n`), body]);
  const chunk = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
  const chunked = (body: Buffer) => Buffer.concat([Buffer.from('Transfer-Encoding: chunked\r\n\r\n'), body]);
  switch (form) {
    case 'length':
      return sized(bytes.length, bytes);
    case 'chunked':
      return chunked(Buffer.concat([chunk, Buffer.from('0\r\n\r\n')]));
    case 'until_end':
      return Buffer.concat([Buffer.from('\r\n'), bytes]);
    case 'too_short':
      return sized(Math.max(bytes.length - 3, 0), bytes);
    case 'too_long':
      return sized(bytes.length + 100, bytes);
    case 'bad_chunks':
      return chunked(Buffer.concat([Buffer.from('zz\r\n'), bytes]));
    case 'cut_chunks':
      return chunked(chunk.subarray(0, chunk.length - 3));
    case 'twice':
      return Buffer.concat([sized(bytes.length, bytes), Buffer.from('HTTP/1.1 200 Again\r\n\r\nrubbish')]);
  }
}
