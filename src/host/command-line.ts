import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type DataDirEnvironment, usualDataDirOf } from '../contract/service/data-dir.ts';
import { quotedShellWord } from '../contract/shell-word.ts';

interface Circumstances {
  readonly platform?: NodeJS.Platform;
  /** `PATH`. */
  readonly searchPath?: string | undefined;
}

/**
 * The start of every command line that is shown to be copied; works in any folder. Null where there is no command line.
 *
 * This is the one place that decides it, by the folder that the program is in: a checkout with its launcher, an npm package, or
 * the resources of a desktop package with an executable of its own. It is `rotavox`, also in a checkout; where another one is
 * installed and no terminal finds it by that name, it is the path. See decisions/installed-programs.md.
 */
export function commandLineOf(
  folder: string,
  { platform = process.platform, searchPath = process.env['PATH'] }: Circumstances = {},
): string | null {
  // `npm start` prints how a terminal gets the command that the build has written.
  if (existsSync(join(folder, 'src', 'launcher', 'rotavox.ts'))) return 'rotavox';
  const executable = join(folder, 'bin', platform === 'win32' ? 'rotavox.exe' : 'rotavox');
  const script = join(folder, 'out', 'cli', 'index.js');
  const own = [executable, script].find((file) => existsSync(file));
  if (own === undefined) return null;
  if (isOnPath({ own, folder, platform, searchPath: searchPath ?? '' })) return 'rotavox';
  return own === script ? `node ${quoted(script, platform)}` : quoted(executable, platform);
}

/**
 * The same as a program with its first arguments, by absolute paths, for what other programs run. Null where there is none.
 *
 * Electron does not run scripts as Node does: beside its app in a checkout that is the Node of the path.
 */
export function programOf(
  folder: string,
  { platform = process.platform, searchPath = process.env['PATH'] }: Circumstances = {},
): readonly string[] | null {
  const isWindows = platform === 'win32';
  const executable = join(folder, 'bin', isWindows ? 'rotavox.exe' : 'rotavox');
  if (existsSync(executable)) return [executable];
  const script = join(folder, 'out', 'cli', 'index.js');
  const node = !('electron' in process.versions)
    ? process.execPath
    : (searchPath ?? '')
        .split(delimiter)
        .map((one) => join(one, isWindows ? 'node.exe' : 'node'))
        .find((file) => existsSync(file));
  return node !== undefined && existsSync(script) ? [node, script] : null;
}

/** Whether `rotavox` in a terminal is ours: the first one on the path, which may be a link to it or npm's script for Windows. */
function isOnPath(asked: {
  readonly own: string;
  readonly folder: string;
  readonly platform: NodeJS.Platform;
  readonly searchPath: string;
}): boolean {
  const { own, folder, platform, searchPath } = asked;
  // npm adds the folder of local commands to the path of its scripts; no terminal has it.
  const folders = searchPath.split(delimiter).filter((one) => !one.endsWith(join('node_modules', '.bin')));
  const names = platform === 'win32' ? ['rotavox.exe', 'rotavox.cmd'] : ['rotavox'];
  const found = folders
    .flatMap((one) => names.map((name) => join(one, name)))
    .find((file) => existsSync(file));
  if (found === undefined) return false;
  const installed = join(found, '..', 'node_modules', 'rotavox');
  if (found.endsWith('.cmd'))
    return existsSync(installed) && realpathSync(installed) === realpathSync(folder);
  return realpathSync(found) === realpathSync(own);
}

/** The same for the service of a data folder: names the folder, unless it is the default. */
export function withDataDir(
  commandLine: string,
  dataDir: string,
  referenceData: DataDirEnvironment & { readonly platform: NodeJS.Platform },
): string {
  // A variable that is set here may not be set where the command is pasted.
  if (dataDir === usualDataDirOf(referenceData)) return commandLine;
  return `${commandLine} --data-dir ${quoted(dataDir, referenceData.platform)}`;
}

/** A path as a word for `sh`, or for Windows' shells, whose paths contain no double quotes. */
export function quoted(path: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? `"${path}"` : quotedShellWord(path);
}
