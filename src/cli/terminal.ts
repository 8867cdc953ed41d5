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
 * A command that prints and ends goes on to its end; one that runs on listens with `onReaderGone`.
 */
export function bearClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}

/** Tells when nobody reads stdout any more. */
export function onReaderGone(act: () => void): void {
  process.stdout.once('error', act);
}
