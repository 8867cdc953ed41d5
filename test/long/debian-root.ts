import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, rmdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { launcherCacheDir } from '../../src/launcher/checkout.ts';
import { copyProgram } from '../fixtures/copy-program.ts';
import { packageSourceLists, requireMmdebstrap } from '../tools/debian-packages.ts';

const execute = promisify(execFile);
/** For what takes a second on an idle machine: only ends what hangs. */
const bootTimeoutMs = 120_000;
/**
 * systemd, and what a machine of a team has. One list for all proofs, so that one Debian is made.
 */
const packages = [
  'systemd',
  'systemd-sysv',
  'dbus',
  'libpam-systemd',
  'postgresql',
  'curl',
  'openssl',
  'iproute2',
];

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A bare Debian with Node and the built program, and systemd as its process 1. Its network is a loopback interface.
 *
 * All of it goes away with `close`, and also when this process is killed: see systemd-root.sh.
 */
export class DebianRoot {
  readonly folder: string;
  readonly #child: ChildProcess;
  #pid = 0;
  #said = '';

  private constructor(folder: string, child: ChildProcess) {
    this.folder = folder;
    this.#child = child;
    child.stderr?.on('data', (bytes: Buffer) => (this.#said += bytes.toString()));
    // It may have ended before it is told to.
    child.stdin?.on('error', () => undefined);
  }

  static async boot(): Promise<DebianRoot> {
    const folder = await mkdtemp(join(tmpdir(), 'rotavox-root-'));
    const group = await makeGroup(basename(folder)).catch(async (error: unknown) => {
      await rmdir(folder);
      throw error;
    });
    // A group of its own: it removes what is left also when all of this group is told to end.
    const child = spawn('bash', [join(import.meta.dirname, 'systemd-root.sh'), folder, group], {
      detached: true,
    });
    const root = new DebianRoot(folder, child);
    try {
      await makeRoot(folder, packages);
      await copyNode(folder);
      await installProgram(folder);
      await root.#start();
      return root;
    } catch (error) {
      await root.close();
      throw error;
    }
  }

  async #start(): Promise<void> {
    const lines = createInterface({ input: this.#child.stdout! });
    this.#child.stdin?.write('boot\n');
    const [pid] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as [string?];
    if (pid === undefined) throw new Error(`The namespaces of a Debian could not be made:\n${this.#said}`);
    this.#pid = Number(pid);
    const until = Date.now() + bootTimeoutMs;
    let state = '';
    while (state !== 'running' && state !== 'degraded') {
      if (!this.#isRunning) throw new Error(`systemd ended while it booted:\n${this.#said}`);
      if (Date.now() > until) {
        const jobs = await this.run('systemctl', 'list-jobs');
        const journal = await this.run('journalctl', '--no-pager', '--lines=20');
        throw new Error(`systemd is "${state}":\n${jobs.stdout}${journal.stdout}`);
      }
      await wait(100);
      state = (await this.run('systemctl', 'is-system-running')).stdout.trim();
    }
  }

  get #isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Runs a program inside, as root, until it ends. */
  run(...command: string[]): Promise<Ended> {
    const namespaces = ['--mount', '--pid', '--net', '--uts', '--ipc', '--cgroup', '--root', '--wd'];
    const env = ['env', '-i', 'PATH=/usr/sbin:/usr/bin', 'HOME=/root'];
    return execute('nsenter', ['-t', String(this.#pid), ...namespaces, ...env, ...command]).then(
      (done) => ({ ...done, code: 0 }),
      (error: unknown) => error as Ended,
    );
  }

  async close(): Promise<void> {
    if (!this.#isRunning) return;
    const ended = once(this.#child, 'exit');
    this.#child.stdin?.end();
    await ended;
  }
}

/** A group for the processes of one Debian, where this machine has version 2, alone or beside version 1. */
async function makeGroup(name: string): Promise<string> {
  const mounts = await readFile('/proc/mounts', 'utf8');
  const folder = /^\S+ (\S+) cgroup2 /m.exec(mounts)?.[1];
  if (folder === undefined) throw new Error('systemd needs cgroups of version 2; this machine mounts none.');
  const group = join(folder, name);
  await mkdir(group).catch((cause: unknown) => {
    throw new Error(
      `systemd needs cgroups of version 2, and none can be made in ${folder}: ${String(cause)}`,
    );
  });
  return group;
}

/** Makes the file `$1` with the rest, unless it was made less than a week ago, and removes older ones. */
const makeKept = `
find "\${1%/*}" -maxdepth 1 -name 'debian-*.tar' -mtime +6 -delete
[ -e "$1" ] || { mmdebstrap "\${@:2}" && mv "\${1%.tar}.part.tar" "$1"; }`;

/**
 * A bare Debian with these packages, from the package sources of this machine.
 *
 * It is made once and kept in the launcher's cache folder for a week: that takes minutes, and a network.
 */
export async function makeRoot(folder: string, packages: readonly string[]): Promise<void> {
  requireMmdebstrap();
  const [list = ''] = packageSourceLists();
  const cache = launcherCacheDir();
  await mkdir(cache, { recursive: true });
  const name = join(
    cache,
    `debian-${createHash('sha256').update(packages.join()).digest('hex').slice(0, 8)}`,
  );
  const included = packages.length === 0 ? [] : [`--include=${packages.join(',')}`];
  const make = ['--quiet', '--variant=minbase', ...included, 'bookworm', `${name}.part.tar`, list];
  // One process makes it, and others wait for it.
  await execute('flock', [`${cache}/debian.lock`, 'bash', '-c', makeKept, 'bash', `${name}.tar`, ...make]);
  await mkdir(folder, { recursive: true });
  // Other accounts enter it too; the file does not say it.
  await chmod(folder, 0o755);
  await execute('tar', ['-xpf', `${name}.tar`, '--numeric-owner', '--xattrs-include=*', '-C', folder]);
}

export async function copyNode(folder: string): Promise<void> {
  await cp(process.execPath, join(folder, 'usr', 'bin', 'node'), { dereference: true });
}

/** As npm installs it for the whole machine. */
async function installProgram(folder: string): Promise<void> {
  const program = join(folder, 'usr', 'lib', 'node_modules', 'rotavox');
  copyProgram(program);
  await symlink('/usr/lib/node_modules/rotavox/out/cli/index.js', join(folder, 'usr', 'bin', 'rotavox'));
  await writeFile(join(folder, 'etc', 'machine-id'), '');
}
