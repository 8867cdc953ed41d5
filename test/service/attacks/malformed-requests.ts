/**
 * Requests that are not valid, or hardly: every combination of odd request lines, headers, ends and bodies, and what is no HTTP at all.
 * The same seed makes the same requests.
 */
import { createHash } from 'node:crypto';

const methods = ['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE', 'M-SEARCH', 'QUERY'] as const;
const oddMethods = [
  'CONNECT',
  'PRI',
  'get',
  'G ET',
  '',
  'A'.repeat(300),
  'GET\0',
  'GET\t',
  '\u00e9',
] as const;

const targets = [
  ...[
    '/',
    '/v1/health',
    '/v1/auth/token',
    '/v1/ivrs',
    '/portal/status',
    '/portal/events',
    '/docs/',
    '/metrics',
  ],
  ...[
    '/callback',
    '/callback?state=%',
    '/callback?code=a&code=b&state',
    '/callback?state=a#b',
    '/favicon.ico',
  ],
  ...[
    '/proxy/a/%2f..',
    '/proxy/%',
    '/proxy//',
    '/assets/%00',
    '/assets/..%5c',
    '/?code=%',
    '/portal/prompts/%zz',
  ],
];
const oddTargets = [
  ...[
    '//',
    '///',
    '/\\',
    '//%',
    '/%',
    '/%zz',
    '/%00',
    '/%c0',
    '/v1/ivr/%e0%a4%a',
    '//evil.com/v1/health',
    '//[',
    '/:80',
  ],
  ...[
    '*',
    '',
    '\\',
    '?',
    '#',
    '.',
    'x',
    'http://[',
    'http://',
    'http:///',
    'http://a b/',
    'http://evil.com/v1/health',
  ],
  ...[
    'file:///etc/passwd',
    'evil.com:443',
    ':99999',
    '[::1',
    '[::1]:0',
    'javascript:alert(1)',
    '/\0',
    '/a b',
    '/\u00ff',
  ],
  ...[
    '/\x7f',
    '/#x',
    `/${'x'.repeat(8_000)}`,
    `/${'y'.repeat(20_000)}`,
    `/?${'a&'.repeat(4_000)}`,
    `/${'%2e/'.repeat(500)}`,
  ],
];

const versions = ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0'];
const oddVersions = ['', 'HTTP/2.0', 'HTTP/9.9', 'http/1.1', 'HTTP/1.1 x', 'HTTP/1', 'ICE/1.0', 'RTSP/1.0'];

const oddHosts = [
  ...[
    'evil.com',
    '',
    '/',
    ' ',
    '127.0.0.1',
    '127.0.0.1:99999',
    '127.0.0.1:0',
    '127.0.0.1:{port} x',
    '[::1',
    '[::1]:x',
  ],
  ...[
    '{host},evil.com',
    '{host}/..',
    'a@{host}',
    '%00',
    '\u00e9',
    'localhost:{port}:{port}',
    'x'.repeat(5_000),
  ],
];

const headers = [
  ...[
    '__proto__: x',
    'constructor: x',
    'Connection: close',
    'Connection: keep-alive, close',
    'Connection: Host',
  ],
  ...[
    'Authorization: Bearer',
    'Authorization: Bearer rvx_0',
    'Authorization: Basic Og==',
    'Cookie: =;=; a',
    'Origin: null',
  ],
  ...[
    'Sec-Fetch-Site: cross-site',
    'Range: bytes=-',
    'Accept: ,',
    'Accept-Encoding: ;q=x',
    'If-None-Match: "',
    'TE: x',
  ],
  ...[
    'Content-Type: application/json',
    'Content-Type: ;',
    'Content-Encoding: br',
    'X-Request-Id: \x7f',
    'Date: x',
  ],
  ...[
    'Forwarded: for="',
    'X-Forwarded-For: ,,',
    'X-Forwarded-Proto: https,http',
    'X-Forwarded-Host: [',
    'Via: 9',
  ],
  ...['Idempotency-Key: \u00e9', 'Rotavox-Passed-On: x', 'Sec-WebSocket-Key: x', 'Sec-WebSocket-Version: 99'],
  ...[
    'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
    'Upgrade: websocket',
    'Upgrade: h2c',
    'Upgrade: TLS/1.3',
    'Upgrade: ',
  ],
  ...[
    'Connection: Upgrade',
    'Connection: Upgrade, HTTP2-Settings',
    'Expect: 100-continue',
    'Expect: a-miracle',
  ],
];
const oddHeaders = [
  ...[
    ' folded: x',
    '\tfolded',
    'X: a\rb',
    'X: a\nb',
    'X: a\0b',
    'X',
    'X : a',
    ': a',
    '',
    'X\0: a',
    '\u00e9: a',
    '(x): a',
  ],
  ...[
    'Content-Length: 5',
    'Content-Length: 0, 0',
    'Content-Length: -1',
    'Content-Length: +5',
    'Content-Length: 0x5',
  ],
  ...['Content-Length: 99999999999999999999', 'Content-Length: 5\r\nContent-Length: 6', 'Content-Length:'],
  ...[
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: chunked, chunked',
    'Transfer-Encoding: gzip',
    'Transfer-Encoding: x',
  ],
  ...[
    'Transfer-Encoding: chunked\r\nContent-Length: 5',
    'Transfer-Encoding : chunked',
    'Transfer-Encoding: identity',
  ],
  ...[
    `X: ${'x'.repeat(20_000)}`,
    `${'x'.repeat(20_000)}: a`,
    'X: a\r\n'.repeat(3_000),
    `Cookie: ${'a=b; '.repeat(3_000)}`,
  ],
];

