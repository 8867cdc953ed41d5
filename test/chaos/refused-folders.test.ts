import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { HostError } from '../../src/host/host-error.ts';
import { startHost } from '../../src/host/start-host.ts';
import { openStore } from '../../src/store/open-store.ts';
import { copyForEveryone } from '../fixtures/copy-program.ts';
import { issued, noon } from '../fixtures/make-events.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { differencesOf, readFolder } from './data-folder.ts';
import { canMount } from './full-disk.ts';
import { DidNotStart, type ServiceProcess, startService, type StartOptions } from './service-process.ts';

const isRoot = process.getuid?.() === 0;
/** For root every folder is writable, so the service runs as another user. */
let nobody: StartOptions = {};
const copy = mkdtempSync(join(tmpdir(), 'rotavox-program-'));

beforeAll(() => {
  if (isRoot) nobody = { as: { uid: 65_534, program: copyForEveryone(copy) } };
});

afterAll(() => {
  rmSync(copy, { recursive: true, force: true });
});

/** A folder with a token, of a service that has stopped. */
async function makeUsedFolder(): Promise<string> {
  const folder = join(makeFolder(), 'data');
  const { store } = await openStore({ folder, clock: () => noon });
  await store.transact(() => ({ events: [issued('a')], value: null }));
  await store.close();
  return folder;
}

/** It does not start, and the message names the folder. */
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

/** What the start says in this process; that a process says it, and ends with 1, a damaged journal shows. */
async function refusedHere(folder: string, named = folder): Promise<string> {
  const refusal = await startHost({ dataDir: folder, port: 0 }).then(
    () => new Error('It started'),
    (error: unknown) => error,
  );
  if (!(refusal instanceof HostError)) throw refusal;
  expect(refusal.message).toContain(named);
  return refusal.message;
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
      const said = await refusedHere(folder);
      expect(said).toContain(name);
      expect(said).toContain('99');
      expect(said).toMatch(/newer/);
      expect(differencesOf(before, readFolder(folder))).toEqual([]);
      writeFileSync(join(folder, name), content);
      await expectStarts(folder);
    },
  );
});

