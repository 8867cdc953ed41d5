import { expect } from '@playwright/test';
import type { ElectronApplication } from '@playwright/test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { templates } from '../../fixtures/ivr-templates.ts';
import { DesignerPage } from '../pages/designer-page.ts';
import { StatusPage } from '../pages/status-page.ts';
import { test } from './desktop.ts';
import { runToEnd } from './run-to-end.ts';

/** Tells the app to quit, and gives back its exit code once it has. */
function quit(app: ElectronApplication): { readonly exited: Promise<number | null> } {
  const exited = new Promise<number | null>((resolve) => app.process().once('exit', resolve));
  void app.evaluate(({ app: electron }) => electron.quit()).catch(() => undefined); // it may be gone before it answers
  return { exited };
}

test('what was drawn a moment before the app quits is saved', async ({ start, launch, owner }) => {
  const app = await launch(start);
  const page = await app.firstWindow();
  await new StatusPage(page).expectRunning();
  const { id } = await owner.ask('createDraft', { body: { document: templates[0]!.document } });
  const opened = app.waitForEvent('window');
  await page.evaluate((path) => void open(path), `/ivr/drafts/${id}`);
  const designer = new DesignerPage(await opened);
  await expect(designer.name).toHaveValue('Reception');
  await designer.name.click();
  await designer.page.keyboard.press('ControlOrMeta+A');
  await designer.page.keyboard.type('At the last moment');
  expect(await quit(app).exited).toBe(0);

  await new StatusPage(await (await launch(start)).firstWindow()).expectRunning();
  expect((await owner.ask('readDraft', { params: { id } })).document.name).toBe('At the last moment');
});

test('a page that objects for ever does not keep the app, and a start meanwhile is made good afterwards', async ({
  start,
  launch,
  owner,
}) => {
  const app = await launch(start);
  const page = await app.firstWindow();
  await new StatusPage(page).expectRunning();
  await page.evaluate(() => addEventListener('beforeunload', (event) => event.preventDefault()));
  const { pid } = owner;
  const { exited } = quit(app);
  expect(await runToEnd(start)).toMatchObject({ code: 0 });
  expect(app.process().exitCode, 'the first, which still asks its page').toBeNull();
  expect(await exited).toBe(0);
  await expect.poll(() => (owner.isRunning ? owner.pid : pid), { timeout: 30_000 }).not.toBe(pid);
  const next = owner.pid;
  process.kill(next, 'SIGTERM');
  await expect.poll(() => existsSync(`/proc/${next}`)).toBe(false);
});

for (const { where, args, tell } of [
  {
    where: 'goes down',
    args: [],
    tell: (app: ElectronApplication) =>
      app.evaluate(
        ({ powerMonitor }) => void powerMonitor.emit('shutdown', { preventDefault: () => undefined }),
      ),
  },
  {
    where: 'goes down, as Windows tells a window that has no page',
    args: ['--js-flags=--expose-gc', '--require', join(import.meta.dirname, 'as-on-windows.cjs')],
    tell: (app: ElectronApplication) =>
      app.evaluate(({ BaseWindow, BrowserWindow }) => {
        for (const window of BrowserWindow.getAllWindows()) window.destroy();
        (globalThis as unknown as { gc(): void }).gc(); // nobody holds it, and it is there all the same
        for (const window of BaseWindow.getAllWindows())
          window.emit('session-end', { reasons: ['shutdown'] });
      }),
  },
])
  test(`the app ends cleanly when the machine ${where}`, async ({ start, launch, owner }) => {
    const app = await launch({ ...start, args: [...args, ...start.args, '--hidden'] });
    await expect.poll(() => owner.isRunning).toBe(true);
    const { id } = await owner.issueToken({ name: 'kept', validity_days: 1 });
    const exited = new Promise<number | null>((resolve) => app.process().once('exit', resolve));
    await tell(app).catch(() => undefined); // it may be gone before it answers
    expect(await exited).toBe(0);
    expect(existsSync(owner.runtimeFile), 'the service said goodbye').toBe(false);

    await new StatusPage(await (await launch(start)).firstWindow()).expectRunning();
    expect((await owner.ask('readToken', { params: { id } })).status).toBe('Active');
  });
