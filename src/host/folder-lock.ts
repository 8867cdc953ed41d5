import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  fstatSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { KnownFile, temporaryFor } from '../store/durable-file.ts';
import { makePrivateFolder, removeLeftovers, removeOwnFile } from '../store/private-folder.ts';
import { folderMoved, lockLost, StoreError, systemCodeOf } from '../store/store-error.ts';
import { backupText } from '../text/service/backup-text.ts';
import { hostText } from '../text/service/host-text.ts';
import { folderRefusedText, storeProblemText } from '../text/service/store-text.ts';
import { HostError } from './host-error.ts';
import { idOfLinux } from './machine-id.ts';
import { replacePathSync } from '../system/replace-path.ts';
import { windowsProgram } from '../system/start-program.ts';

/**
 * Which process holds a data folder. A process id alone is reused; with its start time it is not. Where the start time cannot
 * be determined, the program's name replaces it: then only another Rotavox with the same id is mistaken for the holder.
 */
interface Holder {
  readonly pid: number;
  readonly started: string;
  /** Where that process id means something. Older versions write none. */
  readonly place?: Place | undefined;
}

/** A computer, and in it a set of processes that see each other: containers have sets of their own. */
interface Place {
  /** For people. */
  readonly host: string;
  /** Of an installed system; empty in a container, and where it is not known. */
  readonly machine: string;
  /** One start of a kernel; empty where it is not known. */
  readonly boot: string;
  /** The namespace of process ids; empty where there is only one. */
  readonly pids: string;
}

/** How often a lock is touched, so that one in another place sees that its holder lives. In milliseconds. */
const beatMs = 4_000;
/** How long a lock of another place is watched before it counts as left behind. Longer than any pause of a service that works. */
const watchMs = 20_000;

/** The name of the file in a data folder that says that a backup takes its place, and how far that is. */
export const restoreRecordName = 'restore.json';

export interface FolderLock {
  /**
   * Throws `StoreUnavailable` if the folder at its path is not the one that was locked, or is no longer ours.
   *
   * Called before anything is written into the folder: it costs one or two microseconds.
   */
  assertHeld(): void;
  /** Calls back once when another process is found to have taken it, at the latest a few seconds after that. */
  onLost(listener: () => void): void;
  release(): void;
}

/**
 * Makes this process the only owner of a data folder.
 *
 * The lock appears complete or not at all (a hard link to a complete file). A lock whose holder has ended is removed
 * by one process at a time, which holds a second lock: so no process removes a lock that was just made. Whether a holder in another
 * container or on another computer has ended cannot be asked: its lock is watched, which takes 20 s, and it lives if it touches it.
 * Unfinished files of a process that died are removed. Throws `HostError` `DATA_DIR_HELD` with the holder, and `DATA_DIR_UNUSABLE` while a restore is not
 * finished, except for who finishes it.
 */
