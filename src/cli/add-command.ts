import type { Command } from 'commander';
import { type CommandHelp, programHelp } from '../text/cli.ts';
import { credentialHelp } from '../text/cli-credential.ts';

/** Adds a command with its help. */
export function addCommand(
  parent: Command,
  usage: string,
  { description, examples }: CommandHelp,
  { isDefault = false, hidden = false }: { isDefault?: boolean; hidden?: boolean } = {},
): Command {
  const command = parent
    .command(usage, { isDefault, hidden })
    .description(description)
    .helpOption('-h, --help', programHelp.help)
    .addHelpText('after', programHelp.examples(examples));
  examplesOfCommands.set(command, examples);
  return command;
}

const examplesOfCommands = new WeakMap<Command, readonly string[]>();

/** The examples in the help of a command. */
export function examplesOf(command: Command): readonly string[] {
  return examplesOfCommands.get(command) ?? [];
}

/** The option of every command that prints a result. */
export const jsonOption = ['--json', programHelp.json] as const;

/** A credential's name as an argument. */
export const credentialNameArgument = ['<name>', credentialHelp.name] as const;
