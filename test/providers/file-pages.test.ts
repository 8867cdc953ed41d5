import { describe, expect, it } from 'vitest';
import { FileProvider } from '../../src/providers/file/file-provider.ts';
import type { CallResult, WebRequest } from '../../src/providers/http/service-caller.ts';
import { ProviderFile } from '../../src/contract/credential/provider-file.ts';
import { startKeyServer } from '../fakes/key-server.ts';
import { keyProviderText } from '../fixtures/key-provider.ts';
import { noon } from '../fixtures/make-events.ts';
import { attemptOf } from './attempt.ts';
import { describeProvider } from './provider-suite.ts';

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
