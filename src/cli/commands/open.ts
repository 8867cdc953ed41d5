import { commandIo } from '../command-io.ts';
import { spawn } from 'node:child_process';
import { openHelp, signInLinkText, appHelp, appText } from '../../text/cli/cli-service.ts';
import { routeCommand, customCommand } from '../command-table.ts';
import { noHost, readHostUrl } from '../../contract/service/team-host.ts';
import { hostUrlText } from '../../text/service/team-host-text.ts';
import { CommandFailure, EndsAs, exitCodes, wrongUsage } from '../command-failure.ts';
import { chosenDataDir, type GlobalOptions } from '../chosen-data-dir.ts';
import { findDesktopApp } from '../desktop-app.ts';
import { largestPort, wholeNumber } from '../option-values.ts';
import { programDir } from '../own-command.ts';
import { canAsk } from '../read-token.ts';
import { startDesktopApp } from '../start-app.ts';
import { type CommandLine, startChild } from '../start-child.ts';
import { addHostKey, withHostKeys } from '../connect-team-host.ts';
import { say } from '../terminal.ts';
import { windowsProgram } from '../../system/start-program.ts';

export const openCommand = routeCommand({
  help: openHelp,
  options: { '--no-browser': openHelp.noBrowser },
  async call(portal, { browser }) {
    const link = await portal.ask('createSignInLink');
    return { ...link, opened: browser && (await openBrowser(link.url)) };
  },
  lines: ({ url }) => [url],
  words: ({ opened, expires_in: expiresInSeconds }) => signInLinkText({ opened, expiresInSeconds }),
});

/**
 * Opens an address in a browser if there is a desktop; returns whether that could be started.
 *
 * No shell reads the address. A sign-in link is among the arguments of the opener while it runs, and stops working once
 * the browser has used it.
 */
export function openBrowser(url: string): Promise<boolean> {
  const opener = openerOf(process.platform, commandIo().env);
  if (opener === null) return Promise.resolve(false);
  const [command, ...args] = opener;
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
    child.once('spawn', () => {
      resolve(true);
    });
    child.once('error', () => {
      resolve(false); // no such program; the link is printed anyway
    });
    child.unref();
  });
}

function openerOf(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): [string, ...string[]] | null {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return [windowsProgram('rundll32.exe'), 'url.dll,FileProtocolHandler'];
  const hasDesktop = [environment['DISPLAY'], environment['WAYLAND_DISPLAY']].some(
    (display) => display !== undefined && display !== '',
  );
  return hasDesktop ? ['xdg-open'] : null;
}

interface AppOptions extends GlobalOptions {
  readonly hidden?: true;
  readonly port?: number;
  readonly quit?: true;
}

export const appCommand = customCommand({
  help: appHelp,
  options: {
    '--hidden': appHelp.hidden,
    '--port <n>': { help: appHelp.port, read: wholeNumber(0, largestPort) },
    '--quit': { help: appHelp.quit, conflicts: ['hidden', 'port', 'host'] },
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
  const [program, ...args] = app;
  if (options.quit) return await endWith([program, ...args, '--quit'], environmentOf(options));
  const host = await hostOfApp(options);
  const flags = [...(options.hidden ? ['--hidden'] : []), ...(host === null ? [] : [`--host=${host}`])];
  const started = await startDesktopApp({
    program: [program, ...args, ...flags],
    dataDir: chosenDataDir(options),
    env: environmentOf(options),
  });
  for (const line of started) say(line);
}

function environmentOf(options: AppOptions): NodeJS.ProcessEnv {
  return {
    ...commandIo().env,
    ...(options.dataDir === undefined ? {} : { ROTAVOX_DATA_DIR: chosenDataDir(options) }),
    ...(options.port === undefined ? {} : { ROTAVOX_PORT: String(options.port) }),
  };
}

/** Ends as the app does, which says itself whether the one that ran has quit. */
async function endWith(command: CommandLine, env: NodeJS.ProcessEnv): Promise<never> {
  throw new EndsAs(await startChild(command, { env, mask: null }).ended);
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
