import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FileProvider } from '../../src/providers/file/file-provider.ts';
import { type CallResult, ServiceCaller, type WebRequest } from '../../src/providers/http/service-caller.ts';
import { ProviderFile, providerFileSchema } from '../../src/contract/credential/provider-file.ts';
import { startKeyServer } from '../fakes/key-server.ts';
import { keyProviderText } from '../fixtures/key-provider.ts';
import { noon } from '../fixtures/make-events.ts';
import { attemptOf, describeProvider } from './provider-suite.ts';
import { factsOfFile } from '../../src/providers/file/known-file.ts';
import { runExamples } from '../../src/providers/file/run-examples.ts';
import { isForbidden } from '../../src/core/proxy/decide-request.ts';
import { providerFacts, providerIds } from '../../src/providers/catalogue.ts';
import { openProviders } from '../../src/providers/open-providers.ts';

const label = 'rotavox-crm-0a1b2c3d';
const baseUrl = 'https://keys.example/api';

function fileWith(next: object): ProviderFile {
  const { steps } = keyProviderText;
  const list = { ...steps.list, reply: { ...steps.list.reply, next } };
  return ProviderFile.parse({ ...keyProviderText, steps: { ...steps, list } });
}

describeProvider(
  'a provider that is a file, whose list has pages',
  async (time) => {
    const keys = await startKeyServer(time.clock);
    keys.pageSize = 2;
    for (const name of ['a', 'b', 'c', 'd', 'e']) keys.create(name);
    return {
      baseUrl: keys.baseUrl,
      provider: { id: 'keys', inputs: {} },
      files: [fileWith({ kind: 'cursor', at: '/next', query: 'after' })],
      token: keys.create().value,
      keepsOld: true,
      isAlive: (token) => keys.isAlive(token),
      replaces: (path) => path === '/keys',
    };
  },
  { afterLostReply: 'fine' },
);

type Page = Partial<{ status: number; body: unknown; headers: Record<string, string> }>;

/** Reconciles at a service that answers with these pages by their address, and tells what it was asked for. */
async function reconcile(next: object, pages: Readonly<Record<string, Page>>) {
  const asked: string[] = [];
  const send = ({ method, url, headers }: WebRequest): Promise<CallResult> => {
    asked.push(`${method} ${url.replace(baseUrl, '')}`);
    expect(headers['authorization']).toBe('Bearer old');
    const page = method === 'DELETE' ? {} : pages[url.replace(baseUrl, '')];
    if (page === undefined) throw new Error(`There is no page ${url}`);
    const { status = 200, body = {}, headers: sent = {} } = page;
    return Promise.resolve({ kind: 'answer', status, body, text: '', headers: sent });
  };
  const provider = new FileProvider(fileWith(next), { send }, () => noon);
  const found = await provider.reconcile(attemptOf({ baseUrl, token: 'old', label, wantedDays: 30 }));
  return { found, asked };
}

const first = '/keys?all=true';
const other = { id: 1, name: 'other' };
const orphan = { id: 7, name: label };
const done = { kind: 'nothing_happened' };

