import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../tools/root.ts';

interface LockedPackage {
  readonly name?: string;
  readonly hasInstallScript?: boolean;
}

/**
 * The packages that run something of their own when they are installed, with the reason why that needs neither a compiler
 * nor Python, and nothing from anywhere but the registry. npm 10 runs every one of them; npm 11 those that `allowScripts` allows.
 */
const harmless: Readonly<Record<string, string>> = {
  node: 'installs the Node of this system, which is a package of its own, with npm',
  'electron-winstaller': 'copies a program for Windows that the package contains',
  '@github/keytar': 'copies the module that the package contains for this system',
};

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

/**
 * Those of a lock file, by their own names.
 *
 * A package with `binding.gyp` and without a script is compiled. The lock file does not say so, and for npm 10 a `gypfile`
 * of false does not change it, because the lock file does not have that either: what is installed tells.
 */
function packagesThatRun(
  locked: Readonly<Record<string, LockedPackage>>,
  isCompiled: (path: string) => boolean,
): string[] {
  return Object.entries(locked)
    .filter(([path, { hasInstallScript }]) => path !== '' && (hasInstallScript === true || isCompiled(path)))
    .map(
      ([path, { name }]) => name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    );
}

const hasBindings = (path: string): boolean => existsSync(join(root, path, 'binding.gyp'));

describe('an installation of the checkout', () => {
  it('runs the scripts of the packages that are known to do no harm, and of no others', () => {
    expect(packagesThatRun(packages, hasBindings).sort()).toEqual(Object.keys(harmless).sort());
  });

  it('says of each of them whether npm may run its script', () => {
    const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly allowScripts: Readonly<Record<string, boolean>>;
    };
    expect(Object.keys(allowScripts).sort()).toEqual(Object.keys(harmless).sort());
  });
});

describe('the search for install scripts', () => {
  const planted = {
    '': { name: 'checkout', hasInstallScript: true },
    'node_modules/plain': {},
    'node_modules/with-script': { hasInstallScript: true },
    'node_modules/alias': { name: '@scope/own-name', hasInstallScript: true },
    'node_modules/plain/node_modules/compiled': {},
  };

  it('finds a package with a script, one under another name, and one that is compiled without a script', () => {
    const isCompiled = (path: string): boolean => path.endsWith('/compiled');
    expect(packagesThatRun(planted, isCompiled)).toEqual(['with-script', '@scope/own-name', 'compiled']);
  });
});
