import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type DataDirEnvironment, usualDataDirOf } from '../contract/data-dir.ts';
import { quotedShellWord } from '../contract/shell-word.ts';

/**
 * How the command line is called from any folder, of the checkout that this program runs from; null where it is none.
 *
 * A package has no launcher and, since its Electron is no Node, no command line yet.
 */
export function commandLineOf(checkout: string, platform: NodeJS.Platform = process.platform): string | null {
  if (!existsSync(join(checkout, 'src', 'launcher', 'rotavox.ts'))) return null;
  return `npm --prefix ${quoted(checkout, platform)} run --silent rotavox --`;
}

/** The same so that it finds the service of a data folder: names the folder, unless that is the one it looks in anyway. */
export function withDataDir(
  commandLine: string,
  dataDir: string,
  referenceData: DataDirEnvironment & { readonly platform: NodeJS.Platform },
): string {
  // What is set here need not be set where the command is pasted.
  if (dataDir === usualDataDirOf(referenceData)) return commandLine;
  return `${commandLine} --data-dir ${quoted(dataDir, referenceData.platform)}`;
}

/** A path as a word for `sh`, or for Windows' shells, whose paths have no double quotes. */
function quoted(path: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? `"${path}"` : quotedShellWord(path);
}
