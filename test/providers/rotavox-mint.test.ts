import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { FailedRotation } from '../../src/providers/provider-port.ts';
import { RotavoxProvider } from '../../src/providers/rotavox/calls.ts';
import { problems } from '../../src/contract/problems.ts';
import type { RotationTrouble } from '../../src/contract/credential/rotation-trouble.ts';
import type { Result } from '../../src/core/result.ts';
import { attemptOf } from './provider-suite.ts';
import { noon } from '../fixtures/make-events.ts';
import { type AnsweringService, makeCaller, startAnsweringService } from './http/answering-service.ts';

const token = 'rvx_TheTokenThatNobodyMayEverReadAnywhere';
const fresh = 'rvx_TheOneThatComesAfterIt';
const good = {
  success: true,
  message: 'Token refreshed successfully.',
  access_token: fresh,
  token_type: 'bearer',
  validity_days: 7,
};

function ask({ baseUrl }: { baseUrl: string }, timeLimitMs = 20_000) {
  return new RotavoxProvider(makeCaller(), () => noon).rotate(attemptOf({ baseUrl, token, timeLimitMs }));
}

function failureOf(result: Result<unknown, FailedRotation>): FailedRotation {
  if (result.ok) throw new Error('It was rotated');
  return result.refusal;
}

