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
      const rows = list.drafts.map(({ id, revision, updated_at, menus, scenarios, publications, name }) => [
        id,
        String(revision),
        localTime(updated_at),
        String(menus),
        String(scenarios),
        publications.some(({ version }) => version !== null) ? 'yes' : 'no',
        name,
      ]);
      const head = ['id', 'revision', 'changed', 'menus', 'scenarios', 'published', 'name'];
      for (const line of formatTable(rows, head)) print(line);
    });
}
