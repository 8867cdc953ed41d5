import { expect, it } from 'vitest';
import { setVariable } from '../../src/agent/delivery/dotenv-file.ts';
import { MaskedTail } from '../../src/agent/delivery/deliver-to-hook.ts';
import { nextPage } from '../../src/providers/file/file-request.ts';
import { readExpiry } from '../../src/providers/http/read-expiry.ts';
import { isPageInstead, titleOf } from '../../src/providers/http/service-caller.ts';
import { jwtExpiryMs, messageIn, retryAfterOf } from '../../src/providers/http/read-reply.ts';
import { readCarried } from '../../src/calls/call-state.ts';
import { credentialNameOf } from '../../src/renderer/credentials/credential-name.ts';
import { decodeText } from '../../src/contract/decode-text.ts';
import { findJsonError } from '../../src/contract/find-json-error.ts';
import { readPasted } from '../../src/contract/credential/pasted-token.ts';
import { readRanges } from '../../src/contract/menu/read-ranges.ts';
import { AddPbx } from '../../src/contract/calls/pbx.ts';
import { ProviderFile } from '../../src/contract/credential/provider-file.ts';
import { readProxyAddress } from '../../src/contract/service/proxy-address.ts';
import { BaseUrl } from '../../src/contract/shapes.ts';
import { readHostKey, readHostUrl } from '../../src/contract/service/team-host.ts';
import { httpServerLines } from '../../src/core/calls/asterisk-lines.ts';
import { extensionKind } from '../../src/core/change-directory.ts';
import { rowsOfCsv } from '../../src/core/directory-file/read-csv.ts';
import { readEntries } from '../../src/core/directory-file/read-entries.ts';
import { keptCaller } from '../../src/core/calls/kept-caller.ts';
import { commentText } from '../../src/core/ivr/export/dialplan-names.ts';
import { plainNames } from '../../src/core/ivr/export/plain-names.ts';
import { readImport } from '../../src/core/ivr/import/read-import.ts';
import { waysOfDesktop } from '../../src/core/network/choose-way.ts';
import { isException } from '../../src/core/network/no-proxy.ts';
import { possibleReadings, readRequestPath } from '../../src/core/proxy/request-path.ts';
import { readCalendar } from '../../src/core/schedule/read-calendar.ts';
import { readUntil } from '../../src/core/schedule/read-until.ts';
import { OpenEnd } from '../../src/core/token/open-end.ts';
import { readHostName, readListenAddress } from '../../src/host/network-address.ts';
import { uidListeningAt } from '../../src/host/other-rotavox.ts';
import { isKnownTag, spanOf } from '../../src/service/portal/recording-routes.ts';
import { readBearer } from '../../src/service/guard/bearer-gate.ts';
import { answerHeaders } from '../../src/service/proxy/answer-headers.ts';
import { namesIn, outgoingHeaders, outgoingQuery } from '../../src/service/proxy/outgoing-request.ts';
import { isTextType } from '../../src/service/proxy/send-answer.ts';

const nowMs = Date.UTC(2026, 0);
const baseUrl = 'https://api.example.com';
const call = {
  token: 'secret-token-of-a-service',
  target: `${baseUrl}/`,
  baseUrl,
  proxyPath: '/proxy/one',
  ownOrigin: () => 'http://127.0.0.1:7682',
  onReflected: () => undefined,
};

