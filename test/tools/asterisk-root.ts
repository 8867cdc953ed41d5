/**
 * Where the Asterisk of the tests comes from: Debian's packages, unpacked into the launcher's cache folder once.
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
import { packageSourceLists, requireMmdebstrap } from './debian-packages.ts';

const execute = promisify(execFile);
const suite = 'sid';
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Paths of the unpacked Asterisk. */
export interface AsteriskRoot {
  readonly folder: string;
  /** Starts its programs with its own libraries. */
  readonly loader: string;
  readonly libraries: string;
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
  const folder = join(launcherCacheDir(), `asterisk-${suite}`);
  if (!existsSync(folder)) {
    const source = packageSource();
    say('unpacking Asterisk from Debian packages');
    await unpack(folder, source);
  }
  const below = join(folder, 'usr/lib');
  const libraries = join(below, nameIn(below, /-linux-gnu$/));
  return { folder, libraries, loader: join(libraries, nameIn(libraries, /^ld-linux.*\.so/)) };
}

async function unpack(folder: string, source: string): Promise<void> {
  await mkdir(launcherCacheDir(), { recursive: true });
  const work = await mkdtemp(join(launcherCacheDir(), 'unpack-'));
  try {
    const made = join(work, 'root');
    // An old release of the lists is fine: a mirror may keep them longer than they say.
    const options = ['--quiet', '--variant=extract', '--aptopt=Acquire::Check-Valid-Until "false"'];
    await execute('mmdebstrap', [...options, '--include=asterisk', suite, made, source]).catch(
      (error: unknown) => {
        const { stderr = '', message } = error as { stderr?: string; message: string };
        throw new Error(`Asterisk could not be unpacked: ${stderr.trim().split('\n').at(-1) ?? message}`);
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

/** The line of `sources.list` for packages of `sid`, from where this machine gets its own. */
function packageSource(): string {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  if (!/^ID=debian$/m.test(release)) {
    throw new Error(
      'Asterisk is taken from Debian packages; run: docker run --rm -v "$PWD:/rotavox" -w /rotavox node:24-bookworm npm test',
    );
  }
  requireMmdebstrap();
  const lists = packageSourceLists().map((file) => readFileSync(file, 'utf8'));
  const uri = lists.map((list) => /^(?:URIs:|deb(?: \[.*?\])?)\s+(\S+)/m.exec(list)?.[1]).find(Boolean);
  if (uri === undefined) throw new Error('The lists of Debian package sources of this machine name none.');
  return `deb [signed-by=${keyring}] ${uri} ${suite} main`;
}

function nameIn(folder: string, pattern: RegExp): string {
  const found = readdirSync(folder).find((name) => pattern.test(name));
  if (found === undefined) throw new Error(`${folder} has no ${pattern.source}; remove its cache folder`);
  return found;
}
