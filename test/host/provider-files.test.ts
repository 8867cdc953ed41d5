import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isKnownProvider, providerFacts, setProviderFiles } from '../../src/contract/provider.ts';
import {
  ProviderFiles,
  removeProviderFile,
  shippedIds,
  storeProviderFile,
} from '../../src/host/provider-files.ts';
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
    expect(broken[1]?.problems).toEqual([{ place: 'shape', reason: 'must be replace, self_rotate, renew' }]);
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
