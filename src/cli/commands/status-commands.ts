import { brokenToolsText, statusHelp } from '../../text/cli/cli-service.ts';
import { doctorHelp, doctorLabels, doctorSigns, doctorText } from '../../text/service/doctor-text.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import { commandIo } from '../command-io.ts';
import { chosenDataDir, type GlobalOptions } from '../chosen-data-dir.ts';
import { findDesktopApp } from '../desktop-app.ts';
import { brokenFiles, launcherOf } from '../connect/check-connection.ts';
import { isHere } from '../connect/connect-tool.ts';
import { examine, type Examined, type RunningService } from '../examine-machine.ts';
import { formatTable } from '../format-table.ts';
import { programDir } from '../own-command.ts';
import { openPortal } from '../open-portal.ts';
import { readings } from '../readings.ts';
import { print, printJson } from '../terminal.ts';
import { customCommand, routeCommand } from '../command-table.ts';

export const statusCommand = routeCommand({
  help: statusHelp,
  ...readings.status,
  // Of the tools of this machine, what can be seen without starting one. A service that does not answer, or is too old, says so itself.
  prepare: async ({ json, ...options }) =>
    json || !isHere(options) ? [] : await lookAtTools(options).then(({ broken }) => broken, noTools),
  words: (_status, _input, broken) => (broken.length === 0 ? [] : brokenToolsText(broken.length)),
});

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
    return { status, settings, vaultMessage, tools: await lookAtTools(options) } satisfies RunningService;
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    return error.exitCode === exitCodes.notRunning ? null : error.lines.join(' ');
  }
}

async function lookAtTools(options: GlobalOptions): Promise<RunningService['tools']> {
  const { connections } = await openPortal(options).ask('listConnections');
  const broken = connections.flatMap((one) => brokenFiles(one, launcherOf(one, options)));
  return { count: connections.length, broken };
}

function noTools(error: unknown): readonly string[] {
  if (error instanceof CommandFailure) return [];
  throw error;
}
