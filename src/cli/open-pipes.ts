import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

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
export function openPipes(): Pipes | null {
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
