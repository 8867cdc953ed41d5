import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { appLogFolder } from '../../contract/service/data-dir.ts';
import type { PortalStatus } from '../../contract/service/portal.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { logRowLabel, otherVersionText, statusHelp, statusRows } from '../../text/cli/cli-service.ts';
import { doctorHelp, doctorLabels, doctorSigns, doctorText } from '../../text/service/doctor-text.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import { commandIo } from '../command-io.ts';
import { chosenDataDir, type GlobalOptions } from '../chosen-data-dir.ts';
import { findDesktopApp } from '../desktop-app.ts';
import { examine, type Examined, type RunningService } from '../examine-machine.ts';
import { formatTable } from '../format-table.ts';
import { programDir } from '../own-command.ts';
import { openPortal } from '../open-portal.ts';
import { print, printJson } from '../terminal.ts';
import { customCommand, routeCommand } from '../command-table.ts';

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

export const doctorCommand = customCommand({
  help: doctorHelp,
  async run({ json, ...options }) {
    const { platform } = process;
    const { env } = commandIo();
    const app = findDesktopApp(programDir, { platform, environment: env });
    const found = await examine({
      dataDir: chosenDataDir(options),
      env,
      platform,
      service: await serviceFor(options),
      // In a checkout it is a launcher, and Electron is elsewhere.
      app: app === null || app.length > 1 ? null : app[0],
    });
    if (json) printJson({ checks: found });
    else {
      const rows = found.map(({ name, outcome, message }) => [
        `${doctorSigns[outcome]} ${doctorLabels[name]}`,
        message,
      ]);
      for (const line of formatTable(rows)) print(line);
    }
    const failures = found.filter(({ outcome }) => outcome === 'failed').length;
    if (failures > 0) throw new CommandFailure(exitCodes.failed, doctorText.failed(failures, found.length));
  },
});

async function serviceFor(options: GlobalOptions): Promise<Examined['service']> {
  try {
    const portal = openPortal(options);
    const status = await portal.ask('portalStatus');
    const settings = await portal.ask('readSettings');
    const { vault } = await portal.ask('listCredentials');
    const vaultMessage = vault.status === 'ok' ? null : vault.message;
    return { status, settings, vaultMessage } satisfies RunningService;
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    return error.exitCode === exitCodes.notRunning ? null : error.lines.join(' ');
  }
}