describe('a rotation that is answered', () => {
  it('sends the bearer, the key and an empty body, and takes the token', async () => {
    const asked: unknown[] = [];
    const service = await startAnsweringService((incoming, answer) => {
      const { authorization, 'idempotency-key': key, 'content-type': type } = incoming.headers;
      let body = '';
      incoming.on('data', (chunk: Buffer) => (body += chunk.toString()));
      incoming.on('end', () => {
        asked.push({ method: incoming.method, path: incoming.url, authorization, key, type, body });
        answer.end(JSON.stringify(good));
      });
    });
    expect(await ask(service)).toEqual({
      ok: true,
      value: { token: fresh, validityDays: 7, expiresAtMs: null },
    });
    expect(asked).toEqual([
      {
        method: 'POST',
        path: '/v1/auth/rotate',
        authorization: `Bearer ${token}`,
        key: 'key',
        type: 'application/json',
        body: '{}',
      },
    ]);
  });

  it.each([
    ['with another spelling of the type', { ...good, token_type: 'Bearer' }],
    ['without a message', { access_token: fresh, validity_days: 7 }],
    ['with a field that nobody knows yet', { ...good, region: 'eu' }],
    ['that has it one level deeper', { success: true, data: good }],
    ['that is a list', [good]],
    ['that names the previous one first', { previous: { access_token: token }, current: good }],
    ['that has the previous one at its place', { access_token: token, data: good }],
    ['that is empty at its place', { access_token: '', data: good }],
    ['that has the word of the header before it', { ...good, access_token: `Bearer ${fresh}` }],
  ])('takes the token from a reply %s: it exists nowhere else', async (_what, body) => {
    const service = await startAnsweringService({ status: 200, body });
    expect(await ask(service)).toEqual({
      ok: true,
      value: { token: fresh, validityDays: 7, expiresAtMs: null },
    });
  });

  it.each([
    ['gzip', 'gzip', gzipSync],
    ['gzip, which its header does not say', undefined, gzipSync],
    ['deflate', 'deflate', deflateSync],
    ['deflate without a head', 'deflate', deflateRawSync],
    ['brotli', 'br', brotliCompressSync],
    ['zstd', 'zstd', zstdCompressSync],
    [
      'gzip without its end',
      'gzip',
      (text: string) => gzipSync(text, { finishFlush: constants.Z_SYNC_FLUSH }),
    ],
    [
      'deflate without its end',
      'deflate',
      (text: string) => deflateSync(text, { finishFlush: constants.Z_SYNC_FLUSH }),
    ],
    [
      'brotli without its end',
      'br',
      (text: string) => brotliCompressSync(text, { finishFlush: constants.BROTLI_OPERATION_FLUSH }),
    ],
  ] as const)(
    'takes the token from a reply that is compressed although nobody asked for that: %s',
    async (_what, encoding, compress) => {
      const service = await startAnsweringService((_incoming, answer) => {
        if (encoding !== undefined) answer.setHeader('content-encoding', encoding);
        answer.end(compress(JSON.stringify(good)));
      });
      expect(await ask(service)).toMatchObject({ ok: true, value: { token: fresh } });
    },
  );

  it.each(['br', 'deflate', 'zstd', 'gzip'])(
    'takes the token from a reply that is not compressed, although its header says %s',
    async (encoding) => {
      const headers = { 'content-encoding': encoding };
      const service = await startAnsweringService({ status: 200, headers, body: good });
      expect(await ask(service)).toMatchObject({ ok: true, value: { token: fresh } });
    },
  );

  it('says what a service says that answers 200 to everything', async () => {
    const body = { success: false, message: 'Only once in an hour.' };
    const failure = failureOf(await ask(await startAnsweringService({ status: 200, body })));
    expect(failure).toMatchObject({
      mayHaveActed: true,
      trouble: { code: 'service_failed', status: 200, said: 'Only once in an hour.' },
    });
  });

  it('reads no more of a compressed reply than of another one', async () => {
    const long = JSON.stringify({ ...good, message: 'x'.repeat(10 * 1024 * 1024) });
    const service = await startAnsweringService((_incoming, answer) => answer.end(gzipSync(long)));
    expect(failureOf(await ask(service)).trouble).toMatchObject({ code: 'no_new_token' });
  });

  it.each([
    ['12|AbCd$x', '12|AbCd$x'],
    ['sntrys_eyJpYXQ=_NDty', 'sntrys_eyJpYXQ=_NDty'],
    [`eyJ${'a'.repeat(9000)}`, `eyJ${'a'.repeat(9000)}`],
    ['with a blank', 'with a blank'],
    ['"quoted"', '"quoted"'],
    ['ключ', 'ключ'],
    [' blanks around\n', 'blanks around'],
    // What it can be used for is judged by each use.
    ['rvx_a\r\nX: y', 'rvx_a\r\nX: y'],
    ['rvx_\0', 'rvx_\0'],
    [123456, '123456'],
  ])('takes the token %j whatever is in it', async (given, taken) => {
    const service = await startAnsweringService({ status: 200, body: { ...good, access_token: given } });
    expect(await ask(service)).toMatchObject({ ok: true, value: { token: taken } });
  });

  it.each([[undefined], [null], [0], [-3], [1.5], ['7'], [1e300]])(
    'counts a validity of %s as one day: too early rather than too late',
    async (validity) => {
      const service = await startAnsweringService({
        status: 200,
        body: { ...good, validity_days: validity },
      });
      expect(await ask(service)).toEqual({
        ok: true,
        value: { token: fresh, validityDays: 1, expiresAtMs: null },
      });
    },
  );

  it.each([
    ['nothing', undefined],
    ['half of it', JSON.stringify(good).slice(0, 60)],
    ['null', 'null'],
    ['a list of texts', [fresh]],
    ['no token', { ...good, access_token: undefined }],
    ['an empty token', { ...good, access_token: '' }],
    ['the token that was to be replaced', { ...good, access_token: token }],
  ])('is a failure after which the service may have acted when a 200 contains %s', async (_what, body) => {
    const service = await startAnsweringService({ status: 200, body });
    expect(failureOf(await ask(service))).toEqual({
      kind: 'service_failed',
      trouble: { code: 'no_new_token', service: service.baseUrl, status: 200 },
      mayHaveActed: true,
      retryAfterMs: null,
    });
  });
});

describe('a rotation that a web page answers', () => {
  it.each([200, 403])('may have been made: with status %i', async (status) => {
    const service = await startAnsweringService({ status, body: `<html><title>Stop ${token}</title>` });
    expect(failureOf(await ask(service))).toEqual({
      kind: 'unreachable',
      trouble: {
        code: 'call_failed',
        service: service.baseUrl,
        failure: { code: 'page', status, title: null },
      },
      mayHaveActed: true,
      retryAfterMs: null,
    });
  });
});

