import { expect } from '@playwright/test';
import type { ElectronApplication } from '@playwright/test';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StatusPage } from '../pages/status-page.ts';
import { test } from './desktop.ts';
import { passUntil, withManualClock } from './manual-clock.ts';
import { runToEnd } from './run-to-end.ts';

test.skip(process.platform !== 'linux', 'the panel and the window manager are those of Linux');

const execute = promisify(execFile);

/** The paths that the app's windows show, and whether each is visible. */
function windowsOf(app: ElectronApplication) {
  return app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => ({
      path: new URL(window.webContents.getURL() || 'about:blank').pathname,
      isVisible: window.isVisible(),
    })),
  );
}

test('a closed window is hidden, then gone, and comes back when the app is started again', async ({
  panel,
  windowManager,
  start,
  launch,
  owner,
}) => {
  expect(windowManager.exitCode ?? (await panel.items()).length).toBe(0);
  const app = await launch(withManualClock(start));
  await new StatusPage(await app.firstWindow()).expectRunning();
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close());
  await expect.poll(() => windowsOf(app)).toEqual([{ path: '/', isVisible: false }]);
  await passUntil(app, 9_000);
  expect(await windowsOf(app)).toEqual([{ path: '/', isVisible: false }]);
  await passUntil(app, 10_000);
  await expect.poll(() => windowsOf(app)).toEqual([]);

  await owner.issueToken({ name: 'the service goes on', validity_days: 1 });
  expect(await runToEnd(start)).toMatchObject({ code: 0 });
  await expect.poll(() => windowsOf(app)).toEqual([{ path: '/', isVisible: true }]);
});

test('a closed window with something unsaved in it is kept, and so is what a dialog shows', async ({
  panel,
  start,
  launch,
}) => {
  const app = await launch(withManualClock(start));
  const page = await app.firstWindow();
  await new StatusPage(page).expectRunning();
  await panel.click('Issue a token…');
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('half written');
  await panel.click('Settings');
  await expect(page.getByRole('dialog').getByLabel('Name', { exact: true })).toHaveValue('half written');

  await page.evaluate(() => addEventListener('beforeunload', (event) => event.preventDefault()));
  const objected = app.evaluate(
    ({ BrowserWindow }) =>
      new Promise<void>((resolve) => {
        const window = BrowserWindow.getAllWindows()[0]!;
        window.webContents.once('will-prevent-unload', () => resolve());
        window.close();
      }),
  );
  await expect.poll(() => windowsOf(app)).toEqual([{ path: '/tokens/issue', isVisible: false }]);
  await passUntil(app, 10_000);
  await objected;
  await panel.click('Tokens');
  await expect.poll(() => windowsOf(app)).toEqual([{ path: '/tokens/issue', isVisible: true }]);
  await expect(page.getByRole('dialog').getByLabel('Name', { exact: true })).toHaveValue('half written');
});

test('a link opens the designer, in a window of its own, on one menu', async ({ start, launch }) => {
  const app = await launch(start);
  await new StatusPage(await app.firstWindow()).expectRunning();
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

test('windows open where they were left, and on a screen', async ({ windowManager, start, launch }) => {
  expect(windowManager.exitCode).toBeNull();
  const left = { x: 140, y: 90, width: 700, height: 520 };
  const first = await launch(start);
  await first.firstWindow();
  await first.evaluate(({ BrowserWindow }, bounds) => {
    BrowserWindow.getAllWindows()[0]!.setBounds(bounds);
  }, left);
  const remembered = () => {
    const file = join(start.env['ROTAVOX_DATA_DIR']!, 'window-profile', 'desktop.json');
    if (!existsSync(file)) return undefined;
    return (JSON.parse(readFileSync(file, 'utf8')) as { windows: { overview?: object } }).windows.overview;
  };
  await expect.poll(remembered).toMatchObject({ width: 700, height: 520 });
  await first.close();

  const second = await launch(start);
  await second.firstWindow();
  const bounds = await second.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.getBounds());
  expect(bounds).toMatchObject({ width: 700, height: 520 });
});

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

test('a helper process that is killed leaves the service running', async ({ app, status, owner }) => {
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
});

test('an uncaught error in the shell is reported, and the app comes back by itself with every token', async ({
  start,
  owner,
  launch,
}) => {
  const app = await launch(start);
  await new StatusPage(await app.firstWindow()).expectRunning();
  let words = '';
  app.process().stderr!.on('data', (chunk: Buffer) => (words += chunk.toString()));
  const { id } = await owner.issueToken({ name: 'kept', validity_days: 1 });
  const { pid } = owner;
  const ended = new Promise((resolve) => app.process().once('exit', resolve));
  await app
    .evaluate(() => {
      setTimeout(() => {
        throw new Error('planted by a journey');
      });
    })
    .catch(() => undefined);
  await ended;
  expect(words).toContain('planted by a journey');
  await expect.poll(() => (owner.isRunning ? owner.pid : pid), { timeout: 30_000 }).not.toBe(pid);
  try {
    expect((await owner.ask('readToken', { params: { id } })).status).toBe('Active');
  } finally {
    const again = owner.pid;
    process.kill(again, 'SIGTERM');
    await expect.poll(() => existsSync(`/proc/${again}`)).toBe(false);
  }
});

test('open at login writes an entry that starts this very app, hidden', async ({ start, launch, owner }) => {
  const configHome = mkdtempSync(join(tmpdir(), 'rotavox-config-'));
  const env = { ...start.env, XDG_CONFIG_HOME: configHome };
  try {
    const app = await launch({ ...start, env });
    const page = await app.firstWindow();
    await new StatusPage(page).expectRunning();
    const set = (isOn: boolean) =>
      page.evaluate(
        (on) => (window as unknown as Window & { rotavox: Bridge }).rotavox.setOpenAtLogin(on),
        isOn,
      );
    expect(await set(true)).toEqual({ isOn: true, isPossible: true, note: null });
    const entry = join(configHome, 'autostart', 'rotavox.desktop');
    expect(readFileSync(entry, 'utf8')).toContain('--hidden');
    // As a desktop would: the entry's own command, through GLib's reader of such files.
    await execute('gio', ['launch', entry], { env });
    expect(owner.isRunning).toBe(true);
    expect(await set(false)).toEqual({ isOn: false, isPossible: true, note: null });
    expect(existsSync(entry)).toBe(false);
  } finally {
    rmSync(configHome, { recursive: true, force: true });
  }
});

interface Bridge {
  setOpenAtLogin(isOn: boolean): Promise<unknown>;
}