describe('a list with pages', () => {
  const cursor = { kind: 'cursor', at: '/next', query: 'after' };
  const address = { kind: 'address', at: '/next' };
  const header = { kind: 'header', header: 'x-next-page', query: 'page' };
  const link = { kind: 'link' };
  const number = { kind: 'number', query: 'page', pages: '/pages' };
  const keys = [other];

  it.each<[string, object, Page, string, Page]>([
    [
      'a cursor',
      cursor,
      { body: { keys, next: 'a b' } },
      '/keys?all=true&after=a+b',
      { body: { next: null } },
    ],
    [
      'a number as cursor',
      cursor,
      { body: { keys, next: 5 } },
      '/keys?all=true&after=5',
      { body: { next: '' } },
    ],
    ['a path', address, { body: { keys, next: '/api/keys?p=2' } }, '/keys?p=2', { body: { next: null } }],
    ['an address', address, { body: { keys, next: `${baseUrl}/keys?p=2` } }, '/keys?p=2', { body: {} }],
    ['a header', header, { body: { keys }, headers: { 'x-next-page': '2' } }, '/keys?all=true&page=2', {}],
    [
      'the header Link',
      link,
      {
        body: { keys },
        headers: { link: `<${baseUrl}/x>; rel="prev", <${baseUrl}/keys?p=2>; title="a, b"; rel="last next"` },
      },
      '/keys?p=2',
      { headers: { link: `<${baseUrl}/keys>; rel="first"` } },
    ],
    [
      'a number of pages',
      number,
      { body: { keys, pages: 2 } },
      '/keys?all=true&page=2',
      { body: { pages: 2 } },
    ],
  ])(
    'is read to its end by %s, and only then something is deleted',
    async (_what, next, one, second, two) => {
      const last = { ...two, body: { keys: [orphan], ...(two.body as object | undefined) } };
      const { found, asked } = await reconcile(next, { [first]: one, [second]: last });
      expect(found).toEqual(done);
      expect(asked).toEqual([`GET ${first}`, `GET ${second}`, 'DELETE /keys/7']);
    },
  );

  it.each<[string, object, Page, string]>([
    ['at another host', address, { body: { keys, next: 'https://evil.example/keys' } }, 'elsewhere'],
    ['at another port', address, { body: { keys, next: 'https://keys.example:8443/keys' } }, 'elsewhere'],
    [
      'without encryption',
      link,
      { body: { keys }, headers: { link: '<http://keys.example/x>; rel=next' } },
      'elsewhere',
    ],
    [
      'at a host that begins like a path',
      address,
      { body: { keys, next: '//evil.example/keys' } },
      'elsewhere',
    ],
    ['the same again', address, { body: { keys, next: '/api/keys?all=true' } }, 'again'],
    ['no text', cursor, { body: { keys, next: { id: 1 } } }, 'unreadable'],
    ['no address', address, { body: { keys, next: 'https://' } }, 'unreadable'],
    ['not counted', number, { body: { keys } }, 'unreadable'],
  ])('is unclear, and nothing is deleted, where the next page is %s', async (_what, next, page, why) => {
    const withOrphan = { ...page, body: { ...(page.body as object), keys: [orphan] } };
    const { found, asked } = await reconcile(next, { [first]: withOrphan });
    expect(found).toMatchObject({ kind: 'unclear', failure: { trouble: { code: 'list_unfinished', why } } });
    expect(asked).toEqual([`GET ${first}`]);
  });

  it('is unclear where a later page fails, or there is no end', async () => {
    const failing = {
      [first]: { body: { keys: [orphan], next: '2' } },
      '/keys?all=true&after=2': { status: 500 },
    };
    expect((await reconcile(cursor, failing)).found).toMatchObject({ kind: 'unclear' });
    const endless = new Proxy(
      {},
      { get: (_all, path: string) => ({ body: { keys, next: `${path.length}` } }) },
    );
    const { found, asked } = await reconcile(cursor, endless);
    expect(found).toMatchObject({ kind: 'unclear', failure: { trouble: { code: 'list_unfinished' } } });
    expect(asked.length).toBeLessThanOrEqual(100);
    let count = 0;
    const growing = new Proxy({}, { get: () => ({ body: { keys, next: `${(count += 1)}` } }) });
    const many = await reconcile(cursor, growing);
    expect(many.found).toMatchObject({ failure: { trouble: { code: 'list_unfinished', why: 'too_many' } } });
    expect(many.asked).toHaveLength(100);
  });

  it('is refused for a request that is not a GET', () => {
    const { steps } = keyProviderText;
    const list = {
      ...steps.list,
      request: { method: 'POST', path: '/keys' },
      reply: { ...steps.list.reply, next: cursor },
    };
    const parsed = ProviderFile.safeParse({ ...keyProviderText, steps: { ...steps, list } });
    expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toContain('steps.list.request.method');
  });
});

const folder = new URL('../../resources/providers/', import.meta.url);
const shipped = readdirSync(folder).filter(
  (name) => name.endsWith('.json') && name !== 'provider.schema.json',
);
const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));

describe.each(shipped)('the shipped provider %s', (name) => {
  const file = ProviderFile.parse(read(name));

  it('is called as its file', () => {
    expect(`${file.id}.json`).toBe(name);
  });

  it('is complete, so that it is not parsed at each start', () => {
    const { $schema: _schema, examples: _recorded, ...raw } = read(name) as Record<string, unknown>;
    const { $schema: _same, examples: _played, ...parsed } = file;
    expect(raw).toEqual(parsed);
  });

  it.each(file.examples.map(({ title }) => title))('does as its example says: %s', async (title) => {
    const results = await runExamples(file);
    expect(results.find((one) => one.title === title)).toEqual({ title, problem: null });
  });

  it('has an example for every step', () => {
    const played = file.examples.map(({ step }) => step);
    const steps = Object.keys(file.steps).filter((step) => step !== 'list');
    expect(played).toEqual(expect.arrayContaining(steps));
    if (file.after_lost_reply === 'list') expect(played).toContain('reconcile');
  });
});

it('the published schema is the one of the program', () => {
  expect(read('provider.schema.json')).toEqual(JSON.parse(JSON.stringify(providerFileSchema())));
});

