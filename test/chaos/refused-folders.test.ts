import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HostError } from '../../src/host/host-error.ts';
import { startHost } from '../../src/host/start-host.ts';
import { openStore } from '../../src/store/open-store.ts';
import { issued, noon } from '../fixtures/make-events.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { differencesOf, readFolder } from './data-folder.ts';
import { canMount } from './full-disk.ts';
import { DidNotStart, type ServiceProcess, startService, type StartOptions } from './service-process.ts';

const isRoot = process.getuid?.() === 0;
/** For root every folder is writable, so the service runs as somebody else. */
const nobody: StartOptions = isRoot ? { uid: 65_534 } : {};

/** A folder with a token in it, of a service that has stopped. */
async function makeUsedFolder(): Promise<string> {
  const folder = join(makeFolder(), 'data');
  const { store } = await openStore({ folder, clock: () => noon });
  await store.transact(() => ({ events: [issued('a')], value: null }));
  await store.close();
  return folder;
}

/** It does not start, and says why in words that name the folder. */
async function refusalOf(start: Promise<ServiceProcess>, folder: string): Promise<DidNotStart> {
  try {
    await start;
  } catch (error) {
    if (!(error instanceof DidNotStart)) throw error;
    expect(error.exitCode, error.said).toBe(1);
    expect(error.said).toContain(folder);
    expect(error.said, 'words, not a stack').not.toMatch(/\n\s+at /);
    return error;
  }
  throw new Error('It started');
}

async function expectStarts(folder: string): Promise<void> {
  const host = await startHost({ dataDir: folder, port: 0 });
  await host.close();
}

describe('a newer format', () => {
  it.each(['state.json', 'journal/00000001.jsonl'])(
    'in %s keeps the service from starting; it says which file and what to do, and the folder is as it was',
    async (name) => {
      const folder = await makeUsedFolder();
      const content = readFileSync(join(folder, name), 'utf8');
      writeFileSync(join(folder, name), content.replace(/"format":\d+/, '"format":99'));
      const before = readFolder(folder);
      const refusal = await refusalOf(startService(folder), folder);
      expect(refusal.said).toContain(name);
      expect(refusal.said).toContain('99');
      expect(refusal.said).toMatch(/newer/);
      expect(differencesOf(before, readFolder(folder))).toEqual([]);
      writeFileSync(join(folder, name), content);
      await expectStarts(folder);
    },
  );
});

describe('a damaged journal', () => {
  it('keeps the service from starting; it says the place and what to do, and the folder is as it was', async () => {
    const folder = await makeUsedFolder();
    const path = join(folder, 'journal/00000001.jsonl');
    const content = readFileSync(path);
    writeFileSync(path, content.toString().replace('"kind":"token.issued"', '"kind":"token.issues"'));
    const before = readFolder(folder);
    const refusal = await refusalOf(startService(folder), path);
    expect(refusal.said).toMatch(/line 2\b/);
    expect(refusal.said).toMatch(/backup/);
    expect(differencesOf(before, readFolder(folder))).toEqual([]);
    writeFileSync(path, content);
    await expectStarts(folder);
  });
});

