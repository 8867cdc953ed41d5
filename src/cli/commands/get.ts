import type { Command } from 'commander';
import { addCommand, credentialNameArgument, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { openPortal } from '../portal.ts';
import { print, printJson, remark } from '../terminal.ts';

// see decisions/ask-the-service-for-the-current-token.md
export function getCommand(program: Command): void {
  addCommand(program, 'get', {
    description:
      'Print the present value of a credential, and nothing else. Ends with 1 and the reason when the token is known not to work.',
    examples: ['rotavox get pbx', 'curl -H "Authorization: Bearer $(rotavox get pbx)" https://…'],
  })
    .argument(...credentialNameArgument)
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const present = await openPortal(options).ask('readCredentialValue', { params: { name } });
      if (options.json) printJson(present);
      else print(present.value);
      // For a person only: a program that captures stderr too must get nothing but the value.
      if (present.note !== undefined) remark(present.note);
    });
}
