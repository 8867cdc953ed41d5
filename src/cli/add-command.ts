import type { Command } from 'commander';

/** Adds a command with its help: what it does, and at least one example that can be pasted. */
export function addCommand(
  parent: Command,
  usage: string,
  {
    description,
    examples,
    isDefault = false,
  }: { description: string; examples: readonly [string, ...string[]]; isDefault?: boolean },
): Command {
  const lines = examples.map((example) => `  $ ${example}`);
  return parent
    .command(usage, { isDefault })
    .description(description)
    .helpOption('-h, --help', 'show how it is used')
    .addHelpText('after', `\nExample:\n${lines.join('\n')}`);
}

/** The words for `--json`, the same everywhere. */
export const jsonOption = ['--json', 'print the result as one line of JSON'] as const;

/** The words for a credential's name as an argument, the same everywhere. */
export const credentialNameArgument = [
  '<name>',
  "the credential's name, as `rotavox credential list` shows it",
] as const;
