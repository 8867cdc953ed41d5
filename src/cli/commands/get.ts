import { useHeader, writeUse } from '../../contract/credential/use-header.ts';
import { getHelp } from '../../text/cli/cli-credential.ts';
import { credentialName, customCommand } from '../command-table.ts';
import { parentProgram } from '../parent-program.ts';
import { openPortal } from '../open-portal.ts';
import { print, printJson, remark } from '../terminal.ts';

// see decisions/ask-the-service-for-the-current-token.md
export const getCommand = customCommand({
  help: getHelp,
  arguments: credentialName,
  async run({ name, json, ...options }) {
    const current = await openPortal(options).ask('readCredentialValue', {
      params: { name },
      headers: { [useHeader]: writeUse({ way: 'get', program: parentProgram() }) },
    });
    if (json) printJson(current);
    else print(current.value);
    // On a terminal only: a program that also captures stderr must get nothing but the token.
    if (current.note !== undefined) remark(current.note);
  },
});
