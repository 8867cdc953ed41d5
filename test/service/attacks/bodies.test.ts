import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ivrBody } from '../../fixtures/ivr-bodies.ts';
import { ofFile } from '../../fixtures/when-over.ts';
import {
  type AttackSetup,
  makeSetup,
  noThrottle,
  expectRefusal,
  expectRefusalShape,
} from './attack-setup.ts';
import { exchange, openWire, requestText, type WireAnswer } from './wire.ts';

/** No test of this file changes what another one sees. */
const setups = ofFile(() => makeSetup({ throttleLimits: noThrottle }));

const limit = 256 * 1024;

interface RawBody {
  readonly content: string | Buffer;
  readonly type?: string | null;
  readonly line?: string;
  readonly headers?: readonly string[];
}

/** Sends a body byte for byte to `POST /v1/ivr`, or to the given route. */
async function post(setup: AttackSetup, token: string, body: RawBody): Promise<WireAnswer | null> {
  const { content, type = 'application/json', line = 'POST /v1/ivr', headers } = body;
  const bytes = Buffer.from(content);
  const head = requestText(`${line} HTTP/1.1`, [
    `Host: ${setup.host}`,
    `Authorization: Bearer ${token}`,
    ...(type === null ? [] : [`Content-Type: ${type}`]),
    ...(headers ?? [`Content-Length: ${bytes.length}`]),
  ]);
  return exchange(setup.port, Buffer.concat([Buffer.from(head), bytes]));
}

/** The setup, a token that was used before (so that its use adds no event), and the number of events. */
async function makeUsedToken() {
  const setup = await setups.get();
  const { access_token: token } = await setup.issue();
  await setup.call({ method: 'GET', path: '/v1/auth/token', bearer: token });
  const before = setup.events.length;
  return { setup, token, expectNoChange: () => expect(setup.events.length).toBe(before) };
}

describe('the size of a body', () => {
  it('may be the limit and not a byte more', async () => {
    const { setup, token, expectNoChange } = await makeUsedToken();
    const padded = (size: number) => `{"name":"${'x'.repeat(size - 11)}"}`;
    expect(padded(limit)).toHaveLength(limit);
    const largest = await post(setup, token, { content: padded(limit) });
    expect(largest?.status).toBe(400);
    const larger = await post(setup, token, { content: padded(limit + 1) });
    expectRefusal(larger, 'body_too_large', 'ivr');
    expectNoChange();
  });

  it('is judged by what is announced, before any of it is sent', async () => {
    const { setup, token, expectNoChange } = await makeUsedToken();
    for (const announced of ['262145', '99999999999999', '9007199254740993']) {
      const answer = await post(setup, token, { content: '{', headers: [`Content-Length: ${announced}`] });
      expectRefusal(answer, 'body_too_large', 'ivr');
    }
    expectNoChange();
  });

  it.each([
    ['POST /portal/tokens', 401],
    ['POST /v1/ivr', 401],
    ['POST /nothing', 404],
  ])('is not read on for the sake of the next call when the answer is there: %s', async (line, status) => {
    const { setup } = await makeUsedToken();
    const wire = openWire(setup.port);
    const length = 250_000;
    const head = requestText(`${line} HTTP/1.1`, [
      `Host: ${setup.host}`,
      'Authorization: Bearer rvx_nobody',
      'Content-Type: application/json',
      `Content-Length: ${length}`,
    ]);
    const sent: Socket[] = [];
    setup.service.app.server.once('connection', (socket: Socket) => sent.push(socket));
    wire.write(head + ' '.repeat(length));
    const [answer] = await wire.answers(1);
    expect(answer).toMatchObject({ status, headers: { connection: 'close' } });
    await wire.closed();
    expect(sent[0]?.bytesRead).toBeLessThan(length);
  });

  it.each(['POST /v1/ivr', 'PUT /v1/ivr/x', 'DELETE /v1/ivr/x'])(
    'is not read when it is large and no valid token came with it: %s',
    async (line) => {
      const { setup, expectNoChange } = await makeUsedToken();
      for (const headers of [['Content-Length: 200000'], ['Transfer-Encoding: chunked']]) {
        // No byte of the body is sent: waiting for it would take forever.
        const answer = await post(setup, 'rvx_nobody', { line, content: '', headers });
        expectRefusal(answer, 'token_invalid', 'ivr');
      }
      expectNoChange();
    },
  );

  it('is checked while it arrives when its length is not announced', async () => {
    const { setup, token, expectNoChange } = await makeUsedToken();
    const wire = openWire(setup.port);
    wire.write(
      requestText('POST /v1/ivr HTTP/1.1', [
        `Host: ${setup.host}`,
        `Authorization: Bearer ${token}`,
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
      ]),
    );
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
    for (let sent = 0; sent < 40; sent += 1) wire.write(chunk);
    const [answer] = await wire.answers(1);
    expectRefusal(answer ?? null, 'body_too_large', 'ivr');
    expectNoChange();
  });

  it('holds on every call that takes a body', async () => {
    const { setup, token, expectNoChange } = await makeUsedToken();
    const put = await post(setup, token, { line: 'PUT /v1/ivr/x', content: ' '.repeat(limit + 1) });
    expectRefusal(put, 'body_too_large', 'ivr');
    for (const line of ['POST /v1/auth/rotate', 'POST /v1/auth/refresh']) {
      const answer = await post(setup, token, { line, content: ' '.repeat(16 * 1024 + 1) });
      expect(answer?.status).toBe(413);
      expect(answer?.body).toContain('The body is too large. The limit is 16 KiB.');
    }
    const key = setup.service.sessions.portalKey;
    for (const line of ['POST /portal/tokens', 'PATCH /portal/settings', 'POST /portal/sign-in-links']) {
      expectRefusal(
        await post(setup, key, { line, content: ' '.repeat(limit + 1) }),
        'body_too_large',
        'portal',
      );
    }
    expectNoChange();
  });
});

