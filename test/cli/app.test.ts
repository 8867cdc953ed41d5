import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findDesktopApp } from '../../src/cli/desktop-app.ts';
import { ShellMemory } from '../../src/main/shell-memory.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { rotavox } from './rotavox.ts';

function found(programDir: string, platform: NodeJS.Platform, ...files: string[]) {
  const environment = { HOME: '/home/me', LOCALAPPDATA: 'C:\\Local' };
  return findDesktopApp(programDir, { platform, environment, has: (file) => files.includes(file) });
}

it('the desktop app is that of the same package, of the checkout, or where installers put it', () => {
  expect(found('/app/resources', 'linux', '/app/rotavox', '/opt/Rotavox/rotavox')).toEqual(['/app/rotavox']);
  expect(found('/npm/rotavox', 'linux', '/opt/Rotavox/rotavox')).toEqual(['/opt/Rotavox/rotavox']);
  const mac = '/home/me/Applications/Rotavox.app/Contents/MacOS/Rotavox';
  expect(found('/npm/rotavox', 'darwin', mac)).toEqual([mac]);
  const windows = join('C:\\Local', 'Programs', 'Rotavox', 'Rotavox.exe');
  expect(found('/npm/rotavox', 'win32', windows)).toEqual([windows]);
  const launcher = '/checkout/src/launcher/start.ts';
  expect(found('/checkout', 'linux', launcher)).toEqual([process.execPath, launcher]);
  expect(found('/npm/rotavox', 'linux')).toBeNull();
});

it('the desktop app is the AppImage that last ran, where none is installed', () => {
  const homeDir = makeFolder();
  const memory = join(homeDir, '.config', 'Rotavox', 'desktop.json');
  const appImage = '/home/me/Rotavox.AppImage';
  const look = (...files: string[]) =>
    findDesktopApp('/npm/rotavox', {
      platform: 'linux',
      environment: {},
      homeDir,
      has: (file) => files.includes(file),
    });
  expect(look(appImage)).toBeNull();
  new ShellMemory(memory).keepAppImage(null);
  expect(look(appImage)).toBeNull();
  new ShellMemory(memory).keepAppImage(appImage);
  expect(look(appImage)).toEqual([appImage]);
  expect(look(appImage, '/opt/Rotavox/rotavox')).toEqual(['/opt/Rotavox/rotavox']);
  expect(look(), 'it was moved away').toBeNull();
  writeFileSync(memory, '{');
  expect(look(appImage)).toBeNull();
});

it.runIf(process.platform === 'linux')('`app` says what to do where there is no display', async () => {
  const { code, stdout, stderr } = await rotavox(['app'], { env: { DISPLAY: '', WAYLAND_DISPLAY: '' } });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('needs a display');
  expect(stderr).toContain('`rotavox serve`');
});
