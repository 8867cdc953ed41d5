import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, rmdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkoutDir } from '../../src/launcher/checkout.ts';

const execute = promisify(execFile);

/** Where cgroups can be made, in a system with both versions or with the second one only. */
const cgroups = ['/sys/fs/cgroup/unified', '/sys/fs/cgroup'].find((folder) =>
  existsSync(join(folder, 'cgroup.procs')),
);

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A bare Debian with Node and the built program, and systemd as its process 1; all of it goes away with `close`. */
export class DebianRoot {
  readonly folder: string;
  readonly #child: ChildProcess;
  readonly #pid: number;
  readonly #cgroup: string;

  private constructor(folder: string, child: ChildProcess, pid: number, cgroup: string) {
    this.folder = folder;
    this.#child = child;
    this.#pid = pid;
    this.#cgroup = cgroup;
  }

  static async boot(): Promise<DebianRoot> {
    if (cgroups === undefined) throw new Error('systemd needs cgroups of version 2');
    const folder = await mkdtemp(join(tmpdir(), 'rotavox-root-'));
    await makeRoot(folder, ['systemd', 'systemd-sysv', 'dbus', 'libpam-systemd']);
    await copyNode(folder);
    await installProgram(folder);
    const cgroup = join(cgroups, `rotavox-test-${process.pid}`);
    await mkdir(cgroup);
    const namespaces = [
      '--pid',
      '--fork',
      '--mount',
      '--uts',
      '--ipc',
      '--net',
      '--cgroup',
      '--kill-child=SIGKILL',
    ];
    const script = join(import.meta.dirname, 'systemd-root.sh');
    // The shell enters the group first: it is the root of all groups inside.
    const child = spawn(
      'sh',
      [
        '-c',
        'echo $$ > "$0/cgroup.procs" && exec unshare "$@"',
        cgroup,
        ...namespaces,
        'bash',
        script,
        folder,
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    const root = new DebianRoot(folder, child, await pidOfInit(child), cgroup);
    const state = await root.waitForSystemd();
    if (state !== 'running' && state !== 'degraded') throw new Error(`systemd is ${state}`);
    return root;
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

  /** The state of systemd once it has started everything. */
  async waitForSystemd(): Promise<string> {
    for (;;) {
      const { stdout } = await this.run('systemctl', 'is-system-running', '--wait');
      if (stdout.trim() !== '' || this.#child.exitCode !== null) return stdout.trim();
    }
  }

  async close(): Promise<void> {
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit').catch(() => undefined);
    await removeGroups(this.#cgroup);
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The process 1 of the namespace: the only child of unshare, once that has replaced the shell. */
async function pidOfInit(child: ChildProcess): Promise<number> {
  for (;;) {
    if (child.exitCode !== null) throw new Error('the namespaces could not be made');
    const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').catch(() => '');
    const pid = Number(children.trim());
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.startsWith('/lib/systemd/systemd')) return pid;
  }
}

async function removeGroups(group: string): Promise<void> {
  const below = await readdir(group, { withFileTypes: true });
  for (const entry of below) if (entry.isDirectory()) await removeGroups(join(group, entry.name));
  // Busy until the last process of it is gone.
  for (let tries = 100; tries > 0; tries -= 1) {
    try {
      return await rmdir(group);
    } catch {
      await execute('sync');
    }
  }
}

/** A bare Debian with these packages, from the package sources of this machine. */
export async function makeRoot(folder: string, packages: readonly string[]): Promise<void> {
  const lists = ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list'];
  const list = lists.find((file) => existsSync(file));
  if (list === undefined) throw new Error('There is no list of Debian package sources on this machine.');
  const included = packages.length === 0 ? [] : [`--include=${packages.join(',')}`];
  await execute('mmdebstrap', ['--quiet', '--variant=minbase', ...included, 'bookworm', folder, list]);
}

export async function copyNode(folder: string): Promise<void> {
  await cp(process.execPath, join(folder, 'usr', 'bin', 'node'), { dereference: true });
}

/** As npm installs it for the whole machine. */
async function installProgram(folder: string): Promise<void> {
  const program = join(folder, 'usr', 'lib', 'node_modules', 'rotavox');
  await mkdir(program, { recursive: true });
  for (const name of [
    'out',
    'package.json',
    'node_modules/keytar',
    'node_modules/@scalar/fastify-api-reference',
  ])
    await cp(join(checkoutDir, name), join(program, name), { recursive: true, dereference: true });
  await symlink('/usr/lib/node_modules/rotavox/out/cli/index.js', join(folder, 'usr', 'bin', 'rotavox'));
  await execute('chmod', ['755', join(program, 'out', 'cli', 'index.js')]);
  await writeFile(join(folder, 'etc', 'machine-id'), '');
}
