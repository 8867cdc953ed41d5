import { app } from 'electron';
import { ownAppImage, startSeparately } from './updates/replace-app-image.ts';
import { afterKillFlag, hiddenFlag, noWindowsFlag, restartedFlag } from './start-options.ts';
import { linkScheme } from './windows/place.ts';

/** Starts this app again after it has ended, with the same options; `asked` is what the next run shows. Not under a launcher. */
export async function startAgain(asked: readonly string[]): Promise<void> {
  const args = argumentsOfNext(asked);
  const appImage = ownAppImage(process);
  if (appImage === null) {
    app.relaunch({ args });
    return;
  }
  app.releaseSingleInstanceLock();
  await startSeparately(appImage, args);
}

/** The same also under a launcher, which starts the next one itself: it would not know another process. */
export async function startAgainAnyhow(asked: readonly string[]): Promise<void> {
  if (process.send === undefined) await startAgain(asked);
  else process.send(asked);
}

/** The arguments of the next start: what this one was told for good, and what that one is asked. */
export function argumentsOfNext(asked: readonly string[]): string[] {
  const given = process.argv
    .slice(1)
    .filter(
      (one) => !ofOneStart.has(one) && !one.startsWith(restartedFlag) && !one.startsWith(`${linkScheme}:`),
    );
  return [...given, ...asked];
}

const ofOneStart: ReadonlySet<string> = new Set([hiddenFlag, noWindowsFlag, afterKillFlag]);