describe('the type of a body', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/javascript',
    'text/json',
    'application',
    'application/json/x',
    'application/json, text/plain',
    'xapplication/json',
    '*/*',
    '\u00ff',
  ])('is refused with 415 when it is %j', async (type) => {
    const { setup, token, expectNoChange } = await makeUsedToken();
    expectRefusal(await post(setup, token, { type, content: JSON.stringify(ivrBody) }), 'not_json', 'ivr');
    expectNoChange();
  });

  it.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/vnd.api+json',
    null,
  ])('is taken when it is %j', async (type) => {
    const { setup, token } = await makeUsedToken();
    const answer = await post(setup, token, { type, content: JSON.stringify(ivrBody) });
    expect(answer?.status, answer?.body).toBe(200);
  });
});

describe('a body that is not JSON', () => {
  const place = (words: string) => `The body is not valid JSON: ${words}.`;
  const forbidden =
    'The body has a member named __proto__, or a constructor with a prototype, which is never taken. Leave it out.';
  const notUtf8Body = (line: number) =>
    `The body is not UTF-8, as JSON has to be: see line ${line}. Send it in UTF-8.`;

  it.each([
    [
      'is cut short',
      '{"name":"x"',
      place('line 1, column 12 must be a comma or }, but all of it ends there'),
    ],
    [
      'has a comma too many',
      '{\n "name":"x",\n}',
      place('line 3, column 1 must be a name in double quotes, not a closing bracket'),
    ],
    ['has a comment', '{/* */}', place('line 1, column 2 must be a name in double quotes, not a comment')],
    [
      'has single quotes',
      "{'name':'x'}",
      place('line 1, column 2 must be a name in double quotes, not a single quote'),
    ],
    [
      'has the quotes of a word processor',
      '{“name”:1}',
      place('line 1, column 2 must be a name in double quotes, not a curly quote'),
    ],
    ['has two values', '{}{}', place('line 1, column 3 must be nothing more, not an opening bracket')],
    ['has a NUL', '{"name":"x\0"}', notUtf8Body(1)],
    [
      'has a raw newline in a text',
      '{"name":"x\n"}',
      place(
        'line 1, column 9 must be a text that ends with a double quote on its line, but a line break is in it; write \\n',
      ),
    ],
    [
      'is NaN',
      '{"timeout":NaN}',
      place('line 1, column 12 must be a value, not a word without double quotes'),
    ],
    [
      'is a number with a zero before it',
      '{"timeout":05}',
      place('line 1, column 13 must be a comma or }, not a number'),
    ],
    ['is only space', '   ', place('line 1, column 4 must be a value, but all of it ends there')],
    ['is UTF-16', Buffer.from(JSON.stringify(ivrBody), 'utf16le'), notUtf8Body(1)],
    ['has bytes that are not UTF-8', notUtf8(), notUtf8Body(1)],
    ['is Windows-1252 in its second line', Buffer.from('{"name":\n"M\xfcller"}', 'latin1'), notUtf8Body(2)],
    [
      'would reach the prototype',
      JSON.stringify(ivrBody).replace('{', '{"__proto__":{"admin":true},'),
      forbidden,
    ],
    [
      'would reach the prototype by escapes',
      JSON.stringify(ivrBody).replace('{', '{"\\u005f_proto__":{"admin":true},'),
      forbidden,
    ],
    ['would reach the prototype deep inside', '{"a":[{"b":{"__proto__":null}}]}', forbidden],
    [
      'would reach the prototype by its constructor',
      '{"constructor":{"prototype":{"admin":true}}}',
      forbidden,
    ],
    [
      'is a hundred thousand brackets',
      '['.repeat(100_000),
      place('line 1, column 100001 must be a value, but all of it ends there'),
    ],
  ])('is refused with 400 that says where when it %s', async (_what, content, message) => {
    const { setup, token, expectNoChange } = await makeUsedToken();
    expectRefusal(await post(setup, token, { content }), 'malformed_json', 'ivr', message);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
    expectNoChange();
  });

  it.each(['POST /v1/auth/rotate', 'POST /v1/auth/refresh', 'POST /v1/ivr', 'PUT /v1/ivr/ivr_1'])(
    'is refused with its place and without anything of the body, which may have a secret: %s',
    async (line) => {
      const { setup, token, expectNoChange } = await makeUsedToken();
      const content = '{"password": secret-of-somebody}';
      const answer = await post(setup, token, { content, line });
      const said = place('line 1, column 14 must be a value, not a word without double quotes');
      expectRefusal(answer, 'malformed_json', line.includes('auth') ? 'auth' : 'ivr', said);
      expect(answer?.body).not.toContain('secret');
      expectNoChange();
    },
  );

  it('is refused with 400 when it has bytes that are not UTF-8 and is sent in chunks', async () => {
    const { setup, token, expectNoChange } = await makeUsedToken();
    const bytes = notUtf8();
    const content = Buffer.concat([
      Buffer.from(`${bytes.length.toString(16)}\r\n`),
      bytes,
      Buffer.from('\r\n0\r\n\r\n'),
    ]);
    const answer = await post(setup, token, { content, headers: ['Transfer-Encoding: chunked'] });
    expectRefusal(answer, 'malformed_json', 'ivr', notUtf8Body(1));
    expectNoChange();
  });
});

