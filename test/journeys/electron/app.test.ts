import { expect } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { StatusPage } from '../pages/status-page.ts';
import { test } from './launch-app.ts';
import { runToEnd } from './run-to-end.ts';

test('the window shows the service, and a token that is issued elsewhere appears at once', async ({
  status,
  owner,
}) => {
  await expect(status.fact('Address')).toContainText(owner.baseUrl);
  await expect(status.firstSteps).toBeVisible();

  await owner.issueToken({ name: 'journey', validity_days: 7 });
  await expect(status.tokens('Active')).toHaveText('1');
  await expect(status.history.first()).toContainText('Token issued');
  await expect(status.history.first()).toContainText('journey');

  await owner.issueToken({ name: 'another', validity_days: 1 });
  await expect(status.tokens('Active')).toHaveText('2');
  status.expectNoViolations();
});

test('the page has no Node, and of the desktop only what the bridge offers', async ({ status }) => {
  const found = await status.page.evaluate(() => ({
    node: ['require', 'process', 'module', 'Buffer', 'global'].filter((name) =>
      Reflect.has(globalThis, name),
    ),
    bridge: Object.keys(Reflect.get(globalThis, 'rotavox') as object).sort(),
  }));
  expect(found).toEqual({
    node: [],
    bridge: ['checkForUpdates', 'copySecret', 'quit', 'readOpenAtLogin', 'setOpenAtLogin', 'showDataFolder'],
  });
});

test('the window keeps its cookie from scripts and from the disk', async ({ app, status }) => {
  expect(await status.page.evaluate(() => document.cookie)).toBe('');
  const isPersistent = await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]!.webContents.session.isPersistent(),
  );
  expect(isPersistent).toBe(false);
});

test('the window goes nowhere else', async ({ app, status, owner }) => {
  await status.expectRunning();
  // From inside the app: Playwright would wait for ever for the end of a navigation that is refused.
  const attempt = await app.evaluate(async ({ BrowserWindow }) => {
    const { webContents } = BrowserWindow.getAllWindows()[0]!;
    const tried = new Promise<{ url: string; refused: boolean }>((resolve) => {
      webContents.on('will-frame-navigate', (event) => {
        resolve({ url: event.url, refused: event.defaultPrevented });
      });
    });
    await webContents.executeJavaScript('location.href = "https://example.invalid/"; undefined');
    const { url, refused } = await tried;
    const sign: unknown = await webContents.executeJavaScript(
      'document.querySelector("[role=status]").textContent',
    );
    return { url, refused, still: webContents.getURL(), sign };
  });
  expect(attempt).toEqual({
    url: 'https://example.invalid/',
    refused: true,
    still: `${owner.baseUrl}/`,
    sign: 'Running',
  });
});

test('the window opens no other', async ({ app, status }) => {
  const opened = await status.page.evaluate(() => [
    window.open('https://example.invalid/') === null,
    window.open('/') === null,
  ]);
  expect(opened).toEqual([true, true]);
  expect(app.windows()).toHaveLength(1);
});

test('the page gets no permission but to copy, and to listen when a prompt is recorded', async ({
  app,
  status,
  owner,
}) => {
  const permissions = await status.page.evaluate(async () => {
    const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read'];
    const states = names.map(async (name) => {
      const { state } = await navigator.permissions.query({ name: name as PermissionName });
      return [name, state];
    });
    return Promise.all(states);
  });
  expect(permissions.filter(([, state]) => state !== 'denied')).toEqual([['microphone', 'granted']]);

  await status.copy("the service's address").click();
  await expect(status.fact('Address')).toContainText('Copied');
  expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toBe(owner.baseUrl);
});

test('a second start on the same data folder ends, and the first goes on', async ({ status, app, start }) => {
  const second = await runToEnd(start);
  expect(second.code).toBe(0);
  expect(second.words).toContain('already running');
  expect(app.windows()).toHaveLength(1);
  await status.expectRunning();
});

test('quitting from the window leaves no runtime file', async ({ app, status, owner }) => {
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

test('SIGTERM, even twice, ends the app cleanly', async ({ app, status, owner }) => {
  await status.expectRunning();
  const { pid } = app.process();
  const ended = once(app.process(), 'exit');
  // From one process, close together, as npm and a terminal do it: one that comes when all is closed may end what is left.
  execFileSync('kill', ['-s', 'TERM', String(pid), String(pid)]);
  const [code] = (await ended) as [number | null];
  expect(code).toBe(0);
  expect(existsSync(owner.runtimeFile)).toBe(false);
});

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
    expect(words).toContain(`Port ${port} on 127.0.0.1 is taken`);
  } finally {
    other.close();
  }
});

test('the first steps that were put away stay away after a restart', async ({
  app,
  status,
  owner,
  launch,
  start,
}) => {
  await status.firstSteps.getByRole('button', { name: 'Put away' }).click();
  await expect(status.firstSteps).toBeHidden();
  await expect.poll(async () => (await owner.ask('readSettings')).first_steps).toBe('dismissed');
  await app.close();

  const next = new StatusPage(await (await launch(start)).firstWindow());
  await next.expectRunning();
  await expect(next.lifeline.getByRole('button', { name: 'Show the first steps' })).toBeVisible();
  await expect(next.firstSteps).toBeHidden();
});
