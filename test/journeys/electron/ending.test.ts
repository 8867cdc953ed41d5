import { expect } from '@playwright/test';
import type { ElectronApplication } from '@playwright/test';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { desktopLine } from '../../../src/text/service/desktop-text.ts';
import { templates } from '../../fixtures/ivr-templates.ts';
import { DesignerPage } from '../pages/designer-page.ts';
import { StatusPage } from '../pages/status-page.ts';
import { quit } from './ask-again.ts';
import { oneAppForAll } from './launch-app.ts';
import { ManualClock, withManualClock } from './manual-clock.ts';
import { runToEnd } from './run-to-end.ts';

/** How long a page may object to the end of the app (src/main/windows/app-window.ts). */
const savingLimitMs = 3_000;

const test = oneAppForAll();

test('a start with --quit ends the app that runs, waits for it, and starts nothing', async ({
  app,
  status,
  owner,
  start,
}) => {
  await status.expectRunning();
  const ended = once(app.process(), 'exit') as Promise<[number | null]>;
  const asked = { ...start, args: [...start.args, '--quit'] };
  expect(await runToEnd(asked)).toMatchObject({
    code: 0,
    words: expect.stringContaining(desktopLine.hasQuit),
  });
  expect(owner.isRunning).toBe(false);
  expect((await ended)[0]).toBe(0);
  // As before an installation, where nobody knows whether it runs.
  expect(await runToEnd(asked)).toMatchObject({
    code: 0,
    words: expect.stringContaining(desktopLine.notRunning),
  });
  expect(owner.isRunning).toBe(false);
});

test(
  'what was drawn a moment before the app quits is saved',
  { tag: '@long' },
  async ({ app, status, owner, startAgain }) => {
    const { id } = await owner.ask('createDraft', { body: { document: templates[0]!.document } });
    const opened = app.waitForEvent('window');
    await status.page.evaluate((path) => void open(path), `/ivr/drafts/${id}`);
    const designer = new DesignerPage(await opened);
    await expect(designer.name).toHaveValue('Reception');
    await designer.name.click();
    await designer.page.keyboard.press('ControlOrMeta+A');
    await designer.page.keyboard.type('At the last moment');
    expect(await quit(app)).toBe(0);

    await new StatusPage(await (await startAgain()).firstWindow()).expectRunning();
    expect((await owner.ask('readDraft', { params: { id } })).document.name).toBe('At the last moment');
  },
);

test(
  'an uncaught error in the shell is reported, and the app comes back by itself with every token',
  { tag: '@long' },
  async ({ app, status, owner }) => {
    await status.expectRunning();
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
    await expect.poll(() => (owner.isRunning ? owner.pid : pid)).not.toBe(pid);
    try {
      expect((await owner.ask('readToken', { params: { id } })).status).toBe('Active');
    } finally {
      const again = owner.pid;
      process.kill(again, 'SIGTERM');
      await expect.poll(() => existsSync(`/proc/${again}`)).toBe(false);
    }
  },
);

test(
  'an uncaught error after the app was told to quit does not bring it back',
  { tag: '@long' },
  async ({ app, status, owner }) => {
    await status.expectRunning();
    await status.page.evaluate(() => addEventListener('beforeunload', (event) => event.preventDefault()));
    let words = '';
    app.process().stderr!.on('data', (chunk: Buffer) => (words += chunk.toString()));
    // From the quit itself, which has begun by then; asked for beside it, it may come before.
    await app.evaluate(({ app: electron }) => {
      electron.once('before-quit', () => {
        setTimeout(() => {
          throw new Error('planted by a journey');
        });
      });
    });
    // The page objects, and is asked for as long as it may: the app has not ended when the error comes.
    expect(await quit(app)).toBe(1);
    expect(words).toContain('planted by a journey');
    expect(words).not.toContain(desktopLine.restarting);
    expect(owner.isRunning).toBe(false);
  },
);

