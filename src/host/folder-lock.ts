import { execFileSync } from 'node:child_process';
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { KnownFile, temporaryFor } from '../store/durable-file.ts';
import { makePrivateFolder, removeLeftovers, removeOwnFile } from '../store/private-folder.ts';
import { folderMoved, lockLost, StoreError, systemCodeOf } from '../store/store-error.ts';
import { hostText } from '../text/host.ts';
import { storeProblemText } from '../text/store.ts';
import { HostError } from './host-error.ts';

/**
 * Who holds a data folder. A process id alone is reused; with the instant at which it started it is not. Where that cannot
 * be learned, the program's name stands in: then only another Rotavox with the same id is taken for the holder.
 */
interface Holder {
  readonly pid: number;
  readonly started: string;
}

export interface FolderLock {
  /**
   * Throws `StoreUnavailable` while the folder at its path is not the one that was taken, or is not ours any more.
   *
   * To be asked before anything is written into the folder: it costs one or two microseconds.
   */
  assertHeld(): void;
  release(): void;
}

/**
 * Makes this process the only owner of a data folder.
 *
 * The lock appears whole or not at all (a hard link to a file that is complete). One whose holder is dead is taken away
 * by one newcomer at a time, who has the second lock for it: so nobody takes a lock away that was just made. What a process
 * that died was about to write is removed. Throws `HostError` `DATA_DIR_HELD` with who holds it.
 */
export function lockFolder(folder: string): FolderLock {
  const path = join(folder, 'lock');
  const mine = JSON.stringify({ pid: process.pid, started: startOf(process.pid) } satisfies Holder);
  const draft = temporaryFor(path);
  try {
    makePrivateFolder(folder);
    writeDraft(draft, mine);
  } catch (cause) {
    if (cause instanceof StoreError)
      throw new HostError('DATA_DIR_UNUSABLE', storeProblemText(cause.problem), { cause });
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw new HostError('DATA_DIR_UNUSABLE', hostText.folderUnusable(folder, code), { cause });
  }
  try {
    takeLock(path, draft, folder);
    tryToTidyUp(folder);
  } catch (cause) {
    if (cause instanceof HostError) throw cause;
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw new HostError('DATA_DIR_UNUSABLE', hostText.cannotLock(folder, code, path), { cause });
  } finally {
    rmSync(draft, { force: true });
  }
  const knownFolder = new KnownFile(folder);
  let knownLock = new KnownFile(path, { isConstant: true });
  const isMine = (): boolean => readLock(path) === mine;
  return {
    assertHeld() {
      if (knownLock.isInPlace()) return;
      if (!knownFolder.isInPlace()) throw folderMoved(folder);
      // Nobody has the lock open, so some file systems give it another number in time; what is in it counts.
      if (!isMine()) throw lockLost(path);
      knownLock = new KnownFile(path, { isConstant: true });
    },
    release() {
      if (isMine()) rmSync(path, { force: true });
    },
  };
}

/** A new file or none, and never what a link leads to. */
function writeDraft(draft: string, content: string): void {
  try {
    writeFileSync(draft, content, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** What cannot be removed now does no harm, and the next start tries again. */
function tryToTidyUp(folder: string): void {
  try {
    removeLeftovers(folder);
    removeDeadDrafts(folder);
  } catch (error) {
    if (systemCodeOf(error) === 'UNKNOWN') throw error;
  }
}

/** Locks that were about to be taken by processes that died; one that lives still needs its own. */
function removeDeadDrafts(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!/^lock\.(?:\d+|[0-9a-f]{16}\.new)(?:\.left)?$/.test(name)) continue;
    const holder = parseHolder(readLock(join(folder, name)) ?? '');
    if (holder !== null && !isAlive(holder)) removeOwnFile(join(folder, name));
  }
}

const maxAttempts = 400;
const pauseMs = 5;

function takeLock(path: string, draft: string, folder: string): void {
  const takeover = `${path}.takeover`;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    if (tryLink(draft, path)) return;
    const found = readLock(path);
    if (found === null) continue; // let go of between the two calls
    const holder = parseHolder(found);
    if (holder !== null && isAlive(holder)) {
      throw new HostError('DATA_DIR_HELD', hostText.folderHeld(folder, holder.pid));
    }
    if (tryLink(draft, takeover)) {
      try {
        if (readLock(path) === found) rmSync(path);
      } finally {
        rmSync(takeover, { force: true });
      }
    } else {
      removeLeftTakeover(takeover, draft);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
  throw new HostError('DATA_DIR_HELD', hostText.folderBeingTaken(folder));
}

function tryLink(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Takes away the second lock of a process that died while it had it. */
function removeLeftTakeover(takeover: string, draft: string): void {
  const found = readLock(takeover);
  const holder = found === null ? null : parseHolder(found);
  if (found === null || (holder !== null && isAlive(holder))) return;
  const aside = `${draft}.left`;
  try {
    renameSync(takeover, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (readLock(aside) === found) rmSync(aside);
  else renameSync(aside, takeover);
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
    const isProcess = typeof pid === 'number' && Number.isInteger(pid) && pid > 0 && pid < 2 ** 31;
    return isProcess && typeof started === 'string' ? { pid, started } : null;
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
  if (now === 'dead') return false; // ended, and its parent has not asked for its exit code yet
  return now === '' || started === '' || now === started;
}

/** When a process started, as the system counts, on Windows its program's name; empty where that cannot be learned. */
function startOf(pid: number): string {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      // Fields after the name, which may hold anything: the state, and the 20th, the start in clock ticks since boot.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields[0] === 'Z') return 'dead';
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
      return `${boot} ${fields[19] ?? ''}`;
    }
    if (process.platform === 'darwin') {
      // In one language and zone, whoever asks: the two that compare may live in others.
      const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env }).trim();
    }
    if (process.platform === 'win32') {
      if (pid === process.pid) return basename(process.execPath).toLowerCase();
      const [, name = ''] = /^"([^"]+)","\d+"/m.exec(processRow(pid)) ?? [];
      return name.toLowerCase();
    }
  } catch {
    return '';
  }
  return '';
}

/** What Windows says of a process: a line of CSV that begins with its program's name and its id. */
function processRow(pid: number): string {
  const filter = ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH'];
  return execFileSync('tasklist', filter, { encoding: 'utf8', windowsHide: true });
}
