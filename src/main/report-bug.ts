import { app, dialog } from 'electron';
import { ownAppImage } from './own-app-image.ts';
import { hiddenFlag, restartedAt, restartedFlag } from './start-options.ts';
import { startAppImage } from './updates/start-app-image.ts';
import { linkScheme } from './windows/place.ts';

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
  if (isWorthAnother()) {
    process.stderr.write('Rotavox starts again.\n');
    await startAgain();
  } else if (app.isReady() && process.send === undefined) {
    dialog.showErrorBox(
      'Rotavox had to end',
      `Something unexpected failed. Nothing acknowledged is lost. Start Rotavox again, so that it keeps your tokens fresh.\n\n${story}`,
    );
  }
  app.exit(1);
}

function isWorthAnother(): boolean {
  const isLaunched = process.send !== undefined;
  return app.isReady() && !isLaunched && Math.abs(Date.now() - restartedAt(process.argv)) > calmMs;
}

async function startAgain(): Promise<void> {
  const given = process.argv
    .slice(1)
    .filter(
      (one) => one !== hiddenFlag && !one.startsWith(restartedFlag) && !one.startsWith(`${linkScheme}:`),
    );
  const args = [...given, hiddenFlag, `${restartedFlag}${Date.now()}`];
  const appImage = ownAppImage(process);
  if (appImage === null) {
    app.relaunch({ args });
    return;
  }
  app.releaseSingleInstanceLock();
  await startAppImage(appImage, args);
}