export function lockFolder(
  folder: string,
  { isRestoring = false, watchingMs = watchMs, touchingMs = beatMs } = {},
): FolderLock {
  const path = join(folder, 'lock');
  if (!isRestoring && existsSync(join(folder, restoreRecordName)))
    throw new HostError('DATA_DIR_UNUSABLE', backupText.unfinished(folder));
  const place = placeHere();
  const mine = JSON.stringify({ pid: process.pid, started: startOf(process.pid), place } satisfies Holder);
  const draft = temporaryFor(path);
  try {
    makePrivateFolder(folder);
    writeDraft(draft, mine);
  } catch (cause) {
    if (cause instanceof StoreError)
      throw new HostError('DATA_DIR_UNUSABLE', storeProblemText(cause.problem), { cause });
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw new HostError('DATA_DIR_UNUSABLE', folderRefusedText(folder, code), { cause });
  }
  try {
    takeLock(path, { draft, folder, here: place, watchingMs });
    tryToTidyUp(folder, place);
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
  let tellLoss = (): void => undefined;
  const beat = setInterval(() => {
    try {
      if (isMine()) {
        const now = new Date();
        utimesSync(path, now, now);
        knownLock = new KnownFile(path, { isConstant: true });
        return;
      }
    } catch {
      return; // the folder cannot be read or written now: whatever is written next says so
    }
    clearInterval(beat);
    tellLoss();
  }, touchingMs).unref();
  return {
    onLost(listener) {
      tellLoss = listener;
    },
    assertHeld() {
      if (knownLock.isInPlace()) return;
      if (!knownFolder.isInPlace()) throw folderMoved(folder);
      // The lock is not kept open, so some file systems change its number in time; its content counts.
      if (!isMine()) throw lockLost(path);
      knownLock = new KnownFile(path, { isConstant: true });
    },
    release() {
      clearInterval(beat);
      if (isMine()) rmSync(path, { force: true });
    },
  };
}

/** The process that holds a data folder; null: none that is known. Takes nothing. */
export function holderOf(folder: string): number | null {
  try {
    const holder = parseHolder(readLock(join(folder, 'lock')) ?? '');
    return holder !== null && stateOf(holder, placeHere()) === 'runs' ? holder.pid : null;
  } catch (error) {
    if (systemCodeOf(error) === 'UNKNOWN') throw error;
    return null;
  }
}

/** Creates a new file or fails; never follows a link. */
function writeDraft(draft: string, content: string): void {
  try {
    writeFileSync(draft, content, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** A file that cannot be removed now does no harm; the next start tries again. */
function tryToTidyUp(folder: string, here: Place): void {
  try {
    removeLeftovers(folder);
    removeAbandonedDrafts(folder, here);
  } catch (error) {
    if (systemCodeOf(error) === 'UNKNOWN') throw error;
  }
}

/** Removes unfinished locks of processes that died; a running process still needs its own. */
function removeAbandonedDrafts(folder: string, here: Place): void {
  for (const name of readdirSync(folder)) {
    if (!/^lock\.(?:\d+|[0-9a-f]{16}\.new)(?:\.left)?$/.test(name)) continue;
    const holder = parseHolder(readLock(join(folder, name)) ?? '');
    if (holder !== null && stateOf(holder, here) === 'ended') removeOwnFile(join(folder, name));
  }
}

const maxAttempts = 400;
const pauseMs = 5;

function takeLock(
  path: string,
  {
    draft,
    folder,
    here,
    watchingMs,
  }: {
    readonly draft: string;
    readonly folder: string;
    readonly here: Place;
    readonly watchingMs: number;
  },
): void {
  /** Of another place, and not touched while it was watched. */
  let leftBehind: string | null = null;
  const takeover = `${path}.takeover`;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    if (tryLink(draft, path)) return;
    const found = readLock(path);
    if (found === null) continue; // it was released between the two calls
    const holder = parseHolder(found);
    const state = holder === null ? 'ended' : stateOf(holder, here);
    if (holder !== null && state === 'runs') {
      throw new HostError('DATA_DIR_HELD', hostText.folderHeld(folder, holder.pid));
    }
    if (holder !== null && state === 'unseen' && leftBehind !== found) {
      if (isTouched(path, watchingMs)) {
        const where = holder.place?.host ?? '';
        throw new HostError('DATA_DIR_HELD', hostText.folderHeldElsewhere(folder, where, holder.pid));
      }
      leftBehind = found;
      continue;
    }
    if (tryLink(draft, takeover)) {
      try {
        if (readLock(path) === found) rmSync(path);
      } finally {
        rmSync(takeover, { force: true });
      }
    } else {
      // It is held for a moment only, so that one of another place is left behind when it is there for long.
      removeLeftTakeover(takeover, { draft, here, isOld: attempt > maxAttempts / 2 });
      sleep(pauseMs);
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

/** Removes the second lock of a process that died while holding it. */
function removeLeftTakeover(
  takeover: string,
  { draft, here, isOld }: { readonly draft: string; readonly here: Place; readonly isOld: boolean },
): void {
  const found = readLock(takeover);
  const holder = found === null ? null : parseHolder(found);
  const state = holder === null ? 'ended' : stateOf(holder, here);
  if (found === null || state === 'runs' || (state === 'unseen' && !isOld)) return;
  const aside = `${draft}.left`;
  try {
    replacePathSync(takeover, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (readLock(aside) === found) rmSync(aside);
  else replacePathSync(aside, takeover);
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
    const { pid, started, place } = JSON.parse(content) as Partial<Holder>;
    const isProcess = typeof pid === 'number' && Number.isInteger(pid) && pid > 0 && pid < 2 ** 31;
    if (!isProcess || typeof started !== 'string') return null;
    return { pid, started, place: isPlace(place) ? place : undefined };
  } catch {
    return null;
  }
}

function isPlace(place: unknown): place is Place {
  const { host, machine, boot, pids } = (place ?? {}) as Partial<Record<keyof Place, unknown>>;
  return [host, machine, boot, pids].every((one) => typeof one === 'string');
}

/** `unseen`: it is in another place, where its process id says nothing here. */
function stateOf(holder: Holder, here: Place): 'runs' | 'ended' | 'unseen' {
  const { place } = holder;
  const isHere =
    place === undefined ||
    (place.boot === here.boot && place.pids === here.pids && (place.boot !== '' || place.host === here.host));
  if (isHere) return isAlive(holder) ? 'runs' : 'ended';
  // The same computer, started again since.
  if (place.machine !== '' && place.machine === here.machine && place.boot !== here.boot) return 'ended';
  return 'unseen';
}

function placeHere(): Place {
  const host = hostname();
  if (process.platform !== 'linux') return { host, machine: '', boot: '', pids: '' };
  try {
    const machine = idOfLinux();
    return {
      host,
      machine: machine.kind === 'known' ? machine.id : '',
      boot: bootOfLinux(),
      pids: readlinkSync('/proc/self/ns/pid'),
    };
  } catch {
    return { host, machine: '', boot: '', pids: '' };
  }
}

function bootOfLinux(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
}

/** Whether a lock is touched, or released, within a time. By its own times, because the clock of another computer may be wrong. */
function isTouched(path: string, withinMs: number): boolean {
  const before = touchedAt(path);
  for (let waitedMs = 0; waitedMs < withinMs; waitedMs += lookMs) {
    sleep(lookMs);
    const now = touchedAt(path);
    if (now === null) return false;
    if (now !== before) return true;
  }
  return false;
}

/** Opened for it: over NFS a file that is only looked at may be as it was a minute ago (close-to-open consistency, nfs(5)). */
function touchedAt(path: string): bigint | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return fstatSync(file, { bigint: true }).mtimeNs;
  } finally {
    closeSync(file);
  }
}

const lookMs = 200;

/** The lock is taken before anything else is done, and nothing else could be done meanwhile. */
function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function isAlive({ pid, started }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const now = startOf(pid);
  if (now === 'dead') return false; // ended, but its parent has not read its exit code yet
  return now === '' || started === '' || now === started;
}

/** When a process started, as the system counts; on Windows its program's name; empty if that cannot be determined. */
function startOf(pid: number): string {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      // The fields after the name, which may contain anything: the state, and the 20th, the start in clock ticks since boot.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields[0] === 'Z') return 'dead';
      return `${bootOfLinux()} ${fields[19] ?? ''}`;
    }
    if (process.platform === 'darwin') {
      // In a fixed language and zone, because the two processes that compare may have different ones.
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

/** Windows' description of a process: a line of CSV that begins with its program's name and its id. */
function processRow(pid: number): string {
  const filter = ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH'];
  return execFileSync(windowsProgram('tasklist.exe'), filter, { encoding: 'utf8', windowsHide: true });
}
