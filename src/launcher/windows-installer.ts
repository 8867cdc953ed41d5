import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Zip, ZipDeflate } from 'fflate';
import packageJson from '../../package.json' with { type: 'json' };
import { packageVersion } from './debian-package.ts';
import type { RuntimeOrigin } from './electron-runtime.ts';

export interface WindowsPackaging {
  readonly checkout: string;
  /** The unpacked app, as electron-builder made it. */
  readonly appDir: string;
  readonly arch: string;
  readonly electronVersion: string;
  readonly origin: RuntimeOrigin;
}

/**
 * Makes `release/Rotavox-<version>-<arch>.exe`, the installer, and the same as `.zip`, of the unpacked app. Returns the path of
 * the installer.
 *
 * With `makensis` alone, so that the installer is the same wherever it is made. `ROTAVOX_SIGN_COMMAND` signs it and its
 * uninstaller. Throws an Error where `makensis` is missing.
 */
// see decisions/windows-installer.md
export function makeWindowsPackages({
  checkout,
  appDir,
  arch,
  electronVersion,
  origin,
}: WindowsPackaging): string {
  const version = packageVersion(packageJson.version, electronVersion, origin);
  const named = (extension: string): string =>
    join(checkout, 'release', `Rotavox-${version}-${arch}.${extension}`);
  // Small to download, or made in seconds instead of seven minutes.
  const isFast = origin !== 'official';
  makeInstaller({ checkout, appDir, arch, version, out: named('exe'), isFast });
  makeZip(appDir, named('zip'), isFast);
  return named('exe');
}

export interface InstallerRequest {
  readonly checkout: string;
  /** The folder whose files are installed. */
  readonly appDir: string;
  readonly arch: string;
  readonly version: string;
  /** The file to write. */
  readonly out: string;
  readonly isFast: boolean;
}

/** Makes an installer of a folder with resources/windows/rotavox.nsi. Throws an Error that says what to do. */
export function makeInstaller({ checkout, appDir, arch, version, out, isFast }: InstallerRequest): void {
  const lists = mkdtempSync(join(tmpdir(), 'rotavox-installer-'));
  try {
    const { install, uninstall, bytes } = listFiles(appDir);
    writeFileSync(join(lists, 'install.nsh'), install);
    writeFileSync(join(lists, 'uninstall.nsh'), uninstall);
    writeFileSync(join(lists, 'side.bmp'), onePixel(brandColour));
    const [major = '0', minor = '0', patch = '0'] = version.split(/[.~-]/);
    const signing = process.env['ROTAVOX_SIGN_COMMAND'];
    runMakensis([
      ...['-V2', '-WX', '-INPUTCHARSET', 'UTF8'],
      ...(isFast ? ['-DFAST'] : []),
      ...(signing ? [`-DSIGN=${signing}`] : []),
      `-DVERSION=${version}`,
      `-DFILE_VERSION=${major}.${minor}.${patch}.0`,
      `-DARCH=${arch}`,
      `-DLISTS=${lists}`,
      `-DICON=${join(checkout, 'resources', 'icon.ico')}`,
      `-DOUT=${out}`,
      `-DSIZE_KB=${String(Math.ceil(bytes / 1024))}`,
      join(checkout, 'resources', 'windows', 'rotavox.nsi'),
    ]);
  } finally {
    rmSync(lists, { recursive: true, force: true });
  }
}

/** Of resources/icon.svg: red, green, blue. */
const brandColour = [0x2f, 0x35, 0x8f] as const;

/** A bitmap that the last page is filled with, in the place of NSIS' own picture. */
function onePixel([red, green, blue]: readonly [number, number, number]): Buffer {
  const bitmap = Buffer.alloc(58);
  bitmap.write('BM');
  bitmap.writeUInt32LE(bitmap.length, 2);
  bitmap.writeUInt32LE(54, 10); // where the pixel is
  bitmap.writeUInt32LE(40, 14); // of the second header
  bitmap.writeInt32LE(1, 18);
  bitmap.writeInt32LE(1, 22);
  bitmap.writeUInt16LE(1, 26);
  bitmap.writeUInt16LE(24, 28); // bits a pixel
  bitmap.set([blue, green, red], 54);
  return bitmap;
}

function runMakensis(args: readonly string[]): void {
  const { error, status, stdout, stderr } = spawnSync('makensis', args, { encoding: 'utf8' });
  if (error !== undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') {
    const how = process.platform === 'win32' ? 'choco install nsis' : 'sudo apt-get install nsis';
    throw new Error(
      `The installer for Windows was not made: makensis is not in the search path. Run: ${how}`,
    );
  }
  if (error !== undefined) throw error;
  if (status !== 0) {
    const said = `${stdout}${stderr}`.trim().split('\n').slice(-5).join('\n');
    throw new Error(
      `The installer for Windows was not made: makensis ended with ${String(status)}.\n${said}`,
    );
  }
}

interface Lists {
  /** Instructions that write each file. */
  readonly install: string;
  /** Instructions that remove exactly those, so that other files in a folder that a person chose stay. */
  readonly uninstall: string;
  readonly bytes: number;
}

/** The files of a folder, as instructions of NSIS. */
export function listFiles(appDir: string): Lists {
  const install: string[] = [];
  const files: string[] = [];
  const folders: string[] = [];
  let bytes = 0;
  const walk = (folder: readonly string[]): void => {
    const here = join(appDir, ...folder);
    const entries = readdirSync(here, { withFileTypes: true }).sort((one, other) =>
      one.name < other.name ? -1 : 1,
    );
    install.push(`SetOutPath ${installed(folder)}`);
    for (const { name } of entries.filter((entry) => entry.isFile())) {
      bytes += statSync(join(here, name)).size;
      install.push(`File ${quoted(join(here, name))}`);
      files.push(`Delete ${installed([...folder, name])}`);
    }
    for (const entry of entries) if (entry.isDirectory()) walk([...folder, entry.name]);
    if (folder.length > 0) folders.push(`RMDir ${installed(folder)}`); // after those in it
  };
  walk([]);
  const asText = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
  return { install: asText(install), uninstall: asText([...files, ...folders]), bytes };
}

function installed(path: readonly string[]): string {
  return `"$INSTDIR${path.map((part) => `\\${escaped(part)}`).join('')}"`;
}

function quoted(path: string): string {
  return `"${escaped(path)}"`;
}

/** A dollar sign begins a variable. */
function escaped(text: string): string {
  return text.replaceAll('$', '$$$$');
}

/** The folder's files at the top of an archive. Streams: all together they do not fit into one buffer. */
function makeZip(folder: string, out: string, isFast: boolean): void {
  const file = openSync(out, 'w');
  try {
    const zip = new Zip((error, chunk) => {
      if (error !== null) throw error;
      writeSync(file, chunk);
    });
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      const full = join(folder, path);
      if (!statSync(full).isFile()) continue;
      const entry = new ZipDeflate(path.replaceAll('\\', '/'), { level: isFast ? 0 : 9 });
      zip.add(entry);
      entry.push(readFileSync(full), true);
    }
    zip.end();
  } finally {
    closeSync(file);
  }
}
