import { app, dialog } from 'electron';
import { desktopLine, unexpectedError } from '../text/service/desktop-text.ts';
import { stackOf } from '../text/service/stack-of.ts';
import { printLine } from './print-line.ts';
import { startAgain } from './start-again.ts';
import { hiddenFlag, restartedAt, restartedFlag } from './start-options.ts';

/** A second failure within this time is not followed by another restart. In milliseconds. */
const restartIntervalMs = 5 * 60_000;

/**
 * Handles an unexpected error: reports it, quits cleanly, and restarts, hidden.
 *
 * A service in an unknown state must not continue, and tokens must not expire because of a bug, so the app restarts. Not
 * twice within minutes (the time is in the arguments of the new start, because a full disk may be the cause), and not under
 * a launcher, which would not know the new process: then a dialog is shown. It comes last, because it blocks everything.
 * After the person has quit, neither: they want it gone.
 */
export async function endAfterBug(
  error: unknown,
  { isQuitting, close }: { readonly isQuitting: boolean; readonly close: () => Promise<boolean> },
): Promise<void> {
  const stack = stackOf(error);
  printLine(desktopLine.unexpected(stack));
  await close();
  const isRestarted = !isQuitting && mayRestart() && (await tryToStartAgain());
  if (!isRestarted && !isQuitting && app.isReady() && process.send === undefined) {
    dialog.showErrorBox(unexpectedError.title, unexpectedError.text(stack));
  }
  app.exit(1);
}

/** The error may prevent this too; the app quits anyway. */
async function tryToStartAgain(): Promise<boolean> {
  printLine(desktopLine.restarting);
  try {
    await startAgain([hiddenFlag, `${restartedFlag}${Date.now()}`]);
    return true;
  } catch (error) {
    printLine(desktopLine.notRestarted(String(error)));
    return false;
  }
}

function mayRestart(): boolean {
  const isLaunched = process.send !== undefined;
  return app.isReady() && !isLaunched && Math.abs(Date.now() - restartedAt(process.argv)) > restartIntervalMs;
}

/**
 * Reports on stderr when a task fails that nothing else waits for.
 *
 * For what a person can repeat: a failure of the clipboard or of a window must not end the program.
 */
export function reportFailure(work: Promise<unknown>, task: string): void {
  work.catch((error: unknown) => {
    printLine(desktopLine.failed(task, error instanceof Error ? error.message : String(error)));
  });
}
