import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { lockFolder } from '../../src/host/folder-lock.ts';
import { makeFolder } from '../fixtures/make-folder.ts';

const isRoot = process.getuid?.() === 0;
const holder = join(import.meta.dirname, 'lock-holder.ts');

interface Container {
  readonly process: ChildProcess;
  /** What it says next. */
  readonly next: () => Promise<string>;
}

/** A process with process ids and a name of its own, as a container has them, that asks for the lock of a folder. */
function inContainer(name: string, folder: string): Container {
  const line = `hostname ${name} && exec "$0" "$@"`;
  const child = spawn(
    'unshare',
    [
      '--pid',
      '--uts',
      '--fork',
      '--kill-child',
      '--mount-proc',
      'sh',
      '-c',
      line,
      process.execPath,
      holder,
      folder,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { process: child, next: async () => String((await lines.next()).value) };
}

async function kill(container: Container): Promise<void> {
  const ended = once(container.process, 'exit');
  container.process.kill('SIGKILL');
  await ended;
}

describe.skipIf(process.platform !== 'linux' || !isRoot)('a folder that two containers share', () => {
  it(
    'is for the first, whose name the second is told, and free a while after it was killed',
    { timeout: 120_000, tags: ['long'] },
    async () => {
      const folder = makeFolder();
      const first = inContainer('alpha', folder);
      expect(await first.next()).toBe('held');
      const second = inContainer('beta', folder);
      expect(await second.next()).toContain('already runs');
      expect(() => lockFolder(folder)).toThrow(/already runs .* on alpha \(process \d+ there/);
      await kill(first);
      const third = inContainer('gamma', folder);
      expect(await third.next()).toBe('held');
    },
  );

  it(
    'is lost by one that was stopped for long, which says so when it goes on',
    { timeout: 120_000, tags: ['long'] },
    async () => {
      const folder = makeFolder();
      const first = inContainer('alpha', folder);
      expect(await first.next()).toBe('held');
      const inside = pidOf(first);
      process.kill(inside, 'SIGSTOP');
      const second = inContainer('beta', folder);
      expect(await second.next()).toBe('held');
      process.kill(inside, 'SIGCONT');
      expect(await first.next()).toBe('lost');
    },
  );
});

/** The process in a container, as this machine counts. */
function pidOf({ process: { pid = 0 } }: Container): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
}

describe('the lock of another place', () => {
  const here = (): { pid: number; started: string; place: Record<string, string> } => {
    const folder = makeFolder();
    const lock = lockFolder(folder);
    const content = JSON.parse(readFileSync(join(folder, 'lock'), 'utf8')) as ReturnType<typeof here>;
    lock.release();
    return content;
  };
  const leave = (content: object): string => {
    const folder = makeFolder();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'lock'), JSON.stringify(content), { mode: 0o600 });
    return folder;
  };

  /** Touches the lock in a folder again and again, as its holder does. */
  const keepTouching = async (folder: string): Promise<void> => {
    const script = 'echo begun; while :; do touch -c "$0"; sleep 0.05; done';
    const child = spawn('sh', ['-c', script, join(folder, 'lock')], { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
  };
  const elsewhere = (): object => {
    const mine = here();
    return { ...mine, place: { host: 'other', machine: '', boot: 'another', pids: 'another' } };
  };

  it('counts as left behind once nobody has touched it for a while, whoever has its process id here', () => {
    lockFolder(leave(elsewhere()), { watchingMs: 400 }).release();
  });

  it('counts as held while somebody touches it, and is told by the name of that place', async () => {
    const folder = leave(elsewhere());
    await keepTouching(folder);
    expect(() => lockFolder(folder, { watchingMs: 5_000 })).toThrow(/ on other /);
  });

  it('is not watched where this computer was started again since', async () => {
    const mine = here();
    const machine = mine.place['machine'] === '' ? null : mine.place['machine'];
    const folder = leave({ ...mine, place: { ...mine.place, boot: 'before' } });
    await keepTouching(folder);
    const again = (): void => lockFolder(folder, { watchingMs: 5_000 }).release();
    // A container has no id of its own: its computer may be another one.
    if (machine === null) expect(again).toThrow(/already runs/);
    else again();
  });

  it('of an older version is judged by its process alone', () => {
    const { pid, started } = here();
    expect(() => lockFolder(leave({ pid, started }))).toThrow(new RegExp(`process ${pid}\\)`));
    lockFolder(leave({ pid: 2 ** 30, started })).release();
  });

  it('says which computer holds it', () => {
    expect(here().place).toMatchObject({ host: hostname() });
  });
});

describe('a lock', () => {
  it('is touched while it is held, and not after', async () => {
    const folder = makeFolder();
    const lock = lockFolder(folder, { touchingMs: 20 });
    const touched = (): number => statSync(join(folder, 'lock')).mtimeMs;
    const before = touched();
    await vi.waitUntil(() => touched() !== before);
    lock.assertHeld();
    lock.release();
    lockFolder(folder).release();
  });

  it('that another process has taken is told of, once', async () => {
    const folder = makeFolder();
    const lock = lockFolder(folder, { touchingMs: 20 });
    const lost = vi.fn();
    lock.onLost(lost);
    writeFileSync(join(folder, 'lock'), 'of somebody else');
    await vi.waitUntil(() => lost.mock.calls.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(lost).toHaveBeenCalledTimes(1);
    expect(() => lock.assertHeld()).toThrow();
  });
});
