import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { afterExtract } from '../../src/launcher/leave-out-default-app.ts';
import { scratchFolder } from './scratch-folder.ts';

it.each([
  ['linux', 'resources'],
  ['win32', 'resources'],
  ['darwin', 'Electron.app/Contents/Resources'],
])(
  'takes what only a bare Electron needs out of a package for %s, and nothing else',
  (platform, resources) => {
    const appOutDir = scratchFolder({
      version: '45.4.1',
      'icudtl.dat': 'data',
      [`${resources}/default_app.asar`]: 'default',
      [`${resources}/app.asar`]: 'ours',
    });
    afterExtract({ appOutDir, electronPlatformName: platform });
    const left = ['version', 'icudtl.dat', `${resources}/default_app.asar`, `${resources}/app.asar`].filter(
      (file) => existsSync(join(appOutDir, file)),
    );
    expect(left).toEqual(['icudtl.dat', `${resources}/app.asar`]);
  },
);