describe('a folder that cannot be used', () => {
  it.each([
    ['may only be read', 0o555],
    ['may not even be looked into', 0o000],
  ])('because it %s is refused and not changed', async (_what, mode) => {
    const parent = makeFolder();
    chmodSync(parent, 0o755);
    const folder = join(parent, 'data');
    mkdirSync(folder);
    if (isRoot) execFileSync('chown', ['65534', folder]);
    chmodSync(folder, mode);
    // Its owner may change the mode of a folder: what counts is that nothing is lost or half made.
    try {
      const service = await startService(folder, nobody);
      expect(await service.stop()).toBe(0);
    } catch (error) {
      expect(error).toBeInstanceOf(DidNotStart);
      expect((error as DidNotStart).said).toContain(folder);
      expect((error as DidNotStart).said).not.toMatch(/\n\s+at /);
    }
  });

  it.skipIf(!isRoot)('because it belongs to somebody else is refused and not changed', async () => {
    const parent = makeFolder();
    chmodSync(parent, 0o755);
    const folder = join(parent, 'data');
    mkdirSync(folder, { mode: 0o755 });
    writeFileSync(join(folder, 'mine'), 'mine');
    await refusalOf(startService(folder, nobody), folder);
    expect(readdirSync(folder)).toEqual(['mine']);
    expect(statSync(folder).mode & 0o777).toBe(0o755);
  });

  it.skipIf(!isRoot)('because its parent belongs to somebody else is refused', async () => {
    const parent = makeFolder();
    chmodSync(parent, 0o755);
    const folder = join(parent, 'data');
    await refusalOf(startService(folder, nobody), folder);
    expect(existsSync(folder)).toBe(false);
  });

  it.skipIf(!isRoot).each(['state.json', 'journal/00000001.jsonl', 'replay-keys.json'])(
    'because root once ran it and owns its %s is refused in words, or serves without it',
    async (name) => {
      const folder = await makeUsedFolder();
      chmodSync(join(folder, '..'), 0o755);
      writeFileSync(join(folder, 'replay-keys.json'), '{"format":1,"keys":{}}', { mode: 0o600 });
      execFileSync('chown', ['-R', '65534:65534', folder]);
      execFileSync('chown', ['root:root', join(folder, name)]);
      const before = readFolder(folder);
      if (name === 'replay-keys.json') {
        const service = await startService(folder, nobody);
        expect(await service.stop()).toBe(0);
        return;
      }
      await refusalOf(startService(folder, nobody), folder);
      expect(differencesOf(before, readFolder(folder))).toEqual([]);
    },
  );

  it.skipIf(!canMount)('because its disk is read-only is refused and not changed', async () => {
    const folder = await makeUsedFolder();
    execFileSync('mount', ['--bind', folder, folder]);
    onTestFinished(() => void spawnSync('umount', [folder]));
    execFileSync('mount', ['-o', 'remount,bind,ro', folder]);
    const before = readFolder(folder);
    const refusal = await refusalOf(startService(folder), folder);
    expect(refusal.said).toContain('EROFS');
    expect(differencesOf(before, readFolder(folder))).toEqual([]);
    execFileSync('umount', [folder]);
    await expectStarts(folder);
  });

  it('because it is a file is refused', async () => {
    const folder = join(makeFolder(), 'data');
    writeFileSync(folder, 'a file');
    await refusalOf(startService(folder), folder);
    expect(readFileSync(folder, 'utf8')).toBe('a file');
  });

  it.each(['state.json', 'journal'])(
    'because its %s is of the wrong kind is refused in words',
    async (name) => {
      const folder = await makeUsedFolder();
      rmSync(join(folder, name), { recursive: true });
      if (name === 'journal') writeFileSync(join(folder, name), '');
      else mkdirSync(join(folder, name));
      await refusalOf(startService(folder), folder);
    },
  );

  it('is refused when its journal is a link that leads nowhere', async () => {
    const folder = await makeUsedFolder();
    rmSync(join(folder, 'journal'), { recursive: true });
    symlinkSync('/nowhere/at/all', join(folder, 'journal'));
    await refusalOf(startService(folder), folder);
  });
});

describe('a start that fails late', () => {
  /** What a data folder has while nothing runs. */
  const lasting = new Set(['journal', 'state.json', 'recordings']);

  it('leaves no lock, no runtime file and no open port, because the port is taken', async () => {
    const folder = makeFolder();
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    await expect(startHost({ dataDir: folder, port })).rejects.toThrow(HostError);
    expect(readdirSync(folder).filter((name) => !lasting.has(name))).toEqual([]);
    await expectStarts(folder);
  });

  it('leaves no lock and no open port, because the runtime file cannot be written', async () => {
    const folder = makeFolder();
    mkdirSync(join(folder, 'runtime.json.new'));
    mkdirSync(join(folder, 'runtime.json'));
    await expect(startHost({ dataDir: folder, port: 0 })).rejects.toThrow();
    expect(readdirSync(folder)).not.toContain('lock');
    rmSync(join(folder, 'runtime.json.new'), { recursive: true });
    rmSync(join(folder, 'runtime.json'), { recursive: true });
    await expectStarts(folder);
  });
});
