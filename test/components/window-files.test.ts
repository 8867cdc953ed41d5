import { expect, type Page } from '@playwright/test';
import { windowText } from '../../src/text/window/window.ts';
import { credentialView } from '../renderer/credentials/credential-view.ts';
import { repliesOf, test } from './canned-service.ts';

const replies = {
  ...repliesOf(credentialView({})),
  '/portal/attention': { items: [], left_out: 0, next_rotation: null },
  '/portal/lifeline': { now: new Date().toISOString(), rows: [], left_out: 0 },
  '/portal/history': { events: [], next_before: null },
};
const { failure, pages } = windowText;
const styleSheet = /\/assets\/credentials-window-[^/]+\.css$/u;
const script = /\/assets\/credentials-window-[^/]+\.js$/u;

/** Refuses so many requests of a file, and counts all of them. */
async function refuse(page: Page, file: RegExp, times: number): Promise<{ asked: number; left: number }> {
  const count = { asked: 0, left: times };
  await page.route(file, async (route) => {
    count.asked += 1;
    count.left -= 1;
    if (count.left >= 0) await route.abort('connectionreset');
    else await route.continue();
  });
  return count;
}

async function openWindow(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).click();
}

async function expectShown(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: pages.credentials })).toBeVisible();
}

for (const { kind, file, times } of [
  { kind: 'style sheet', file: styleSheet, times: 1 },
  // Asked for twice: ahead, and by the import.
  { kind: 'script', file: script, times: 2 },
])
  test(`a window whose ${kind} does not arrive is loaded once more by itself`, async ({ view, show }) => {
    const { page } = view;
    await show('/', replies);
    const count = await refuse(page, file, times);
    await page.evaluate(() => Object.assign(window, { ofThisPage: true }));
    await openWindow(page, pages.credentials);
    await expectShown(page);
    expect(count.left, 'each refusal took place').toBeLessThan(0);
    expect(await page.evaluate(() => 'ofThisPage' in window), 'the page was loaded again').toBe(false);
    await expect(view.alert).toHaveCount(0);
  });

test('a window that cannot be loaded twice says so, and the others can still be opened', async ({
  view,
  show,
}) => {
  const { page } = view;
  await show('/', replies);
  const count = await refuse(page, styleSheet, 3);
  await openWindow(page, pages.credentials);
  const notice = view.alert.filter({ hasText: failure.window });
  await expect(notice).toContainText(/credentials-window-[^/]+\.css/u);
  expect(count.asked).toBe(2);

  await openWindow(page, pages.overview);
  await expect(notice).toBeHidden();
  await openWindow(page, pages.credentials);
  await notice.getByRole('button', { name: failure.again }).click();
  await expect.poll(() => count.asked, 'once, as the person wanted').toBe(3);
  await expect(notice).toBeVisible();
  await notice.getByRole('button', { name: failure.again }).click();
  await expectShown(page);
});

test('a window is not loaded again from a service that does not answer', async ({ view, show }) => {
  const { page } = view;
  await show('/', replies);
  const count = await refuse(page, styleSheet, 1);
  const isPage = (url: URL): boolean => url.pathname === '/';
  await page.route(isPage, (route) => route.abort('connectionrefused'));
  await openWindow(page, pages.credentials);
  const notice = view.alert.filter({ hasText: failure.window });
  await notice.getByRole('button', { name: failure.again }).click();
  await expect(notice).toContainText(failure.unreachable);
  expect(count.asked).toBe(1);
  await page.unroute(isPage);
  await notice.getByRole('button', { name: failure.again }).click();
  await expectShown(page);
});

test('what a window looks like does not depend on which were open before', async ({ view, show }) => {
  const { page } = view;
  await show('/', { ...replies, '/portal/tokens': { tokens: [], total: 0 }, '/portal/tokens/facets': {} });
  const search = page.getByRole('button', { name: windowText.search.button });
  const look = (): Promise<string> =>
    search.evaluate((button) => {
      const { padding, color, fontWeight } = getComputedStyle(button);
      return JSON.stringify({ padding, color, fontWeight });
    });
  const before = await look();
  await page.getByRole('link', { name: pages.tokens, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: pages.tokens })).toBeVisible();
  await openWindow(page, pages.overview);
  await page.mouse.move(0, 0);
  await expect.poll(look).toBe(before);
});
