import { rmSync } from 'node:fs';
import { join } from 'node:path';

/** What electron-builder says about the place it has just copied Electron to. */
interface Extracted {
  readonly appOutDir: string;
  readonly electronPlatformName: string;
}

/**
 * Takes out of the package what only a bare Electron needs: the app it shows when it has none, and its version file.
 *
 * electron-builder does that itself for an Electron that it downloaded, and leaves an unpacked one as it is. Called by
 * it under this name, before it adds our app and computes the integrity of every archive.
 */
export function afterExtract({ appOutDir, electronPlatformName }: Extracted): void {
  const resources =
    electronPlatformName === 'darwin'
      ? join(appOutDir, 'Electron.app', 'Contents', 'Resources')
      : join(appOutDir, 'resources');
  rmSync(join(resources, 'default_app.asar'), { force: true });
  rmSync(join(appOutDir, 'version'), { force: true });
}