describe('the calls of a provider file', () => {
  const refuses = (file: unknown, method: string, path: string) =>
    isForbidden(
      { forbidden: factsOfFile(ProviderFile.parse(file)).forbidden, basePath: '' },
      method,
      path.split('/').slice(1),
    );

  it.each([
    ['POST', '/keys'],
    ['GET', '/keys'],
    ['DELETE', '/keys/7'],
    ['PATCH', '/keys/7/anything'],
    ['POST', '/KEYS'],
  ])('are never for the proxy, whatever the file forbids: %s %s', (method, path) => {
    expect(refuses(keyProviderText, method, path)).toBe(true);
    expect(
      refuses({ ...keyProviderText, forbidden: [{ method: 'POST', path: '/other' }] }, method, path),
    ).toBe(true);
  });

  it('are not all that begins alike, nor the question about a token', () => {
    expect(refuses(keyProviderText, 'GET', '/keyboards')).toBe(false);
    expect(refuses(keyProviderText, 'GET', '/me')).toBe(false);
  });

  it.each([
    [{ method: 'post', path: '/other' }, 'a method in capital letters'],
    [{ method: 'POST', path: 'other' }, 'must begin with one slash'],
    [{ method: 'POST', path: '//other' }, 'must begin with one slash'],
  ])('are not forbidden by a route that can never match: %j', (route, why) => {
    const read = ProviderFile.safeParse({ ...keyProviderText, forbidden: [route] });
    expect(read.error?.issues[0]?.message).toContain(why);
  });
});

describe('an example', () => {
  const [, dead, lost] = keyProviderText.examples;
  const [minted] = keyProviderText.examples;

  async function problemWith(change: Record<string, unknown>) {
    const file = ProviderFile.parse({ ...keyProviderText, examples: [{ ...minted, ...change }, dead, lost] });
    return (await runExamples(file))[0]?.problem?.code;
  }

  it('fails with another request, outcome or value than it says', async () => {
    expect(await problemWith({})).toBeUndefined();
    expect(await problemWith({ expect: { value: 'other' } })).toBe('other_value');
    expect(await problemWith({ exchanges: [...(minted?.exchanges ?? []), ...(dead?.exchanges ?? [])] })).toBe(
      'too_few',
    );
    expect(await problemWith({ given: { value: 'old', wanted_days: 7 } })).toBe('other_request');
    const [exchange] = minted?.exchanges ?? [];
    expect(await problemWith({ exchanges: [{ ...exchange, reply: { status: 200, json: {} } }] })).toBe(
      'other_outcome',
    );
  });
});

describe('a provider file', () => {
  type Change = (file: Record<string, never> & typeof keyProviderText) => unknown;
  const { steps } = keyProviderText;

  it.each<[string, Change, string]>([
    ['an unknown field', (file) => ({ ...file, script: 'x' }), ''],
    [
      'a brace that is no placeholder',
      (file) => ({
        ...file,
        steps: { ...steps, inspect: { ...steps.inspect, request: { method: 'GET', path: '/{a b}' } } },
      }),
      'steps.inspect.request.path',
    ],
    [
      'an unknown placeholder',
      (file) => ({
        ...file,
        steps: { ...steps, retire: { ...steps.retire, request: { method: 'DELETE', path: '/keys/{key}' } } },
      }),
      'steps.retire.request.path',
    ],
    [
      'the token in a path',
      (file) => ({
        ...file,
        steps: { ...steps, inspect: { ...steps.inspect, request: { method: 'GET', path: '/{value}' } } },
      }),
      'steps.inspect.request.path',
    ],
    ['no way to delete', (file) => ({ ...file, steps: { ...steps, retire: undefined } }), 'steps'],
    [
      'a list without a label to find',
      (file) => ({
        ...file,
        steps: { ...steps, mint: { ...steps.mint, request: { ...steps.mint.request, json: {} } } },
      }),
      'steps.mint.request',
    ],
    ['no example of a lost reply', (file) => ({ ...file, examples: file.examples.slice(0, 2) }), 'examples'],
    ['the id of a provider that is built in', (file) => ({ ...file, id: 'gitlab' }), 'id'],
    [
      'a repetition of what ends the old token',
      (file) => ({ ...file, shape: 'self_rotate', after_lost_reply: 'repeat' }),
      'after_lost_reply',
    ],
  ])('is refused with %s', (_what, change, path) => {
    const parsed = ProviderFile.safeParse(change(keyProviderText as never));
    expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toContain(path);
  });
});

const providers = openProviders(new ServiceCaller({}), Date.now);

it.each(providerIds)('%s has the calls that its facts promise', (id) => {
  const { traits, endOnRequest, endsReplaced } = providerFacts(id);
  const { shape, oldEnds, repeat } = traits;
  const { traits: own, endsBy, ...calls } = providers.of(id);
  expect(own).toBe(traits);
  expect(shape === 'renew' ? calls.renew : calls.rotate).toBeDefined();
  if (repeat === 'after_inspect') expect(calls.reconcile).toBeDefined();
  expect(calls.secret !== undefined && calls.obtain !== undefined).toBe(shape === 'refresh');
  expect(endsBy.includes('id')).toBe(oldEnds === 'when_retired');
  expect(endsBy.includes('value')).toBe(endsReplaced !== undefined);
  if (endOnRequest !== undefined || traits.isRevokedOnRemoval === true) expect(endsBy).toContain('itself');
  expect(calls.end !== undefined).toBe(endsBy.length > 0);
});
