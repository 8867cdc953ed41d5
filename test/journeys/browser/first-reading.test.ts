import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { eventStreamPath } from '../../../src/contract/address.ts';
import { test } from './serve-host.ts';

/** How often each address of the portal is asked for from now on, but for the stream of changes. */
function countQuestions(page: Page): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/portal/') || pathname === eventStreamPath) return;
    counts.set(pathname, (counts.get(pathname) ?? 0) + 1);
  });
  return counts;
}

test('a window asks for each thing once, and misses no change of before its stream was open', async ({
  status,
  owner,
}) => {
  const { page } = status;

  const { promise: released, resolve: release } = Promise.withResolvers();
  await page.route(`**${eventStreamPath}`, async (route) => {
    await released;
    await route.continue();
  });
  const questions = countQuestions(page);
  await page.goto(owner.baseUrl);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await owner.issueToken({ name: 'before-the-stream', validity_days: 7 });
  release(undefined);
  await expect(status.row('before-the-stream')).toBeVisible();
  await expect(status.history.first()).toContainText('before-the-stream');

  // Told by the stream: whatever its opening would have had asked again has been asked by now.
  await owner.issueToken({ name: 'after-it', validity_days: 7 });
  await expect(status.row('after-it')).toBeVisible();
  await expect(status.history.first()).toContainText('after-it');
  expect(Object.fromEntries(questions)).toEqual({
    '/portal/settings': 1, // the change is not about them
    '/portal/status': 2,
    '/portal/attention': 2,
    '/portal/lifeline': 2,
    '/portal/history': 2,
  });
});

test(
  'a window whose stream is refused asks all the same, and follows once it is open',
  { tag: '@long' },
  async ({ status, owner }) => {
    const { page } = status;
    await page.route('**/portal/**', (route) => route.abort());
    await page.goto(owner.baseUrl);
    await expect(status.sign).toHaveText('Not answering');

    await owner.issueToken({ name: 'while-away', validity_days: 7 });
    await page.unrouteAll();
    await status.expectRunning();
    await expect(status.row('while-away')).toBeVisible();
  },
);