describe('a damaged journal', () => {
  it('keeps the service from starting; the message has the place and what to do, and the folder is unchanged', async () => {
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
    // The owner may change the mode of a folder: what counts is that nothing is lost or incomplete.
    try {
      const service = await startService(folder, nobody);
      expect(await service.stop()).toBe(0);
    } catch (error) {
      expect(error).toBeInstanceOf(DidNotStart);
      expect((error as DidNotStart).said).toContain(folder);
      expect((error as DidNotStart).said).not.toMatch(/\n\s+at /);
    }
  });

  it.skipIf(!isRoot)(
    'because it belongs to another user is refused and not changed',
    { tags: ['long'] },
    async () => {
      const parent = makeFolder();
      chmodSync(parent, 0o755);
      const folder = join(parent, 'data');
      mkdirSync(folder, { mode: 0o755 });
      writeFileSync(join(folder, 'mine'), 'mine');
      await refusalOf(startService(folder, nobody), folder);
      expect(readdirSync(folder)).toEqual(['mine']);
      expect(statSync(folder).mode & 0o777).toBe(0o755);
    },
  );

  it.skipIf(!isRoot)(
    'because its parent belongs to another user is refused',
    { tags: ['long'] },
    async () => {
      const parent = makeFolder();
      chmodSync(parent, 0o755);
      const folder = join(parent, 'data');
      await refusalOf(startService(folder, nobody), folder);
      expect(existsSync(folder)).toBe(false);
    },
  );

  it.skipIf(!isRoot).each(['state.json', 'journal/00000001.jsonl', 'replay-keys.json'])(
    'because root once ran it and owns its %s is refused in words, or serves without it',
    { tags: ['long'] },
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

  it.skipIf(!canMount)(
    'because its disk is read-only is refused and not changed',
    { tags: ['long'] },
    async () => {
      const folder = await makeUsedFolder();
      execFileSync('mount', ['--bind', folder, folder]);
      onTestFinished(() => void spawnSync('umount', [folder]));
      execFileSync('mount', ['-o', 'remount,bind,ro', folder]);
      const before = readFolder(folder);
      expect(await refusedHere(folder)).toContain('is on a read-only disk');
      expect(differencesOf(before, readFolder(folder))).toEqual([]);
      execFileSync('umount', [folder]);
      await expectStarts(folder);
    },
  );

  it.skipIf(process.platform !== 'linux')(
    'below /proc is refused, and not tried for ever',
    { tags: ['long'] },
    async () => {
      await refusedHere('/proc/rotavox/data');
    },
  );

  it('behind a link that leads nowhere is refused', { tags: ['long'] }, async () => {
    const link = join(makeFolder(), 'link');
    symlinkSync('/nowhere/at/all', link);
    await refusedHere(join(link, 'data'));
  });

  it('of which some folders above are not there yet is made, for its owner alone', async () => {
    const above = join(makeFolder(), 'a');
    await expectStarts(join(above, 'b', 'c'));
    for (const folder of [above, join(above, 'b'), join(above, 'b', 'c')]) {
      expect(statSync(folder).mode & 0o777, folder).toBe(0o700);
    }
  });

  it('because it is a file is refused', async () => {
    const folder = join(makeFolder(), 'data');
    writeFileSync(folder, 'a file');
    await refusedHere(folder);
    expect(readFileSync(folder, 'utf8')).toBe('a file');
  });

  it.each(['state.json', 'journal'])(
    'because its %s is of the wrong kind is refused in words',
    { tags: ['long'] },
    async (name) => {
      const folder = await makeUsedFolder();
      rmSync(join(folder, name), { recursive: true });
      if (name === 'journal') writeFileSync(join(folder, name), '');
      else mkdirSync(join(folder, name));
      await refusedHere(folder);
    },
  );

  it('is refused when its journal is a link that leads nowhere', { tags: ['long'] }, async () => {
    const folder = await makeUsedFolder();
    rmSync(join(folder, 'journal'), { recursive: true });
    symlinkSync('/nowhere/at/all', join(folder, 'journal'));
    await refusedHere(folder);
  });
});

describe('a folder that others can write to', () => {
  /** With a file of another user in it, so that its mode must not be changed. */
  function makeSharedFolder(mode: number): string {
    const folder = join(makeFolder(), "data of 'us'");
    mkdirSync(folder);
    writeFileSync(join(folder, 'index.html'), 'a home page');
    chmodSync(folder, mode);
    return folder;
  }

  /** The command in a refusal, as a person pastes it. */
  const mend = (said: string): void => {
    const [, command = ''] = /or run: (chmod .*)|Run: (chmod .*)/.exec(said)?.filter(Boolean) ?? [];
    expect(command, said).toMatch(/^chmod go-w /);
    execFileSync('sh', ['-c', command]);
  };

  for (const [place, mode] of [0o775, 0o777, 0o757, 0o1777].entries()) {
    const name = `is refused and not changed: mode ${mode}; the command mends it`;
    it(name, { tags: place === 0 ? [] : ['long'] }, async () => {
      const folder = makeSharedFolder(mode);
      const said = await refusedHere(folder, 'the data folder');
      expect(readdirSync(folder)).toEqual(['index.html']);
      expect(statSync(folder).mode & 0o7777).toBe(mode);
      mend(said);
      await expectStarts(folder);
      expect(statSync(folder).mode & 0o077).toBe(mode & 0o055);
    });
  }

  it('because of a folder that it has in it is refused too', { tags: ['long'] }, async () => {
    const folder = makeSharedFolder(0o755);
    await expectStarts(folder);
    chmodSync(join(folder, 'journal'), 0o777);
    const said = await refusedHere(folder, join(folder, 'journal'));
    mend(said);
    await expectStarts(folder);
  });

  it('is made private when nothing but ours is in it', async () => {
    const folder = await makeUsedFolder();
    for (const name of ['journal', '.']) chmodSync(join(folder, name), 0o777);
    await expectStarts(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  const otherNames = [
    ['by its name', (parent: string) => join(parent, 'data')],
    ['by a link', (parent: string) => join(makeLinkTo(parent), 'data')],
    ['behind another that is closed', (parent: string) => join(parent, 'closed/data')],
  ] as const;
  for (const [place, [how, folderIn]] of otherNames.entries()) {
    const name = `or replace, ${how}, is refused and not made; the command mends it`;
    it(name, { tags: place === 0 ? [] : ['long'] }, async () => {
      const parent = makeFolder();
      mkdirSync(join(parent, 'closed'), { mode: 0o700 });
      chmodSync(parent, 0o777);
      const folder = folderIn(parent);
      const said = await refusedHere(folder);
      expect(existsSync(folder)).toBe(false);
      mend(said);
      await expectStarts(folder);
    });
  }

  function makeLinkTo(parent: string): string {
    const link = join(makeFolder(), 'link');
    symlinkSync(parent, link);
    return link;
  }

  it(
    'or replace is fine where only the owner of a name may change it, as in /tmp',
    { tags: ['long'] },
    async () => {
      const parent = makeFolder();
      chmodSync(parent, 0o1777);
      await expectStarts(join(parent, 'data'));
    },
  );

  it.skipIf(!isRoot)(
    'or replace counts for a group unless it is one’s own, or lets root write',
    { tags: ['long'] },
    async () => {
      const parent = makeFolder();
      chmodSync(parent, 0o775);
      for (const [owner, isFine] of [
        ['65534:100', false],
        ['65534:65534', true],
        ['root:100', true],
      ] as const) {
        execFileSync('chown', [owner, parent]);
        const folder = join(parent, `data of ${owner}`);
        if (isFine) await expectStarts(folder);
        else await refusedHere(folder);
      }
    },
  );

  it.skipIf(!isRoot)('because it is theirs is refused in words', { tags: ['long'] }, async () => {
    const folder = join(makeFolder(), 'data');
    chmodSync(join(folder, '..'), 0o755);
    mkdirSync(folder);
    execFileSync('chown', ['1234', folder]);
    const { said } = await refusalOf(startService(folder, nobody), folder);
    expect(said).toContain('belongs to another account (user 1234)');
  });
});

describe('a start', () => {
  it('has its files written without following existing links, and files of a crash are removed', async () => {
    const folder = await makeUsedFolder();
    const victim = join(makeFolder(), 'victim');
    writeFileSync(victim, 'precious');
    const left = [
      'state.json.0123456789abcdef.new',
      'replay-keys.json.new',
      'runtime.json.00000000000000ff.new',
    ];
    for (const name of left) writeFileSync(join(folder, name), 'half');
    writeFileSync(join(folder, 'lock.4194999'), '{"pid":4194999,"started":"long ago"}');
    const links = ['state.json.new', 'runtime.json.new', `lock.${process.pid}`];
    for (const name of links) symlinkSync(victim, join(folder, name));

    await expectStarts(folder);
    expect(readFileSync(victim, 'utf8')).toBe('precious');
    const names = readdirSync(folder);
    for (const name of left) expect(names).not.toContain(name);
    expect(names).not.toContain('lock.4194999');
    expect(names, 'a link is nothing of ours').toEqual(expect.arrayContaining(links));
  });

  it(
    'below a folder where the system creates none is refused and does not hang',
    { tags: ['long'] },
    async () => {
      await refusedHere('/proc/rotavox/data');
    },
  );
});

describe('a start that fails late', () => {
  /** The files of a data folder while nothing runs. */
  const lasting = new Set(['journal', 'state.json', 'recordings', 'machine.json']);

  it('leaves no lock, no runtime file and no open port, because the port is taken', async () => {
    const folder = makeFolder();
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    // Never used; where there is no keychain, another vault would be made in the folder.
    const vault = { kind: 'keychain' } as const;
    await expect(startHost({ dataDir: folder, port, vault })).rejects.toThrow(HostError);
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
