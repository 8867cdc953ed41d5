import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HostError } from './host-error.ts';

/** Who holds a data folder. A process id alone is reused; with the instant at which it started it is not. */
interface Holder {
  readonly pid: number;
  readonly started: string;
}

/**
 * Makes this process the only owner of a data folder; returns how to let go.
 *
 * The lock appears whole or not at all (a hard link to a file that is complete). One whose holder is dead is moved away
 * by a rename, which only one of several newcomers can win. Throws `HostError` `DATA_DIR_HELD` with who holds it.
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'lock');
  const mine = JSON.stringify({ pid: process.pid, started: startOf(process.pid) } satisfies Holder);
  const draft = join(folder, `lock.${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    writeFileSync(draft, mine, { mode: 0o600 });
  } catch (cause) {
    throw new HostError(
      'DATA_DIR_UNUSABLE',
      `The data folder ${folder} cannot be used (${(cause as NodeJS.ErrnoException).code ?? 'unknown'}). ` +
        'Make it a folder that you may write to, or choose another with --data-dir.',
      { cause },
    );
  }
  try {
    takeLock(path, draft, folder);
  } finally {
    rmSync(draft, { force: true });
  }
  return () => {
    if (readLock(path) === mine) rmSync(path, { force: true });
  };
}

function takeLock(path: string, draft: string, folder: string): void {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    try {
      linkSync(draft, path);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const found = readLock(path);
    if (found === null) continue; // let go of between the two calls
    const holder = parseHolder(found);
    if (holder !== null && isAlive(holder)) {
      throw new HostError(
        'DATA_DIR_HELD',
        `Rotavox already runs with the data folder ${folder} (process ${holder.pid}). ` +
          'Use that one, quit it first, or choose another folder with --data-dir.',
      );
    }
    moveAway(path, draft, found);
  }
  throw new HostError(
    'DATA_DIR_HELD',
    `The data folder ${folder} is being taken by another process. Try again.`,
  );
}

/** Takes a dead holder's lock away; if a living newcomer's was caught instead, puts it back. */
function moveAway(path: string, draft: string, expected: string): void {
  const aside = `${draft}.stale`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (readLock(aside) === expected) rmSync(aside);
  else renameSync(aside, path);
}

function readLock(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function parseHolder(content: string): Holder | null {
  try {
    const { pid, started } = JSON.parse(content) as Partial<Holder>;
    return typeof pid === 'number' && typeof started === 'string' ? { pid, started } : null;
  } catch {
    return null;
  }
}

function isAlive({ pid, started }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const now = startOf(pid);
  return now === '' || started === '' || now === started;
}

/** When a process started, as the system counts; empty where that cannot be learned. */
function startOf(pid: number): string {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
      // Fields after the name, which may hold anything: the 22nd of all is the start in clock ticks since boot.
      return `${boot} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''}`;
    }
    if (process.platform === 'darwin') {
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    }
  } catch {
    return '';
  }
  return '';
}