describe('a body that is JSON and no IVR', () => {
  const nest = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const withField = (field: string, json: string) =>
    JSON.stringify({ ...ivrBody, [field]: null }).replace(`"${field}":null`, `"${field}":${json}`);

  it.each([
    ['is a list', '[]'],
    ['is a text', '"x"'],
    ['is null', 'null'],
    ['is true', 'true'],
    ['is a number beyond all numbers', '1e999'],
    ['is nested 100,000 deep', nest(100_000)],
    ['has an option nested 100,000 deep', withField('option', nest(100_000))],
    ['has an option whose toString is no function', withField('option', '[{"toString":1,"valueOf":1}]')],
    ['has an option without a way to be a text', withField('option', '[{"toString":null}]')],
    ['has a destination without a way to be a text', withField('destination', '[{"toString":null}]')],
    ['has an option that calls itself a list', withField('option', '{"length":3,"map":1}')],
    ['has a template without a way to be a text', withField('sms_template', '[{"toString":null}]')],
    ['has a text without a way to be one', withField('name', '{"toString":null}')],
    ['has a number beyond all numbers', withField('timeout', '1e999')],
    ['has a number below all numbers', withField('timeout', '-1e999')],
    ['has a number that is nearly whole', withField('timeout', '5.0000001')],
    ['has a number with forty digits', withField('timeout', '"1000000000000000000000000000000000000005"')],
    ['has a number in another script', withField('timeout', '"\u0665"')],
    ['has a number in hexadecimal', withField('timeout', '"0x5"')],
    ['has a number with space around it', withField('timeout', '" 5 "')],
    ['has a number with a newline after it', withField('timeout', '"5\\n"')],
    ['has a key with a newline after it', withField('option', '["1\\n","2","0"]')],
    ['has a reference with a newline in it', withField('recording', '"recording||1\\n2\\n"')],
    ['has the same key as a number and as a text', withField('option', '[1,"1",2]')],
    ['has a reference of 300 characters', withField('recording', `"recording||${'9'.repeat(300)}"`)],
    ['has a reference to the prototype', withField('recording', '"__proto__||1"')],
    ['has a name twice, the second one empty', withField('name', '"Reception","name":""')],
  ])('is refused with 400 when it %s', async (_what, content) => {
    const { setup, token, expectNoChange } = await makeUsedToken();
    const key = setup.service.sessions.portalKey;
    const asApp = await post(setup, token, { content });
    const asOwner = await post(setup, key, { content, line: 'POST /portal/ivrs' });
    expect([asApp?.status, asOwner?.status]).toEqual([400, 400]);
    expectRefusalShape(asApp!, 'ivr');
    expectRefusalShape(asOwner!, 'portal');
    expectNoChange();
  });

  it('is not answered with more than a few times its size, however many things are wrong', async () => {
    const { setup, token, expectNoChange } = await makeUsedToken();
    const many = (count: number) => Array.from({ length: count }, (_, place) => place);
    const contents = {
      options: withField('option', JSON.stringify(many(40_000))),
      destinations: withField('destination', JSON.stringify(many(40_000))),
      unknownFields: JSON.stringify(Object.fromEntries(many(20_000).map((name) => [name, 0]))),
    };
    for (const [what, content] of Object.entries(contents)) {
      const answer = await post(setup, token, { content });
      expect(answer?.status, what).toBe(400);
      expect(answer?.body.length, what).toBeLessThan(4 * content.length);
    }
    expectNoChange();
  });

  it.each(['gzip', 'br', 'deflate, gzip', 'x'])(
    'is told that it must not be compressed (%s)',
    async (encoding) => {
      const { setup, token, expectNoChange } = await makeUsedToken();
      const content = gzipSync(JSON.stringify(ivrBody));
      const headers = [`Content-Length: ${content.length}`, `Content-Encoding: ${encoding}`];
      expectRefusal(await post(setup, token, { content, headers }), 'body_encoded', 'ivr');
      const refresh = { content, headers, line: 'POST /v1/auth/refresh' };
      expectRefusal(await post(setup, token, refresh), 'body_encoded', 'auth');
      expectNoChange();
      const plain = { content: JSON.stringify(ivrBody), headers: ['Content-Encoding: identity'] };
      const length = `Content-Length: ${plain.content.length}`;
      const taken = await post(setup, token, { ...plain, headers: [...plain.headers, length] });
      expect(taken?.status).toBe(200);
    },
  );

  it('may arrive in a thousand parts, and is refused when it arrives byte by byte', async () => {
    const { setup, token } = await makeUsedToken();
    const text = JSON.stringify(ivrBody);
    const headers = ['Transfer-Encoding: chunked'];
    const inParts = (content: string) => `${content.replace(/./g, '1\r\n$&\r\n')}0\r\n\r\n`;
    expect(text.length).toBeLessThan(1000);
    expect((await post(setup, token, { content: inParts(text), headers }))?.status).toBe(200);
    const padded = `${text.slice(0, -1)}${' '.repeat(10_000)}}`;
    expectRefusal(await post(setup, token, { content: inParts(padded), headers }), 'body_in_parts', 'ivr');
  });

  it('keeps the last of a field that is there twice, and what it keeps it gives back unchanged', async () => {
    const { setup, token } = await makeUsedToken();
    const description = 'é\u{1f4de}\u202e"\\\u0000\ud800';
    const content = JSON.stringify({ ...ivrBody, description }).replace('{', `{"description":"first",`);
    const created = await post(setup, token, { content });
    expect(created?.status, created?.body).toBe(200);
    const { id } = JSON.parse(created?.body ?? '') as { id: string };
    const read = await setup.call({ method: 'GET', path: `/v1/ivr/${id}`, bearer: token });
    expect(JSON.parse(read.text)).toMatchObject({ description });
  });
});

