import { expect, type BrowserContext, type Page } from '@playwright/test';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SettingsPage } from '../pages/settings-page.ts';
import { StatusPage } from '../pages/status-page.ts';
import { test } from './serve-host.ts';

test.use({ signedIn: false });

/** Asks the service as another program would, with the cookies that a browser has. */
async function askWithCookies(context: BrowserContext, baseUrl: string): Promise<number> {
  const cookies = await context.cookies(baseUrl);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  expect(cookie).toMatch(/^rotavox_\d+=rvs_/);
  return (await fetch(`${baseUrl}/portal/tokens`, { headers: { cookie } })).status;
}

/** A server of somebody else on this machine. Its page asks it again and again, and it tries each cookie at once. */
async function lurk(
  page: Page,
  baseUrl: string,
): Promise<{ tried: () => readonly number[]; end: () => void }> {
  const tried: number[] = [];
  const server = createServer((request, response) => {
    const { cookie } = request.headers;
    if (cookie === undefined) {
      response.setHeader('content-type', 'text/html').end('<!doctype html>Nothing to see.');
      return;
    }
    void fetch(`${baseUrl}/portal/tokens`, { headers: { cookie } }).then(({ status }) => {
      tried.push(status);
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.evaluate(() => {
    const again = (): void => void fetch('/').then(again, () => undefined);
    again();
  });
  return {
    tried: () => tried,
    end() {
      server.closeAllConnections();
      server.close();
    },
  };
}

test(
  'the cookie that another port of this machine is sent opens nothing, at no moment',
  { tag: '@long' },
  async ({ status, owner, context }) => {
    const { page } = status;
    const lurking = await lurk(await context.newPage(), owner.baseUrl);
    await page.goto(await owner.signInLink());
    await status.expectRunning();
    await expect.poll(() => lurking.tried().length).toBeGreaterThan(20);
    await page.reload();
    await status.expectRunning();
    lurking.end();
    expect(new Set(lurking.tried())).toEqual(new Set([401]));
    expect(await askWithCookies(context, owner.baseUrl)).toBe(401);
  },
);

test('a sign-in holds in every tab and after a reload, until somebody signs out in one of them', async ({
  status,
  owner,
  context,
}) => {
  const { page } = status;
  await owner.issueToken({ name: 'nightly', validity_days: 7 });
  await page.goto(await owner.signInLink());
  await expect(page).toHaveURL(`${owner.baseUrl}/`);
  await expect(status.row('nightly')).toBeVisible();
  await page.reload();
  await expect(status.row('nightly')).toBeVisible();

  const settings = new SettingsPage(await context.newPage());
  await settings.page.goto(`${owner.baseUrl}/settings`);
  await owner.issueToken({ name: 'second', validity_days: 7 });
  await expect(status.row('second'), 'told by the stream of changes').toBeVisible();

  await settings.signOut.click();
  const left = new StatusPage(settings.page);
  for (const tab of [left, status]) {
    await expect(tab.alert).toContainText('not signed in');
    await expect(tab.sign).toHaveText('Signed out');
    await expect(tab.rows).toHaveCount(0);
    expect(await tab.page.content()).not.toContain('nightly');
  }
  expect(await context.cookies(owner.baseUrl)).toEqual([]);

  // Signed in again in one tab, the other notices by itself.
  await left.page.goto(await owner.signInLink());
  await expect(left.row('nightly')).toBeVisible();
  await expect(status.row('nightly')).toBeVisible();
  for (const tab of [left, settings]) tab.expectNoViolations();
});

test('a restart signs no browser out, with or without an open page, until somebody signs out', async ({
  status,
  owner,
  server,
  context,
}) => {
  const { page } = status;
  const { baseUrl } = owner;
  const port = Number(new URL(baseUrl).port);
  const isRemembered = page.waitForResponse((reply) => reply.url().endsWith('/portal/browser-keys'));
  await page.goto(await owner.signInLink());
  await status.expectRunning();
  expect((await isRemembered).status()).toBe(200);

  await server.stop();
  await expect(status.sign).not.toHaveText('Running');
  await server.start(port);
  await status.expectRunning();
  await owner.issueToken({ name: 'after the restart', validity_days: 7 });
  await expect(status.row('after the restart'), 'told by the stream of changes').toBeVisible();

  await page.close();
  await server.stop();
  await server.start(port);
  const [tab, settings] = [
    new StatusPage(await context.newPage()),
    new SettingsPage(await context.newPage()),
  ];
  await Promise.all([tab.page.goto(baseUrl), settings.page.goto(`${baseUrl}/settings`)]);
  await tab.expectRunning();
  await settings.signOut.click();
  await expect(tab.sign).toHaveText('Signed out');

  await server.stop();
  await server.start(port);
  await tab.page.reload();
  await expect(tab.alert).toContainText('not signed in');
});

test(
  'signing out all browsers ends the sessions of others at once',
  { tag: '@long' },
  async ({ status, settings, owner, browser }) => {
    const other = await browser.newContext();
    const forgotten = new StatusPage(await other.newPage());
    await forgotten.page.goto(await owner.signInLink());
    await forgotten.expectRunning();

    await settings.page.goto(await owner.signInLink());
    await settings.page.goto(`${owner.baseUrl}/settings`);
    await settings.signOutAll.click();
    await expect(status.alert).toContainText('not signed in');
    await expect(forgotten.alert).toContainText('not signed in');
    await other.close();
  },
);
