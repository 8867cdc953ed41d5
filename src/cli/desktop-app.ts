import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { usualDataDirOf } from '../contract/service/data-dir.ts';

interface Machine {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly homeDir?: string;
  /** Whether a file exists. */
  readonly has?: (file: string) => boolean;
}

/**
 * The program of the desktop app, and its first arguments; null where it is not installed.
 *
 * The app of the package that this command line is in; in a checkout its launcher; otherwise the app where its installers put it,
 * or the AppImage that last ran.
 */
export function findDesktopApp(
  programDir: string,
  { platform, environment, homeDir = homedir(), has = existsSync }: Machine,
): readonly [program: string, ...args: string[]] | null {
  const launcher = join(programDir, 'src', 'launcher', 'start.ts');
  if (has(launcher)) return [process.execPath, launcher];
  const dataDir = usualDataDirOf({ environment, platform, homeDir });
  const found = [
    besideResources(programDir, platform),
    ...usualPlaces(platform, environment),
    ...(platform === 'linux' ? lastAppImage(join(dataDir, '..', 'desktop.json')) : []),
  ].find(has);
  return found === undefined ? null : [found];
}

/** In a desktop package: the app whose `resources` folder this is. */
function besideResources(resources: string, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return join(resources, '..', 'MacOS', 'Rotavox');
  return join(resources, '..', platform === 'win32' ? 'Rotavox.exe' : 'rotavox');
}

function usualPlaces(platform: NodeJS.Platform, environment: Machine['environment']): string[] {
  const { HOME: home = '', LOCALAPPDATA: local = '', PROGRAMFILES: shared = '' } = environment;
  if (platform === 'darwin') {
    const inside = join('Rotavox.app', 'Contents', 'MacOS', 'Rotavox');
    return ['/Applications', join(home, 'Applications')].map((folder) => join(folder, inside));
  }
  if (platform === 'win32')
    return [join(local, 'Programs', 'Rotavox'), join(shared, 'Rotavox')].map((folder) =>
      join(folder, 'Rotavox.exe'),
    );
  return ['/opt/Rotavox/rotavox'];
}

/** An AppImage is a file anywhere; while it runs, the app records where (main/shell-memory.ts). */
function lastAppImage(memoryFile: string): string[] {
  try {
    const { appImage } = JSON.parse(readFileSync(memoryFile, 'utf8')) as { appImage?: unknown };
    return typeof appImage === 'string' ? [appImage] : [];
  } catch {
    return []; // it never ran, or the file is damaged
  }
}
