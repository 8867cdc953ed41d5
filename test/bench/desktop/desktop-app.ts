import { once } from 'node:events';
import { type GroupUsage, usageOfGroup } from './group-usage.ts';
import { endGroup, type GroupLeader, hasEnded, spawnGroup } from './spawn-group.ts';
import { within } from './within.ts';

/** How to start an app on the desktop for measurements. */
export interface Launch {
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
  readonly env: NodeJS.ProcessEnv;
}

/** A running Electron app, seen from outside. */
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

  /** The address of Chromium's developer tools, for an app started with `--remote-debugging-port=0`. */
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

  /** The promise, unless the app ends before: then an Error with its output. */
  async whileUp<T>(promise: Promise<T>): Promise<T> {
    const gone = once(this.#leader, 'exit').then((): never => {
      throw new Error(`${this.#name} ended too early: ${this.#words.slice(-4000)}`);
    });
    gone.catch(() => undefined); // its normal end, when it is no longer awaited
    return await Promise.race([promise, gone]);
  }

  /** Waits for an app to end without being asked. */
  async ended(): Promise<void> {
    if (!hasEnded(this.#leader)) await once(this.#leader, 'exit');
  }

  async end(): Promise<void> {
    await endGroup(this.#leader);
  }
}
