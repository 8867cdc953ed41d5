import { constants } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import { delimiter, extname, join, resolve } from 'node:path';
import { systemCodeOf } from './file-trouble.ts';

/** Where a program is, or the system's error code for starting it. */
export type FoundProgram =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly code: 'ENOENT' | 'EACCES' };

/** Where POSIX systems search without a PATH. */
const usualPath = '/usr/bin:/bin';
/** What Windows starts without a shell; scripts need a named interpreter. */
const windowsExtensions = ['.com', '.exe'];
/** No system reads a longer first line. */
const longestShebangBytes = 512;

/**
 * Finds the file that starting a program would run, as the system finds it: in PATH, or relative to our folder if its name
 * has a slash.
 *
 * A file that may not be run is skipped for a later one; if there is none, it is the reason.
 */
export async function findProgram(
  program: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<FoundProgram> {
  let code: 'ENOENT' | 'EACCES' = 'ENOENT';
  for (const candidate of candidatesOf(program, env)) {
    const trouble = await troubleWith(candidate);
    if (trouble === null) return { ok: true, path: candidate };
    if (trouble === 'EACCES') code = trouble;
  }
  return { ok: false, code };
}

function candidatesOf(program: string, env: NodeJS.ProcessEnv): string[] {
  const isWindows = process.platform === 'win32';
  const hasFolder = isWindows ? /[\\/]/.test(program) : program.includes('/');
  const path = env['PATH'] ?? env['Path'] ?? usualPath;
  // An empty part of PATH is the working directory.
  const files = hasFolder
    ? [resolve(program)]
    : path.split(delimiter).map((folder) => resolve(join(folder, program)));
  if (!isWindows || windowsExtensions.includes(extname(program).toLowerCase())) return files;
  return files.flatMap((file) => windowsExtensions.map((extension) => `${file}${extension}`));
}

async function troubleWith(path: string): Promise<'ENOENT' | 'EACCES' | null> {
  try {
    if (!(await stat(path)).isFile()) return 'EACCES';
    await access(path, constants.X_OK);
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === null) throw error;
    return code === 'EACCES' || code === 'EPERM' ? 'EACCES' : 'ENOENT';
  }
  return (await lacksInterpreter(path)) ? 'ENOENT' : null;
}

/** Whether its first line names an interpreter that does not exist. A file that can be run but not read is no script. */
async function lacksInterpreter(path: string): Promise<boolean> {
  if (process.platform === 'win32') return false;
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
