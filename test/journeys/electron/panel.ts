import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);

const watcher = 'org.kde.StatusNotifierWatcher';

/** An item of a menu as the panel reads it over the message bus. */
export interface MenuItem {
  readonly id: number;
  readonly label: string;
  readonly isEnabled: boolean;
}

/** A real panel with a status tray, and the icon in it: seen and clicked over the bus, as the panel itself does it. */
export class Panel {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Starts the panel and waits until it shows icons. */
  static async start(): Promise<Panel> {
    if (await isHostRegistered()) throw new Error('Another panel already shows icons on this desktop.');
    const child = spawn('xfce4-panel', ['--disable-wm-check'], { stdio: 'ignore', detached: true });
    const panel = new Panel(child);
    while (!(await isHostRegistered())) {
      if (hasEnded(child)) throw new Error(`xfce4-panel ended with ${child.exitCode ?? child.signalCode}`);
      await wait(100);
    }
    return panel;
  }

  /** Ends it and the processes of its plugins, and waits until nobody on the bus shows icons. */
  async close(): Promise<void> {
    if (!hasEnded(this.#child)) {
      // Asked to end (SIGTERM) it was seen to hang for minutes, and then it served the next test, too. It keeps nothing.
      process.kill(-this.#child.pid!, 'SIGKILL');
      await once(this.#child, 'exit');
    }
    while (await isHostRegistered()) await wait(100);
  }

  /** The addresses on the bus of the icons that it shows. */
  async items(): Promise<string[]> {
    const words = await readProperty(
      watcher,
      '/StatusNotifierWatcher',
      watcher,
      'RegisteredStatusNotifierItems',
    );
    return [...words.matchAll(/'(:[\d.]+)\/StatusNotifierItem'/g)].map(([, address]) => address!);
  }

  /** The command lines of the programs whose icons it shows. */
  async owners(): Promise<string[]> {
    const ofItem = async (item: string): Promise<string> => {
      const { stdout } = await call(
        'org.freedesktop.DBus',
        '/org/freedesktop/DBus',
        'org.freedesktop.DBus.GetConnectionUnixProcessID',
        [item],
      ).catch(() => ({ stdout: '' })); // it has just left the bus
      const pid = /uint32 (\d+)/.exec(stdout)?.[1];
      if (pid === undefined) return item;
      return `${pid}: ${await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => 'ended')}`.replaceAll(
        '\0',
        ' ',
      );
    };
    return await Promise.all((await this.items()).map(ofItem));
  }

  /** The title or tooltip of the only icon. */
  async tooltip(): Promise<string> {
    const words = await readProperty(
      await this.#item(),
      '/StatusNotifierItem',
      'org.kde.StatusNotifierItem',
      'ToolTip',
    );
    return words;
  }

  /** All items of its menu, with those of its submenus, in their order. */
  async menu(): Promise<MenuItem[]> {
    const { stdout } = await call(
      await this.#item(),
      '/com/canonical/dbusmenu',
      'com.canonical.dbusmenu.GetLayout',
      ['0', '-1', '@as []'],
    );
    return [...stdout.matchAll(/\((\d+), \{(.*?)\}, (?:\[|@av)/g)].flatMap(([, id, properties]) => {
      const label = /'label': <(['"])(.*?)\1>/.exec(properties!)?.[2];
      return label === undefined
        ? []
        : [{ id: Number(id), label, isEnabled: !properties!.includes("'enabled': <false>") }];
    });
  }

  /** The labels of its menu; none while there is no icon yet. */
  async labels(): Promise<string[]> {
    if ((await this.items()).length === 0) return [];
    return (await this.menu()).map(({ label }) => label);
  }

  /** Clicks the first item with this label below another one, or anywhere. */
  async click(label: string, below?: RegExp): Promise<void> {
    for (let triesLeft = 5; ; triesLeft -= 1) {
      try {
        return await this.#clickOnce(label, below);
      } catch (error) {
        // The menu was replaced between our look and our click; a panel that shows it is told, and looks again.
        if (triesLeft === 0 || !String(error).includes('error occurred in Event')) throw error;
      }
    }
  }

  async #clickOnce(label: string, below: RegExp | undefined): Promise<void> {
    const menu = await this.menu();
    const from = below === undefined ? 0 : menu.findIndex((item) => below.test(item.label));
    const found = from < 0 ? undefined : menu.slice(from).find((item) => item.label === label);
    if (found === undefined)
      throw new Error(`The menu has no “${label}”; it has: ${menu.map((item) => item.label).join(' | ')}`);
    await call(await this.#item(), '/com/canonical/dbusmenu', 'com.canonical.dbusmenu.Event', [
      String(found.id),
      'clicked',
      '<int32 0>',
      '0',
    ]);
  }

  async #item(): Promise<string> {
    const [item] = await this.items();
    if (item === undefined) throw new Error('The panel shows no icon.');
    return item;
  }
}

export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function isHostRegistered(): Promise<boolean> {
  try {
    const words = await readProperty(
      watcher,
      '/StatusNotifierWatcher',
      watcher,
      'IsStatusNotifierHostRegistered',
    );
    return words.includes('true');
  } catch {
    return false; // not on the bus yet
  }
}

async function readProperty(address: string, path: string, face: string, name: string): Promise<string> {
  const { stdout } = await call(address, path, 'org.freedesktop.DBus.Properties.Get', [face, name]);
  return stdout;
}

function call(address: string, path: string, method: string, given: readonly string[]) {
  const where = ['--session', '--dest', address, '--object-path', path, '--method', method];
  return execute('gdbus', ['call', ...where, '--', ...given]);
}
