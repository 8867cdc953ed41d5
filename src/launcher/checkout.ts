import { join, resolve } from 'node:path';

/**
 * The folder of this checkout: where package.json, src/ and out/ are.
 *
 * Taken from this file's own place, never from the working directory, so that the launcher does the same wherever it is
 * called from.
 */
export const checkoutDir: string = resolve(import.meta.dirname, '..', '..');

/**
 * The folder for what the launcher fetched or found out and may find out again at any time.
 *
 * `$XDG_CACHE_HOME/rotavox` or the platform's own cache folder; outside the checkout, so that `git clean` and a second
 * checkout neither lose nor repeat a download of 120 MB.
 */
export function launcherCacheDir(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const home = env['HOME'] ?? env['USERPROFILE'] ?? '.';
  if (env['XDG_CACHE_HOME']) return join(env['XDG_CACHE_HOME'], 'rotavox');
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'rotavox');
  if (platform === 'win32')
    return join(env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'rotavox', 'Cache');
  return join(home, '.cache', 'rotavox');
}
