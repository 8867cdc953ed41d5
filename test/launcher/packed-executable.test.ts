import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packedExecutable } from '../../src/launcher/pack-app.ts';

it.each([
  ['linux', 'x64', ['linux-unpacked', 'rotavox']],
  ['linux', 'arm64', ['linux-arm64-unpacked', 'rotavox']],
  ['win32', 'x64', ['win-unpacked', 'Rotavox.exe']],
  ['darwin', 'x64', ['mac', 'Rotavox.app', 'Contents', 'MacOS', 'Rotavox']],
  ['darwin', 'arm64', ['mac-arm64', 'Rotavox.app', 'Contents', 'MacOS', 'Rotavox']],
] as const)('knows where electron-builder puts the app for %s on %s', (platform, arch, path) => {
  expect(packedExecutable('/checkout', { platform, arch })).toBe(join('/checkout', 'release', ...path));
});
