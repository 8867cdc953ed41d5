import { app } from 'electron';
import { ownAppImage } from './own-app-image.ts';
import { hiddenFlag, noWindowsFlag, restartedFlag } from './start-options.ts';
import { startSeparately } from './updates/replace-app-image.ts';
import { linkScheme } from './windows/place.ts';

/** Starts this app again after it has ended, with the same options; `asked` is what the next run shows. Not under a launcher. */
export async function startAgain(asked: readonly string[]): Promise<void> {
  const given = process.argv
    .slice(1)
    .filter(
      (one) =>
        one !== hiddenFlag &&
        one !== noWindowsFlag &&
        !one.startsWith(restartedFlag) &&
        !one.startsWith(`${linkScheme}:`),
    );
  const args = [...given, ...asked];
  const appImage = ownAppImage(process);
  if (appImage === null) {
    app.relaunch({ args });
    return;
  }
  app.releaseSingleInstanceLock();
  await startSeparately(appImage, args);
}
