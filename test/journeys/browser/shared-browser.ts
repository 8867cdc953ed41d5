import type { Browser, BrowserContext, BrowserContextOptions, Clock, Page } from '@playwright/test';
import { pageCodeFragment } from '../../../src/contract/address.ts';

/** Where a page keeps its page key (src/renderer/kit/page-key.ts). */
const pageKeyStoredAs = 'rotavox.page-key';

/** What sets the clock of a context. */
const clockCalls = [
  'install',
  'pauseAt',
  'resume',
  'fastForward',
  'runFor',
  'setFixedTime',
  'setSystemTime',
] as const satisfies readonly (keyof Clock)[];

/**
 * The browser contexts of a worker, emptied between its tests.
 *
 * A new context means a new process of Chromium and every script compiled anew: 1.3 s of a processor, and 0.35 s with one that
 * is there already. What keeps that process is a page of the same site that stays open.
 */
export class SharedBrowser {
  readonly #browser: Browser;
  readonly #kept = new Map<string, SharedContext>();

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** The context with these options. */
  async with(options: BrowserContextOptions): Promise<SharedContext> {
    const name = JSON.stringify(options);
    const kept = this.#kept.get(name) ?? (await SharedContext.open(this.#browser, options));
    this.#kept.set(name, kept);
    return kept;
  }

  /** Takes back what a test had. */
  async giveBack(shown: SharedContext): Promise<void> {
    if (!shown.isClockSet) {
      await shown.empty();
      return;
    }
    for (const [name, kept] of this.#kept) if (kept === shown) this.#kept.delete(name);
    await shown.context.close();
  }

  async close(): Promise<void> {
    for (const kept of this.#kept.values()) await kept.context.close();
  }
}

/** The fixture of a worker that has one. */
export const sharedBrowser = [
  async ({ browser }: { browser: Browser }, use: (shared: SharedBrowser) => Promise<void>): Promise<void> => {
    const shared = new SharedBrowser(browser);
    await use(shared);
    await shared.close();
  },
  { scope: 'worker' },
] as const;

export class SharedContext {
  readonly context: BrowserContext;
  /** An empty page of the service's own site. */
  readonly #keeper: Page;
  #isClockSet = false;

  private constructor(context: BrowserContext, keeper: Page) {
    this.context = context;
    this.#keeper = keeper;
    const { clock } = context;
    for (const call of clockCalls) {
      const set = clock[call].bind(clock) as (...given: unknown[]) => Promise<void>;
      clock[call] = (...given: unknown[]) => {
        this.#isClockSet = true;
        return set(...given);
      };
    }
  }

  /**
   * Whether a test has set its clock: every later page of the context has that clock, also one that stands still, and nothing takes it
   * away again.
   */
  get isClockSet(): boolean {
    return this.#isClockSet;
  }

  static async open(browser: Browser, options: BrowserContextOptions): Promise<SharedContext> {
    const context = await browser.newContext(options);
    const keeper = await context.newPage();
    await keeper.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
    return new SharedContext(context, keeper);
  }

  /** Signs it in as the link does, without showing a window. */
  async signIn(link: string): Promise<void> {
    const { origin } = new URL(link);
    const answer = await this.context.request.get(link, {
      maxRedirects: 0,
      headers: { accept: 'text/html' },
    });
    const [, pageCode] = answer.headers()['location']?.split(pageCodeFragment) ?? [];
    if (pageCode === undefined) throw new Error(`The link did not sign in: ${answer.status()}`);
    await this.keepAt(origin);
    await this.#keeper.evaluate(([name, key]) => localStorage.setItem(name, key), [
      pageKeyStoredAs,
      `${pageCode}.${crypto.randomUUID()}`,
    ] as const);
  }

  /** Takes away what a test has left in it. */
  async empty(): Promise<void> {
    for (const page of this.context.pages()) if (page !== this.#keeper) await page.close();
    await this.context.unrouteAll({ behavior: 'ignoreErrors' });
    await this.context.clearCookies();
    await this.context.clearPermissions();
    await this.#keeper.evaluate(async () => {
      if (location.protocol !== 'http:') return;
      localStorage.clear();
      for (const { name = '' } of await indexedDB.databases()) {
        await new Promise((resolve, reject) => {
          const deletion = indexedDB.deleteDatabase(name);
          deletion.addEventListener('success', resolve);
          deletion.addEventListener('error', reject);
        });
      }
    });
  }

  /** Storage and a process belong to an address: the page that writes the one and keeps the other has to be there. */
  async keepAt(origin: string): Promise<void> {
    if (new URL(this.#keeper.url()).origin !== origin) await this.#keeper.goto(origin);
  }
}
