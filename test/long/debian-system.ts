import { type ChildProcess, spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makeRoot } from './debian-root.ts';
import { done, type Machine } from './installed-program.ts';

/**
 * Makes a folder the root of the command after it, in a mount namespace of its own: like a container with nothing taken away,
 * so that Chromium may make its sandbox there. What `$mounts` mounts is seen by the command alone. It keeps the process id.
 */
const enter = `
root=$1 mounts=$2; shift 2
mount --bind "$root" "$root" && cd "$root" || exit 70
mount --rbind /proc proc && mount --rbind /dev dev && pivot_root . mnt && cd / && umount -l /mnt || exit 70
eval "$mounts" || exit 71
exec "$@"`;

const account = 'alice';
/** What an account finds when it logs in. */
const home = `/home/${account}`;
const asAccount = ['setpriv', `--reuid=${account}`, `--regid=${account}`, '--init-groups', '--reset-env'];

/** A clean Debian in a folder, with an ordinary account; it needs root, and the network of this machine. */
export class DebianSystem {
  readonly root: string;
  #session: ChildProcess | undefined;
  #knowsPackages = false;

  private constructor(root: string) {
    this.root = root;
  }

  static async make(): Promise<DebianSystem> {
    const root = mkdtempSync(join(tmpdir(), 'rotavox-debian-'));
    const system = new DebianSystem(root);
    await makeRoot(root, []);
    copyFileSync('/etc/resolv.conf', join(root, 'etc', 'resolv.conf'));
    // What is installed here is soon removed: nothing of it has to reach the disk at once.
    writeFileSync(join(root, 'etc', 'dpkg', 'dpkg.cfg.d', 'without-sync'), 'force-unsafe-io\n');
    writeFileSync(join(root, 'etc', 'apt', 'apt.conf.d', '90-in-english'), 'Acquire::Languages "none";\n');
    system.asRoot(`useradd --create-home --shell /bin/sh ${account}`);
    return system;
  }

  /** Runs a line of `sh` as root; it has to succeed. `mounts` is run before and seen by this line alone. */
  asRoot(line: string, mounts?: string): string {
    return done(this.rootTerminal(mounts), line);
  }

  rootTerminal(mounts?: string): Machine {
    return { ...this.#machine([], { mounts }), home: { here: join(this.root, 'root'), there: '/root' } };
  }

  /** Installs packages as a person does, with what they need. */
  install(packages: readonly string[]): string {
    if (!this.#knowsPackages) this.asRoot('apt-get update');
    this.#knowsPackages = true;
    const options = '-y --no-install-recommends';
    return this.asRoot(`DEBIAN_FRONTEND=noninteractive apt-get install ${options} ${packages.join(' ')}`);
  }

  /** The account in a terminal of its desktop, or of a machine without one. */
  get terminal(): Machine {
    return this.terminalWith('');
  }

  /** The same where root has mounted something that only this terminal sees. */
  terminalWith(mounts: string): Machine {
    return this.#machine(asAccount, { mounts, prefix: this.#session === undefined ? '' : '. ~/.desktop; ' });
  }

  /** Begins a session with a screen, a keychain and a panel that shows tray icons. */
  async beginSession(): Promise<void> {
    const inside = `
      printf test | gnome-keyring-daemon --unlock --components=secrets >/dev/null
      xfce4-panel --disable-wm-check >/dev/null 2>&1 &
      until gdbus call --session --dest org.kde.StatusNotifierWatcher --object-path /StatusNotifierWatcher --method \\
        org.freedesktop.DBus.Properties.Get org.kde.StatusNotifierWatcher IsStatusNotifierHostRegistered | grep -q true
      do sleep 0.1; done
      export -p >~/.desktop.new
      mv ~/.desktop.new ~/.desktop
      exec sleep infinity`;
    const [program, ...args] = this.#command([...asAccount, 'sh', '-c']);
    const line = `cd; exec xvfb-run -a -s '-screen 0 1280x900x24' dbus-run-session -- sh -c '${inside}'`;
    this.#session = spawn(program, [...args, line], { stdio: 'ignore' });
    while (!existsSync(join(this.root, home, '.desktop'))) {
      if (this.#session.exitCode !== null) throw new Error('The desktop session ended.');
      await wait(100);
    }
  }

  /** What `RunningApp` starts: a program of the account's session, with the arguments that follow. */
  startInSession(program: string): readonly [string, ...string[]] {
    return this.#command([...asAccount, 'sh', '-c', `. ~/.desktop; cd; exec "$0" "$@"`, program]);
  }

  /** The processes in it, each with its command line. */
  processes(): string[] {
    const all = readdirSync('/proc').flatMap((pid) => (/^\d+$/.test(pid) ? lookAt(pid) : []));
    const { ino, dev } = statSync(this.root);
    // Chromium's sandbox gives a process an empty root, in the namespace of its parent.
    const namespaces = new Set(
      all.filter(({ root }) => root.ino === ino && root.dev === dev).map(({ namespace }) => namespace),
    );
    return all.filter(({ namespace }) => namespaces.has(namespace)).map(({ pid, line }) => `${pid} ${line}`);
  }

  async remove(): Promise<void> {
    for (let processes = this.processes(); processes.length > 0; processes = this.processes()) {
      for (const line of processes) {
        try {
          process.kill(Number.parseInt(line, 10), 'SIGKILL');
        } catch {
          // it ended
        }
      }
      await wait(50);
    }
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }

  #machine(
    as: readonly string[],
    { mounts, prefix = '' }: { mounts?: string | undefined; prefix?: string },
  ): Machine {
    return {
      shell: this.#command([...as, 'sh', '-c', `cd; ${prefix}eval "$0"`], mounts),
      env: { PATH: process.env['PATH'], HOME: '/root', LANG: 'C.UTF-8' },
      home: { here: join(this.root, home), there: home },
    };
  }

  #command(command: readonly string[], mounts = ''): readonly [string, ...string[]] {
    return ['unshare', '--mount', 'sh', '-c', enter, 'sh', this.root, mounts, ...command];
  }
}

/** Nothing for a process that ended meanwhile, or that is dead and has no command line. */
function lookAt(pid: string) {
  try {
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    if (line === '') return [];
    const root = statSync(`/proc/${pid}/root/`);
    return [{ pid, line, root, namespace: readlinkSync(`/proc/${pid}/ns/mnt`) }];
  } catch {
    return [];
  }
}
