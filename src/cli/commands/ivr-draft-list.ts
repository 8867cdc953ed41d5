import type { Command } from 'commander';
import { addCommand, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { formatTable } from '../format-table.ts';
import { localTime } from '../moments.ts';
import { openPortal } from '../portal.ts';
import { print, printJson, say } from '../terminal.ts';

export function ivrDraftListCommand(draft: Command): void {
  addCommand(draft, 'list', {
    description: 'List the drafts of the designer, the one changed last first.',
    examples: ['rotavox ivr draft list', 'rotavox ivr draft list --json'],
  })
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const list = await openPortal(options).ask('listDrafts');
      if (options.json) {
        printJson(list);
        return;
      }
      if (list.drafts.length === 0) {
        say('There is no draft. Draw one in the designer, or make one with `rotavox ivr import FILE`.');
        return;
      }
      const rows = list.drafts.map((one) => [
        one.id,
        String(one.revision),
        localTime(one.updated_at),
        String(one.menus),
        String(one.scenarios),
        String(one.errors),
        String(one.warnings),
        one.publications.some(({ version }) => version !== null) ? 'yes' : 'no',
        one.name,
      ]);
      const counts = ['menus', 'scenarios', 'errors', 'warnings'];
      const head = ['id', 'revision', 'changed', ...counts, 'published', 'name'];
      for (const line of formatTable(rows, head)) print(line);
    });
}
