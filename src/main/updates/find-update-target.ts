import { accessSync, constants, existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ownAppImage } from '../own-app-image.ts';

/** What a new version takes the place of, or why nothing can. */
export type UpdateTarget =
  | { readonly kind: 'appimage'; readonly file: string }
  | { readonly kind: 'nsis' }
  | { readonly kind: 'none'; readonly why: string };

export interface RunningProgram {
  readonly platform: NodeJS.Platform;
  readonly isPackaged: boolean;
  readonly execPath: string;
  readonly resourcesPath: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Finds out how this copy of the program came to be here, and so how it can be replaced.
 *
 * A deb or rpm is never installed from here, though electron-updater would: it is unsigned, lies in a folder of the user's
 * until the very moment, and would be unpacked by root at the prompt for a password.
 */
export function findUpdateTarget(program: RunningProgram): UpdateTarget {
  if (!program.isPackaged) return none('runs from a checkout of its sources. Update the checkout instead.');
  const { platform, execPath } = program;
  if (platform === 'linux') return targetOnLinux(program);
  if (platform === 'win32') return existsSync(uninstallerOf(execPath)) ? { kind: 'nsis' } : unpacked;
  return none(
    'cannot replace itself here: macOS would ask for a signature that it does not have. Install the new version by hand.',
  );
}

function targetOnLinux(program: RunningProgram): UpdateTarget {
  const file = ownAppImage(program);
  if (file !== null) {
    return isReplaceable(file)
      ? { kind: 'appimage', file }
      : none(
          `is ${file}, in a folder that you may not write to. Move it to one of your own, or ask whoever put it there.`,
        );
  }
  const format = packageFormat(program.resourcesPath);
  if (format === null) return unpacked;
  return none(`was installed as a ${format} package. Install the new one as you installed this one.`);
}

function isReplaceable(file: string): boolean {
  try {
    accessSync(dirname(realpathSync(file)), constants.W_OK);
    return true;
  } catch {
    return false; // whatever the reason, a new file cannot be put there
  }
}

/** electron-builder writes it into what it makes a deb, rpm or pacman package of. */
function packageFormat(resourcesPath: string): string | null {
  const file = join(resourcesPath, 'package-type');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}

/** The installer leaves it beside the program; a folder that was only unpacked has none. */
function uninstallerOf(execPath: string): string {
  return join(dirname(execPath), `Uninstall ${basename(execPath, '.exe')}.exe`);
}

const unpacked = none('is an unpacked folder, which cannot replace itself. Put the new one in its place.');

function none(predicate: string): UpdateTarget & { kind: 'none' } {
  return { kind: 'none', why: `This copy of Rotavox ${predicate}` };
}
