import type { Command } from 'commander';
import { addCommand, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { formatTable } from '../format-table.ts';
import { openPortal } from '../portal.ts';
import { print, printJson, say } from '../terminal.ts';

export function extensionListCommand(extension: Command): void {
  addCommand(extension, 'list', {
    description: 'List the extensions that menus can be checked against.',
    examples: ['rotavox extension list', 'rotavox extension list --json'],
  })
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const list = await openPortal(options).ask('listExtensions');
      if (options.json) {
        printJson(list);
        return;
      }
      if (list.extensions.length === 0) {
        say('There is no extension. Add one with `rotavox extension set ID NAME`.');
        return;
      }
      const rows = list.extensions.map(({ id, name }) => [id, name]);
      for (const line of formatTable(rows, ['id', 'name'])) print(line);
    });
}
