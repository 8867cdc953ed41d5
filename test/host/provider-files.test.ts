import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isKnownProvider, providerFacts, setProviderFiles } from '../../src/contract/provider.ts';
import {
  loadProviderFiles,
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
    const { files, broken } = await loadProviderFiles(makeFolder());
    expect(files.map(({ id }) => id)).toEqual(shippedIds);
    expect(broken).toEqual([]);
    for (const id of shippedIds) expect(isKnownProvider(id)).toBe(true);
    expect(providerFacts('grafana').traits).toMatchObject({ shape: 'replace', oldEnds: 'when_retired' });
  });

  it('are also those of the data folder, before one of the program with the same id', async () => {
    const dataDir = folderWith({ 'a.json': keyProviderText, 'b.json': { ...keyProviderText, id: 'vercel' } });
    const { files } = await loadProviderFiles(dataDir);
    expect(files.find(({ id }) => id === 'keys')?.title).toBe('Keys');
    expect(files.find(({ id }) => id === 'vercel')?.title).toBe('Keys');
  });

  it('leave out a broken one, with its place and reason, and nothing else', async () => {
    const dataDir = folderWith({
      'a.json': '{',
      'b.json': { ...keyProviderText, shape: 'copy' },
      'c.json': keyProviderText,
    });
    const { files, broken } = await loadProviderFiles(dataDir);
    expect(files.map(({ id }) => id)).toEqual([...shippedIds, 'keys']);
    expect(broken.map(({ path }) => path.slice(-6))).toEqual(['a.json', 'b.json']);
    expect(broken[0]?.problems[0]?.reason).toContain('is not JSON');
    expect(broken[1]?.problems).toEqual([{ place: 'shape', reason: 'must be replace, self_rotate' }]);
  });

  it('can be stored and removed by id; another id removes nothing', async () => {
    const dataDir = makeFolder();
    await storeProviderFile(dataDir, keyProvider);
    expect((await loadProviderFiles(dataDir)).files.some(({ id }) => id === 'keys')).toBe(true);
    expect(await removeProviderFile(dataDir, '../keys')).toBe(false);
    expect(await removeProviderFile(dataDir, 'vercel')).toBe(false);
    expect(await removeProviderFile(dataDir, 'keys')).toBe(true);
    expect((await loadProviderFiles(dataDir)).files.some(({ id }) => id === 'keys')).toBe(false);
  });

  it('that are not there allow nothing to the proxy', () => {
    expect(isKnownProvider('keys')).toBe(false);
    expect(providerFacts('keys').forbidden).toEqual([{ method: null, path: '/**' }]);
  });
});
