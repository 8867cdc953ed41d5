import type { Command } from 'commander';
import { addCommand, jsonOption } from '../add-command.ts';
import { credentialNameArgument } from '../credential-name-argument.ts';
import { credentialLines } from '../credential-lines.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { openPortal } from '../portal.ts';
import { print, printJson } from '../terminal.ts';

export function credentialShowCommand(credential: Command): void {
  addCommand(credential, 'show', {
    description: 'Show one credential: its state, what comes next, where its value is delivered.',
    examples: ['rotavox credential show pbx'],
  })
    .argument(...credentialNameArgument)
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const view = await openPortal(options).ask('readCredential', { params: { name } });
      if (options.json) printJson(view);
      else for (const line of credentialLines(view, Date.now())) print(line);
    });
}