const ends = ['\r\n\r\n', '\r\n\r\n', '\r\n\r\n', '\n\n', '\r\r', '\r\n', '\r\n\r', ''];

const bodies = [
  ...[
    '',
    '{',
    'hello',
    '5\r\nhello\r\n0\r\n\r\n',
    '5\r\nhello',
    'zz\r\n',
    '-1\r\n',
    '5 \r\nhello\r\n',
    '0\r\n',
    '0\r\n\r\n',
  ],
  ...[
    'FFFFFFFFFFFFFFFFFF\r\n',
    `5;${'x'.repeat(20_000)}\r\nhello\r\n`,
    '0\r\nTrailer: x\r\n\r\n',
    '5\nhello\n0\n\n',
  ],
];

const noHttp = [
  // The hello of TLS, whole in its form and cut; the preface of HTTP/2; a proxy's line; SOCKS; SSH; SMB.
  Buffer.from('16030100c8010000c40303', 'hex'),
  Buffer.concat([Buffer.from('160301000501000001ff', 'hex'), Buffer.alloc(64)]),
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'),
  Buffer.from('PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\nGET / HTTP/1.1\r\n\r\n'),
  Buffer.from('0d0a0d0a000d0a515549540a2111000c', 'hex'),
  Buffer.from('050100', 'hex'),
  Buffer.from('SSH-2.0-x\r\n'),
  Buffer.from('00000054ff534d4272', 'hex'),
  Buffer.from('\r\n'.repeat(300)),
  Buffer.from('\n'),
  Buffer.from('\r'),
  Buffer.alloc(1_000),
  Buffer.alloc(20_000, 0x61),
];

/** How a caller leaves after it has sent everything. */
export type Leaving = 'waits' | 'half_closes' | 'resets';

export interface MalformedCall {
  /** Several requests in one breath. */
  readonly bytes: Buffer;
  readonly requests: number;
  readonly leaving: Leaving;
}

export interface MalformedFor {
  readonly seed: number;
  readonly port: number;
  /** Lets some requests in: a header line. */
  readonly admission?: string;
}

/** Connections with `count` requests altogether. */
export function* malformedCalls(
  count: number,
  { seed, port, admission }: MalformedFor,
): Generator<MalformedCall> {
  const random = randomOf(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const oneOf = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const isRare = (): boolean => random() < 0.12;
  const host = `127.0.0.1:${port}`;
  const filled = (text: string): string => text.replaceAll('{host}', host).replaceAll('{port}', String(port));

  const request = (): Buffer => {
    if (random() < 0.04) return random() < 0.5 ? oneOf(noHttp) : randomBytes();
    const line = [
      isRare() ? oneOf(oddMethods) : oneOf(methods),
      random() < 0.4 ? oneOf(oddTargets) : oneOf(targets),
      isRare() ? oneOf(oddVersions) : oneOf(versions),
    ].join(isRare() ? oneOf(['  ', '\t', '']) : ' ');
    const hosts = isRare() ? [] : [isRare() ? oneOf(oddHosts) : '{host}'];
    if (random() < 0.04) hosts.push(oneOf(oddHosts));
    const more = Array.from({ length: below(4) }, () => (isRare() ? oneOf(oddHeaders) : oneOf(headers)));
    if (admission !== undefined && random() < 0.5) more.push(admission);
    const lines = [line, ...hosts.map((one) => `Host: ${one}`), ...more];
    const end = isRare() ? oneOf(ends) : '\r\n\r\n';
    return Buffer.from(filled(lines.join('\r\n')) + end + (isRare() ? oneOf(bodies) : ''), 'latin1');
  };
  function randomBytes(): Buffer {
    return createHash('sha512').update(String(random())).digest();
  }

  for (let made = 0; made < count;) {
    const requests = Math.min(1 + below(12), count - made);
    made += requests;
    const bytes = Buffer.concat(Array.from({ length: requests }, request));
    yield { bytes, requests, leaving: oneOf(['waits', 'waits', 'half_closes', 'resets'] as const) };
  }
}

/** Numbers from 0 to 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
