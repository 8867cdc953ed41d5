import { join } from 'node:path';
import { expect, it } from 'vitest';
import { launcherCacheDir } from '../../src/launcher/checkout.ts';

it.each([
  ['linux', { HOME: '/home/ann' }, join('/home/ann', '.cache', 'rotavox')],
  ['linux', { HOME: '/home/ann', XDG_CACHE_HOME: '/fast' }, join('/fast', 'rotavox')],
  ['darwin', { HOME: '/Users/ann' }, join('/Users/ann', 'Library', 'Caches', 'rotavox')],
  [
    'win32',
    { USERPROFILE: '/Users/ann', LOCALAPPDATA: '/Users/ann/Local' },
    join('/Users/ann/Local', 'rotavox', 'Cache'),
  ],
] as const)('the launcher keeps its downloads on %s with %j in %s', (platform, env, folder) => {
  expect(launcherCacheDir(env, platform)).toBe(folder);
});
