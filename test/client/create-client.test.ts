import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient, readBytes, readText } from '../../src/client/create-client.ts';
import { ServiceUnreachable, UnexpectedAnswer } from '../../src/client/read-refusal.ts';
import { routes } from '../../src/contract/routes.ts';
import { menu } from '../cli/menu.ts';
import { ServiceHere } from '../cli/service-here.ts';
import { freshDataDir, removeDataDir } from '../cli/rotavox.ts';
import { standIn } from './stand-in.ts';

let service: ServiceHere;
let owner: Client;

beforeAll(async () => {
  service = await ServiceHere.start(await freshDataDir());
  owner = createClient({ baseUrl: service.baseUrl, authorization: `Bearer ${await service.portalKey()}` });
});
afterAll(async () => {
  await service.stop();
  await removeDataDir(service.dataDir);
});

async function issue() {
  const issued = await owner.call('issueToken', { body: { name: 'a', validity_days: 7 } });
  if (!issued.ok) throw new Error(issued.message);
  return { ...issued.value, app: appWith(issued.value.access_token) };
}

function appWith(token: string): Client {
  return createClient({ baseUrl: service.baseUrl, authorization: `Bearer ${token}` });
}

describe('a call to the service', () => {
  it('sends body, parameters, query and headers, and brings back what the route promises', async () => {
    const issued = await issue();
    expect(issued).toMatchObject({ status: 'Active', validity_days: 7, scopes: [] });

    const page = await owner.call('listTokens', {
      query: { family_id: issued.family_id, status: undefined },
    });
    expect(page).toMatchObject({
      ok: true,
      status: 200,
      value: { tokens: [{ id: issued.id }], next_after: null },
    });

    const suspended = await owner.call('suspendToken', {
      params: { id: issued.id },
      body: { reason: 'why' },
    });
    expect(suspended).toMatchObject({ ok: true, value: { status: 'Suspended', reason: 'why' } });
    expect(await owner.call('resumeToken', { params: { id: issued.id } })).toMatchObject({ ok: true });

    const headers = { 'idempotency-key': 'once' };
    const rotated = await issued.app.call('rotateToken', { headers });
    expect(rotated).toMatchObject({ ok: true, value: { success: true, validity_days: 7 } });
    expect(await issued.app.call('rotateToken', { headers })).toEqual(rotated);

    const successor = appWith(rotated.ok ? rotated.value.access_token : '');
    const created = await successor.call('createIvr', { body: menu });
    expect(created).toMatchObject({ ok: true, value: { Success: true } });
    expect(await owner.call('portalListIvrs')).toMatchObject({
      ok: true,
      value: { ivrs: [{ name: menu.name }] },
    });
    expect(await owner.call('changeSettings', { body: { sms_templates_enabled: false } })).toMatchObject({
      ok: true,
    });
    expect(await createClient({ baseUrl: service.baseUrl }).call('health')).toMatchObject({ ok: true });
  });

  it('brings back a refusal in each of the three shapes as the same outcome', async () => {
    const { app } = await issue();
    expect(await appWith('rvx_none').call('rotateToken')).toEqual({
      ok: false,
      status: 401,
      message: 'The provided token is invalid.',
    });
    expect(await app.call('createIvr', { body: { ...menu, timeout: 0 } })).toEqual({
      ok: false,
      status: 400,
      message: expect.stringContaining('timeout must be') as string,
      errors: [{ field: 'timeout', message: expect.any(String) as string }],
    });
    expect(await owner.call('readToken', { params: { id: 'tok_none_1' } })).toEqual({
      ok: false,
      status: 404,
      code: 'not_found',
      message: expect.stringContaining('no token with this id') as string,
    });
    expect(await owner.call('issueToken', { body: { name: '', validity_days: 91 } })).toMatchObject({
      ok: false,
      status: 400,
      code: 'bad_request',
      errors: [{ field: 'name' }, { field: 'validity_days' }],
    });
    expect(await createClient({ baseUrl: service.baseUrl }).call('portalStatus')).toMatchObject({
      ok: false,
      status: 401,
      code: 'not_signed_in',
    });
  });

  it.each(['a/b', 'a?b#c', '%2e%2e', 'ünïcode', ' '])('keeps a parameter in its place: %o', async (id) => {
    expect(await owner.call('readToken', { params: { id } })).toMatchObject({ ok: false, status: 404 });
    expect(await owner.call('tokenHistory', { params: { id } })).toMatchObject({ ok: false, status: 404 });
  });

  it.each(['', '.', '..'])('asks nothing for a parameter that would change the path: %o', async (id) => {
    const client = createClient({
      baseUrl: '',
      fetch: () => Promise.reject(new Error('nothing is to be asked')),
    });
    expect(await client.call('tokenHistory', { params: { id } })).toMatchObject({
      ok: false,
      status: 404,
      code: 'not_found',
    });
  });

  it('is relative in a page of the service itself, and sends no Authorization unless it has one', async () => {
    const asked: [unknown, RequestInit | undefined][] = [];
    const client = createClient({
      baseUrl: '',
      fetch: (input, init) => {
        asked.push([input, init]);
        return Promise.resolve(Response.json({ status: 'ok', version: '1' }));
      },
    });
    expect(await client.call('health')).toMatchObject({ ok: true });
    expect(asked).toMatchObject([['/v1/health', { method: 'GET', headers: { accept: 'application/json' } }]]);
    expect(Object.keys(asked[0]?.[1]?.headers ?? {})).toEqual(['accept']);
  });

  it('does not compile for what no route promises', () => {
    // Never run: the compiler is what is asked.
    const wrong = async (client: Client): Promise<void> => {
      // @ts-expect-error no such route
      await client.call('renameToken');
      // @ts-expect-error a body is required
      await client.call('issueToken', {});
      // @ts-expect-error a parameter is required
      await client.call('readToken');
      // @ts-expect-error a health check takes no body
      await client.call('health', { body: {} });
      // @ts-expect-error a validity is a number
      await client.call('issueToken', { body: { name: 'a', validity_days: '7' } });
    };
    expect(wrong).toBeTypeOf('function');
  });
});