describe('a rotation that is refused', () => {
  const said = { success: false, message: 'Because.' };
  const table: [number, unknown, RotationTrouble['code'], boolean, string | null][] = [
    [400, said, 'service_failed', false, 'Because.'],
    [401, said, 'invalid', false, 'Because.'],
    [401, undefined, 'invalid', false, null],
    [401, { message: problems.token_invalid.message }, 'invalid', false, problems.token_invalid.message],
    [401, { message: problems.token_expired.message }, 'expired', false, problems.token_expired.message],
    [403, said, 'refused', false, 'Because.'],
    [
      403,
      { message: problems.token_suspended.message },
      'suspended',
      false,
      problems.token_suspended.message,
    ],
    [
      403,
      { message: problems.token_blacklisted.message },
      'blacklisted',
      false,
      problems.token_blacklisted.message,
    ],
    [404, said, 'no_endpoint', false, null],
    [405, said, 'no_endpoint', false, null],
    [410, said, 'no_endpoint', false, null],
    [501, said, 'no_endpoint', false, null],
    [408, said, 'service_failed', true, 'Because.'],
    [409, said, 'service_failed', true, 'Because.'],
    [415, said, 'service_failed', false, 'Because.'],
    [422, { Message: 'Because.' }, 'service_failed', false, 'Because.'],
    [429, { error: 'Because.' }, 'service_failed', false, 'Because.'],
    [500, said, 'service_failed', true, 'Because.'],
    [502, '<html>Bad gateway</html>', 'service_failed', true, null],
    [503, said, 'service_failed', true, 'Because.'],
    [504, said, 'service_failed', true, 'Because.'],
  ];
  it.each(table)('%i with %j is %s, may have acted: %s', async (status, body, code, mayHaveActed, text) => {
    const service = await startAnsweringService({ status, body });
    const failure = failureOf(await ask(service));
    expect(failure).toMatchObject({ kind: code, mayHaveActed, retryAfterMs: null });
    expect(failure.trouble).toMatchObject({ code, service: service.baseUrl });
    if (code !== 'no_endpoint') expect(failure.trouble).toMatchObject({ said: text });
    if (code === 'no_endpoint' || code === 'service_failed')
      expect(failure.trouble).toMatchObject({ status });
  });

  it('is classified for every status, and never repeats the token', async () => {
    const service = await startAnsweringService();
    for (let status = 201; status < 600; status += 1) {
      service.answer = { status, body: { success: false, message: `no ${token} here, ${token}` } };
      const failure = failureOf(await ask(service));
      expect(JSON.stringify(failure), String(status)).not.toContain(token);
      // After a server failure or an unreadable success it may have acted; after a clear refusal it has not.
      const mayHaveActed =
        status < 300 || (status >= 500 && status !== 501) || status === 408 || status === 409;
      expect(failure.mayHaveActed, String(status)).toBe(mayHaveActed);
    }
    expect(service.calls).toHaveLength(399);
  });

  it.each([301, 302, 303, 307, 308])('does not follow a %i, and says where it leads', async (status) => {
    const elsewhere = await startAnsweringService({ status: 200, body: good });
    const location = `${elsewhere.baseUrl}/v1/auth/rotate?secret=path`;
    const service = await startAnsweringService({ status, headers: { location } });
    expect(failureOf(await ask(service))).toEqual({
      kind: 'unsafe',
      trouble: { code: 'redirected', service: service.baseUrl, to: elsewhere.baseUrl },
      mayHaveActed: false,
      retryAfterMs: null,
    });
    expect(elsewhere.calls).toEqual([]);
  });

  it.each([undefined, '/login', '%%'])('copes with a redirect to %s', async (location) => {
    const headers: Record<string, string> = location === undefined ? {} : { location };
    const service = await startAnsweringService({ status: 302, headers });
    expect(failureOf(await ask(service))).toMatchObject({
      kind: 'unsafe',
      // A path is one of the same service.
      trouble: { code: 'redirected', to: location === undefined ? null : service.baseUrl },
    });
    expect(service.calls).toHaveLength(1);
  });

  it.each([
    ['120', 120_000],
    [new Date(noon + 90_000).toUTCString(), 90_000],
    [new Date(noon - 90_000).toUTCString(), null],
    ['0', null],
    ['-5', null],
    ['soon', null],
    ['99999999999999999999', null],
  ])('reads Retry-After: %s', async (header, retryAfterMs) => {
    for (const status of [429, 503]) {
      const service = await startAnsweringService({ status, headers: { 'retry-after': header } });
      expect(failureOf(await ask(service)).retryAfterMs).toBe(retryAfterMs);
    }
  });
});

