import { expect } from '@playwright/test';
import { oneAppForAll } from './launch-app.ts';
import { ManualClock, withManualClock } from './manual-clock.ts';
import { runToEnd } from './run-to-end.ts';
import { windowsOf } from './windows-of.ts';

const test = oneAppForAll(withManualClock);
test.skip(process.platform !== 'linux', 'the panel and the window manager are those of Linux');

test('a closed window is hidden, then gone, and comes back when the app is started again', async ({
  panel,
  windowManager,
  app,
  status,
  start,
  owner,
}) => {
  expect(windowManager.exitCode).toBeNull();
  await expect.poll(() => panel.items()).toHaveLength(1);
  await status.expectRunning();
  const clock = await ManualClock.of(app);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close());
  await expect.poll(() => windowsOf(app)).toEqual([{ path: '/', isVisible: false }]);
  await clock.passUntil(9_000);
  expect(await windowsOf(app)).toEqual([{ path: '/', isVisible: false }]);
  await clock.passUntil(10_000);
  await expect.poll(() => windowsOf(app)).toEqual([]);

  await owner.issueToken({ name: 'the service goes on', validity_days: 1 });
  expect(await runToEnd(start)).toMatchObject({ code: 0 });
  await expect.poll(() => windowsOf(app)).toEqual([{ path: '/', isVisible: true }]);
});

test(
  'a closed window with something unsaved in it is kept, and so is what a dialog shows',
  { tag: '@long' },
  async ({ panel, app, status: { page } }) => {
    const clock = await ManualClock.of(app);
    await expect.poll(() => panel.items()).toHaveLength(1);
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
    await clock.passUntil(10_000);
    await objected;
    await panel.click('Tokens');
    await expect.poll(() => windowsOf(app)).toEqual([{ path: '/tokens/issue', isVisible: true }]);
    await expect(page.getByRole('dialog').getByLabel('Name', { exact: true })).toHaveValue('half written');
  },
);
