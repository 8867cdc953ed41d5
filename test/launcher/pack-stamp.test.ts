import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  fingerprintOfPackage,
  isPackageFresh,
  packStampFile,
  stampPackage,
} from '../../src/launcher/pack-app.ts';
import { scratchFolder, writeInto } from './scratch-folder.ts';

const runtime = { distDir: '/opt/electron', version: '45.4.1' };

function packedCheckout(): string {
  const checkout = scratchFolder({
    'out/build-stamp.txt': 'built from this',
    'electron-builder.yml': 'asar: true',
    LICENSE: 'MIT',
    'src/launcher/pack-app.ts': 'pack',
    'release/linux-unpacked/rotavox': 'binary',
  });
  stampPackage(checkout, fingerprintOfPackage(checkout, runtime));
  return checkout;
}

describe('a package', () => {
  it('is fresh when nothing has changed since', () => {
    expect(isPackageFresh(packedCheckout(), runtime)).toBe(true);
  });

  it.each([
    ['out/build-stamp.txt', 'the build is another'],
    ['electron-builder.yml', 'it is to be packed in another way'],
    ['src/launcher/pack-app.ts', 'the launcher packs in another way'],
    ['src/launcher/new-hook.ts', 'the launcher has something new'],
    ['LICENSE', 'the licence is another'],
  ])('is stale when %s changes: %s', (path) => {
    const checkout = packedCheckout();
    writeInto(checkout, path, 'another');
    expect(isPackageFresh(checkout, runtime)).toBe(false);
  });

  it.each([
    ['from another place', { ...runtime, distDir: '/opt/other' }],
    ['of another version', { ...runtime, version: '45.5.0' }],
  ])('is stale for an Electron %s', (_name, other) => {
    expect(isPackageFresh(packedCheckout(), other)).toBe(false);
  });

  it('is stale when it was never finished', () => {
    const checkout = packedCheckout();
    rmSync(packStampFile(checkout));
    expect(isPackageFresh(checkout, runtime)).toBe(false);
  });
});
