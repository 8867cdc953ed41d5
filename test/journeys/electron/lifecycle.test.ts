import { expect } from '@playwright/test';
import type { ElectronApplication } from '@playwright/test';
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StatusPage } from '../pages/status-page.ts';
import { oneAppForAll } from './launch-app.ts';
import { runToEnd } from './run-to-end.ts';
import { windowsOf } from './windows-of.ts';

const test = oneAppForAll();
test.skip(process.platform !== 'linux', 'the window manager and the entry at login are those of Linux');

const execute = promisify(execFile);

test('a link opens the designer, in a window of its own, on one menu', async ({ app, status, start }) => {
  await status.expectRunning();
  for (const [link, path] of [
    ['rotavox://ivr/ivr_one', '/ivr/ivr_one'],
    ['rotavox://ivr/ivr_two', '/ivr/ivr_two'],
  ] as const) {
    expect(await runToEnd({ ...start, args: [...start.args, link] })).toMatchObject({ code: 0 });
    await expect
      .poll(async () => (await windowsOf(app)).map((window) => window.path).sort())
      .toEqual(['/', path]);
  }
  // What is no link of ours leads to the overview, never elsewhere.
  await runToEnd({ ...start, args: [...start.args, 'rotavox://ivr/../portal/status'] });
  expect((await windowsOf(app)).map((window) => window.path).sort()).toEqual(['/', '/ivr/ivr_two']);
});

test(
  'open at login writes an entry that starts this very app, hidden',
  { tag: '@long' },
  async ({ start, status, owner }) => {
    const set = (isOn: boolean) =>
      status.page.evaluate(
        (on) => (window as unknown as Window & { rotavox: Bridge }).rotavox.setSwitch('openAtLogin', on),
        isOn,
      );
    expect(await set(true)).toEqual({ isOn: true, isPossible: true, note: null });
    const entry = join(start.env['XDG_CONFIG_HOME']!, 'autostart', 'rotavox.desktop');
    expect(readFileSync(entry, 'utf8')).toContain('--hidden');
    // As a desktop would: the entry's own command, through GLib's reader of such files.
    await execute('gio', ['launch', entry], { env: start.env });
    expect(owner.isRunning).toBe(true);
    expect(await set(false)).toEqual({ isOn: false, isPossible: true, note: null });
    expect(existsSync(entry)).toBe(false);
  },
);

test(
  'windows open where they were left, and on a screen',
  { tag: '@long' },
  async ({ windowManager, app, status, start, startAgain }) => {
    expect(windowManager.exitCode).toBeNull();
    await status.expectRunning();
    const left = { x: 140, y: 90, width: 700, height: 520 };
    await app.evaluate(({ BrowserWindow }, bounds) => {
      BrowserWindow.getAllWindows()[0]!.setBounds(bounds);
    }, left);
    const remembered = () => {
      const file = join(start.env['ROTAVOX_DATA_DIR']!, 'window-profile', 'desktop.json');
      if (!existsSync(file)) return undefined;
      return (JSON.parse(readFileSync(file, 'utf8')) as { windows: { overview?: object } }).windows.overview;
    };
    await expect.poll(remembered).toMatchObject({ width: 700, height: 520 });

    const second = await startAgain();
    await second.firstWindow();
    const bounds = await second.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]!.getBounds(),
    );
    expect(bounds).toMatchObject({ width: 700, height: 520 });
  },
);

// Before there is a token on the data folder: then there is more to show than the first steps.
test(
  'the first steps that were dismissed stay hidden after a restart',
  { tag: '@long' },
  async ({ status, owner, startAgain }) => {
    await status.firstSteps.getByRole('button', { name: 'Dismiss' }).click();
    await expect(status.firstSteps).toBeHidden();
    await expect.poll(async () => (await owner.ask('readSettings')).first_steps).toBe('dismissed');

    const next = new StatusPage(await (await startAgain()).firstWindow());
    await next.expectRunning();
    await expect(next.lifeline.getByRole('button', { name: 'Show the first steps' })).toBeVisible();
    await expect(next.firstSteps).toBeHidden();
  },
);

