import { commandIo } from '../command-io.ts';
import type { Command } from 'commander';
import { spawn } from 'node:child_process';
import { openHelp, signInLinkText } from '../../text/cli-service.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { openPortal } from '../open-portal.ts';
import { print, printJson, say } from '../terminal.ts';

interface OpenOptions extends GlobalOptions {
  readonly json?: true;
  readonly browser: boolean;
}

export function openCommand(program: Command): void {
  addCommand(program, 'open', openHelp)
    .option('--no-browser', openHelp.noBrowser)
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<OpenOptions>();
      const link = await openPortal(options).ask('createSignInLink');
      const opened = options.browser && (await openBrowser(link.url));
      if (options.json) {
        printJson({ ...link, opened });
        return;
      }
      print(link.url);
      say(signInLinkText({ opened, expiresInSeconds: link.expires_in }));
    });
}

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
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  const hasDesktop = [environment['DISPLAY'], environment['WAYLAND_DISPLAY']].some(
    (display) => display !== undefined && display !== '',
  );
  return hasDesktop ? ['xdg-open'] : null;
}
