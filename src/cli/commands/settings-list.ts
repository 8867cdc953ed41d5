import type { Command } from 'commander';
import { addCommand, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { formatTable } from '../format-table.ts';
import { openPortal } from '../portal.ts';
import { settingText } from '../setting-text.ts';
import { print, printJson } from '../terminal.ts';

export function settingsListCommand(settings: Command): void {
  addCommand(settings, 'list', {
    description: 'List the settings. `rotavox settings` alone does the same.',
    examples: ['rotavox settings list', 'rotavox settings --json'],
    isDefault: true,
  })
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const present = await openPortal(options).ask('readSettings');
      if (options.json) printJson(present);
      else
        for (const line of formatTable(
          Object.entries(present).map(([key, value]) => [key, settingText(value)]),
        ))
          print(line);
    });
}
