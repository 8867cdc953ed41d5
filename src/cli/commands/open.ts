import { commandIo } from '../command-io.ts';
import type { Command } from 'commander';
import { spawn } from 'node:child_process';
import { addCommand, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { openPortal } from '../portal.ts';
import { print, printJson, say } from '../terminal.ts';

interface OpenOptions extends GlobalOptions {
  readonly json?: true;
  readonly browser: boolean;
}

export function openCommand(program: Command): void {
  addCommand(program, 'open', {
    description: 'Make a sign-in link and open it in a browser where a desktop is there.',
    examples: ['rotavox open', 'rotavox open --no-browser'],
  })
    .option('--no-browser', 'only print the link')
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
      say(
        `${opened ? 'Opened in your browser' : 'Open it in a browser on this machine'}. ` +
          `The link works once, within ${Math.round(link.expires_in / 60)} minutes.`,
      );
    });
}

/**
 * Opens an address in the person's browser where a desktop is there; says whether it was handed over.
 *
 * No shell sees the address. A sign-in link stands in the opener's arguments for as long as that takes, and is spent as
 * soon as the browser has used it.
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
      resolve(false); // no such program: the link is printed in any case
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