// As tasks of their own, as the system tells it: in the middle of show() nothing but an inspector can take the window away, and then
// Chromium ends the process.
for (const { where, args, tell } of [
  {
    where: 'goes down',
    args: [],
    tell: (app: ElectronApplication) =>
      app.evaluate(
        ({ powerMonitor }) =>
          void setImmediate(() => powerMonitor.emit('shutdown', { preventDefault: () => undefined })),
      ),
  },
  {
    where: 'goes down, as Windows tells a window that has no page',
    args: ['--js-flags=--expose-gc', '--require', join(import.meta.dirname, 'as-on-windows.cjs')],
    tell: (app: ElectronApplication) =>
      app.evaluate(
        ({ BaseWindow, BrowserWindow }) =>
          void setImmediate(() => {
            for (const window of BrowserWindow.getAllWindows()) window.destroy();
            (globalThis as unknown as { gc(): void }).gc(); // nobody holds it, and it is there all the same
            for (const window of BaseWindow.getAllWindows())
              window.emit('session-end', { reasons: ['shutdown'] });
          }),
      ),
  },
])
  test(
    `the app ends cleanly when the machine ${where}`,
    { tag: '@long' },
    async ({ start, owner, startAgain }) => {
      const app = await startAgain({ ...start, args: [...args, ...start.args, '--hidden'] });
      await expect.poll(() => owner.isRunning).toBe(true);
      const { id } = await owner.issueToken({ name: 'kept', validity_days: 1 });
      const child = app.process();
      let words = '';
      child.stderr!.on('data', (chunk: Buffer) => (words += chunk.toString()));
      const closed = once(child, 'close'); // by then it has said everything
      await tell(app).catch(() => undefined); // it may be gone before it answers
      const end = await closed;
      expect(end, `code and signal; its last words:\n${words}`).toEqual([0, null]);
      expect(existsSync(owner.runtimeFile), 'the service said goodbye').toBe(false);

      await new StatusPage(await (await startAgain()).firstWindow()).expectRunning();
      expect((await owner.ask('readToken', { params: { id } })).status).toBe('Active');
    },
  );

test('quitting from the window leaves no runtime file', { tag: '@long' }, async ({ app, status, owner }) => {
  expect(existsSync(owner.runtimeFile)).toBe(true);
  const ended = once(app.process(), 'exit');
  // Not click(): the page is gone before it could report that it was clicked.
  await status.quit.evaluate((button: HTMLButtonElement) => {
    setTimeout(() => {
      button.click();
    });
  });
  const [code] = (await ended) as [number | null];
  expect(code).toBe(0);
  expect(existsSync(owner.runtimeFile)).toBe(false);
});

test(
  'a page that objects for ever does not keep the app, and a start meanwhile is made good afterwards',
  { tag: '@long' },
  async ({ start, owner, startAgain }) => {
    const app = await startAgain(withManualClock(start));
    const clock = await ManualClock.of(app);
    const page = await app.firstWindow();
    await new StatusPage(page).expectRunning();
    await page.evaluate(() => addEventListener('beforeunload', (event) => event.preventDefault()));
    const { pid } = owner;
    await clock.hold();
    const exited = quit(app);
    expect(await runToEnd(start)).toMatchObject({ code: 0 });
    expect(app.process().exitCode, 'the first, which still asks its page').toBeNull();
    await clock.sleepFor(savingLimitMs);
    expect(await exited).toBe(0);
    await expect.poll(() => (owner.isRunning ? owner.pid : pid)).not.toBe(pid);
    const next = owner.pid;
    process.kill(next, 'SIGTERM');
    await expect.poll(() => existsSync(`/proc/${next}`)).toBe(false);
  },
);

test('a port that is taken is said in a sentence that names it', async ({ start }) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  try {
    // The native error box waits for a person; the sentence is on stderr as well, before the box.
    const { words } = await runToEnd(
      { ...start, env: { ...start.env, ROTAVOX_PORT: String(port) } },
      { endAt: 'another program' },
    );
    expect(words).toContain(`Port ${port} on 127.0.0.1 is used by another program`);
  } finally {
    other.close();
  }
});
