/**
 * The message of an error for a person.
 *
 * An error of the launcher has a complete message; a bug, which is no Error or has no message, is shown with its stack.
 */
export function sentenceOf(error: unknown): string {
  if (error instanceof Error && error.message !== '') return error.message;
  return `Unexpected failure: ${error instanceof Error ? (error.stack ?? error.name) : String(error)}`;
}

/** A line of the launcher as a complete sentence. */
export function capitalised(line: string): string {
  return line.charAt(0).toUpperCase() + line.slice(1);
}