describe('a rotation that is not answered', () => {
  it('was not sent where nothing listens', async () => {
    const gone = createTcpServer();
    gone.listen(0, '127.0.0.1');
    await new Promise((resolve) => gone.once('listening', resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    const baseUrl = `http://127.0.0.1:${port}`;
    expect(failureOf(await ask({ baseUrl }))).toEqual({
      kind: 'unreachable',
      trouble: {
        code: 'call_failed',
        service: baseUrl,
        failure: { code: 'not_connected', systemCode: 'ECONNREFUSED' },
      },
      mayHaveActed: false,
      retryAfterMs: null,
    });
  });

  it('may have acted when the connection ends without an answer', async () => {
    const service = await startAnsweringService((incoming) => incoming.socket.destroy());
    const failure = failureOf(await ask(service));
    expect(failure).toMatchObject({ kind: 'unreachable', mayHaveActed: true });
    expect(failure.trouble).toMatchObject({ code: 'call_failed', failure: { code: 'connection_lost' } });
  });

  it('may have acted when the answer ends half way', async () => {
    const service = await startAnsweringService((incoming, answer) => {
      const body = JSON.stringify(good);
      answer.writeHead(200, { 'content-length': body.length });
      answer.write(body.slice(0, 90), () => incoming.socket.destroy());
    });
    expect(failureOf(await ask(service))).toMatchObject({ kind: 'unreachable', mayHaveActed: true });
  });

  it.each([
    ['nothing comes', () => undefined],
    ['only the head comes', (_incoming: unknown, answer: { flushHeaders(): void }) => answer.flushHeaders()],
  ])('may have acted when %s within the time', async (_what, answer) => {
    const service = await startAnsweringService(answer);
    expect(failureOf(await ask(service, 60))).toEqual({
      kind: 'unreachable',
      trouble: {
        code: 'call_failed',
        service: service.baseUrl,
        failure: { code: 'no_answer', limitMs: 60 },
      },
      mayHaveActed: true,
      retryAfterMs: null,
    });
  });

  it('reads at most 64 KiB of an answer', async () => {
    const largest = 64 * 1024;
    const withSize = (bytes: number) => {
      const empty = JSON.stringify({ ...good, padding: '' }).length;
      return JSON.stringify({ ...good, padding: 'x'.repeat(bytes - empty) });
    };
    const service = await startAnsweringService({ status: 200, body: withSize(largest) });
    expect(await ask(service)).toMatchObject({ ok: true, value: { token: fresh } });
    service.answer = { status: 200, body: withSize(largest + 1) };
    expect(failureOf(await ask(service))).toMatchObject({ kind: 'unreachable', mayHaveActed: true });
  });

  it('has not acted when a connection that was to be secure is cut before it is', async () => {
    const server = createTcpServer((socket) => socket.on('data', () => socket.resetAndDestroy()));
    server.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    onTestFinished(() => void server.close());
    const baseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(failureOf(await ask({ baseUrl }))).toMatchObject({ kind: 'unreachable', mayHaveActed: false });
  });

  it('gives up what is under way when the caller closes', async () => {
    const { promise: isAsked, resolve: tellAsked } = Promise.withResolvers<undefined>();
    const service: AnsweringService = await startAnsweringService(() => tellAsked(undefined));
    const caller = makeCaller();
    const wanted = attemptOf({ baseUrl: service.baseUrl, token });
    const asking = new RotavoxProvider(caller, () => noon).rotate(wanted);
    await isAsked;
    await caller.close();
    expect(failureOf(await asking)).toMatchObject({
      kind: 'unreachable',
      trouble: { code: 'call_failed', failure: { code: 'stopped' } },
      mayHaveActed: true,
    });
  });
});
