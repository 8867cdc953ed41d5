import { rmSync } from 'node:fs';
import { join } from 'node:path';

/** electron-builder's description of the place that it has just copied Electron to. */
interface Extracted {
  readonly appOutDir: string;
  readonly electronPlatformName: string;
}

/**
 * Removes from the package what only a bare Electron needs: its default app and its version file.
 *
 * electron-builder does that itself for an Electron that it downloaded, but not for an unpacked one. It calls this
 * function by its name, before it adds our app and computes the integrity of every archive.
 */
export function afterExtract({ appOutDir, electronPlatformName }: Extracted): void {
  const resources =
    electronPlatformName === 'darwin'
      ? join(appOutDir, 'Electron.app', 'Contents', 'Resources')
      : join(appOutDir, 'resources');
  rmSync(join(resources, 'default_app.asar'), { force: true });
  rmSync(join(appOutDir, 'version'), { force: true });
}
