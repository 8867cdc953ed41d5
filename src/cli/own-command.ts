import { join } from 'node:path';
import { commandLineOf, quoted } from '../host/command-line.ts';
import { type CommandIo, commandIo } from './command-io.ts';

/** The folder that has `out/` in it: two above this file when it is built, and when it runs from source. */
export const programDir: string = join(import.meta.dirname, '..', '..');

let known: string | undefined;

/** How this command line is called here. */
function ownCommand(): string {
  known ??= commandLineOf(programDir) ?? 'rotavox';
  return known;
}

const typedDataDirs = new WeakMap<CommandIo, string>();

/** The folder that was typed for the running command: the commands in its texts are about that one, too. */
export function rememberDataDir(dataDir: string | undefined): void {
  if (dataDir !== undefined) typedDataDirs.set(commandIo(), dataDir);
}

/** Where our texts have a command to copy: in backticks, as what to do, after a prompt, or in a substitution. Some name their folder. */
const commandStart = /(^To do(?:: | +)|`|\$ |\$\()rotavox (?=[a-z]([^`\n]*))/gm;

/** A text of ours, with the commands in it as they are called here: an installed `rotavox` may not be on the path. */
export function asCalledHere(text: string, command = ownCommand()): string {
  const dataDir = typedDataDirs.get(commandIo());
  return text.replace(commandStart, (_, before: string, rest: string) => {
    const isNamed = dataDir === undefined || rest.includes('--data-dir');
    return `${before}${command} ${isNamed ? '' : `--data-dir ${quoted(dataDir, process.platform)} `}`;
  });
}
