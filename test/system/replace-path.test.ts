import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type RenamingSystem,
  renameLimitMs,
  removeFolder,
  replacePath,
  replacePathSync,
  replacePathWhile,
} from '../../src/system/replace-path.ts';
import { makeFolder } from '../fixtures/make-folder.ts';

/** A system whose renames fail so often; what was done there, and how long was waited. */
function systemThatFails(code: string, times: number, platform: NodeJS.Platform = 'win32') {
  const seen = { renames: 0, pauses: [] as number[] };
  let nowMs = 0;
  const renameSync = (): void => {
    seen.renames += 1;
    if (seen.renames <= times) throw Object.assign(new Error(`${code}: rename`), { code });
  };
  const waitSync = (ms: number): void => {
    seen.pauses.push(ms);
    nowMs += ms;
  };
  const system: RenamingSystem = {
    platform,
    renameSync,
    waitSync,
    rename: async () => renameSync(),
    wait: async (ms) => waitSync(ms),
    now: () => nowMs,
  };
  return { seen, system };
}

/** Both in one: the same errors lead to the same attempts. */
const ways = [
  ['with a promise', (system: RenamingSystem) => replacePath('a', 'b', system)],
  ['on this thread', async (system: RenamingSystem) => replacePathSync('a', 'b', system)],
] as const;

describe.each(ways)('renaming %s', (_way, replace) => {
  // EPERM: isaacs/node-graceful-fs#104, electron-userland/electron-json-storage#125, npm/write-file-atomic#49.
  // EBUSY: electron-userland/electron-json-storage#125. EACCES: isaacs/node-graceful-fs#104.
  it.each(['EPERM', 'EACCES', 'EBUSY'])(
    'waits on Windows while a scanner has the file open (%s)',
    async (code) => {
      const { seen, system } = systemThatFails(code, 7);
      await replace(system);
      expect(seen).toEqual({ renames: 8, pauses: [10, 20, 40, 80, 160, 250, 250] });
    },
  );

  it('gives up on Windows after ten seconds, with the error of the system', async () => {
    const { seen, system } = systemThatFails('EPERM', Infinity);
    await expect(replace(system)).rejects.toMatchObject({ code: 'EPERM' });
    const waitedMs = seen.pauses.reduce((sum, ms) => sum + ms, 0);
    expect(waitedMs).toBeGreaterThanOrEqual(renameLimitMs);
    expect(waitedMs).toBeLessThan(renameLimitMs + 250);
  });

  it.each(['ENOENT', 'ENOSPC', 'EXDEV', 'ENOTEMPTY'])(
    'does not repeat %s, which no time changes',
    async (code) => {
      const { seen, system } = systemThatFails(code, 1);
      await expect(replace(system)).rejects.toMatchObject({ code });
      expect(seen).toEqual({ renames: 1, pauses: [] });
    },
  );

  it.each(['linux', 'darwin'] as const)(
    'does not wait on %s, where an open file can be renamed',
    async (platform) => {
      const { seen, system } = systemThatFails('EPERM', 1, platform);
      await expect(replace(system)).rejects.toMatchObject({ code: 'EPERM' });
      expect(seen).toEqual({ renames: 1, pauses: [] });
    },
  );
});

describe('renaming over a file that others change, too', () => {
  it('asks before each attempt, and replaces nothing once it was changed', async () => {
    const { seen, system } = systemThatFails('EBUSY', 2);
    const answers = [true, true, false];
    const replaced = replacePathWhile(async () => answers.shift() === true, 'a', 'b', system);
    expect(await replaced).toBe(false);
    expect(seen).toEqual({ renames: 2, pauses: [10, 20] });
  });

  it('replaces one that stays as it is once it is no longer open', async () => {
    const { seen, system } = systemThatFails('EBUSY', 2);
    expect(await replacePathWhile(async () => true, 'a', 'b', system)).toBe(true);
    expect(seen.renames).toBe(3);
  });

  it('rejects with what stands in the way of asking', async () => {
    const { seen, system } = systemThatFails('EBUSY', 0);
    const replaced = replacePathWhile(() => Promise.reject(new Error('a link')), 'a', 'b', system);
    await expect(replaced).rejects.toThrow('a link');
    expect(seen.renames).toBe(0);
  });
});

it('replaces files of this system, and removes folders', async () => {
  const folder = makeFolder();
  const [from, to] = [join(folder, 'from'), join(folder, 'to')];
  writeFileSync(from, 'new');
  writeFileSync(to, 'old');
  await replacePath(from, to);
  expect(readFileSync(to, 'utf8')).toBe('new');
  replacePathSync(to, from);
  expect(readFileSync(from, 'utf8')).toBe('new');
  mkdirSync(join(folder, 'some', 'folders'), { recursive: true });
  await removeFolder(join(folder, 'some'));
  await removeFolder(join(folder, 'some'));
  expect(() => rmSync(join(folder, 'some'))).toThrow('ENOENT');
});
