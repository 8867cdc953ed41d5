import { setTimeout as wait } from 'node:timers/promises';
import { DesktopApp, type Launch, within } from './desktop-app.ts';
import type { WindowLaunch } from './launches.ts';

const debugging = '--remote-debugging-port=0';

/** Launches an app and ends it. Returns the time from the launch to its window, in milliseconds. */
export async function openAtLaunch(launch: WindowLaunch): Promise<number> {
  const app = new DesktopApp(launch, debugging);
  try {
    const watch = await PageWatch.connect(await app.debuggingAddress());
    const readyAtMs = await app.whileUp(watch.readyAtMs(launch.isReady));
    watch.close();
    return readyAtMs - app.launchedAtMs;
  } finally {
    await app.end();
  }
}

/** Launches a running app once more. Returns the time from then to its window, in milliseconds. */
export async function openAgain(launch: WindowLaunch, app: DesktopApp): Promise<number> {
  const watch = await PageWatch.connect(await app.debuggingAddress());
  const again = new DesktopApp(launch);
  const readyAtMs = await app.whileUp(watch.readyAtMs(launch.isReady));
  await again.ended();
  watch.close();
  return readyAtMs - again.launchedAtMs;
}

/** Like a person who closes it. */
export async function closeWindow(app: DesktopApp): Promise<void> {
  const watch = await PageWatch.connect(await app.debuggingAddress());
  await watch.run('window.close()');
  watch.close();
}

/** Runs something with an app that has been running without a window for a while, and ends it. */
export async function whileHidden<T>(
  launch: Launch,
  settledMs: number,
  act: (app: DesktopApp) => Promise<T>,
): Promise<T> {
  const app = new DesktopApp(launch, '--hidden', debugging);
  try {
    await app.debuggingAddress();
    await wait(settledMs);
    return await act(app);
  } finally {
    await app.end();
  }
}

interface Reply {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly targetInfo?: { readonly type: string; readonly targetId: string } };
  readonly result?: {
    readonly sessionId?: string;
    readonly result?: { readonly value?: unknown };
    readonly exceptionDetails?: { readonly text: string };
  };
}

/**
 * Observes an app's windows through Chromium's debugging port: every app in the same way.
 *
 * Not with Playwright, which enables so much in every page that a start takes visibly longer.
 */
class PageWatch {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  readonly #page: Promise<string>;
  #attached: Promise<string | undefined> | null = null;
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    this.#page = new Promise((resolve) => {
      socket.addEventListener('message', ({ data }) => {
        const reply = JSON.parse(String(data)) as Reply;
        const target = reply.params?.targetInfo;
        if (target?.type === 'page') resolve(target.targetId);
        if (reply.id !== undefined) this.#waiting.get(reply.id)?.(reply);
      });
    });
  }

  static async connect(debuggingAddress: string): Promise<PageWatch> {
    const socket = new WebSocket(debuggingAddress);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', () => {
        reject(new Error(`${debuggingAddress} does not answer`));
      });
    });
    const watch = new PageWatch(socket);
    await watch.#ask('Target.setDiscoverTargets', { discover: true });
    return watch;
  }

  /**
   * When the first window was painted with its page loaded and `isReady` (an expression) true, in milliseconds since 1970.
   *
   * The page itself reads the clock, so the result does not include the call.
   */
  async readyAtMs(isReady: string): Promise<number> {
    return await within(60_000, 'a window that is ready', this.#look(isReady));
  }

  close(): void {
    this.#socket.close();
  }

  /** Runs a statement in the first window's page. */
  async run(statement: string): Promise<void> {
    await this.#evaluate(statement);
  }

  async #look(isReady: string): Promise<number> {
    for (;;) {
      const value = await this.#evaluate(paintedWhen(isReady));
      if (typeof value === 'number') return value;
      // The window left its first, blank page meanwhile: ask the next one.
    }
  }

  async #evaluate(expression: string): Promise<unknown> {
    const sessionId = await this.#session();
    const { result } = await this.#ask('Runtime.evaluate', { expression, awaitPromise: true }, sessionId);
    if (result?.exceptionDetails) throw new Error(`${expression}: ${result.exceptionDetails.text}`);
    return result?.result?.value;
  }

  #session(): Promise<string | undefined> {
    this.#attached ??= this.#page.then(async (targetId) => {
      const { result } = await this.#ask('Target.attachToTarget', { targetId, flatten: true });
      return result?.sessionId;
    });
    return this.#attached;
  }

  #ask(method: string, params: object, sessionId?: string): Promise<Reply> {
    const id = (this.#lastId += 1);
    this.#socket.send(JSON.stringify({ id, method, params, sessionId }));
    return new Promise((resolve) => {
      this.#waiting.set(id, (reply) => {
        this.#waiting.delete(id);
        resolve(reply);
      });
    });
  }
}

/** Runs in the page: resolves when the frame after the one with everything was passed to the screen. */
function paintedWhen(isReady: string): string {
  return `new Promise((resolve) => {
    const isThere = () =>
      location.href !== 'about:blank' && document.readyState === 'complete' &&
      document.visibilityState === 'visible' && (${isReady});
    const look = () => requestAnimationFrame(() => {
      if (isThere()) requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()));
      else look();
    });
    look();
  })`;
}
