import { join, resolve } from 'node:path';

/**
 * The folder of this checkout: where package.json, src/ and out/ are.
 *
 * Found from this file's own path, never from the working directory, so that the launcher works the same wherever it is
 * called from.
 */
export const checkoutDir: string = resolve(import.meta.dirname, '..', '..');

/**
 * The folder for what the launcher downloaded or found out and can restore at any time.
 *
 * `$XDG_CACHE_HOME/rotavox` or the platform's own cache folder; outside the checkout, so that after `git clean` or in a second
 * checkout a download of 120 MB is not repeated.
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
