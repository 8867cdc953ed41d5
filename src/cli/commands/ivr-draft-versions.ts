import type { Command } from 'commander';
import { addCommand, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { formatTable } from '../format-table.ts';
import { localTime } from '../moments.ts';
import { openPortal } from '../portal.ts';
import { print, printJson, say } from '../terminal.ts';

export function ivrDraftVersionsCommand(draft: Command): void {
  addCommand(draft, 'versions', {
    description: 'List the versions of a draft that were published, newest first.',
    examples: ['rotavox ivr draft versions draft_…', 'rotavox ivr draft versions draft_… --json'],
  })
    .argument('<id>', "the draft's id; a deleted one has its versions too")
    .option(...jsonOption)
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const list = await openPortal(options).ask('draftVersions', { params: { id } });
      if (options.json) {
        printJson(list);
        return;
      }
      if (list.versions.length === 0) {
        say(`No version yet. Publish one with \`rotavox ivr draft publish ${id}\`.`);
        return;
      }
      const rows = list.versions.map(({ version, revision, published_at, credential, base_url, menus }) => [
        String(version),
        String(revision),
        localTime(published_at),
        credential ?? 'here',
        base_url,
        Object.values(menus).join(' '),
      ]);
      const head = ['version', 'revision', 'published', 'credential', 'service', 'menus'];
      for (const line of formatTable(rows, head)) print(line);
    });
}