const sourceOf = (app: ElectronApplication) => app.evaluate(({ nativeTheme }) => nativeTheme.themeSource);

test('the app and its windows look as the settings say, at once and at the next start', async ({
  app,
  status,
  owner,
  startAgain,
}) => {
  // Playwright tells pages that light is preferred, so what Electron makes of that cannot be seen here.
  const page = status.page.locator('html');
  expect(await sourceOf(app)).toBe('system');
  await owner.ask('changeSettings', { body: { theme: 'dark' } });
  await expect.poll(() => sourceOf(app)).toBe('dark');
  await expect(page).toHaveAttribute('data-theme', 'dark');
  await owner.ask('changeSettings', { body: { theme: 'light' } });
  await expect.poll(() => sourceOf(app)).toBe('light');
  await expect(page).toHaveAttribute('data-theme', 'light');

  const next = await startAgain();
  await next.firstWindow();
  expect(await sourceOf(next)).toBe('light');
});

test(
  'a helper process that is killed leaves the service running, and the window signed in',
  { tag: '@long' },
  async ({ app, status, owner }) => {
    await status.expectRunning();
    const helpers = await app.evaluate(({ app: electron }) =>
      electron
        .getAppMetrics()
        .filter(({ type }) => type === 'GPU' || type === 'Utility')
        .map(({ pid }) => pid),
    );
    expect(helpers.length).toBeGreaterThan(0);
    for (const pid of helpers) process.kill(pid, 'SIGKILL');
    const { id } = await owner.issueToken({ name: 'after', validity_days: 1 });
    expect((await owner.ask('readToken', { params: { id } })).status).toBe('Active');
    await expect(status.row('after')).toBeVisible();
    await status.expectRunning();
  },
);

test(
  'a graphics process that ends three times has the app restart without it, and the service is back with every token',
  { tag: '@long' },
  async ({ app, status, owner, dataDir }) => {
    await status.expectRunning();
    const { id } = await owner.issueToken({ name: 'kept', validity_days: 1 });
    const before = owner.pid;
    const file = join(dataDir, 'window-profile', 'desktop.json');
    const remembered = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
    let killed = 0;
    // Each once the app has counted the one before: while it closes, Chromium starts more of them. Those of the test
    // before this one count as well.
    while (!remembered().includes('"graphicsOff"')) {
      await killGraphicsProcess(app, dataDir);
      killed += 1;
    }
    expect(killed).toBeLessThanOrEqual(3);
    await expect.poll(() => (owner.isRunning ? owner.pid : before)).not.toBe(before);
    try {
      expect((await owner.ask('readToken', { params: { id } })).status).toBe('Active');
      expect(JSON.parse(remembered())).toHaveProperty('graphicsOff', expect.stringMatching(/^\d/));
    } finally {
      const again = owner.pid;
      process.kill(again, 'SIGTERM');
      await expect.poll(() => existsSync(`/proc/${again}`)).toBe(false);
    }
  },
);

test(
  'where no window can be drawn the app runs without, and what is asked for opens in a browser',
  { tag: '@long' },
  async ({ start, startAgain, owner }) => {
    const app = await startAgain({ ...start, args: [...start.args, '--no-windows'] });
    await expect.poll(() => owner.isRunning).toBe(true);
    await app.evaluate(({ shell }) => {
      shell.openExternal = (url) => {
        Reflect.set(globalThis, 'opened', url);
        return Promise.resolve();
      };
    });
    expect((await runToEnd(start)).words).toContain('already running');
    await expect
      .poll(() => app.evaluate(() => String(Reflect.get(globalThis, 'opened'))))
      .toContain(`${owner.baseUrl}/?code=`);
    expect(app.windows()).toHaveLength(0);
  },
);

