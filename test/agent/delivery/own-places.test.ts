import { linkSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deliver } from '../../../src/agent/delivery/deliver.ts';
import type { OwnPlaces } from '../../../src/agent/delivery/own-places.ts';
import { isNoFileOf } from '../../../src/agent/delivery/plan-replacement.ts';
import { previewDelivery } from '../../../src/agent/delivery/preview-delivery.ts';
import { replacePrivateFile } from '../../../src/agent/delivery/replace-private-file.ts';
import type { DeliveryTarget } from '../../../src/contract/credential/credential.ts';
import { differencesOf, readFolder } from '../../chaos/data-folder.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { makeContext } from './preview-setup.ts';

/** A folder like ours, with a folder of another program beside it. */
function makePlaces(): { data: string; elsewhere: string; ownPlaces: OwnPlaces } {
  const folder = makeFolder();
  const [data, elsewhere] = [join(folder, 'data'), join(folder, 'elsewhere')];
  mkdirSync(join(data, 'journal'), { recursive: true });
  mkdirSync(elsewhere);
  writeFileSync(join(data, 'vault.json'), 'values\n');
  writeFileSync(join(data, 'journal/00000001.jsonl'), 'events\n');
  return { data, elsewhere, ownPlaces: { dataDir: data, others: [] } };
}

/** Ways to name a file of ours, each given the folder and a place beside it. */
const ways: readonly [string, (data: string, elsewhere: string) => string][] = [
  ['the path of vault.json', (data) => join(data, 'vault.json')],
  ['the path of a journal segment', (data) => join(data, 'journal/00000001.jsonl')],
  ['the path of a file that is not there yet', (data) => join(data, 'journal/00000002.jsonl')],
  ['a folder that is not there yet', (data) => join(data, 'recordings/new/token')],
  ['the folder itself', (data) => data],
  ['a path with two dots', (data, elsewhere) => `${elsewhere}/../${data.split('/').at(-1)}/vault.json`],
  [
    'a symbolic link',
    (data, elsewhere) => {
      symlinkSync(join(data, 'journal/00000001.jsonl'), join(elsewhere, 'token'));
      return join(elsewhere, 'token');
    },
  ],
  [
    'a symbolic link to what is not there yet',
    (data, elsewhere) => {
      symlinkSync('../data/runtime.json', join(elsewhere, 'token'));
      return join(elsewhere, 'token');
    },
  ],
  [
    'a hard link to vault.json',
    (data, elsewhere) => {
      linkSync(join(data, 'vault.json'), join(elsewhere, 'token'));
      return join(elsewhere, 'token');
    },
  ],
  [
    'a hard link to a journal segment',
    (data, elsewhere) => {
      linkSync(join(data, 'journal/00000001.jsonl'), join(elsewhere, 'token'));
      return join(elsewhere, 'token');
    },
  ],
  [
    'a folder that is a symbolic link',
    (data, elsewhere) => {
      symlinkSync(join(data, 'journal'), join(elsewhere, 'apps'));
      return join(elsewhere, 'apps/00000001.jsonl');
    },
  ],
];

describe.each(['file', 'dotenv'] as const)('a %s target that leads to our own files', (kind) => {
  it.each(ways)('by %s is refused, and nothing is touched', async (_way, nameIn) => {
    const { data, elsewhere, ownPlaces } = makePlaces();
    const path = nameIn(data, elsewhere);
    const [ours, theirs] = [readFolder(data), readdirSync(elsewhere)];
    const target: DeliveryTarget = kind === 'file' ? { kind, path } : { kind, path, variable: 'TOKEN' };

    const context = makeContext({ ownPlaces });
    const outcome = await deliver(target, 'secret-value', context);
    const own = expect.stringMatching(/\/data/) as string;
    const problem = { code: 'own_file', path, own };
    expect(outcome).toEqual({ ok: false, retry: false, problem });
    expect(await previewDelivery(target, 'secret-value', context)).toMatchObject({
      possible: false,
      findings: [{ code: 'impossible', problem }],
    });
    expect(differencesOf(ours, readFolder(data))).toEqual([]);
    expect(readdirSync(elsewhere)).toEqual(theirs);
  });
});

describe('our own files', () => {
  it('are recognised by their identity when one of their folders is on another disk', async () => {
    const { data, elsewhere, ownPlaces } = makePlaces();
    renameSync(join(data, 'journal'), join(elsewhere, 'journal'));
    symlinkSync(join(elsewhere, 'journal'), join(data, 'journal'));
    const others = [join(data, 'journal'), join(data, 'not there')];
    const path = join(elsewhere, 'journal/00000001.jsonl');
    const delivered = deliver(
      { kind: 'file', path },
      'value',
      makeContext({ ownPlaces: { ...ownPlaces, others } }),
    );
    expect(await delivered).toMatchObject({
      ok: false,
      problem: { code: 'own_file', own: others[0] },
    });
  });

  it('may be single ones, beside which there is room', async () => {
    const { elsewhere } = makePlaces();
    const others = [join(elsewhere, 'passphrase')];
    writeFileSync(others[0]!, 'correct horse\n');
    const context = makeContext({ ownPlaces: { dataDir: '/nowhere', others } });
    expect(await deliver({ kind: 'file', path: others[0]! }, 'value', context)).toMatchObject({ ok: false });
    const beside = { kind: 'file', path: join(elsewhere, 'token') } as const;
    expect(await deliver(beside, 'value', context)).toMatchObject({ ok: true });
  });

  it('are safe also when a folder becomes a link to them while a delivery is made', async () => {
    const { data, elsewhere, ownPlaces } = makePlaces();
    const apps = join(elsewhere, 'apps');
    mkdirSync(apps);
    writeFileSync(join(apps, 'vault.json'), 'old\n');
    const before = readFolder(data);
    const swap = (): Buffer => {
      renameSync(apps, join(elsewhere, 'moved'));
      symlinkSync(data, apps);
      return Buffer.from('new\n');
    };
    const replaced = replacePrivateFile(join(apps, 'vault.json'), swap, ownPlaces);
    await expect(replaced).rejects.toMatchObject({ problem: { code: 'own_file' } });
    expect(differencesOf(before, readFolder(data))).toEqual([]);
  });
});

describe('what no system keeps a token in', () => {
  it
    .runIf(process.platform === 'linux')
    .each(['/proc/self/fd/1', '/proc/self/token', '/sys/token', '/dev/fd/1'])(
    'is told as such: %s',
    async (path) => {
      const outcome = await deliver({ kind: 'file', path }, 'value', makeContext());
      expect(outcome).toMatchObject({
        ok: false,
        problem: { code: expect.stringMatching(/^(?:not_ordinary|is_device)$/) as string },
      });
    },
  );

  it.each([
    '\\\\.\\PhysicalDrive0',
    'C:\\app\\NUL',
    'C:\\app\\con.txt',
    'C:/aux/token',
    'C:\\app\\COM1 .log',
    'C:\\app\\lpt¹',
    'C:\\app\\token:stream',
    '\\\\?\\C:\\app\\token::$DATA',
  ])('is %s on Windows', (path) => {
    expect(isNoFileOf('win32', path)).toBe(true);
  });

  it.each([
    'C:\\app\\token',
    'c:/app/console.txt',
    '\\\\server\\share\\null',
    '\\\\?\\C:\\app\\com10',
    'C:\\com\\.env',
  ])('is not %s on Windows', (path) => {
    expect(isNoFileOf('win32', path)).toBe(false);
  });
});
