import { app, dialog } from 'electron';
import { hiddenFlag } from './start-options.ts';
import type { ShellMemory } from './shell-memory.ts';

/** Two failures within this time are one that starting again does not mend, in milliseconds. */
const calmMs = 5 * 60_000;

/**
 * What to do about a failure that nobody expected: say it, end cleanly, and start again, hidden.
 *
 * A service in an unknown state must not go on answering; and tokens must not lapse because of a mistake of ours, so the
 * app comes back by itself. Not twice within minutes, and not when a launcher owns it (that one would lose track): then
 * a person is told. The box comes last, for it holds everything up until it is read.
 */
export async function endAfterBug(
  error: unknown,
  { memory, close }: { memory: ShellMemory; close: () => Promise<boolean> },
): Promise<void> {
  const story = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(
    `Rotavox has to end because of an unexpected failure. This is a bug; please report it with these lines:\n${story}\n`,
  );
  await close();
  if (isWorthAnother(memory)) {
    memory.keep({ restartedAt: new Date().toISOString() });
    app.relaunch({ args: [...process.argv.slice(1).filter((one) => one !== hiddenFlag), hiddenFlag] });
    process.stderr.write('Rotavox starts again.\n');
  } else if (app.isReady() && process.send === undefined) {
    dialog.showErrorBox(
      'Rotavox had to end',
      `Something unexpected failed. Nothing acknowledged is lost. Start Rotavox again, so that it keeps your tokens fresh.\n\n${story}`,
    );
  }
  app.exit(1);
}

function isWorthAnother({ remembered }: ShellMemory): boolean {
  const isLaunched = process.send !== undefined;
  const lastMs = remembered.restartedAt === null ? -Infinity : Date.parse(remembered.restartedAt);
  return app.isReady() && !isLaunched && Math.abs(Date.now() - lastMs) > calmMs;
}
