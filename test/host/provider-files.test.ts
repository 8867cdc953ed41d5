import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  checkProviderFile,
  ProviderFiles,
  removeProviderFile,
  shippedIds,
  storeProviderFile,
} from '../../src/host/provider-files.ts';
import { isKnownProvider, providerFacts, setProviderFiles } from '../../src/providers/catalogue.ts';
import { fileReasons } from '../../src/text/cli/cli-provider.ts';
import { keyProvider, keyProviderText } from '../fixtures/key-provider.ts';
import { makeFolder } from '../fixtures/make-folder.ts';

afterEach(() => {
  setProviderFiles([]);
});

function folderWith(files: Readonly<Record<string, unknown>>): string {
  const dataDir = makeFolder();
  mkdirSync(join(dataDir, 'providers'));
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    writeFileSync(join(dataDir, 'providers', name), text);
  }
  return dataDir;
}

describe('the providers that are files', () => {
  it('are those of the program where a person has none', async () => {
    const { all: files, broken } = await ProviderFiles.open(makeFolder());
    expect(files.map(({ id }) => id)).toEqual(shippedIds);
    expect(broken).toEqual([]);
    for (const id of shippedIds) expect(isKnownProvider(id)).toBe(true);
    expect(providerFacts('grafana').traits).toMatchObject({ shape: 'replace', oldEnds: 'when_retired' });
  });

  it('are also those of the data folder, before one of the program with the same id', async () => {
    const dataDir = folderWith({ 'a.json': keyProviderText, 'b.json': { ...keyProviderText, id: 'vercel' } });
    const { all: files } = await ProviderFiles.open(dataDir);
    expect(files.find(({ id }) => id === 'keys')?.title).toBe('Keys');
    expect(files.find(({ id }) => id === 'vercel')?.title).toBe('Keys');
  });

  it('leave out a broken one, with its place and reason, and nothing else', async () => {
    const dataDir = folderWith({
      'a.json': '{',
      'b.json': { ...keyProviderText, shape: 'copy' },
      'c.json': keyProviderText,
    });
    const { all: files, broken } = await ProviderFiles.open(dataDir);
    expect(files.map(({ id }) => id)).toEqual([...shippedIds, 'keys']);
    expect(broken.map(({ path }) => path.slice(-6))).toEqual(['a.json', 'b.json']);
    expect(broken[0]?.problems[0]?.reason).toContain('is not JSON');
    expect(broken[1]?.problems).toEqual([
      { place: 'shape', reason: 'must be replace, self_rotate, renew, assisted' },
    ]);
  });

  it('can be stored and removed by id; another id removes nothing', async () => {
    const dataDir = makeFolder();
    await storeProviderFile(dataDir, keyProvider);
    expect((await ProviderFiles.open(dataDir)).all.some(({ id }) => id === 'keys')).toBe(true);
    expect(await removeProviderFile(dataDir, '../keys')).toBe(false);
    expect(await removeProviderFile(dataDir, 'vercel')).toBe(false);
    expect(await removeProviderFile(dataDir, 'keys')).toBe(true);
    expect((await ProviderFiles.open(dataDir)).all.some(({ id }) => id === 'keys')).toBe(false);
  });

  it('are stored instead of another file with the same id', async () => {
    const dataDir = folderWith({ 'z.json': { ...keyProviderText, title: 'Before' } });
    await storeProviderFile(dataDir, keyProvider);
    expect(readdirSync(join(dataDir, 'providers'))).toEqual(['keys.json']);
  });

  it('that are not there allow nothing to the proxy', () => {
    expect(isKnownProvider('keys')).toBe(false);
    expect(providerFacts('keys').forbidden).toEqual([{ method: null, path: '/**' }]);
  });
});

describe('provider files of a program that runs', () => {
  async function setUp(content: unknown = keyProviderText) {
    const dataDir = folderWith({ 'keys.json': content });
    const files = await ProviderFiles.open(dataDir);
    let changes = 0;
    files.onChange(() => (changes += 1));
    const write = (name: string, now: unknown) =>
      writeFileSync(join(dataDir, 'providers', name), typeof now === 'string' ? now : JSON.stringify(now));
    const titles = () => files.all.filter(({ id }) => id === 'keys').map(({ title }) => title);
    return { dataDir, files, write, titles, changes: () => changes };
  }

  it('take effect when they are added, changed and removed', async () => {
    const { dataDir, files, write, titles, changes } = await setUp();
    write('more.json', { ...keyProviderText, id: 'more' });
    expect(await files.reload()).toEqual({ changed: true, loaded: ['keys', 'more'], refused: [] });
    expect(isKnownProvider('more')).toBe(true);
    write('keys.json', { ...keyProviderText, title: 'Changed' });
    await files.reload();
    expect(titles()).toEqual(['Changed']);
    expect(await files.reload()).toMatchObject({ changed: false });
    expect(changes()).toBe(2);
    await removeProviderFile(dataDir, 'keys');
    expect(await files.reload()).toMatchObject({ changed: true, loaded: ['more'] });
    expect(isKnownProvider('keys')).toBe(false);
  });

  it('change nothing when they are refused, and are reported once', async () => {
    const { files, write, titles, changes } = await setUp();
    write('keys.json', '{');
    write('other.json', { ...keyProviderText, id: 'other', shape: 'copy' });
    expect((await files.look()).map(({ path }) => path.slice(-10))).toEqual(['/keys.json', 'other.json']);
    expect(await files.look()).toEqual([]);
    expect((await files.reload()).refused).toHaveLength(2);
    expect(titles()).toEqual(['Keys']);
    expect([isKnownProvider('keys'), isKnownProvider('other'), changes()]).toEqual([true, false, 0]);
  });

  it('are read again only when one was changed', async () => {
    const { files, write, titles, changes } = await setUp();
    await files.look();
    write('keys.json', { ...keyProviderText, title: 'A longer title' });
    await files.look();
    await files.look();
    expect([titles(), changes()]).toEqual([['A longer title'], 1]);
  });
});

