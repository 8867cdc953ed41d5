import type { Command } from 'commander';
import { useHeader, writeUse } from '../../contract/use-header.ts';
import { getHelp } from '../../text/cli-credential.ts';
import { addCommand, credentialNameArgument, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { parentProgram } from '../parent-program.ts';
import { openPortal } from '../open-portal.ts';
import { print, printJson, remark } from '../terminal.ts';

// see decisions/ask-the-service-for-the-current-token.md
export function getCommand(program: Command): void {
  addCommand(program, 'get', getHelp)
    .argument(...credentialNameArgument)
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const current = await openPortal(options).ask('readCredentialValue', {
        params: { name },
        headers: { [useHeader]: writeUse({ way: 'get', program: parentProgram() }) },
      });
      if (options.json) printJson(current);
      else print(current.value);
      // On a terminal only: a program that also captures stderr must get nothing but the token.
      if (current.note !== undefined) remark(current.note);
    });
}