/** Everything that reads a text from outside, by what it reads. It may refuse the text. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'Connection of a request': (text) => [namesIn(text), outgoingHeaders({ connection: text }, false)],
  'Authorization of a request': readBearer,
  'query of a request': outgoingQuery,
  'path of a request': (text) => possibleReadings(readRequestPath(`/${text}`)?.segments ?? text.split('/')),
  'If-None-Match and Range of a request': (text) => [isKnownTag(text, '"a"'), spanOf(text, 9)],
  'headers of an answer': (text) =>
    answerHeaders(
      ['link', 'location', 'www-authenticate'].flatMap((name) => [Buffer.from(name), Buffer.from(text)]),
      call,
    ),
  'Content-Type of an answer': isTextType,
  'Retry-After of an answer': (text) => retryAfterOf(text, nowMs),
  'Link of a list': (text) =>
    nextPage(
      { kind: 'link' },
      { body: null, headers: { link: text } },
      { url: baseUrl, baseUrl, seen: new Set() },
    ),
  'expiry in an answer': (text) => readExpiry(text, { nowMs }),
  'expiry in a token': jwtExpiryMs,
  'message of an answer': (text) => messageIn({ message: text }, 'secret-token'),
  'page instead of an answer': (text) => [
    isPageInstead({ status: 200, body: undefined, text, headers: { 'content-type': text } }),
    titleOf(text, ['secret-token']),
  ],
  'pasted token': readPasted,
  '.env file': (text) => setVariable(Buffer.from(text), 'TOKEN', 'new-token'),
  'output of a program': (text) => {
    const tail = new MaskedTail([text.slice(0, -1)], 1_000);
    tail.add('stdout', Buffer.from(`${text}?`));
    return tail.end();
  },
  'end of an answer that is searched for a token': (text) =>
    new OpenEnd(Buffer.from(text.slice(0, -1))).lengthIn(Buffer.from(`${text}?`)),
  'provider file': (text) => [
    tried(() => JSON.parse(text) as unknown),
    ProviderFile.safeParse({ id: text, name: text }),
  ],
  'menus to import': (text) => [readImport(text), readImport(`<${text}`)],
  'JSON with an error': findJsonError,
  'bytes of a file': (text) => [decodeText(Buffer.from(text)), decodeText(Buffer.from(text, 'latin1'))],
  'CSV file': (text) => [...rowsOfCsv(text)],
  'cells of a directory': (text) => readEntries(extensionKind, rowsOfCsv(`id,name\n${text},${text}`)),
  'calendar file': (text) => [
    readCalendar(text, { zone: 'UTC', nowMs }),
    ...[
      'SUMMARY:',
      'DTSTART;X=',
      'DTSTART;VALUE=DATE:20270101\r\nRRULE:FREQ=YEARLY;BYMONTH=',
      'DURATION:P',
      'UID:',
    ].map((line) =>
      readCalendar(`BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n${line}${text}\r\nEND:VEVENT\r\nEND:VCALENDAR`, {
        zone: 'UTC',
        nowMs,
      }),
    ),
  ],
  'opening hours and the end of a switch': (text) => [readRanges(text), readUntil(text, 'UTC', nowMs)],
  'address of a service': (text) => BaseUrl.safeParse(`${baseUrl}/${text}`),
  'address of a telephone system': (text) => [
    AddPbx.safeParse({ name: text, url: `http://127.0.0.1/${text}`, user: text, password: text }),
    httpServerLines(`http://127.0.0.1/${text}`),
  ],
  'address and key of a host': (text) => [readHostUrl(`https://${text}`), readHostKey(text)],
  'address to listen at': (text) => [readListenAddress(text), readHostName(text)],
  'address of a proxy': readProxyAddress,
  'answer of a PAC file': waysOfDesktop,
  'exceptions of a proxy': (text) =>
    isException(text, { protocol: 'https:', host: 'a.example.com', port: 443 }),
  'table of connections': (text) => uidListeningAt(text, 7_682),
  'number of a caller': (text) => keptCaller(text, 'masked'),
  'variable of a call': readCarried,
  'name of a menu': (text) => [commentText(text), [...plainNames([text])]],
  'name of a credential': credentialNameOf,
};

/** As many as its text is long: all different, and all the same in letters. */
const namesOfMany = ({ length }: string): unknown =>
  plainNames(Array.from({ length: length / 10 }, (_, at) => signs(at)));

function signs(number: number): string {
  return `a${number.toString(2).replaceAll('0', '-').replaceAll('1', '.')}b`;
}

