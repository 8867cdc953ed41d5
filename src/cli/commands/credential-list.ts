import type { Command } from 'commander';
import { addCommand, jsonOption } from '../add-command.ts';
import { credentialTable, vaultTrouble } from '../credential-lines.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { openPortal } from '../portal.ts';
import { print, printJson, say } from '../terminal.ts';

export function credentialListCommand(credential: Command): void {
  addCommand(credential, 'list', {
    description: 'List credentials, the most urgent first, with the exact time of their next rotation.',
    examples: ['rotavox credential list', 'rotavox credential list --json'],
  })
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const { credentials, vault } = await openPortal(options).ask('listCredentials');
      if (options.json) printJson({ credentials, vault });
      else if (credentials.length === 0)
        say('There is no credential. Add one with `rotavox credential add`.');
      else for (const line of credentialTable(credentials, Date.now())) print(line);
      const trouble = vaultTrouble(vault);
      if (trouble !== null) say(trouble);
    });
}
