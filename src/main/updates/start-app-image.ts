import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter } from 'node:path';

/**
 * Starts an AppImage as a process of its own; resolves when it runs.
 *
 * Not by `app.relaunch`, whose helper is a program inside the AppImage that is about to be unmounted:
 * https://github.com/electron-userland/electron-builder/issues/1727
 */
export async function startAppImage(file: string, args: readonly string[]): Promise<void> {
  const child = spawn(file, args, {
    cwd: '/', // a folder inside the old mount would keep it busy
    detached: true,
    stdio: 'ignore',
    env: environmentOutsideMount(process.env),
  });
  await once(child, 'spawn');
  child.unref();
}

/**
 * The environment without what the AppImage that runs has put into it.
 *
 * Its mount is gone soon, and its name free for anyone who may write to /tmp: a PATH that still has it would run theirs.
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