describe('the length of a body', () => {
  const content = JSON.stringify(ivrBody);

  it('is refused with 400 when it is announced twice, or as no number, or beside chunks', async () => {
    const { setup, token, expectNoChange } = await makeUsedToken();
    const announcements = [
      [`Content-Length: ${content.length}`, `Content-Length: ${content.length + 1}`],
      [`Content-Length: ${content.length}, ${content.length}`],
      ['Content-Length: -1'],
      ['Content-Length: +5'],
      ['Content-Length: 0x10'],
      ['Content-Length: 1e3'],
      ['Content-Length:'],
      [`Content-Length: ${content.length}`, 'Transfer-Encoding: chunked'],
      ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
      ['Transfer-Encoding: xchunked'],
      ['Transfer-Encoding: gzip, chunked, gzip'],
    ];
    for (const headers of announcements) {
      const answer = await post(setup, token, { content, headers });
      expect(answer?.status, headers.join('; ')).toBe(400);
      expect(answer?.headers['content-type'], headers.join('; ')).toMatch(/^application\/json/);
    }
    expectNoChange();
  });

  it('makes nothing of a body that ends too soon', async () => {
    const { setup, token, expectNoChange } = await makeUsedToken();
    const { text: stored } = await setup.call({ method: 'GET', path: '/v1/ivrs', bearer: token });
    const wire = openWire(setup.port);
    wire.write(
      requestText(
        'POST /v1/ivr HTTP/1.1',
        [
          `Host: ${setup.host}`,
          `Authorization: Bearer ${token}`,
          'Content-Type: application/json',
          `Content-Length: ${content.length + 10}`,
        ],
        content,
      ),
    );
    wire.socket.end();
    await wire.closed();
    expect((await setup.call({ method: 'GET', path: '/v1/ivrs', bearer: token })).text).toBe(stored);
    expectNoChange();
  });

  it('leaves the rest of a body that was too long to no one: it is not read as the next request', async () => {
    const { setup, token, expectNoChange } = await makeUsedToken();
    const smuggled = requestText('POST /v1/auth/rotate HTTP/1.1', [
      `Host: ${setup.host}`,
      `Authorization: Bearer ${token}`,
      'Content-Length: 0',
    ]);
    const answer = await post(setup, token, {
      content: `{}${smuggled}`,
      headers: ['Content-Length: 2', 'Connection: close'],
    });
    expect(answer?.status).toBe(400);
    expectNoChange();
  });
});

/** An IVR whose name contains a byte that is invalid in UTF-8. */
function notUtf8(): Buffer {
  const [before = '', after = ''] = JSON.stringify({ ...ivrBody, name: '#' }).split('#');
  return Buffer.concat([Buffer.from(before), Buffer.from([0x41, 0xff, 0xfe, 0x42]), Buffer.from(after)]);
}
