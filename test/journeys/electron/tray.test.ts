import { type ElectronApplication, expect } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { oneAppForAll, test as withOwnApp } from './launch-app.ts';
import { ManualClock, withManualClock } from './manual-clock.ts';
import type { Panel } from './panel.ts';
import { runToEnd } from './run-to-end.ts';
import { windowsOf } from './windows-of.ts';

/** One app that is started hidden, and before there is a panel. Their order counts: the last one quits it. */
const test = oneAppForAll((start) => withManualClock({ ...start, args: [...start.args, '--hidden'] })).extend(
  {
    app: async ({ app, owner }, use) => {
      await expect.poll(() => owner.isRunning, 'the service comes after the icon').toBe(true);
      await use(app);
    },
  },
);

test.skip(process.platform !== 'linux', 'the panel, its bus and the window manager are those of Linux');

/** Lets time pass until the icon is in the panel: the app looks for one at longer and longer intervals. */
async function expectIcon(app: ElectronApplication, panel: Panel): Promise<void> {
  const clock = await ManualClock.of(app);
  let waitedMs = 0;
  await expect
    .poll(async () => {
      await clock.passUntil((waitedMs += 60_000));
      return await panel.items();
    })
    .toHaveLength(1);
}

withOwnApp(
  'what is chosen in the menu while the service starts is done as soon as it runs',
  { tag: '@long' },
  async ({ panel, start, launch }, testInfo) => {
    await expect.poll(() => panel.owners(), 'icons of an app that should have ended').toEqual([]);
    const report = testInfo.outputPath('pressed.txt');
    const app = await launch({
      ...start,
      args: ['--require', join(import.meta.dirname, 'press-at-once.cjs'), ...start.args, '--hidden'],
      env: { ...start.env, PRESS_AT_ONCE: 'Settings', PRESS_REPORT: report },
    });
    await expect.poll(() => app.windows().map((page) => new URL(page.url()).pathname)).toEqual(['/settings']);
    expect(readFileSync(report, 'utf8')).toBe('starting');
  },
);

withOwnApp(
  'without a panel a window stays in reach: offered at a hidden start, minimised when it is closed',
  { tag: '@long' },
  async ({ windowManager, start, launch }) => {
    expect(windowManager.exitCode).toBeNull();
    const app = await launch(withManualClock({ ...start, args: [...start.args, '--hidden'] }));
    const clock = await ManualClock.of(app);
    let waitedMs = 0;
    await expect
      .poll(async () => {
        // The wait for a panel begins at some moment of the start.
        await clock.passUntil((waitedMs += 10_000));
        return app.windows();
      })
      .toHaveLength(1);
    const state = () =>
      app.evaluate(({ BrowserWindow }) => {
        const [window] = BrowserWindow.getAllWindows();
        return { isMinimized: window!.isMinimized(), isDestroyed: window!.isDestroyed() };
      });
    await expect.poll(state).toEqual({ isMinimized: true, isDestroyed: false });
    await app.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      window!.restore();
      window!.close();
    });
    await expect.poll(state).toEqual({ isMinimized: true, isDestroyed: false });
  },
);

test('the icon comes into a panel that appears after it', async ({ app, panel }) => {
  expect(app.windows(), 'windows of an app that was started hidden').toEqual([]);
  await expectIcon(app, panel);
  expect(await panel.labels()).toEqual(expect.arrayContaining(['No credentials yet', 'Quit Rotavox']));
});

test('a closed window is hidden, then gone, and comes back when the app is started again', async ({
  windowManager,
  app,
  panel,
  start,
  owner,
}) => {
  expect(windowManager.exitCode).toBeNull();
  await expectIcon(app, panel);
  const shown = { ...start, args: start.args.filter((one) => one !== '--hidden') };
  expect(await runToEnd(shown)).toMatchObject({ code: 0 });
  await expect.poll(() => windowsOf(app)).toEqual([{ path: '/', isVisible: true }]);
  const clock = await ManualClock.of(app);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close());
  await expect.poll(() => windowsOf(app)).toEqual([{ path: '/', isVisible: false }]);
  await clock.passUntil(9_000);
  expect(await windowsOf(app)).toEqual([{ path: '/', isVisible: false }]);
  await clock.passUntil(10_000);
  await expect.poll(() => windowsOf(app)).toEqual([]);

  await owner.issueToken({ name: 'the service goes on', validity_days: 1 });
  expect(await runToEnd(shown)).toMatchObject({ code: 0 });
  await expect.poll(() => windowsOf(app)).toEqual([{ path: '/', isVisible: true }]);
});

