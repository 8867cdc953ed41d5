import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UpdateError } from './update-state.ts';

/**
 * Replaces the AppImage that runs by a downloaded one, with one rename.
 *
 * electron-updater deletes the old file before it moves the new one; after a crash or a full disk in between the program
 * would be gone. Here the new one is copied beside the old, hashed while it is copied, synced, then renamed over it. The
 * running program keeps the old file open. The file name stays, even if it contains the old version, because menu entries
 * and the autostart file point to it.
 */
export async function replaceAppImage({
  downloaded,
  installed,
  sha512s,
}: {
  downloaded: string;
  installed: string;
  sha512s: readonly string[];
}): Promise<void> {
  const target = await realpath(installed);
  const fresh = join(dirname(target), `.${basename(target)}.new`);
  try {
    const { mode } = await stat(target);
    await rm(fresh, { force: true });
    const sha512 = await copyHashed(downloaded, fresh);
    if (!sha512s.includes(sha512)) await refuseDownload(downloaded);
    await chmod(fresh, mode & 0o777);
    await rename(fresh, target);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error instanceof UpdateError ? error : notReplaced(target, error);
  }
  await syncFolder(dirname(target));
  await rm(downloaded, { force: true });
}

/** Copies to a file that must not exist, synced; returns the SHA-512 of what was written, in base64. */
async function copyHashed(from: string, to: string): Promise<string> {
  const hash = createHash('sha512');
  await pipeline(
    createReadStream(from, { highWaterMark: 1024 * 1024 }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true }),
  );
  return hash.digest('base64');
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function notReplaced(file: string, error: unknown): UpdateError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return new UpdateError({ code: 'not_replaced', file, error: code }, { cause: error });
}

/**
 * Verifies a file again before it is run, and deletes it if it was changed.
 *
 * Hours may have passed since the download, in a folder that every program of the user may write.
 */
export async function verifyDownload(file: string, sha512s: readonly string[]): Promise<void> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  if (!sha512s.includes(hash.digest('base64'))) await refuseDownload(file);
}

async function refuseDownload(file: string): Promise<never> {
  await rm(file, { force: true });
  throw new UpdateError({ code: 'wrong_file' });
}

/**
 * Starts an AppImage as a separate process; resolves when it runs.
 *
 * Not with `app.relaunch`, whose helper is a program inside the AppImage that is about to be unmounted:
 * https://github.com/electron-userland/electron-builder/issues/1727
 */
export async function startAppImage(file: string, args: readonly string[]): Promise<void> {
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
