import { once } from 'node:events';
import { type GroupUsage, usageOfGroup } from './group-usage.ts';
import { endGroup, type GroupLeader, hasEnded, spawnGroup } from './spawn-group.ts';
import { within } from './within.ts';

/** How to start an app on the desktop that we measure on. */
export interface Launch {
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
  readonly env: NodeJS.ProcessEnv;
}

/** An Electron app that runs, seen from outside. */
export class DesktopApp {
  readonly launchedAtMs = Date.now();
  readonly #name: string;
  readonly #leader: GroupLeader;
  #words = '';

  constructor({ name, argv, env }: Launch, ...moreArgs: readonly string[]) {
    this.#name = name;
    this.#leader = spawnGroup([...argv, ...moreArgs], env);
    for (const stream of [this.#leader.stdout, this.#leader.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (this.#words += chunk));
  }

  usage(): GroupUsage {
    return usageOfGroup(this.#leader.pid);
  }

  /** Where Chromium answers to developer tools, of an app that was started with `--remote-debugging-port=0`. */
  async debuggingAddress(): Promise<string> {
    const search = async (): Promise<string> => {
      for (;;) {
        const address = /^DevTools listening on (\S+)$/m.exec(this.#words)?.[1];
        if (address !== undefined) return address;
        await once(this.#leader.stderr, 'data');
      }
    };
    return await within(30_000, `the debugging address of ${this.#name}`, this.whileUp(search()));
  }

  /** The promise, unless the app ends before: then an Error with what it printed. */
  async whileUp<T>(promise: Promise<T>): Promise<T> {
    const gone = once(this.#leader, 'exit').then((): never => {
      throw new Error(`${this.#name} ended too early: ${this.#words.slice(-4000)}`);
    });
    gone.catch(() => undefined); // its ordinary end, when nobody waits for it any more
    return await Promise.race([promise, gone]);
  }

  /** Waits for an app that ends by itself. */
  async ended(): Promise<void> {
    if (!hasEnded(this.#leader)) await once(this.#leader, 'exit');
  }

  async end(): Promise<void> {
    await endGroup(this.#leader);
  }
}
