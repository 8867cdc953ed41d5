/**
 * Where the Asterisk of the tests comes from, and other programs that no stable Debian has: packages of a newer one, unpacked into the launcher's cache folder once.
 *
 * They are not installed: nothing is mounted or changed on this machine, and no rights are needed. Asterisk 22 is in
 * Debian's `sid` and in no stable release, so its libraries come along and are used by it alone.
 */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { launcherCacheDir } from '../../src/launcher/checkout.ts';
import { packageSourceUri, requireMmdebstrap } from './debian-packages.ts';

const execute = promisify(execFile);
/** `libfaketime`: an Asterisk with a clock of its own. */
const packages = ['asterisk', 'libfaketime'];
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Unpacked packages, with all that they depend on. */
export interface UnpackedRoot {
  readonly folder: string;
  /** Starts its programs with its own libraries. */
  readonly loader: string;
  readonly libraries: string;
}

export interface AsteriskRoot extends UnpackedRoot {
  /** Preloaded, it takes the time from `FAKETIME`. */
  readonly faketime: string;
}

/** `null` when it is in the cache now; otherwise what to do, in one line. */
export async function ensureAsterisk(say: (line: string) => void): Promise<string | null> {
  try {
    await asteriskRoot(say);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Takes ten seconds to half a minute the first time. */
export async function asteriskRoot(say: (line: string) => void = () => undefined): Promise<AsteriskRoot> {
  const root = await unpackedRoot(packages, 'sid', () => say('unpacking Asterisk from Debian packages'));
  return { ...root, faketime: join(root.libraries, 'faketime/libfaketimeMT.so.1') };
}

/** Packages of a release of Debian, from the cache or unpacked now. */
export async function unpackedFolder(
  names: readonly string[],
  suite: string,
  onUnpack: () => void = () => undefined,
): Promise<string> {
  const folder = join(launcherCacheDir(), `${names.join('-')}-${suite}`);
  if (!existsSync(folder)) {
    const source = packageSource(suite);
    onUnpack();
    await unpack(folder, names, suite, source);
  }
  return folder;
}

/** The same, of programs that need libraries. */
export async function unpackedRoot(
  names: readonly string[],
  suite: string,
  onUnpack?: () => void,
): Promise<UnpackedRoot> {
  const folder = await unpackedFolder(names, suite, onUnpack);
  const below = join(folder, 'usr/lib');
  const libraries = join(below, nameIn(below, /-linux-gnu$/));
  return { folder, libraries, loader: join(libraries, nameIn(libraries, /^ld-linux.*\.so/)) };
}

async function unpack(
  folder: string,
  names: readonly string[],
  suite: string,
  source: string,
): Promise<void> {
  await mkdir(launcherCacheDir(), { recursive: true });
  const work = await mkdtemp(join(launcherCacheDir(), 'unpack-'));
  try {
    const made = join(work, 'root');
    // An old release of the lists is fine: a mirror may keep them longer than they say.
    const options = ['--quiet', '--variant=extract', '--aptopt=Acquire::Check-Valid-Until "false"'];
    await execute('mmdebstrap', [...options, `--include=${names.join()}`, suite, made, source]).catch(
      (error: unknown) => {
        const { stderr = '', message } = error as { stderr?: string; message: string };
        throw new Error(`${names[0]} could not be unpacked: ${stderr.trim().split('\n').at(-1) ?? message}`);
      },
    );
    // Another process may have been faster.
    await rename(made, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** The line of `sources.list` for packages of a release, from where this machine gets its own. */
function packageSource(suite: string): string {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  if (!/^ID=debian$/m.test(release)) {
    throw new Error(
      'Programs of these tests are taken from Debian packages; run: docker run --rm -v "$PWD:/rotavox" -w /rotavox node:24-bookworm npm test',
    );
  }
  requireMmdebstrap();
  return `deb [signed-by=${keyring}] ${packageSourceUri()} ${suite} main`;
}

function nameIn(folder: string, pattern: RegExp): string {
  const found = readdirSync(folder).find((name) => pattern.test(name));
  if (found === undefined) throw new Error(`${folder} has no ${pattern.source}; remove its cache folder`);
  return found;
}
