import { join } from 'node:path';
import { commandLineOf } from '../host/command-line.ts';

/** The folder that has `out/` in it: two above this file when it is built, and when it runs from source. */
export const programDir: string = join(import.meta.dirname, '..', '..');

let known: string | undefined;

/** How this command line is called here. */
function ownCommand(): string {
  known ??= commandLineOf(programDir) ?? 'rotavox';
  return known;
}

/** Where our texts have a command to copy: in backticks, as what to do, after a prompt, or in a substitution. */
const commandStart = /(^To do(?:: | +)|`|\$ |\$\()rotavox (?=[a-z])/gm;

/** A text of ours, with the commands in it as they are called here: an installed `rotavox` may not be on the path. */
export function asCalledHere(text: string, command = ownCommand()): string {
  return text.replace(commandStart, (_, before: string) => `${before}${command} `);
}
