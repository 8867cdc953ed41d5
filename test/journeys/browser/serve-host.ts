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
import { Owner } from '../owner.ts';
import { IssueDialog } from '../pages/issue-dialog.ts';
import { MenusPage } from '../pages/menus-page.ts';
import { SettingsPage } from '../pages/settings-page.ts';
import { StatusPage } from '../pages/status-page.ts';
import type { WindowPage } from '../pages/window-page.ts';

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
}

interface Fixtures {
  server: Server;
  owner: Owner;
  status: StatusPage;
  dialog: IssueDialog;
  settings: SettingsPage;
  menus: MenusPage;
}

/** A browser beside a headless service; the windows are all of one page, which is not signed in yet. */
export const test = base.extend<Options & Fixtures>({
  serverEnv: [{}, { option: true }],
  server: async ({ serverEnv }, use) => {
    await ensureBuilt({ tell: console.error });
    const dataDir = mkdtempSync(join(tmpdir(), 'rotavox-serve-'));
    const server = new Server(dataDir, { ...process.env, ...serverEnv });
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
  settings: async ({ page }, use) => {
    await useWindow(new SettingsPage(page), use);
  },
  menus: async ({ page }, use) => {
    await useWindow(new MenusPage(page), use);
  },
  dialog: async ({ status }, use) => {
    await use(new IssueDialog(status.page));
  },
});

async function useWindow<W extends WindowPage>(window: W, use: (window: W) => Promise<void>): Promise<void> {
  await use(window);
  window.expectNoViolations();
}
