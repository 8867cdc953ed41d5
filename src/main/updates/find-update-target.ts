import type { UpdateObstacle } from '../../contract/service/update.ts';
import { accessSync, constants, existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ownAppImage } from './replace-app-image.ts';

/** What a new version replaces, or why nothing can be replaced. */
export type UpdateTarget =
  | { readonly kind: 'appimage'; readonly file: string }
  | { readonly kind: 'nsis' }
  | { readonly kind: 'none'; readonly why: UpdateObstacle };

export interface RunningProgram {
  readonly platform: NodeJS.Platform;
  readonly isPackaged: boolean;
  readonly execPath: string;
  readonly resourcesPath: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * How this copy of the program was installed, and so how it can be replaced.
 *
 * A deb or rpm is never installed: it would lie in a folder that every program of the user may write, and be unpacked by
 * root after a password prompt.
 */
export function findUpdateTarget(program: RunningProgram): UpdateTarget {
  if (!program.isPackaged) return none({ code: 'checkout' });
  const { platform, execPath } = program;
  if (platform === 'linux') return targetOnLinux(program);
  if (platform === 'win32') return existsSync(uninstallerOf(execPath)) ? { kind: 'nsis' } : unpacked;
  return none({ code: 'macos' });
}

function targetOnLinux(program: RunningProgram): UpdateTarget {
  const file = ownAppImage(program);
  if (file !== null) {
    return isReplaceable(file) ? { kind: 'appimage', file } : none({ code: 'read_only', file });
  }
  const format = packageFormat(program.resourcesPath);
  if (format === null) return unpacked;
  return none({ code: 'package', format });
}

function isReplaceable(file: string): boolean {
  try {
    accessSync(dirname(realpathSync(file)), constants.W_OK);
    return true;
  } catch {
    return false; // for whatever reason, no new file can be written there
  }
}

/** electron-builder writes this file into deb, rpm and pacman packages. */
function packageFormat(resourcesPath: string): string | null {
  const file = join(resourcesPath, 'package-type');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}

/** The installer puts it beside the program; an unpacked folder has none. */
function uninstallerOf(execPath: string): string {
  return join(dirname(execPath), `Uninstall ${basename(execPath, '.exe')}.exe`);
}

const unpacked = none({ code: 'unpacked' });

function none(why: UpdateObstacle): UpdateTarget {
  return { kind: 'none', why };
}
