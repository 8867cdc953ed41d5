import { expect } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { oneAppForAll, test } from './launch-app.ts';
import { ManualClock, withManualClock } from './manual-clock.ts';
import { Panel } from './panel.ts';

test.skip(process.platform !== 'linux', 'the panel and its message bus are those of Linux');

test('the tray shows the countdown in a real panel, and every row of its menu does what it says', async ({
  panel,
  start,
  launch,
  owner,
}) => {
  const app = await launch({ ...start, args: [...start.args, '--hidden'] });
  await expect.poll(() => panel.items()).toHaveLength(1);
  await expect.poll(() => panel.labels()).toContain('No credentials yet');
  await expect.poll(() => owner.isRunning, 'the service comes after the words').toBe(true);
  expect(app.windows(), 'windows of an app that was started hidden').toEqual([]);

  const { access_token: value } = await owner.issueToken({ name: 'journey', validity_days: 7 });
  await owner.ask('addCredential', { body: { name: 'pbx', value } });
  await fetch(`${owner.baseUrl}/v1/auth/token`, {
    headers: { authorization: `Bearer ${value}`, 'user-agent': 'nightly-report/1.0' },
  });
  await expect.poll(() => panel.labels()).toContain('pbx · 6 d 23 h');
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
  await expect.poll(() => panel.labels()).toContain('pbx · 6 d 23 h · Paused');
  await panel.click('Resume rotation', /^pbx/);
  await expect.poll(() => panel.labels()).toContain('pbx · 6 d 23 h');

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

test(
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

const hiddenWithoutPanel = oneAppForAll((start) =>
  withManualClock({ ...start, args: [...start.args, '--hidden'] }),
);

hiddenWithoutPanel(
  'without a panel a window stays in reach: offered at a hidden start, minimised when it is closed',
  { tag: '@long' },
  async ({ windowManager, app }) => {
    expect(windowManager.exitCode).toBeNull();
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

hiddenWithoutPanel('the icon comes into a panel that appears after it', async ({ app, owner }) => {
  await expect.poll(() => owner.isRunning).toBe(true);
  const clock = await ManualClock.of(app);
  const panel = await Panel.start();
  try {
    let waitedMs = 0;
    await expect
      .poll(async () => {
        // It looks for a panel at longer and longer intervals.
        await clock.passUntil((waitedMs += 60_000));
        return await panel.items();
      })
      .toHaveLength(1);
    expect(await panel.labels()).toContain('Quit Rotavox');
  } finally {
    await panel.close();
  }
});
