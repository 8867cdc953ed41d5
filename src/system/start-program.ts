/*
 * Starting programs that a person named, and ending them with what they started, on every system. See decisions/windows.md.
 */
import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import spawnAcross from 'cross-spawn';
import { findOnWindows, interpreterIn } from './find-on-windows.ts';

type Spawn = (program: string, args: readonly string[], options: SpawnOptions) => ChildProcess;

/** What starts programs. Tests play Windows with it. */
export interface StartingSystem {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  readonly spawn: Spawn;
  /** Has cmd.exe run a file that is no program itself; nothing in the arguments means anything to it. */
  readonly runByShell: Spawn;
  readonly isFile?: (path: string) => boolean;
  /** How a file begins. */
  readStart(path: string): string;
}

const thisStart: StartingSystem = {
  platform: process.platform,
  env: process.env,
  spawn,
  runByShell: (program, args, options) => spawnAcross(program, [...args], options),
  readStart: startOf,
};

/**
 * Starts a program as Node's `spawn` does, without a shell that reads the arguments. Throws an error with the code `ENOENT` for one that is not
 * there, or emits it.
 *
 * On Windows also a `.cmd` or `.bat` file, by its name without the extension: npm, yarn and az are such. Node refuses those with EINVAL since
 * CVE-2024-27980 (https://nodejs.org/en/blog/vulnerability/april-2024-security-releases-2), because cmd.exe reads their arguments;
 * cross-spawn escapes what it would read. It gets the path of a file, because by a name it, libuv and cmd.exe would look into the working folder
 * first. Whether an error says that nothing was started tells `isStartFailure`.
 */
export function startProgram(
  program: string,
  args: readonly string[],
  options: SpawnOptions,
  system = thisStart,
): ChildProcess {
  if (system.platform !== 'win32') return system.spawn(program, args, options);
  const { env = system.env, cwd } = options;
  const find = (name: string): string => {
    const file = findOnWindows({ program: name, env, folder: cwd?.toString() }, system.isFile);
    if (file === null) throw missing(program);
    return file;
  };
  const file = find(program);
  const interpreter = isImage(file) ? null : interpreterIn(system.readStart(file));
  return interpreter === null
    ? startFile(file, args, options, system)
    : startFile(find(interpreter), [file, ...args], options, system);
}

function startFile(file: string, args: readonly string[], options: SpawnOptions, system: StartingSystem) {
  if (isImage(file)) return system.spawn(file, args, options);
  // cross-spawn takes it from there, or from the working folder.
  system.env['ComSpec'] ??= windowsProgram('cmd.exe');
  return system.runByShell(file, args, options);
}

/** What Windows runs itself. */
function isImage(file: string): boolean {
  return /\.(?:com|exe)$/i.test(file);
}

/** As Node reports it. */
function missing(program: string): Error {
  const syscall = `spawn ${program}`;
  return Object.assign(new Error(`${syscall} ENOENT`), { code: 'ENOENT', syscall, path: program });
}

/** Longer than the first line of any script. Empty for a file that cannot be read. */
function startOf(path: string): string {
  const start = Buffer.alloc(512);
  try {
    const file = openSync(path, 'r');
    try {
      return start.toString('latin1', 0, readSync(file, start));
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

/**
 * Whether an error of a child says that its program was not started; others are of a signal that was refused.
 *
 * A `.cmd` file that is missing is reported once the cmd.exe that was to run it has ended: then the child has an id, and emits no `exit`.
 */
export function isStartFailure({ pid }: ChildProcess, error: Error): boolean {
  return pid === undefined || ('syscall' in error && String(error.syscall).startsWith('spawn'));
}

/** What ends processes. Tests play Windows with it. */
export interface ProcessSystem {
  readonly platform: NodeJS.Platform;
  /** As `process.kill`. */
  kill(pid: number, signal: NodeJS.Signals | 0): boolean;
  /** Starts a program that nobody waits for; `onFailure` when it cannot be started or fails. */
  start(program: string, args: readonly string[], onFailure: () => void): void;
}

const thisSystem: ProcessSystem = {
  platform: process.platform,
  kill: (pid, signal) => process.kill(pid, signal),
  start(program, args, onFailure) {
    spawn(program, args, { stdio: 'ignore', windowsHide: true })
      .once('error', onFailure)
      .once('exit', (code) => {
        if (code !== 0) onFailure();
      })
      .unref();
  },
};

/** What these functions use of a child process. */
export type Started = Pick<ChildProcess, 'pid' | 'exitCode' | 'signalCode' | 'kill'>;

/** The options of `spawn` with which a child and what it starts can be ended together. */
export const asTree = { detached: process.platform !== 'win32', windowsHide: true } as const;

/**
 * Sends a signal to a child that was started `asTree`, and to everything that it started; none may be left.
 *
 * On Windows every signal ends them at once. A console program there gets no other request.
 */
export function signalTree(child: Started, signal: NodeJS.Signals, system = thisSystem): void {
  if (system.platform === 'win32') endWithTaskkill(child, system);
  else reachGroup(child, signal, system);
}

/** Sends a signal to a child alone; on Windows also to what it started, because the child may be the cmd.exe that runs it. */
export function signalChild(child: Started, signal: NodeJS.Signals, system = thisSystem): void {
  if (system.platform === 'win32') endWithTaskkill(child, system);
  else child.kill(signal);
}

/** Whether anything of a child that was started `asTree` still runs, also after the child itself has ended. Never known on Windows. */
export function isTreeAlive(child: Started, system = thisSystem): boolean {
  return system.platform !== 'win32' && reachGroup(child, 0, system);
}

/**
 * Node's `kill` ends one process there and leaves its children (https://nodejs.org/api/child_process.html#subprocesskillsignal).
 * https://learn.microsoft.com/windows-server/administration/windows-commands/taskkill
 */
function endWithTaskkill(child: Started, system: ProcessSystem): void {
  // Once it has ended, its id may be that of another program.
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  system.start(windowsProgram('taskkill.exe'), ['/PID', String(child.pid), '/T', '/F'], () =>
    child.kill('SIGKILL'),
  );
}

function reachGroup({ pid }: Started, signal: NodeJS.Signals | 0, system: ProcessSystem): boolean {
  if (pid === undefined) return false;
  try {
    return system.kill(-pid, signal);
  } catch (error) {
    // ESRCH: no process is left. EPERM: only ended processes (macOS), or processes of another user.
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ESRCH' || code === 'EPERM') return false;
    throw error;
  }
}

/** A program in the folder of Windows itself: no other folder is searched. */
export function windowsProgram(...path: readonly string[]): string {
  return join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', ...path);
}
