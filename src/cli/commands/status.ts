import type { Command } from 'commander';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { appLogFolder } from '../../contract/data-dir.ts';
import type { PortalStatus } from '../../contract/portal.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { logRowLabel, otherVersionText, statusHelp, statusRows } from '../../text/cli-service.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { formatTable } from '../format-table.ts';
import { openPortal } from '../open-portal.ts';
import { print, printJson, say } from '../terminal.ts';

export function statusCommand(program: Command): void {
  addCommand(program, 'status', statusHelp)
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const status = await openPortal(options).ask('portalStatus');
      if (options.json) printJson(status);
      else for (const line of formatTable([...statusRows(status), ...logRow(status)])) print(line);
      if (status.version !== packageJson.version) say(otherVersionText(packageJson.version, status.version));
    });
}

/** Where what the desktop app printed can be read; not that of another machine. */
function logRow({ data_dir: dataDir }: Pick<PortalStatus, 'data_dir'>): string[][] {
  const folder = join(dataDir, appLogFolder);
  return existsSync(folder) ? [[logRowLabel, folder]] : [];
}