function tried(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

/** What a text repeats: for each grammar above what is worst for it. */
const parts = [
  ...[
    ' ',
    ',',
    ', ',
    '"',
    "'",
    '\\',
    '\\"',
    '[',
    '{',
    '<',
    '(',
    '=',
    ';',
    ':',
    '/',
    '%',
    '%25',
    '-',
    '.',
    '#',
    '*',
  ],
  ...[
    '\n',
    '\t',
    'a',
    '0',
    'a,',
    'a=',
    'a;',
    'a/',
    '""',
    '[{"a":',
    '"a":1,',
    '<title',
    '<a>; ',
    '<a>;"',
    '; rel=',
  ],
  ...['(Z', '= ', 'A="\n', "A=\\'\n", '\u00a0', '••'],
];
const usualStarts = ['', 'a'];
/** After these, blanks and signs are read in another way. */
const starts = [
  '"',
  '[',
  'TOKEN=',
  'A="',
  '2026-12-31 00:00',
  'Thu, 31 Dec 2026 ',
  '<a>;',
  '{"a":"',
  'charset=',
];
const ends = ['', '"', '\n!'];
const shapes = [
  ...usualStarts.flatMap((start) => parts.map((part) => [start, part] as const)),
  ...starts.flatMap((start) =>
    [' ', '\n', '"', '\\', '(', ';', 'a', '0'].map((part) => [start, part] as const),
  ),
].flatMap(([start, part]) => ends.map((end) => [start, part, end] as const));

/** Time that grows with the square of the length is 30 times as long for a long text as for 30 short ones, and 4 times for one of 4 of those. */
const [short, long, longer] = [1_000, 30_000, 120_000];
const goesOn = 2;
/** The engine itself takes up to ten times as long for each element of a long array. */
const steepest = 20;
/** In milliseconds. Not even a thousandth of the square of a long text can be read within this time. */
const soonMs = 1;

type Shape = (typeof shapes)[number];

function textOf([start, part, end]: Shape, length: number): string {
  return start + part.repeat(Math.ceil(length / part.length)) + end;
}

/** How many times as long a text of one length takes as several shorter ones that are as long together. */
function growthOf(
  read: (text: string) => unknown,
  shape: Shape,
  { from, to, times }: { readonly from: number; readonly to: number; readonly times: number },
): number {
  // In turns, so that other work on the machine slows both.
  const each = Array.from({ length: times }, () => [
    timeOf(read, () => textOf(shape, to), 1),
    timeOf(read, () => textOf(shape, from), to / from),
  ]);
  const [one = NaN, several = NaN] = [0, 1].map((place) =>
    Math.min(...each.map((both) => both[place] ?? NaN)),
  );
  return one / several;
}

/** In milliseconds. A new text each time: the engine remembers what it divided before. */
function timeOf(read: (text: string) => unknown, text: () => string, texts: number): number {
  const startMs = performance.now();
  for (let time = 0; time < texts; time += 1) {
    const one = text();
    tried(() => read(one));
  }
  return performance.now() - startMs;
}

function slowShape(read: (text: string) => unknown, tried: readonly Shape[]): Shape | undefined {
  // What is slow is slow each time; other work on the machine, and memory that is used for the first time, are not.
  const isSlow = (shape: Shape): boolean =>
    timeOf(read, () => textOf(shape, long), 1) > soonMs &&
    [1, 3, 15].every((times) => growthOf(read, shape, { from: short, to: long, times }) > steepest) &&
    // Nor is what takes a step at one length, where the system gives memory in another way, and goes on as before.
    growthOf(read, shape, { from: long, to: longer, times: 3 }) > goesOn;
  return tried.find(isSlow);
}

// npm:fresh:20170908, npm:negotiator:20160616, CVE-2021-23490 (parse-link-header), honojs/hono#4758, oakserver/oak#700
it.each(Object.entries(readers))('reads %s in time that grows with its length', (_what, read) => {
  // Each beginning and each part with one of the ends.
  const some = shapes.filter((_shape, at) => at % ends.length === Math.floor(at / ends.length) % ends.length);
  expect(slowShape(read, some)).toBeUndefined();
});

it('reads names of many menus in time that grows with its length', () => {
  expect(slowShape(namesOfMany, shapes.slice(0, 3))).toBeUndefined();
});

it.each(Object.entries(readers))(
  'reads %s in time that grows with its length, whatever its end',
  { tags: ['long'] },
  (_what, read) => {
    expect(slowShape(read, shapes)).toBeUndefined();
  },
);
