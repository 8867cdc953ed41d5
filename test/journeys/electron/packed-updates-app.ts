import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, link, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { electronFlags } from '../../../src/launcher/electron-runtime.ts';
import type { UpdateState } from '../../../src/contract/update.ts';
import type { Order, Report } from './updates-app.ts';

/** The version that the program says it is. */
export const runningVersion = '0.1.0';

/** Where everything of one test lies. `appImage` is the file that an update replaces. */
export interface Packed {
  readonly folder: string;
  readonly executablePath: string;
  readonly appImage: string;
}

/**
 * Makes a folder that Electron takes for a package: a program of its own name with its own resources.
 *
 * Like a mounted AppImage, but for the mount: the AppImage is a file beside it, and the environment names both.
 */
export async function packUpdatesApp(folder: string, distDir: string): Promise<Packed> {
  const mount = join(folder, 'mount');
  const resources = join(mount, 'resources');
  const executablePath = join(mount, 'rotavox');
  await mkdir(join(resources, 'app'), { recursive: true });
  for (const name of await readdir(distDir)) {
    if (name !== 'electron' && name !== 'resources') await symlink(join(distDir, name), join(mount, name));
  }
  // Not a symlink: Electron asks the system for its own name.
  const electron = join(distDir, 'electron');
  await link(electron, executablePath).catch(() => copyFile(electron, executablePath));

  await writeFile(join(resources, 'app-update.yml'), 'updaterCacheDirName: rotavox-updater\n');
  await writeFile(
    join(resources, 'app', 'package.json'),
    JSON.stringify({ name: 'rotavox', version: runningVersion, type: 'module', main: 'main.js' }),
  );
  const program = pathToFileURL(join(import.meta.dirname, 'updates-app.ts')).href;
  await writeFile(join(resources, 'app', 'main.js'), `import '${program}';\n`);

  const appImage = join(folder, 'Rotavox.AppImage');
  await writeFile(appImage, 'the program that runs', { mode: 0o750 });
  return { folder, executablePath, appImage };
}

/** One run of it. */
export class UpdatesApp {
  readonly reports: Report[] = [];
  readonly #child: ChildProcess;
  #words = '';
  /** Told of every report, and of the end. */
  #listener = (): void => undefined;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (report: Report) => {
      this.reports.push(report);
      this.#listener();
    });
    child.on('close', () => {
      this.#listener();
    });
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (this.#words += chunk));
  }

  /** Starts it. A variable that is undefined is left out. */
  static start(packed: Packed, env: NodeJS.ProcessEnv): UpdatesApp {
    const child = spawn(packed.executablePath, electronFlags(), {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: {
        ...process.env,
        ELECTRON_RUN_AS_NODE: undefined,
        APPIMAGE: packed.appImage,
        APPDIR: join(packed.folder, 'mount'),
        PATH: `${join(packed.folder, 'mount', 'usr', 'bin')}:${process.env['PATH'] ?? ''}`,
        XDG_CONFIG_HOME: join(packed.folder, 'config'),
        XDG_CACHE_HOME: join(packed.folder, 'cache'),
        ...env,
      },
    });
    return new UpdatesApp(child);
  }

  /** Resolves when it can be told what to do. */
  async isUp(): Promise<void> {
    await this.#until(() => this.reports[0]);
  }

  get state(): UpdateState | undefined {
    return this.#states.at(-1);
  }

  get #states(): UpdateState[] {
    return this.reports.flatMap((report) => ('state' in report ? [report.state] : []));
  }

  tell(order: Order): void {
    this.#child.send(order);
  }

  /** The first state of this kind that is, or comes. */
  async is<K extends UpdateState['kind']>(kind: K): Promise<Extract<UpdateState, { kind: K }>> {
    await this.#until(() => (this.state?.kind === kind ? true : undefined));
    return this.state as Extract<UpdateState, { kind: K }>;
  }

  /** Tells it to check; resolves with what came of it. */
  async check(): Promise<UpdateState> {
    const before = this.#states.length;
    this.tell({ kind: 'check' });
    return this.#until(() => this.#states.slice(before).find(({ kind }) => kind !== 'checking'));
  }

  /** Resolves with the exit code once the program has ended. */
  async ended(): Promise<number | null> {
    if (this.#child.exitCode === null) await once(this.#child, 'close');
    return this.#child.exitCode;
  }

  async quit(): Promise<number | null> {
    this.tell({ kind: 'quit' });
    return this.ended();
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  async #until<T>(look: () => T | undefined): Promise<T> {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      if (this.#child.exitCode !== null) throw new Error(`the program ended early:\n${this.#words}`);
      await new Promise<void>((resolve) => (this.#listener = resolve));
    }
  }
}
