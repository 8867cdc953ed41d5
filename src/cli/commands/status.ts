import type { Command } from 'commander';
import type { PortalStatus } from '../../contract/portal.ts';
import { tokenStatuses } from '../../contract/token.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { formatTable } from '../format-table.ts';
import { localTime } from '../../text/time.ts';
import { openPortal } from '../portal.ts';
import { print, printJson } from '../terminal.ts';

export function statusCommand(program: Command): void {
  addCommand(program, 'status', {
    description: 'Say whether Rotavox runs, where, and how its store is.',
    examples: ['rotavox status', 'rotavox status --json'],
  })
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const status = await openPortal(options).ask('portalStatus');
      if (options.json) printJson(status);
      else for (const line of statusLines(status)) print(line);
    });
}

function statusLines({
  version,
  base_url,
  data_dir,
  pid,
  started_at,
  tokens,
  ivrs,
  store,
  repairs,
}: PortalStatus) {
  const counts = tokenStatuses
    .filter((status) => tokens[status] > 0)
    .map((status) => `${tokens[status]} ${status}`);
  return formatTable([
    ['Rotavox', `${version}, process ${pid}, running since ${localTime(started_at)}`],
    ['Address', base_url],
    ['Data folder', data_dir],
    ['Tokens', counts.join(', ') || 'none'],
    ['IVRs', ivrs === 0 ? 'none' : String(ivrs)],
    ['Events', String(store.last_seq)],
    [
      'Store',
      store.status === 'ok'
        ? 'ok'
        : `refuses changes since ${localTime(store.since)} (${store.code}). ${store.reason}`,
    ],
    ...repairs.map((repair) => ['Repaired', repair]),
  ]);
}
