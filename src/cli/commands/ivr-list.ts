import type { Command } from 'commander';
import { addCommand, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { formatTable } from '../format-table.ts';
import { localTime } from '../moments.ts';
import { openPortal } from '../portal.ts';
import { print, printJson, say } from '../terminal.ts';

export function ivrListCommand(ivr: Command): void {
  addCommand(ivr, 'list', {
    description: 'List the stored IVRs.',
    examples: ['rotavox ivr list', 'rotavox ivr list --json'],
  })
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const list = await openPortal(options).ask('portalListIvrs');
      if (options.json) {
        printJson(list);
        return;
      }
      if (list.ivrs.length === 0) {
        say('There is no IVR. Create one with `rotavox ivr create FILE`.');
        return;
      }
      const rows = list.ivrs.map(({ id, version, updated_at, option, name }) => [
        id,
        String(version),
        localTime(updated_at),
        option.join(' '),
        name,
      ]);
      for (const line of formatTable(rows, ['id', 'version', 'changed', 'keys', 'name'])) print(line);
    });
}