test('a window that crashes is loaded again, and the service never stops', async ({ app, status, owner }) => {
  const before = owner.pid;
  await app.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]!.webContents.forcefullyCrashRenderer();
  });
  const { value: title } = { value: await owner.issueToken({ name: 'meanwhile', validity_days: 1 }) };
  expect(title.id).toMatch(/^tok_/);
  await expect
    .poll(() =>
      app.evaluate(async ({ BrowserWindow }) => {
        const { webContents } = BrowserWindow.getAllWindows()[0]!;
        if (webContents.isCrashed()) return 'crashed';
        if (webContents.isLoading()) return 'loading';
        // A question that meets the crash is never answered.
        const late = new Promise<string>((resolve) => setTimeout(() => resolve('no answer'), 1000));
        const sign = webContents.executeJavaScript('document.querySelector("[role=status]")?.textContent');
        return Promise.race([sign as Promise<string>, late]);
      }),
    )
    .toBe('Running');
  expect(owner.pid).toBe(before);
  expect(status.page).toBeDefined();
});

// After that one, whose page Playwright does not take back: an end needs none.
test('SIGTERM, even twice, ends the app cleanly', async ({ app, owner }) => {
  await expect.poll(() => owner.isRunning).toBe(true);
  const { pid } = app.process();
  const ended = once(app.process(), 'exit');
  // From one process, close together, as npm and a terminal do it.
  execFileSync('kill', ['-s', 'TERM', String(pid), String(pid)]);
  // On a busy machine the second can come when all is closed and Electron handles no signals any more; it ends what is left.
  expect([
    [0, null],
    [null, 'SIGTERM'],
  ]).toContainEqual(await ended);
  expect(existsSync(owner.runtimeFile)).toBe(false);
});

test(
  'a restart that a window asks for, as after a restore, brings the app back with a window',
  { tag: '@long' },
  async ({ startAgain, owner }) => {
    const app = await startAgain();
    const page = await app.firstWindow();
    await new StatusPage(page).expectRunning();
    const before = owner.pid;
    const ended = new Promise((resolve) => app.process().once('exit', resolve));
    await page
      .evaluate(() => (window as unknown as Window & { rotavox: Bridge }).rotavox.restart())
      .catch(() => undefined); // the window may be gone before it is answered
    expect(await ended).toBe(0);
    await expect.poll(() => owner.isRunning && owner.pid !== before, { timeout: 30_000 }).toBe(true);
    process.kill(owner.pid, 'SIGTERM');
    await expect.poll(() => owner.isRunning, { timeout: 30_000 }).toBe(false);
  },
);

interface Bridge {
  restart(): Promise<unknown>;
  setSwitch(name: string, isOn: boolean): Promise<unknown>;
}

/** Kills the graphics process of the app on a data folder, and returns once the app was told that it has ended. */
async function killGraphicsProcess(app: ElectronApplication, dataDir: string): Promise<void> {
  await app.evaluate(({ app: electron }) => {
    const gone = new Promise<void>((resolve) => {
      electron.on('child-process-gone', (_event, { type }) => {
        if (type === 'GPU') resolve();
      });
    });
    Reflect.set(globalThis, 'graphicsGone', gone);
  });
  await expect.poll(() => graphicsProcessOf(dataDir)).toBeDefined();
  process.kill(graphicsProcessOf(dataDir)!, 'SIGKILL');
  await app.evaluate(() => Reflect.get(globalThis, 'graphicsGone') as Promise<void>);
}

/** The graphics process of the app on a data folder. */
function graphicsProcessOf(dataDir: string): number | undefined {
  const pid = readdirSync('/proc').find((one) => {
    if (!/^\d+$/.test(one)) return false;
    try {
      const line = readFileSync(`/proc/${one}/cmdline`, 'utf8');
      return line.includes('--type=gpu-process') && line.includes(dataDir);
    } catch {
      return false; // it ended while we looked
    }
  });
  return pid === undefined ? undefined : Number(pid);
}
