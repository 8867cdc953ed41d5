import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { appLogFolder } from '../../contract/data-dir.ts';
import type { PortalStatus } from '../../contract/portal.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { logRowLabel, otherVersionText, statusHelp, statusRows } from '../../text/cli-service.ts';
import { routeCommand } from '../command-table.ts';

export const statusCommand = routeCommand({
  help: statusHelp,
  call: (portal) => portal.ask('portalStatus'),
  rows: (status) => [...statusRows(status), ...logRow(status)],
  notes: ({ version }) =>
    version === packageJson.version ? [] : otherVersionText(packageJson.version, version),
});

/** Where what the desktop app printed can be read; not that of another machine. */
function logRow({ data_dir: dataDir }: Pick<PortalStatus, 'data_dir'>): string[][] {
  const folder = join(dataDir, appLogFolder);
  return existsSync(folder) ? [[logRowLabel, folder]] : [];
}
