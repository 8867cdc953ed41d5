import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import packageJson from '../../package.json' with { type: 'json' };
import type { RuntimeOrigin } from './electron-runtime.ts';

/**
 * What Electron and keytar are linked with or load, beyond what they have with them, and what the app calls.
 *
 * Newer releases renamed some for 64-bit time and still answer to most of the old names.
 */
const depends = [
  'libasound2 | libasound2t64',
  'libatk-bridge2.0-0 | libatk-bridge2.0-0t64',
  'libatk1.0-0 | libatk1.0-0t64',
  'libatspi2.0-0 | libatspi2.0-0t64',
  'libcups2 | libcups2t64',
  'libgbm1',
  'libgtk-3-0 | libgtk-3-0t64',
  'libnotify4',
  'libnss3',
  'libsecret-1-0',
  'xdg-utils',
];
/** A keychain for the tokens of credentials, of any make; what tells the desktop of the link scheme; voices for more languages. */
const recommends = ['gnome-keyring | kwalletmanager | keepassxc', 'desktop-file-utils', 'espeak-ng'];

const description = `${packageJson.description}
 Rotavox keeps API tokens in the keychain, replaces each before it expires, and
 gives programs the current one. It designs phone menus, checks them, and plays
 a call before a caller hears it. With the desktop app comes the command rotavox.`;

/** Where the app is installed. */
const appFolder = 'opt/Rotavox';
const dataNotice = `Rotavox is removed. The data of each account stays in ~/.config/Rotavox, and its tokens in its keychain.`;

/** Where each shell looks for the completions of a package. */
const completions = {
  bash: 'usr/share/bash-completion/completions/rotavox',
  zsh: 'usr/share/zsh/vendor-completions/_rotavox',
  fish: 'usr/share/fish/vendor_completions.d/rotavox.fish',
};

/** Run by dpkg once the files are gone; data belong to the accounts, so they stay. */
const postrm = `#!/bin/sh
set -e
if [ "$1" = remove ] || [ "$1" = purge ]; then
  echo "${dataNotice}"
fi
`;

const architectures: Partial<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

export interface DebianPackaging {
  readonly checkout: string;
  /** The unpacked app, as electron-builder made it. */
  readonly appDir: string;
  readonly electronVersion: string;
  readonly origin: RuntimeOrigin;
}

/**
 * Makes `release/rotavox_<version>_<architecture>.deb` of the unpacked app, with `dpkg-deb` alone. Returns its path.
 *
 * electron-builder makes the same with a program that it downloads. Throws an Error where `dpkg-deb` is missing.
 */
export function makeDebianPackage({ checkout, appDir, electronVersion, origin }: DebianPackaging): string {
  const architecture = architectures[process.arch];
  if (architecture === undefined)
    throw new Error(`There is no Debian package for this processor (${process.arch}).`);
  const version = packageVersion(packageJson.version, electronVersion, origin);
  const release = join(checkout, 'release');
  const root = mkdtempSync(join(release, 'deb-'));
  try {
    fillRoot(root, { checkout, appDir });
    const control = join(root, 'DEBIAN');
    mkdirSync(control);
    writeFileSync(join(control, 'control'), controlFile(version, architecture, sizeOf(root)));
    writeFileSync(join(control, 'md5sums'), checksums(root));
    writeFileSync(join(control, 'postrm'), postrm, { mode: 0o755 });
    chmodFolders(root);
    const file = join(release, `rotavox_${version}_${architecture}.deb`);
    // Small to download, or made and installed in seconds instead of minutes.
    const compression = origin === 'official' ? ['-Zxz', '-z6'] : ['-Zgzip', '-z1'];
    execFileSync('dpkg-deb', ['--root-owner-group', ...compression, '--build', root, file], {
      stdio: 'pipe',
    });
    return file;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/**
 * The version of the package. With an Electron that is not the official one it says so, and an official package of the same
 * version replaces it (a part after ~ sorts before the version without it).
 */
export function packageVersion(version: string, electronVersion: string, origin: RuntimeOrigin): string {
  return origin === 'official' ? version : `${version}~unofficial.electron${electronVersion}`;
}

function fillRoot(root: string, { checkout, appDir }: { checkout: string; appDir: string }): void {
  const at = (path: string): string => {
    const full = join(root, path);
    mkdirSync(dirname(full), { recursive: true });
    return full;
  };
  const app = at(appFolder);
  cpSync(appDir, app, { recursive: true, verbatimSymlinks: true });
  // Where the system forbids user namespaces to ordinary programs, Chromium's sandbox is this helper, which root runs.
  chmodSync(join(app, 'chrome-sandbox'), 0o4755);
  symlinkSync(`../../${appFolder}/resources/bin/rotavox`, at('usr/bin/rotavox'));
  const resources = join(checkout, 'resources');
  copyFileSync(join(resources, 'linux', 'rotavox.desktop'), at('usr/share/applications/rotavox.desktop'));
  for (const icon of readdirSync(join(resources, 'icons'))) {
    const size = icon.replace('.png', '');
    copyFileSync(join(resources, 'icons', icon), at(`usr/share/icons/hicolor/${size}/apps/rotavox.png`));
  }
  copyFileSync(join(resources, 'icon.svg'), at('usr/share/icons/hicolor/scalable/apps/rotavox.svg'));
  copyFileSync(join(checkout, 'LICENSE'), at('usr/share/doc/rotavox/copyright'));

  // The manual page and the licences of bundled packages, as in the npm package.
  execFileSync(process.execPath, [join(checkout, 'test', 'tools', 'prepare-package.ts')], { stdio: 'pipe' });
  const compressed = {
    'usr/share/doc/rotavox/changelog.gz': 'CHANGELOG.md',
    'usr/share/doc/rotavox/THIRD-PARTY-LICENCES.txt.gz': 'out/THIRD-PARTY-LICENCES.txt',
    'usr/share/man/man1/rotavox.1.gz': 'out/man/rotavox.1',
  };
  for (const [path, source] of Object.entries(compressed))
    writeFileSync(at(path), gzipSync(readFileSync(join(checkout, source)), { level: 9 }));
  for (const [shell, path] of Object.entries(completions)) {
    const script = execFileSync(join(app, 'resources', 'bin', 'rotavox'), ['completion', shell]);
    writeFileSync(at(path), script);
  }
}

function controlFile(version: string, architecture: string, bytes: number): string {
  return [
    'Package: rotavox',
    `Version: ${version}`,
    'Section: utils',
    'Priority: optional',
    `Architecture: ${architecture}`,
    'Maintainer: Rotavox contributors <maintainers@rotavox.invalid>',
    `Installed-Size: ${String(Math.ceil(bytes / 1024))}`,
    `Depends: ${depends.join(', ')}`,
    `Recommends: ${recommends.join(', ')}`,
    `Description: ${description}`,
    '',
  ].join('\n');
}

function filesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => lstatSync(join(root, path)).isFile())
    .sort();
}

function sizeOf(root: string): number {
  return filesIn(root).reduce((sum, path) => sum + statSync(join(root, path)).size, 0);
}

function checksums(root: string): string {
  return filesIn(root)
    .filter((path) => !path.startsWith('DEBIAN'))
    .map((path) => {
      const sum = createHash('md5')
        .update(readFileSync(join(root, path)))
        .digest('hex');
      return `${sum}  ${path}\n`;
    })
    .join('');
}

/** Whatever the umask of who packs. */
function chmodFolders(root: string): void {
  chmodSync(root, 0o755);
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o755);
}