describe('a file that is tested before it is added', () => {
  const faultsOf = async (content: string | object): Promise<string[]> => {
    const path = join(makeFolder(), 'keys.json');
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    const checked = await checkProviderFile(path);
    return checked.ok ? [] : checked.refusal.map(({ place, reason }) => `${place}: ${reason}`);
  };
  const { steps } = keyProviderText;
  const sending = (more: object) => ({
    ...keyProviderText,
    steps: { ...steps, mint: { ...steps.mint, request: { ...steps.mint.request, ...more } } },
  });

  it.each<[string, object, string]>([
    ['a script as its page', { docs: ['javascript:alert(1)'] }, 'docs.0: must be the address of a page'],
    ['a file as its page', { docs: ['file:///etc/passwd'] }, 'docs.0: must be the address of a page'],
    ['a link-local page', { docs: ['http://169.254.169.254/'] }, 'docs.0: must be the name of a host'],
    ['a file as its service', { base_url: 'file:///etc' }, 'base_url: must be the address of a service'],
    ['a script as its service', { base_url: 'javascript:1' }, 'base_url: must be the address of a service'],
    [
      'a service without https',
      { base_url: 'http://a.example' },
      'base_url: must be the address of a service',
    ],
    ['a link-local service', { base_url: 'https://[fe80::1]' }, 'base_url: must be the name of a host'],
    [
      'the metadata of a cloud',
      { hosts: ['metadata.google.internal'] },
      'hosts.0: must be the name of a host',
    ],
    ['a link-local host', { hosts: ['2852039166'] }, 'hosts.0: must be the name of a host'],
    ['a title that turns', { title: 'Keys\u202e' }, 'title: must have no line breaks'],
  ])('is refused with %s', async (_what, more, fault) => {
    expect((await faultsOf({ ...keyProviderText, ...more })).join('\n')).toContain(fault);
  });

  it.each<[string, object, string]>([
    [
      'a line break in a header',
      { headers: { 'x-a': 'a\r\nx-b: c' } },
      'must be printable ASCII on one line',
    ],
    ['a header of HTTP', { headers: { host: 'evil.example' } }, 'headers.host'],
    ['another', { headers: { 'transfer-encoding': 'chunked' } }, 'headers.transfer-encoding'],
    ['a path that is not UTF-8', { path: '/keys/%E0%A4%A' }, 'no server reads in two ways'],
    ['a step in its path', { path: '/x/%2e%2e/keys' }, 'no server reads in two ways'],
  ])('is refused with %s in a request', async (_what, request, fault) => {
    expect((await faultsOf(sending(request))).join('\n')).toContain(fault);
  });

  it.each([
    '/keys/',
    '//keys',
    '/a//b',
    '/a/../keys',
    '/a/%2e/keys',
    '/keys*',
    '/***',
    '/keys/{id}',
    '/keys;v=1',
    '/keys%3Bv',
    '/%zz',
    '/%ff',
    '/a%5Cb',
    '/%00',
  ])('is refused where it forbids %s, which can never match', async (path) => {
    const faults = await faultsOf({ ...keyProviderText, forbidden: [{ method: null, path }] });
    expect(faults.join('\n')).toContain('forbidden.0.path');
  });

  it('is refused where it forbids a method that the proxy sends never', async () => {
    for (const method of ['post', 'POSTT', 'OPTIONS', 'TRACE', '']) {
      const faults = await faultsOf({ ...keyProviderText, forbidden: [{ method, path: '/keys' }] });
      expect(faults.join('\n')).toContain('forbidden.0.method: must be a method in capital letters');
    }
  });

  it('is refused with a key that is twice in one object, however it is written', async () => {
    const text = JSON.stringify(keyProviderText);
    const doubled = text.replace('"title":', '"t\\u0069tle":"Other","title":');
    expect(await faultsOf(doubled)).toEqual(['title: is there twice']);
    const inner = text.replace('"method":"', '"method":"GET","method" : "');
    expect(await faultsOf(inner)).toHaveLength(1);
    expect(await faultsOf(text)).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')(
    'is not waited for where it is a pipe, neither here nor at a start',
    { timeout: 20_000 },
    async () => {
      const dataDir = folderWith({ 'a.json': keyProviderText });
      const pipe = join(dataDir, 'providers', 'b.json');
      execFileSync('mkfifo', [pipe]);
      const checked = await checkProviderFile(pipe);
      expect(checked).toMatchObject({ ok: false, refusal: [{ place: '', reason: fileReasons.notAFile }] });
      const { all: files, broken } = await ProviderFiles.open(dataDir);
      expect([files.at(-1)?.id, broken.map(({ path }) => path)]).toEqual(['keys', [pipe]]);
      expect(await checkProviderFile('/dev/zero')).toMatchObject({ ok: false });
    },
  );

  it('is loaded by a program that used it before it was refused for its texts', async () => {
    const text = JSON.stringify({ ...keyProviderText, title: 'Keys\u202e' }).replace(
      '{',
      '{"shape":"renew",',
    );
    const { broken } = await ProviderFiles.open(folderWith({ 'a.json': text }));
    expect(broken).toEqual([]);
  });
});
