import { test as base, _electron } from '@playwright/test';
import type { ElectronApplication } from '@playwright/test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkoutDir } from '../../../src/launcher/checkout.ts';
import { electronFlags, findElectronRuntime } from '../../../src/launcher/electron-runtime.ts';
import { ensureBuilt } from '../../../src/launcher/ensure-built.ts';
import { Owner } from '../owner.ts';
import { StatusPage } from '../pages/status-page.ts';
import { askAgain } from './ask-again.ts';

/** How to start the built app, for a test that starts it by itself. */
export interface Start {
  readonly executablePath: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

interface WorkerFixtures {
  executablePath: string;
}

interface Fixtures {
  dataDir: string;
  start: Start;
  /** Starts an app that ends with the test at the latest. */
  launch: (start: Start) => Promise<ElectronApplication>;
  app: ElectronApplication;
  owner: Owner;
  status: StatusPage;
}

/** The built app in a real Electron, on a data folder and a port of its own. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  executablePath: [
    async ({}, use) => {
      await ensureBuilt({ tell: console.error });
      const runtime = await findElectronRuntime({ tell: console.error });
      if (runtime.kind === 'missing') throw new Error(`No Electron to test with: ${runtime.reason}`);
      await use(runtime.executablePath);
    },
    { scope: 'worker', timeout: 20 * 60_000 },
  ],
  dataDir: async ({}, use) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'rotavox-app-'));
    await use(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  },
  start: async ({ dataDir, executablePath }, use) => {
    await use(startOn(dataDir, executablePath));
  },
  launch: async ({}, use) => {
    const launched: ElectronApplication[] = [];
    await use(async (start) => {
      const app = askAgain(await _electron.launch(start));
      launched.push(app);
      return app;
    });
    for (const app of launched) await app.close();
  },
  app: async ({ start, launch }, use) => {
    await use(await launch(start));
  },
  owner: async ({ dataDir }, use) => {
    await use(new Owner(dataDir));
  },
  status: async ({ app }, use) => {
    const status = new StatusPage(await app.firstWindow());
    await status.expectRunning();
    await use(status);
  },
});

/**
 * The same with one start for all tests of a file, which look at the app and do not end it; told more `args` where it needs them.
 *
 * Each finds the first window anew, and nothing in the clipboard; what is on the data folder stays.
 */
export function oneAppForAll(args: readonly string[] = []) {
  let running:
    { readonly app: ElectronApplication; readonly dataDir: string; readonly start: Start } | undefined;
  const present = () => {
    if (running === undefined) throw new Error('The app of this file has not been started.');
    return running;
  };
  const withOneApp = test.extend({
    dataDir: async ({}, use) => {
      await use(present().dataDir);
    },
    start: async ({}, use) => {
      await use(present().start);
    },
    app: async ({}, use) => {
      await use(present().app);
    },
    status: async ({ app, owner }, use) => {
      const status = new StatusPage(await app.firstWindow());
      await status.page.goto(owner.baseUrl);
      await status.expectRunning();
      await app.evaluate(({ clipboard }) => clipboard.clear());
      await use(status);
    },
  });
  withOneApp.beforeAll(async ({ executablePath }) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'rotavox-app-'));
    const start = startOn(dataDir, executablePath, args);
    const app = askAgain(await _electron.launch(start));
    running = { app, dataDir, start };
    await new StatusPage(await app.firstWindow()).expectRunning();
  });
  withOneApp.afterAll(async () => {
    await running?.app.close();
    if (running !== undefined) rmSync(running.dataDir, { recursive: true, force: true });
  });
  return withOneApp;
}

function startOn(dataDir: string, executablePath: string, args: readonly string[] = []): Start {
  const env = { ...definedEnv(), ROTAVOX_DATA_DIR: dataDir, ROTAVOX_PORT: '0' };
  return { executablePath, args: [...args, ...electronFlags(), checkoutDir], env };
}

function definedEnv(): Record<string, string> {
  const entries = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || name === 'ELECTRON_RUN_AS_NODE' ? [] : [[name, value] as const],
  );
  return Object.fromEntries(entries);
}
