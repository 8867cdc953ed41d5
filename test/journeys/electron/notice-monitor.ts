import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

const notifications = 'org.freedesktop.Notifications';

/** A notice as the desktop was asked to show it. */
export interface SeenNotice {
  readonly title: string;
  readonly body: string;
}

/**
 * Sees what goes to the desktop's notification daemon, a real one that the message bus starts when it is first called, and
 * clicks as a person would.
 */
export class NoticeMonitor {
  readonly #listener: ChildProcess;
  #heard = '';

  private constructor() {
    this.#listener = spawn('dbus-monitor', ['--session', `interface='${notifications}'`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#listener.stdout!.setEncoding('utf8').on('data', (chunk: string) => (this.#heard += chunk));
  }

  /** With none on the screen. */
  static async begin(): Promise<NoticeMonitor> {
    execFileSync('dunstctl', ['close-all']);
    const monitor = new NoticeMonitor();
    await once(monitor.#listener.stdout!, 'data'); // its first line says that it listens
    return monitor;
  }

  /** Every notice so far. */
  get seen(): SeenNotice[] {
    // Arguments of Notify: app, what it replaces, icon, title, body, …; one a line.
    const call =
      /member=Notify\n\s+string ".*"\n\s+uint32 \d+\n\s+string ".*"\n\s+string "(.*)"\n\s+string "(.*)"\n/g;
    return [...this.#heard.matchAll(call)].map(([, title = '', body = '']) => ({ title, body }));
  }

  get titles(): string[] {
    return this.seen.map(({ title }) => title);
  }

  /** How many were taken away again by who showed them. */
  get withdrawn(): number {
    return this.#heard.match(/member=CloseNotification/g)?.length ?? 0;
  }

  /** Clicks the newest notice on the screen. */
  click(): void {
    execFileSync('dunstctl', ['action', '0']);
  }

  async end(): Promise<void> {
    const exited = once(this.#listener, 'exit');
    this.#listener.kill();
    await exited;
  }
}
