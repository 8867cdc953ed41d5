/**
 * Waits for something that nobody else waits for, and says on stderr when it failed.
 *
 * For what a person can ask for again: a failure of the clipboard or of a window must not end the program.
 */
export function reportFailure(work: Promise<unknown>, what: string): void {
  work.catch((error: unknown) => {
    process.stderr.write(
      `Rotavox: ${what} failed (${error instanceof Error ? error.message : String(error)}).\n`,
    );
  });
}
