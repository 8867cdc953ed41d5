import { spawn } from 'node:child_process';

/**
 * Opens an address in the person's browser where a desktop is there; says whether it was handed over.
 *
 * No shell sees the address. A sign-in link stands in the opener's arguments for as long as that takes, and is spent as
 * soon as the browser has used it.
 */
export function openBrowser(url: string): Promise<boolean> {
  const opener = openerOf(process.platform, process.env);
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
