import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { launcherCacheDir } from '../../src/launcher/checkout.ts';
import { packageSourceUri, requireMmdebstrap } from '../tools/debian-packages.ts';
import type { Ended } from './installed-program.ts';

const execute = promisify(execFile);

/** Enters a Debian with a folder at /mnt, in mounts of its own: with the process they are gone. */
const enter = `
root=$1 folder=$2; shift 2
mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" && mount --bind "$folder" "$root/mnt" || exit 70
if [ -d /tmp/.X11-unix ]; then mkdir -p "$root/tmp/.X11-unix" && mount --bind /tmp/.X11-unix "$root/tmp/.X11-unix" || exit 70; fi
exec chroot "$root" "$@"`;

const wineEnvironment = {
  PATH: '/usr/sbin:/usr/bin:/sbin:/bin:/usr/lib/x86_64-linux-gnu/wine',
  HOME: '/root',
  LANG: 'C.UTF-8',
  WINEPREFIX: '/mnt/prefix',
  WINEDEBUG: '-all',
  // What Wine would offer to download at first.
  WINEDLLOVERRIDES: 'mscoree,mshtml=',
  // By it the test command finds what is left of a run.
  ROTAVOX_TEST_RUN: process.env['ROTAVOX_TEST_RUN'],
};

/**
 * A Windows of Wine 10, which no stable Debian has, with a user `root` and a screen; it needs root.
 *
 * Debian and a first start are in the launcher's cache folder, made once in four minutes. All programs get the same screen, also
 * the first, or Electron finds none.
 */
export class Wine {
  /** Its folder `C:\`. */
  readonly drive: string;
  readonly #root: string;
  readonly #folder: string;
  readonly #screen: ChildProcess;
  readonly #display: string;
  #runs = 0;

  private constructor(root: string, folder: string, screen: ChildProcess, display: string) {
    this.drive = join(folder, 'prefix/drive_c');
    this.#root = root;
    this.#folder = folder;
    this.#screen = screen;
    this.#display = display;
  }

  static async make(): Promise<Wine> {
    const root = await debianWithWine();
    const folder = await mkdtemp(join(tmpdir(), 'rotavox-wine-'));
    await execute('cp', ['-a', join(root, 'opt/prefix'), folder]);
    const screen = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x900x24'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [display] = (await once(createInterface({ input: screen.stdout }), 'line')) as [string];
    return new Wine(root, folder, screen, `:${display}`);
  }

  /** Runs a Windows program to its end. */
  async run(program: string, ...args: string[]): Promise<Ended> {
    const { child, said } = this.start(program, args);
    const [code] = (await once(child, 'exit')) as [number | null];
    return { code, stdout: said('out'), stderr: said('err') };
  }

  /** The same for one that has to end with 0; returns what it prints. */
  async done(program: string, ...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(program, ...args);
    if (code === 0) return stdout;
    throw new Error(`${program} ${args.join(' ')} ended with ${String(code)}:\n${stdout}${stderr}`);
  }

  /** Starts a Windows program. Its output goes into files: with pipes, some programs wait for ever. */
  start(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const file = join(this.#folder, `run-${String(this.#runs++)}`);
    const [out, err] = [openSync(`${file}.out`, 'w'), openSync(`${file}.err`, 'w')];
    const [entering, ...options] = entered(this.#root, this.#folder, ['wine', program, ...args]);
    const child = spawn(entering, options, {
      env: { ...wineEnvironment, DISPLAY: this.#display, ...env },
      stdio: ['ignore', out, err],
    });
    for (const descriptor of [out, err]) closeSync(descriptor);
    return {
      child,
      said: (end: 'out' | 'err', encoding: BufferEncoding = 'utf8'): string =>
        readFileSync(`${file}.${end}`, encoding),
    };
  }

  /** A file of this machine, as a path there. It is put beside the drive. */
  async give(file: string, name: string): Promise<string> {
    await execute('cp', ['--reflink=auto', file, join(this.#folder, name)]);
    return `Z:\\mnt\\${name}`;
  }

  /** A value of a registry key, with its type and in the bytes that `reg` prints; null where there is none. */
  async registry(key: string, value?: string): Promise<string | null> {
    const which = value === undefined ? ['/ve'] : ['/v', value];
    const { child, said } = this.start('reg', ['query', key, ...which]);
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) return null;
    return /^ {4}.*? {4}(REG_\w+ {4}.*?)\r?$/m.exec(said('out', 'latin1'))?.[1] ?? null;
  }

  async close(): Promise<void> {
    const [entering, ...options] = entered(this.#root, this.#folder, ['wineserver', '-k']);
    await execute(entering, options, { env: wineEnvironment }).catch(() => undefined); // nothing runs any more
    this.#screen.kill();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 });
  }
}

function entered(root: string, folder: string, command: readonly string[]): readonly [string, ...string[]] {
  return ['unshare', '--mount', 'sh', '-c', enter, 'sh', root, folder, ...command];
}

/** The folder of a Debian with Wine and with a prefix that it has started in once. */
async function debianWithWine(): Promise<string> {
  const kept = join(launcherCacheDir(), 'wine-sid');
  if (existsSync(kept)) return kept;
  requireMmdebstrap();
  await mkdir(launcherCacheDir(), { recursive: true });
  const made = await mkdtemp(join(launcherCacheDir(), 'wine-'));
  try {
    const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
    await execute('mmdebstrap', [
      ...['--quiet', '--variant=essential', '--include=wine,wine64,fonts-liberation'],
      ...['--aptopt=Acquire::Check-Valid-Until "false"', '--aptopt=APT::Install-Recommends "false"'],
      ...['--dpkgopt=force-unsafe-io', 'sid', made],
      `deb [signed-by=${keyring}] ${packageSourceUri()} sid main`,
    ]);
    const [entering, ...options] = entered(made, join(made, 'opt'), ['wine', 'wineboot', '--init']);
    execFileSync(entering, options, { env: wineEnvironment, stdio: 'ignore' });
    const [ending, ...endOptions] = entered(made, join(made, 'opt'), ['wineserver', '-w']);
    await execute(ending, endOptions, { env: wineEnvironment });
    // Another process may have been faster.
    await rename(made, kept).catch((error: unknown) => {
      if (!existsSync(kept)) throw error;
    });
  } finally {
    await rm(made, { recursive: true, force: true });
  }
  return kept;
}
