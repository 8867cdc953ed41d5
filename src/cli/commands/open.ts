import { commandIo } from '../command-io.ts';
import { spawn } from 'node:child_process';
import { openHelp, signInLinkText } from '../../text/cli/cli-service.ts';
import { routeCommand } from '../command-table.ts';

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
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  const hasDesktop = [environment['DISPLAY'], environment['WAYLAND_DISPLAY']].some(
    (display) => display !== undefined && display !== '',
  );
  return hasDesktop ? ['xdg-open'] : null;
}