describe('a call that gets no answer of the service', () => {
  it('throws ServiceUnreachable when nothing listens', async () => {
    const { baseUrl, close } = await standIn(() => undefined);
    await close();
    const call = createClient({ baseUrl }).call('health');
    await expect(call).rejects.toBeInstanceOf(ServiceUnreachable);
    await expect(call).rejects.toMatchObject({ code: 'SERVICE_UNREACHABLE', retry: true, baseUrl });
  });

  it('throws ServiceUnreachable when what answers is about to stop', async () => {
    const { baseUrl } = await standIn((_request, response) => {
      response.writeHead(503).end('{"error":"Service Unavailable","statusCode":503}');
    });
    await expect(createClient({ baseUrl }).call('health')).rejects.toBeInstanceOf(ServiceUnreachable);
  });

  it('throws ServiceUnreachable when the answer breaks off', async () => {
    const { baseUrl } = await standIn((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"status":', () => response.destroy());
    });
    await expect(createClient({ baseUrl }).call('health')).rejects.toBeInstanceOf(ServiceUnreachable);
  });

  it('throws ServiceUnreachable when the time limit of its signal is over, and the reason when it was aborted', async () => {
    const { baseUrl } = await standIn(() => undefined); // never answers
    const client = createClient({ baseUrl });
    await expect(client.call('health', { signal: AbortSignal.timeout(1) })).rejects.toBeInstanceOf(
      ServiceUnreachable,
    );
    const reason = new Error('changed my mind');
    await expect(client.call('health', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  // As axios/axios#1098: the rest was read although it was too much.
  it.each([200, 403])('reads no more than a largest size of an answer with status %d', async (status) => {
    const part = Buffer.alloc(1024 * 1024, ' ');
    let written = 0;
    const { baseUrl } = await standIn((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.on('error', () => undefined);
      const write = (): void => {
        while (!response.destroyed && written < 300) {
          written += 1;
          if (!response.write(part)) return void response.once('drain', write);
        }
        response.end('{}');
      };
      write();
    });
    await expect(createClient({ baseUrl }).call('health')).rejects.toBeInstanceOf(UnexpectedAnswer);
    expect(written).toBeLessThan(100);
  });

  it('counts what a compressed answer stands for', async () => {
    const { baseUrl } = await standIn((_request, response) => {
      response
        .writeHead(200, { 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(64 * 1024 * 1024, ' ')));
    });
    await expect(createClient({ baseUrl }).call('health')).rejects.toBeInstanceOf(UnexpectedAnswer);
  });

  it('does not follow anybody elsewhere', async () => {
    let arrived = 0;
    const elsewhere = await standIn((_request, response) => {
      arrived += 1;
      response.end();
    });
    const { baseUrl } = await standIn((_request, response) => {
      response.writeHead(307, { location: `${elsewhere.baseUrl}/portal/tokens` }).end();
    });
    const client = createClient({ baseUrl, authorization: 'Bearer secret' });
    await expect(client.call('listTokens')).rejects.toBeInstanceOf(ServiceUnreachable);
    expect(arrived).toBe(0);
  });

  it.each([
    ['a page', 200, '<h1>hello</h1>'],
    ['nothing', 200, ''],
    ['JSON of another kind', 200, '{"status":"fine"}'],
    ['a refusal of another kind', 403, '{"error":"secret_value"}'],
    ['a page that says no', 502, '<h1>secret_value</h1>'],
  ])('throws UnexpectedAnswer, without what it holds, for %s', async (_what, status, body) => {
    const { baseUrl } = await standIn((_request, response) => response.writeHead(status).end(body));
    const call = createClient({ baseUrl }).call('health');
    await expect(call).rejects.toBeInstanceOf(UnexpectedAnswer);
    await expect(call).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER', status });
    await expect(call).rejects.not.toThrow('secret_value');
  });

  it('tells how long to wait and under which id to look when the service says so', async () => {
    const { baseUrl } = await standIn((_request, response) => {
      response
        .writeHead(503, { 'retry-after': '7' })
        .end('{"success":false,"message":"Later.","request_id":"req-1"}');
    });
    expect(await createClient({ baseUrl }).call('rotateToken')).toEqual({
      ok: false,
      status: 503,
      message: 'Later.',
      requestId: 'req-1',
      retryAfterSeconds: 7,
    });
  });
});

describe('every route of the contract', () => {
  it.each(Object.entries(routes))('can be called: %s', async (name, route) => {
    const asked: { url: string; method: string | undefined }[] = [];
    const client = createClient({
      baseUrl: 'http://service',
      fetch: (input, init) => {
        asked.push({ url: input as string, method: init?.method });
        return Promise.resolve(Response.json({ success: false, message: 'No.' }, { status: 401 }));
      },
    });
    const call = client.call as (name: string, input: object) => Promise<unknown>;
    const params = { id: 'x', name: 'x', target_id: 'x' };
    expect(await call(name, { params })).toMatchObject({ ok: false, status: 401 });
    expect(asked).toEqual([
      { url: `http://service${route.path.replaceAll(/:\w+/g, 'x')}`, method: route.method },
    ]);
  });
});

/** An answer without an end; `cancelled` once nobody reads it any more. */
function endless() {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => controller.enqueue(new Uint8Array(1000).fill(0xe2)),
    cancel() {
      cancelled = true;
    },
  });
  return { response: new Response(body), isCancelled: () => cancelled };
}

it('gives up an answer without an end', async () => {
  for (const read of [readBytes, readText]) {
    const { response, isCancelled } = endless();
    expect(await read(response, 2999)).toBeNull();
    expect(isCancelled()).toBe(true);
  }
});

it('reads one that is as long as it may be, whole, and characters that arrive in pieces', async () => {
  const bytes = new TextEncoder().encode('Grüße €');
  const inPieces = () =>
    new Response(
      new ReadableStream<Uint8Array<ArrayBuffer>>({
        start(controller) {
          for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
          controller.close();
        },
      }),
    );
  expect(await readBytes(inPieces(), bytes.length)).toEqual(bytes);
  expect(await readText(inPieces(), bytes.length)).toBe('Grüße €');
  expect(await readText(new Response(null), 0)).toBe('');
});
