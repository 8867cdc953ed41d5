import { EventEmitter, once } from 'node:events';
import { createInterface } from 'node:readline';
import { endGroup, spawnGroup, within } from './desktop-app.ts';

/** Far longer than a slow start, in milliseconds. */
const patienceMs = 60_000;

/**
 * Observes on the session's message bus what an app does in the tray: every app in the same way.
 *
 * `dbus-monitor` stamps each message itself, so the load of this process does not matter. One app at a time.
 */
export class TrayWatch {
  readonly #monitor: ReturnType<typeof spawnGroup>;
  readonly #news = new EventEmitter();
  #messages: BusMessage[] = [];

  private constructor(env: NodeJS.ProcessEnv) {
    const registrations = "interface='org.kde.StatusNotifierWatcher',member='RegisterStatusNotifierItem'";
    const answers = "type='method_return'"; // the tooltip is in an answer of the app to the panel
    this.#monitor = spawnGroup(['dbus-monitor', '--session', registrations, answers], env);
    const read = readBusMessages((message) => {
      this.#messages.push(message);
      this.#news.emit('message');
    });
    createInterface({ input: this.#monitor.stdout }).on('line', read);
  }

  static async start(env: NodeJS.ProcessEnv): Promise<TrayWatch> {
    const watch = new TrayWatch(env);
    // The bus greets every program, and the monitor prints that.
    await within(patienceMs, 'dbus-monitor', once(watch.#monitor.stdout, 'data'));
    return watch;
  }

  /** Forgets the previous app. */
  expectNextApp(): void {
    this.#messages = [];
  }

  /** When the app registered its icon in the tray, in milliseconds since 1970. */
  async iconAtMs(): Promise<number> {
    return (await this.#registration()).atMs;
  }

  /** When the panel had read such a tooltip from the app, in milliseconds since 1970. */
  async tooltipAtMs(like: RegExp): Promise<number> {
    const { sender } = await this.#registration();
    const { atMs } = await this.#find(
      `a tooltip like ${String(like)}`,
      (one) => one.kind === 'tooltip' && one.sender === sender && like.test(one.words),
    );
    return atMs;
  }

  async close(): Promise<void> {
    await endGroup(this.#monitor);
  }

  #registration(): Promise<BusMessage> {
    return this.#find('an icon in the tray', ({ kind }) => kind === 'registration');
  }

  async #find(what: string, isIt: (message: BusMessage) => boolean): Promise<BusMessage> {
    const search = async (): Promise<BusMessage> => {
      for (;;) {
        const found = this.#messages.find(isIt);
        if (found !== undefined) return found;
        await once(this.#news, 'message');
      }
    };
    return await within(patienceMs, what, search());
  }
}

/** The relevant messages on the message bus of a desktop session. Instants are milliseconds since 1970. */
type BusMessage =
  | { readonly kind: 'registration'; readonly sender: string; readonly atMs: number }
  | { readonly kind: 'tooltip'; readonly sender: string; readonly atMs: number; readonly words: string };

/** Reads the output of dbus-monitor line by line: for each message a line that describes it, then its body, indented. */
function readBusMessages(tell: (message: BusMessage) => void): (line: string) => void {
  let sender = '';
  let atMs = 0;
  let isInTooltip = false;
  return (line) => {
    const head = /^\S.* time=(\d+\.\d+) sender=(\S+) /.exec(line);
    if (head !== null) {
      atMs = Number(head[1]) * 1000;
      sender = head[2] ?? '';
      isInTooltip = false;
      if (line.endsWith('member=RegisterStatusNotifierItem')) tell({ kind: 'registration', sender, atMs });
      return;
    }
    const words = /^\s+string "(.*)"$/.exec(line)?.[1];
    if (words === 'ToolTip') isInTooltip = true;
    else if (isInTooltip && words) {
      isInTooltip = false; // the first string in it that is not empty is its title
      tell({ kind: 'tooltip', sender, atMs, words });
    }
  };
}
