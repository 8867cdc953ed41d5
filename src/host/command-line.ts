import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type DataDirEnvironment, usualDataDirOf } from '../contract/data-dir.ts';
import { quotedShellWord } from '../contract/shell-word.ts';

/**
 * The start of every command line of the checkout that this program runs from; works in any folder. Null without a checkout.
 *
 * A packaged app has no launcher, and its Electron is no Node, so it has no command line yet.
 */
export function commandLineOf(checkout: string, platform: NodeJS.Platform = process.platform): string | null {
  if (!existsSync(join(checkout, 'src', 'launcher', 'rotavox.ts'))) return null;
  return `npm --prefix ${quoted(checkout, platform)} run --silent rotavox --`;
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
function quoted(path: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? `"${path}"` : quotedShellWord(path);
}
