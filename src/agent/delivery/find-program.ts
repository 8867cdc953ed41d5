import { constants } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import { posix } from 'node:path';
import { windowsCandidates } from '../../system/find-on-windows.ts';
import { systemCodeOf } from './delivery-outcome.ts';

/** Where a program is, or the system's error code for starting it. */
type FoundProgram =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly code: 'ENOENT' | 'EACCES' };

/** Where POSIX systems search without a PATH. */
const usualPath = '/usr/bin:/bin';
/** No system reads a longer first line. */
const longestShebangBytes = 512;

interface SearchedSystem {
  readonly env?: NodeJS.ProcessEnv;
  readonly platform?: NodeJS.Platform;
}

/**
 * Finds the file that starting a program would run, as the system finds it (on Windows as `startProgram` does): in PATH, or relative to our
 * folder if its name has a slash.
 *
 * A file that may not be run is skipped for a later one; if there is none, it is the reason.
 */
export async function findProgram(
  program: string,
  { env = process.env, platform = process.platform }: SearchedSystem = {},
): Promise<FoundProgram> {
  let code: 'ENOENT' | 'EACCES' = 'ENOENT';
  const isWindows = platform === 'win32';
  const candidates = isWindows ? windowsCandidates({ program, env }) : posixCandidates(program, env);
  for (const candidate of candidates) {
    const trouble = await troubleWith(candidate, isWindows);
    if (trouble === null) return { ok: true, path: candidate };
    if (trouble === 'EACCES') code = trouble;
  }
  return { ok: false, code };
}

function posixCandidates(program: string, { PATH: path = usualPath }: NodeJS.ProcessEnv): string[] {
  if (program.includes('/')) return [posix.resolve(program)];
  // An empty part of PATH is the working directory.
  return path.split(posix.delimiter).map((folder) => posix.resolve(posix.join(folder, program)));
}

async function troubleWith(path: string, isWindows: boolean): Promise<'ENOENT' | 'EACCES' | null> {
  try {
    if (!(await stat(path)).isFile()) return 'EACCES';
    await access(path, constants.X_OK);
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === null) throw error;
    return code === 'EACCES' || code === 'EPERM' ? 'EACCES' : 'ENOENT';
  }
  return !isWindows && (await lacksInterpreter(path)) ? 'ENOENT' : null;
}

/** Whether its first line names an interpreter that does not exist. A file that can be run but not read is no script. */
async function lacksInterpreter(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(
        Buffer.alloc(longestShebangBytes),
        0,
        longestShebangBytes,
        0,
      );
      const [, interpreter] = /^#![ \t]*([^ \t\r\n]+)/.exec(buffer.toString('latin1', 0, bytesRead)) ?? [];
      if (interpreter === undefined) return false;
      await stat(interpreter);
      return false;
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === null) throw error;
    return code === 'ENOENT' || code === 'ENOTDIR';
  }
}
