import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listFiles } from '../../src/launcher/windows-installer.ts';
import { scratchFolder } from './run-launcher.ts';

it('lists every file for its folder, and for the removal exactly these and folders that are empty then', () => {
  const folder = scratchFolder({
    'Rotavox.exe': '12345',
    'resources/app.asar': '123',
    'resources/out/Üben & $HOME.js': '1',
  });
  const { install, uninstall, bytes } = listFiles(folder);
  expect(install.split('\n')).toEqual([
    'SetOutPath "$INSTDIR"',
    `File "${join(folder, 'Rotavox.exe')}"`,
    String.raw`SetOutPath "$INSTDIR\resources"`,
    `File "${join(folder, 'resources/app.asar')}"`,
    String.raw`SetOutPath "$INSTDIR\resources\out"`,
    `File "${join(folder, 'resources/out/Üben & $$HOME.js')}"`,
    '',
  ]);
  expect(uninstall.split('\n')).toEqual([
    String.raw`Delete "$INSTDIR\Rotavox.exe"`,
    String.raw`Delete "$INSTDIR\resources\app.asar"`,
    String.raw`Delete "$INSTDIR\resources\out\Üben & $$HOME.js"`,
    String.raw`RMDir "$INSTDIR\resources\out"`,
    String.raw`RMDir "$INSTDIR\resources"`,
    '',
  ]);
  expect(bytes).toBe(9);
});
