import type { Command } from 'commander';
import { addCommand, jsonOption } from '../add-command.ts';
import { credentialNameArgument } from '../credential-name-argument.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { openPortal } from '../portal.ts';
import { print, printJson } from '../terminal.ts';

export function getCommand(program: Command): void {
  addCommand(program, 'get', {
    description: 'Print the present value of a credential, and nothing else.',
    examples: ['rotavox get pbx', 'curl -H "Authorization: Bearer $(rotavox get pbx)" https://…'],
  })
    .argument(...credentialNameArgument)
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const present = await openPortal(options).ask('readCredentialValue', { params: { name } });
      if (options.json) printJson(present);
      else print(present.value);
    });
}
