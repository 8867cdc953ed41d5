import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, existsSync, realpathSync } from 'node:fs';
import { chmod, open, realpath, rm, stat } from 'node:fs/promises';
import { delimiter, dirname, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UpdateError } from './update-state.ts';
import { replacePath } from '../../system/replace-path.ts';

/**
 * Replaces the AppImage that runs by a verified one beside it, with one rename.
 *
 * A crash or a full disk leaves the old one as it was. The running program keeps the old file open. The file name stays,
 * even if it contains the old version, because menu entries and the autostart file point to it.
 */
export async function replaceAppImage(fresh: string, installed: string): Promise<void> {
  const target = await realpath(installed);
  try {
    const { mode } = await stat(target);
    await chmod(fresh, mode & 0o777);
    await replacePath(fresh, target);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new UpdateError({ code: 'not_replaced', file: target, error: code }, { cause: error });
  }
  await syncFolder(dirname(target));
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Verifies a file again before it is used, and deletes it if it was changed.
 *
 * Hours may have passed since the download, in a folder that every program of the user may write.
 */
export async function verifyDownload(file: string, sha512: string): Promise<void> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  if (hash.digest('base64') === sha512) return;
  await rm(file, { force: true });
  throw new UpdateError({ code: 'wrong_file' });
}

/**
 * Starts a program, such as an AppImage, as a separate process; resolves when it runs.
 *
 * Not with `app.relaunch`, whose helper is a program inside the AppImage that is about to be unmounted:
 * https://github.com/electron-userland/electron-builder/issues/1727
 */
export async function startSeparately(file: string, args: readonly string[]): Promise<void> {
  const child = spawn(file, args, {
    cwd: '/', // a working directory inside the old mount would keep it busy
    detached: true,
    stdio: 'ignore',
    env: environmentOutsideMount(process.env),
  });
  await once(child, 'spawn');
  child.unref();
}

/**
 * The environment without the paths of the running AppImage's mount.
 *
 * The mount is removed soon, and then anyone who may write to /tmp can create a folder of that name: a PATH that still
 * contains it would run their programs.
 */
export function environmentOutsideMount(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { APPDIR: mount, APPIMAGE: _file, ARGV0: _name, OWD: _folder, ...rest } = env;
  if (!mount) return rest;
  const isInside = (path: string): boolean => path === mount || path.startsWith(`${mount}/`);
  const kept = Object.entries(rest).flatMap(([name, value = '']) => {
    const paths = value.split(delimiter);
    if (!paths.some(isInside)) return [[name, value] as const];
    const outside = paths.filter((path) => !isInside(path));
    return outside.length === 0 ? [] : [[name, outside.join(delimiter)] as const];
  });
  return Object.fromEntries(kept);
}

/**
 * The AppImage that this very program runs from.
 *
 * `APPIMAGE` alone does not say so: a program that is started from a terminal inside another AppImage inherits it, and
 * would act on that other program.
 */
export function ownAppImage({
  env,
  execPath,
}: {
  readonly env: NodeJS.ProcessEnv;
  readonly execPath: string;
}): string | null {
  const file = env['APPIMAGE'];
  const mount = env['APPDIR'];
  if (!file || !mount || !existsSync(file) || !existsSync(mount)) return null;
  return execPath.startsWith(realpathSync(mount) + sep) ? file : null;
}
