import type { Command } from 'commander';
import { addCommand, jsonOption } from '../add-command.ts';
import { credentialNameArgument } from '../credential-name-argument.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { openPortal } from '../portal.ts';
import { printJson, say } from '../terminal.ts';

export function credentialRemoveCommand(credential: Command): void {
  addCommand(credential, 'remove', {
    description:
      'Take the value out of the vault and keep it fresh no more. The token itself stays as it is.',
    examples: ['rotavox credential remove pbx'],
  })
    .argument(...credentialNameArgument)
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const removed = await openPortal(options).ask('removeCredential', { params: { name } });
      if (options.json) printJson(removed);
      else say(`${name} is removed. Its token is not revoked, and what was delivered stays where it is.`);
    });
}
