import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkoutDir, launcherCacheDir } from '../../src/launcher/checkout.ts';
import { DebianSystem } from './debian-system.ts';
import type { Machine } from './installed-program.ts';

const execute = promisify(execFile);

/** What a checkout is tried with. */
export interface Bareness {
  readonly node: string;
  readonly npm: string;
  readonly account: 'root' | 'an ordinary account';
  readonly source: 'a clone' | 'an archive without .git';
}

/** What a line of `sh` printed, on stdout and stderr in the order in which it came. */
export interface Printed {
  readonly code: number | null;
  readonly text: string;
}

/** A Debian without anything but a Node with its npm, and a checkout of this version in the home of an account. */
export class BareMachine {
  readonly #system: DebianSystem;
  readonly #terminal: Machine;

  private constructor(system: DebianSystem, terminal: Machine) {
    this.#system = system;
    this.#terminal = terminal;
  }

  static async make({ node, npm, account, source }: Bareness): Promise<BareMachine> {
    const system = await DebianSystem.make();
    try {
      await installNode(system.root, { node, npm });
      const terminal = account === 'root' ? system.rootTerminal() : system.terminal;
      await placeCheckout(join(terminal.home.here, 'rotavox'), source);
      const { certificates } = settingsOfNetwork;
      if (certificates !== undefined) copyFileSync(certificates, join(system.root, certificatesInside));
      if (account !== 'root') system.asRoot(`chown -R alice:alice ${terminal.home.there}`);
      return new BareMachine(system, terminal);
    } catch (error) {
      await system.remove();
      throw error;
    }
  }

  /** Runs a line of `sh` in the checkout to its end. */
  async run(line: string): Promise<Printed> {
    const started = this.start(line);
    return { code: await started.ended, text: started.said() };
  }

  /** Begins a line of `sh` in the checkout. */
  start(line: string) {
    const [program, ...args] = this.#terminal.shell;
    const child = spawn(program, [...args, `${environment}\ncd rotavox && ${line}`], {
      env: this.#terminal.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    const closed = once(child, 'close').then(() => child.exitCode);
    const listeners = new Set<() => void>();
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes: Buffer) => {
        text += bytes.toString();
        for (const listener of listeners) listener();
      });
    return {
      said: () => text,
      ended: closed,
      /** What it prints that matches; throws when it ends before. */
      async until(pattern: RegExp): Promise<string> {
        const found = new Promise<string>((resolve) => {
          const look = (): void => {
            const [match] = pattern.exec(text) ?? [];
            if (match !== undefined) resolve(match);
          };
          listeners.add(look);
          look();
        });
        const early = closed.then((code) => {
          throw new Error(`${line} ended with ${String(code)}:\n${text}`);
        });
        return Promise.race([found, early]);
      },
    };
  }

  /** Installs packages of Debian, as the README says. */
  install(packages: readonly string[]): void {
    this.#system.install(packages);
  }

  /** Ends everything in it. */
  remove(): Promise<void> {
    return this.#system.remove();
  }
}

/** What a machine needs to reach the registry in a network with certificates or a registry of its own. */
const settingsOfNetwork = {
  certificates: process.env['NODE_EXTRA_CA_CERTS'],
  registry: process.env['npm_config_registry'],
};
const certificatesInside = '/etc/certificates-of-the-network.pem';
const environment = [
  'export TERM=dumb',
  settingsOfNetwork.certificates !== undefined &&
    `export NODE_EXTRA_CA_CERTS=${certificatesInside} npm_config_cafile=${certificatesInside}`,
  settingsOfNetwork.registry !== undefined && `export npm_config_registry=${settingsOfNetwork.registry}`,
]
  .filter((line) => line !== false)
  .join('\n');

/** From the registry, once: Node's own downloads may be out of reach. */
async function installNode(root: string, { node, npm }: Pick<Bareness, 'node' | 'npm'>): Promise<void> {
  const local = join(root, 'usr', 'local');
  const modules = join(local, 'lib', 'node_modules', 'npm');
  mkdirSync(modules, { recursive: true });
  const bin = join(local, 'bin');
  const program = await keptPackage(`node-linux-${process.arch}`, node);
  await execute('tar', ['-xzf', program, '-C', bin, '--strip-components=2', 'package/bin/node']);
  await execute('tar', ['-xzf', await keptPackage('npm', npm), '-C', modules, '--strip-components=1']);
  await execute('chmod', ['755', join(bin, 'node'), join(modules, 'bin', 'npm-cli.js')]);
  await execute('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', join(bin, 'npm')]);
}

/** The tarball of a package, in the launcher's cache folder. */
async function keptPackage(name: string, version: string): Promise<string> {
  const folder = join(launcherCacheDir(), 'packages');
  const kept = join(folder, `${name}-${version}.tgz`);
  if (existsSync(kept)) return kept;
  mkdirSync(folder, { recursive: true });
  const work = await mkdtemp(join(folder, 'download-'));
  try {
    await execute('npm', ['pack', '--silent', '--pack-destination', work, `${name}@${version}`]);
    const [file = ''] = await readdir(work);
    await rename(join(work, file), kept);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return kept;
}

/** What is committed: what somebody else gets. */
async function placeCheckout(folder: string, source: Bareness['source']): Promise<void> {
  const options = ['-c', `safe.directory=${checkoutDir}`];
  if (source === 'a clone') {
    await execute('git', [...options, 'clone', '--quiet', '--depth=1', `file://${checkoutDir}`, folder]);
    return;
  }
  mkdirSync(folder, { recursive: true });
  const archive = `${folder}.tar`;
  await execute('git', [...options, 'archive', `--output=${archive}`, 'HEAD'], { cwd: checkoutDir });
  await execute('tar', ['-xf', archive, '-C', folder]);
  await rm(archive);
}
