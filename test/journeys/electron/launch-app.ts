import { test as base, _electron, expect } from '@playwright/test';
import type { ElectronApplication } from '@playwright/test';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkoutDir } from '../../../src/launcher/checkout.ts';
import { electronFlags, findElectronRuntime } from '../../../src/launcher/electron-runtime.ts';
import { ensureBuilt } from '../../../src/launcher/ensure-built.ts';
import { desktopLine } from '../../../src/text/service/desktop-text.ts';
import { HostProcess } from '../browser/hosts.ts';
import { Owner } from '../owner.ts';
import { StatusPage } from '../pages/status-page.ts';
import { askAgain } from './ask-again.ts';
import { moveToOwnDesktop } from './own-desktop.ts';
import { hasEnded, Panel } from './panel.ts';

/** How to start the built app, for a test that starts it by itself. */
export interface Start {
  readonly executablePath: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

interface WorkerFixtures {
  executablePath: string;
  /** Where the worker has its windows, its notices and its keychain. */
  desktop: undefined;
  /** Runs the services that apps talk to. */
  services: HostProcess;
}

interface Fixtures {
  dataDir: string;
  start: Start;
  /** Starts an app that ends with the test at the latest. */
  launch: (start: Start) => Promise<ElectronApplication>;
  app: ElectronApplication;
  owner: Owner;
  status: StatusPage;
  /** Shows tray icons. */
  panel: Panel;
  /** Without one nobody minimises a window. */
  windowManager: ChildProcess;
}

interface SharedFixtures {
  /** Ends the app of the file, and starts it again on the same data folder; as this test says, or as all do. */
  startAgain: (start?: Start) => Promise<ElectronApplication>;
}

/** The built app in a real Electron, on a data folder and a port of its own; with a panel or a window manager where a test asks for one. */
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
  desktop: [
    async ({}, use) => {
      const leave = await moveToOwnDesktop();
      await use(undefined);
      await leave();
    },
    { scope: 'worker', auto: true },
  ],
  services: [
    async ({}, use) => {
      const services = new HostProcess();
      await use(services);
      await services.end();
    },
    { scope: 'worker' },
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
    const launched: LaunchedApp[] = [];
    await use(async (start) => {
      const one = await launchApp(start);
      launched.push(one);
      return one.app;
    });
    for (const { app } of launched) await app.close();
    for (const { bugs } of launched) expect(bugs).toEqual([]);
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
  panel: async ({}, use) => {
    const panel = await Panel.start();
    await use(panel);
    await panel.close();
  },
  windowManager: async ({}, use) => {
    const child = spawn('openbox', { stdio: 'ignore' });
    await once(child, 'spawn');
    await use(child);
    child.kill('SIGTERM');
  },
});

/**
 * The same with one app for all tests of a file, which starts as `adapt` says. A test may end it: the next one starts it again.
 *
 * Each test finds the first window anew and alone, and nothing in the clipboard; a panel, and what is on the data folder, stay.
 */
export function oneAppForAll(adapt: (start: Start) => Start = (start) => start) {
  let dataDir: string | undefined;
  let panel: Panel | undefined;
  let running: (LaunchedApp & { readonly process: ChildProcess; isShown: boolean }) | undefined;
  const launchOne = async (start: Start) => {
    const one = await launchApp(start);
    running = { ...one, process: one.app.process(), isShown: false };
    return one.app;
  };
  const withOneApp = test.extend<SharedFixtures>({
    dataDir: async ({}, use) => {
      await use((dataDir ??= mkdtempSync(join(tmpdir(), 'rotavox-app-'))));
    },
    start: async ({ dataDir: folder, executablePath }, use) => {
      await use(adapt(startOn(folder, executablePath)));
    },
    app: async ({ start }, use) => {
      await use(running !== undefined && !hasEnded(running.process) ? running.app : await launchOne(start));
    },
    panel: async ({}, use) => {
      await use((panel ??= await Panel.start()));
    },
    startAgain: async ({ start }, use) => {
      await use(async (asked = start) => {
        await running?.app.close();
        return await launchOne(asked);
      });
    },
    status: async ({ app, owner }, use) => {
      const status = new StatusPage(await app.firstWindow());
      // What the app loads by itself comes first; later a test may have left a navigation that was refused.
      if (!running!.isShown) await status.expectRunning();
      running!.isShown = true;
      await status.page.goto(owner.baseUrl);
      await status.expectRunning();
      // As a task of its own: in the middle of show() nothing but an inspector can take a window away.
      await app.evaluate(
        ({ BrowserWindow, clipboard }) =>
          new Promise<void>((resolve) => {
            setImmediate(() => {
              const [first, ...others] = BrowserWindow.getAllWindows().sort((a, b) => a.id - b.id);
              first!.show();
              for (const other of others) other.destroy();
              clipboard.clear();
              resolve();
            });
          }),
      );
      await expect.poll(() => app.windows()).toHaveLength(1);
      await use(status);
    },
  });
  // One worker for the file: otherwise each would start an app of its own.
  withOneApp.describe.configure({ mode: 'default' });
  withOneApp.afterAll(async () => {
    await running?.app.close();
    await panel?.close();
    expect(running?.bugs ?? []).toEqual([]);
    if (dataDir !== undefined) rmSync(dataDir, { recursive: true, force: true });
    running = panel = dataDir = undefined;
  });
  return withOneApp;
}

interface LaunchedApp {
  readonly app: ElectronApplication;
  /** What it said when it ended by an error of its own: it starts itself again then, beyond the reach of the test. */
  readonly bugs: readonly string[];
}

async function launchApp(start: Start): Promise<LaunchedApp> {
  const app = askAgain(await _electron.launch(start));
  const bugs: string[] = [];
  let words = '';
  app.process().stderr!.on('data', (chunk: Buffer) => {
    words += chunk.toString();
    const at = words.indexOf(desktopLine.unexpected(''));
    if (at !== -1) bugs.splice(0, 1, words.slice(at));
  });
  return { app, bugs };
}

function startOn(dataDir: string, executablePath: string): Start {
  const env = { ...definedEnv(), ROTAVOX_DATA_DIR: dataDir, ROTAVOX_PORT: '0' };
  return { executablePath, args: [...electronFlags(), checkoutDir], env };
}

function definedEnv(): Record<string, string> {
  const entries = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || name === 'ELECTRON_RUN_AS_NODE' ? [] : [[name, value] as const],
  );
  return Object.fromEntries(entries);
}
