import { noHost, readHostUrl } from '../../contract/service/team-host.ts';
import { appHelp, appText } from '../../text/cli/cli-service.ts';
import { hostUrlText } from '../../text/service/team-host-text.ts';
import { customCommand } from '../command-table.ts';
import { CommandFailure, exitCodes, wrongUsage } from '../command-failure.ts';
import { commandIo } from '../command-io.ts';
import { chosenDataDir, type GlobalOptions } from '../chosen-data-dir.ts';
import { findDesktopApp } from '../desktop-app.ts';
import { largestPort, wholeNumber } from '../option-values.ts';
import { programDir } from '../own-command.ts';
import { canAsk } from '../read-token.ts';
import { startDesktopApp } from '../start-app.ts';
import { addHostKey, withHostKeys } from '../connect-team-host.ts';
import { say } from '../terminal.ts';

interface AppOptions extends GlobalOptions {
  readonly hidden?: true;
  readonly port?: number;
}

export const appCommand = customCommand({
  help: appHelp,
  options: {
    '--hidden': appHelp.hidden,
    '--port <n>': { help: appHelp.port, read: wholeNumber(0, largestPort) },
  },
  json: false,
  run: startApp,
});

/** Starts the app and says what became of it; one that runs already shows its window instead. */
async function startApp(options: AppOptions): Promise<void> {
  const environment = commandIo().env;
  const { platform } = process;
  if (platform === 'linux' && !environment['DISPLAY'] && !environment['WAYLAND_DISPLAY'])
    throw new CommandFailure(exitCodes.failed, appText.noDisplay);
  const app = findDesktopApp(programDir, { platform, environment });
  if (app === null) throw new CommandFailure(exitCodes.failed, appText.notInstalled);
  const host = await hostOfApp(options);
  const [program, ...args] = app;
  const flags = [...(options.hidden ? ['--hidden'] : []), ...(host === null ? [] : [`--host=${host}`])];
  const started = await startDesktopApp({
    program: [program, ...args, ...flags],
    dataDir: chosenDataDir(options),
    env: {
      ...environment,
      ...(options.dataDir === undefined ? {} : { ROTAVOX_DATA_DIR: chosenDataDir(options) }),
      ...(options.port === undefined ? {} : { ROTAVOX_PORT: String(options.port) }),
    },
  });
  for (const line of started) say(line);
}

/**
 * The host that the app is to show, `none`, or null where that stays as it is.
 *
 * A key that is missing is asked for here on a terminal, and otherwise by the app.
 */
async function hostOfApp(options: AppOptions): Promise<string | null> {
  const { host } = options;
  if (host === undefined || host === noHost) return host ?? null;
  const url = readHostUrl(host);
  if (url === null) throw wrongUsage(hostUrlText.invalid);
  const dataDir = chosenDataDir(options);
  if (canAsk() && (await withHostKeys(dataDir, (keys) => keys.read(url))) === null)
    await addHostKey(url, dataDir);
  return url;
}
