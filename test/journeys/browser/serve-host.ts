import { test as base } from '@playwright/test';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ReadyLine } from '../../../src/contract/portal.ts';
import { builtFile, ensureBuilt } from '../../../src/launcher/ensure-built.ts';
import { environmentOf, type SeededMonth } from '../../fixtures/month/seeded-month.ts';
import { Owner } from '../owner.ts';
import { CredentialPage } from '../pages/credential-page.ts';
import { CredentialsPage } from '../pages/credentials-page.ts';
import { DirectoryPage } from '../pages/directory-page.ts';
import { HistoryPage } from '../pages/history-page.ts';
import { FamilyPage } from '../pages/family-page.ts';
import { IssueDialog } from '../pages/issue-dialog.ts';
import { MenusPage } from '../pages/menus-page.ts';
import { RecordingsPage } from '../pages/recordings-page.ts';
import { SettingsPage } from '../pages/settings-page.ts';
import { StatusPage } from '../pages/status-page.ts';
import { TokensPage } from '../pages/tokens-page.ts';
import type { WindowPage } from '../pages/window-page.ts';
import { MonthMaker } from './month-maker.ts';

/** `rotavox serve` on a data folder of its own, which a test may stop and start again. */
export class Server {
  readonly dataDir: string;
  readonly #env: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;

  constructor(dataDir: string, env: NodeJS.ProcessEnv) {
    this.dataDir = dataDir;
    this.#env = env;
  }

  /** Starts it, on any free port unless told otherwise, and answers what it says when it is ready. */
  async start(port = 0): Promise<ReadyLine> {
    const child = spawn(
      process.execPath,
      [builtFile('cli/index.js'), 'serve', '--port', String(port), '--data-dir', this.dataDir, '--json'],
      { stdio: ['ignore', 'pipe', 'inherit'], env: this.#env },
    );
    this.#child = child;
    for await (const line of createInterface({ input: child.stdout }))
      return ReadyLine.parse(JSON.parse(line));
    throw new Error('rotavox serve ended before it was ready; its reason is above.');
  }

  /** Ends it as a service manager would, and answers its exit code. */
  async stop(): Promise<number | null> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return null;
    if (child.exitCode !== null) return child.exitCode;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const [code] = (await ended) as [number | null];
    return code;
  }
}

interface Options {
  /** What the service's environment has more, or other, than ours. */
  serverEnv: Readonly<Record<string, string>>;
  /** Whether a month of real data is served (`test.use({ seeded: true })`) instead of an empty folder. */
  seeded: boolean;
}

interface WorkerFixtures {
  months: MonthMaker;
}

interface Fixtures {
  seed: SeededMonth | null;
  /** What is in the month that is served. */
  month: SeededMonth;
  server: Server;
  owner: Owner;
  status: StatusPage;
  tokens: TokensPage;
  family: FamilyPage;
  dialog: IssueDialog;
  settings: SettingsPage;
  menus: MenusPage;
  recordings: RecordingsPage;
  directory: DirectoryPage;
  credentials: CredentialsPage;
  credential: CredentialPage;
  history: HistoryPage;
}

/** A browser beside a headless service; the windows are all of one page, which is not signed in yet. */
export const test = base.extend<Options & Fixtures, WorkerFixtures>({
  serverEnv: [{}, { option: true }],
  seeded: [false, { option: true }],
  months: [
    // Playwright reads from the pattern which fixtures are needed: none.
    async ({}, use) => {
      const months = new MonthMaker();
      await use(months);
      months.clear();
    },
    { scope: 'worker' },
  ],
  seed: async ({ months, seeded }, use) => {
    await use(seeded ? await months.copy() : null);
  },
  month: async ({ seed }, use) => {
    if (seed === null) throw new Error('Nothing is seeded here: test.use({ seeded: true }).');
    await use(seed);
  },
  server: async ({ serverEnv, seed }, use) => {
    await ensureBuilt({ tell: console.error });
    const dataDir = seed?.dataDir ?? mkdtempSync(join(tmpdir(), 'rotavox-serve-'));
    const vault = seed === null ? {} : environmentOf(seed);
    const server = new Server(dataDir, { ...process.env, ...vault, ...serverEnv });
    await server.start();
    await use(server);
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  },
  owner: async ({ server }, use) => {
    await use(new Owner(server.dataDir));
  },
  status: async ({ page }, use) => {
    await useWindow(new StatusPage(page), use);
  },
  tokens: async ({ page }, use) => {
    await useWindow(new TokensPage(page), use);
  },
  family: async ({ page }, use) => {
    await useWindow(new FamilyPage(page), use);
  },
  settings: async ({ page }, use) => {
    await useWindow(new SettingsPage(page), use);
  },
  menus: async ({ page }, use) => {
    await useWindow(new MenusPage(page), use);
  },
  recordings: async ({ page }, use) => {
    await useWindow(new RecordingsPage(page), use);
  },
  directory: async ({ page }, use) => {
    await useWindow(new DirectoryPage(page), use);
  },
  credentials: async ({ page }, use) => {
    await useWindow(new CredentialsPage(page), use);
  },
  credential: async ({ page }, use) => {
    await useWindow(new CredentialPage(page), use);
  },
  history: async ({ page }, use) => {
    await useWindow(new HistoryPage(page), use);
  },
  dialog: async ({ status }, use) => {
    await use(new IssueDialog(status.page));
  },
});

async function useWindow<W extends WindowPage>(window: W, use: (window: W) => Promise<void>): Promise<void> {
  await use(window);
  window.expectNoViolations();
}
