import { exitCodes } from './exit-codes.ts';

/** A result, on stdout. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A result for programs: one line of JSON on stdout. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value));
}

/** Words for a person, on stderr: they never get into a pipe. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/**
 * Takes it quietly when the reader of our output has gone (`| head`, a terminal that was closed).
 *
 * A command that prints and ends goes on to its end; one that runs on listens with `onReaderGone`. Output that is lost for
 * another reason, such as a full disk, is said, and the command does not end as if all were well.
 */
export function bearClosedPipes(): void {
  let isLost = false;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
      if (code === 'EPIPE' || isLost) return;
      isLost = true;
      if (stream === process.stdout)
        say(`Not everything could be printed (${code}): stdout is not complete.`);
      process.once('exit', (exitCode) => {
        if (exitCode === exitCodes.done) process.exitCode = exitCodes.failed;
      });
    });
  }
}

/** Tells when nobody reads stdout any more. */
export function onReaderGone(act: () => void): void {
  process.stdout.once('error', act);
}

/** When everything printed so far has left this process, or nobody takes it any more. */
export async function flushOutput(): Promise<void> {
  await Promise.all([process.stdout, process.stderr].map(flush));
}

function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.write('', () => resolve());
  });
}
