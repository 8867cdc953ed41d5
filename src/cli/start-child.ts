import { type ChildProcess, execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isStartFailure, signalChild, startProgram } from '../system/start-program.ts';
import { execText } from '../text/cli/cli-delivery.ts';
import { commandIo } from './command-io.ts';
import type { Ending } from './command-failure.ts';
import type { OutputMask } from './mask-output.ts';
import { say } from './terminal.ts';

/** A program and its arguments, which no shell reads. */
export type CommandLine = readonly [program: string, ...args: string[]];

export interface Child {
  /** How it ended, as soon as it has. */
  readonly ended: Promise<Ending>;
  /** When all output of it, and of what it left running, was passed on. */
  readonly printed: Promise<unknown>;
  /** Sends it a signal; does nothing when it has ended. */
  signal(signal: NodeJS.Signals): void;
}

/** A shell's exit codes for a program that was not found, and for one that cannot be run. */
const notFoundCode = 127;
const notExecutableCode = 126;

/**
 * Starts a command with our stdin, and with our stdout and stderr, through the mask if there is one.
 *
 * It stays in our process group, so that it may read from the terminal. One that cannot be started ends like in a
 * shell, with 127 or 126, after a message on stderr.
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
    child = startProgram(program, args, { env, stdio: [...stdio] });
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
    passOn(pipes?.stdout.reader ?? child.stdout, mask, commandIo().stdout),
    passOn(pipes?.stderr.reader ?? child.stderr, mask, commandIo().stderr),
  ];
  return {
    ended: endingOf(child, program),
    printed: Promise.all(printed),
    signal: (signal) => signalChild(child, signal),
  };
}

function endingOf(child: ChildProcess, program: string): Promise<Ending> {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      if (isStartFailure(child, error)) resolve(endingOfFailure(program, error));
      else say(execText.line(execText.signalFailed(program, codeOf(error)))); // it runs as another user
    });
    child.on('exit', (code, signal) => {
      resolve(signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'killed', signal });
    });
  });
}

function endingOfFailure(program: string, error: unknown): Ending {
  const code = codeOf(error);
  if (code === 'ENOENT') {
    say(execText.line(execText.notFound(program, process.platform)));
    return { kind: 'exited', code: notFoundCode };
  }
  say(execText.line(execText.cannotStart(program, code)));
  return { kind: 'exited', code: notExecutableCode };
}

/** Passes on what the child prints, as fast as it is read from us. */
async function passOn(from: Readable | null, mask: OutputMask | null, to: Writable): Promise<void> {
  if (from === null || mask === null) return;
  try {
    await pipeline(from, (chunks: AsyncIterable<Buffer>) => mask.pass(chunks), to, { end: false });
  } catch (error) {
    // Our output was closed, or the disk is full. The child's pipe is closed too, and its next write fails.
    // `terminal.ts` has reported it.
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
  /** The end for the child. It is closed here once the child has it, so that the reader ends when no process has it open. */
  readonly writeFd: number;
  readonly reader: Readable;
}

/**
 * Opens real pipes on Linux; null elsewhere or if that fails.
 *
 * Node connects children by sockets. On Linux a program cannot open a socket as /dev/stdout, and when the reader is closed
 * it gets ECONNRESET instead of SIGPIPE. Node has no call for pipe(2), so these come from two FIFOs, whose names are
 * removed before this returns.
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
    // No mkfifo, or no folder for it: sockets work for most programs.
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

/** Both ends of a FIFO, the reading end first: opening the writing end blocks until there is a reader. */
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
