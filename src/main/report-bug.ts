import { app, dialog } from 'electron';
import { startAgain } from './start-again.ts';
import { hiddenFlag, restartedAt, restartedFlag } from './start-options.ts';

/** Two failures within this time are one that starting again does not mend, in milliseconds. */
const calmMs = 5 * 60_000;

/**
 * What to do about a failure that nobody expected: say it, end cleanly, and start again, hidden.
 *
 * A service in an unknown state must not go on answering; and tokens must not lapse because of a mistake of ours, so the
 * app comes back by itself. Not twice within minutes (the arguments of the new start say when it was, for a full disk may
 * be the very failure), and not when a launcher owns it, which would lose track: then a person is told. The box comes
 * last, for it holds everything up until it is read.
 */
export async function endAfterBug(error: unknown, close: () => Promise<boolean>): Promise<void> {
  const story = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(
    `Rotavox has to end because of an unexpected failure. This is a bug; please report it with these lines:\n${story}\n`,
  );
  await close();
  const comesBack = isWorthAnother() && (await tryToStartAgain());
  if (!comesBack && app.isReady() && process.send === undefined) {
    dialog.showErrorBox(
      'Rotavox had to end',
      `Something unexpected failed. Nothing acknowledged is lost. Start Rotavox again, so that it keeps your tokens fresh.\n\n${story}`,
    );
  }
  app.exit(1);
}

/** What failed may keep this from working, too: then the end must come all the same. */
async function tryToStartAgain(): Promise<boolean> {
  process.stderr.write('Rotavox starts again.\n');
  try {
    await startAgain([hiddenFlag, `${restartedFlag}${Date.now()}`]);
    return true;
  } catch (error) {
    process.stderr.write(`Rotavox could not start again (${String(error)}).\n`);
    return false;
  }
}

function isWorthAnother(): boolean {
  const isLaunched = process.send !== undefined;
  return app.isReady() && !isLaunched && Math.abs(Date.now() - restartedAt(process.argv)) > calmMs;
}

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
