import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Ending } from './end-as.ts';
import type { OutputMask } from './mask-output.ts';
import { say } from './terminal.ts';

/** A command, as the operating system takes it: no shell reads it. */
export type CommandLine = readonly [program: string, ...args: string[]];

export interface Child {
  /** How it ended, as soon as it has. */
  readonly ended: Promise<Ending>;
  /** When all that it, and whatever it left running, has printed was passed on. */
  readonly printed: Promise<unknown>;
  /** Sends it a signal; nothing happens when it is gone. */
  signal(signal: NodeJS.Signals): void;
}

/** What a shell answers for a program that is not there, and for one that cannot be run. */
const notFoundCode = 127;
const notExecutableCode = 126;

/**
 * Starts a command on our stdin, and on our stdout and stderr: through the mask, or as they are when there is none.
 *
 * It stays in our process group, so that it may read from the terminal. One that cannot be started has ended like in a
 * shell, with 127 or 126, after a sentence on stderr.
 */
export function startChild(
  [program, ...args]: CommandLine,
  { env, mask }: { env: NodeJS.ProcessEnv; mask: OutputMask | null },
): Child {
  const pipes = mask === null ? null : openPipes();
  const output = mask === null ? 'inherit' : 'pipe';
  let child: ChildProcess;
  try {
    const stdio = ['inherit', pipes?.stdout.writeFd ?? output, pipes?.stderr.writeFd ?? output] as const;
    child = spawn(program, args, { env, stdio: [...stdio] });
  } catch (error) {
    // Some failures to start are thrown, others come as an event.
    return {
      ended: Promise.resolve(endingOfFailure(program, error)),
      printed: Promise.resolve(),
      signal: () => undefined,
    };
  } finally {
    for (const pipe of pipes === null ? [] : [pipes.stdout, pipes.stderr]) closeSync(pipe.writeFd);
  }
  const printed = [
    passOn(pipes?.stdout.reader ?? child.stdout, mask, process.stdout),
    passOn(pipes?.stderr.reader ?? child.stderr, mask, process.stderr),
  ];
  return {
    ended: endingOf(child, program),
    printed: Promise.all(printed),
    signal: (signal) => void child.kill(signal),
  };
}

function endingOf(child: ChildProcess, program: string): Promise<Ending> {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      if (child.pid === undefined) resolve(endingOfFailure(program, error));
      else say(`rotavox: A signal did not reach ${program} (${codeOf(error)}).`); // it runs as somebody else
    });
    child.on('exit', (code, signal) => {
      resolve(signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'killed', signal });
    });
  });
}

function endingOfFailure(program: string, error: unknown): Ending {
  const code = codeOf(error);
  if (code === 'ENOENT') {
    say(
      `rotavox: ${program} was not found: it is not in PATH, or what its first line (#!) names is not there.`,
    );
    return { kind: 'exited', code: notFoundCode };
  }
  const advice = code === 'EACCES' ? ' It has to be a file that you may execute.' : '';
  say(`rotavox: ${program} cannot be started (${code}).${advice}`);
  return { kind: 'exited', code: notExecutableCode };
}

/** Passes on what the child prints, as fast as our reader takes it. */
async function passOn(from: Readable | null, mask: OutputMask | null, to: Writable): Promise<void> {
  if (from === null || mask === null) return;
  try {
    await pipeline(from, (chunks: AsyncIterable<Buffer>) => mask.pass(chunks), to, { end: false });
  } catch (error) {
    // Our reader has gone, or the disk is full, and with us the child's pipe is closed: it learns of that at its next
    // write. `terminal.ts` has said what there is to say.
    if (codeOf(error) === 'unknown') throw error;
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown';
}

/** Two pipes of the operating system, for a child's stdout and stderr. */
export interface Pipes {
  readonly stdout: Pipe;
  readonly stderr: Pipe;
}

interface Pipe {
  /** The end for the child. It is closed here as soon as the child has it: the reader ends when nobody has it any more. */
  readonly writeFd: number;
  readonly reader: Readable;
}

/**
 * Opens real pipes, where Node's own will not do and where they can be had; else null.
 *
 * Node connects children by sockets. On Linux a program cannot open a socket as /dev/stdout, and when its reader has gone
 * it is told of a connection that was reset instead of ending by SIGPIPE like everybody in a pipeline. Node has no call
 * for pipe(2), so these come from two FIFOs, whose names are gone again when this returns.
 */
function openPipes(): Pipes | null {
  if (process.platform !== 'linux') return null;
  const opened: number[] = [];
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(tmpdir(), 'rotavox-exec-'));
    const paths = [join(folder, 'stdout'), join(folder, 'stderr')] as const;
    execFileSync('mkfifo', paths, { stdio: 'ignore' });
    const [stdout, stderr] = [openFifo(paths[0], opened), openFifo(paths[1], opened)];
    return { stdout: pipeOf(stdout), stderr: pipeOf(stderr) };
  } catch {
    // No mkfifo, or no folder that takes one: sockets do for most programs.
    for (const fd of opened) closeSync(fd);
    return null;
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

interface Ends {
  readonly readFd: number;
  readonly writeFd: number;
}

/** Both ends of a FIFO, the reading one first: an end for writing waits until somebody reads. */
function openFifo(path: string, opened: number[]): Ends {
  const readFd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  opened.push(readFd);
  const writeFd = openSync(path, constants.O_WRONLY);
  opened.push(writeFd);
  return { readFd, writeFd };
}

function pipeOf({ readFd, writeFd }: Ends): Pipe {
  return { writeFd, reader: new Socket({ fd: readFd, readable: true, writable: false }) };
}