test(
  'a closed window with something unsaved in it is kept, and so is what a dialog shows',
  { tag: '@long' },
  async ({ app, panel }) => {
    await expectIcon(app, panel);
    const clock = await ManualClock.of(app);
    await panel.click('Issue a token…');
    const page = await app.firstWindow();
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
    await clock.passUntil(10_000);
    await objected;
    await panel.click('Tokens');
    await expect.poll(() => windowsOf(app)).toEqual([{ path: '/tokens/issue', isVisible: true }]);
    await expect(page.getByRole('dialog').getByLabel('Name', { exact: true })).toHaveValue('half written');
  },
);

test('opening hours that are closed by hand are in the tray at once, and are given back there', async ({
  app,
  panel,
  owner,
}) => {
  await expectIcon(app, panel);
  const clock = await ManualClock.of(app);
  // Less than a minute, after which the tray would look by itself.
  const labels = async () => {
    await clock.passUntil(1_000);
    return panel.labels();
  };
  const body = { name: 'Office', time_zone: 'Europe/Berlin', weekly: {} };
  const { id } = await owner.ask('createSchedule', { body });
  await owner.ask('setSwitch', { params: { id }, body: { to: 'closed' } });
  await expect.poll(labels).toContain('Office: Closed by hand');
  await panel.click('Back to the schedule', /^Office/);
  await expect.poll(labels).not.toContain('Office: Closed by hand');
});

test('the tray shows the countdown in a real panel, and every row of its menu does what it says', async ({
  app,
  panel,
  owner,
}) => {
  await expectIcon(app, panel);
  const clock = await ManualClock.of(app);
  let waitedMs = 0;
  // A countdown goes on with the time.
  const labels = async () => {
    await clock.passUntil((waitedMs += 60_000));
    return panel.labels();
  };
  const { access_token: value } = await owner.issueToken({ name: 'journey', validity_days: 7 });
  await owner.ask('addCredential', { body: { name: 'pbx', value } });
  await fetch(`${owner.baseUrl}/v1/auth/token`, {
    headers: { authorization: `Bearer ${value}`, 'user-agent': 'nightly-report/1.0' },
  });
  await expect.poll(labels).toContain('pbx · 6 d 23 h');
  expect(await panel.tooltip()).toContain('pbx · 6 d 23 h');

  await panel.click('Rotate now…', /^pbx/);
  await expect.poll(() => app.windows()).toHaveLength(1);
  const question = app.windows()[0]!.getByRole('dialog', { name: 'Rotate pbx now?' });
  const generation = async () => (await owner.ask('readCredential', { params: { name: 'pbx' } })).generation;
  await expect(question).toContainText('nightly-report/1.0');
  expect(await generation(), 'before the answer').toBe(1);
  await question.getByRole('button', { name: 'Rotate now' }).click();
  await expect.poll(generation).toBe(2);

  await panel.click('Until I resume it', /^pbx/);
  await expect.poll(labels).toContain('pbx · 6 d 23 h · Paused');
  await panel.click('Resume rotation', /^pbx/);
  await expect.poll(labels).toContain('pbx · 6 d 23 h');

  await panel.click('Copy token', /^pbx/);
  const { value: present } = await owner.ask('readCredentialValue', { params: { name: 'pbx' } });
  const copied = () => app.evaluate(async ({ clipboard }) => await clipboard.readText());
  await expect.poll(copied).toBe(present);

  const shown = () => app.windows().map((page) => new URL(page.url()).pathname);
  await panel.click('Phone menus');
  await expect.poll(shown).toEqual(['/credentials/pbx', '/ivr']);
  await panel.click('Tokens');
  await expect.poll(shown).toEqual(['/tokens', '/ivr']);

  const ended = new Promise((resolve) => app.process().once('exit', resolve));
  await panel.click('Quit Rotavox').catch(() => undefined); // the app may be gone before it can answer the click
  expect(await ended).toBe(0);
});
