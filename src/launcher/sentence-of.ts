/**
 * The sentence of an error that a person can read.
 *
 * A failure of this room carries its whole story in the message; only a bug needs its stack, and a bug is anything
 * that is not an Error or says nothing.
 */
export function sentenceOf(error: unknown): string {
  if (error instanceof Error && error.message !== '') return error.message;
  return `Unexpected failure: ${error instanceof Error ? (error.stack ?? error.name) : String(error)}`;
}

/** A line of the launcher as a sentence of its own. */
export function capitalised(line: string): string {
  return line.charAt(0).toUpperCase() + line.slice(1);
}
