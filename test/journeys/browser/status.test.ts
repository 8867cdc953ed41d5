import { expect } from '@playwright/test';
import { existsSync } from 'node:fs';
import { test } from './serve-host.ts';

const screenshots = 'test-results';

test('a sign-in link opens the window once and only once', async ({ status, owner, browser }) => {
  const link = await owner.signInLink();
  await status.page.goto(link);
  await status.expectRunning();
  expect(status.page.url(), 'nothing of the link stays in the address').toBe(`${owner.baseUrl}/`);

  const stranger = await browser.newContext();
  const answer = await (await stranger.newPage()).goto(link);
  expect(answer?.status()).toBe(401);
  await stranger.close();
});

test('a browser that is not signed in is told how to sign in', async ({ status, owner }) => {
  await status.page.goto(owner.baseUrl);
  await expect(status.alert).toContainText('not signed in');
  await expect(status.alert).toContainText('rotavox open');
});

test('an empty service offers the first steps, which copy exactly', async ({ status, owner, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await status.page.goto(await owner.signInLink());
  await expect(status.firstSteps).toContainText('rotavox token issue --name my-app --validity 7');
  await status.copy('the command that rotates a token').click();
  const copied = await status.page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(`curl -X POST ${owner.baseUrl}/v1/auth/rotate -H "Authorization: Bearer $TOKEN"`);
});

test('what changes appears without a reload', async ({ status, owner }) => {
  await status.page.goto(await owner.signInLink());
  await expect(status.firstSteps).toBeVisible();
  for (const name of ['billing-sync', 'crm-import', 'call-reports']) {
    await owner.issueToken({ name, validity_days: 7 });
    await expect(status.history.first()).toContainText(name);
  }
  await expect(status.tokens('Active')).toHaveText('3');
  await expect(status.firstSteps).toBeHidden();
});

for (const { name, width, height } of [
  { name: 'narrow', width: 320, height: 720 },
  { name: 'desktop', width: 1120, height: 800 },
  { name: '4k', width: 3840, height: 2160 },
]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`the window fits a ${name} screen in ${colorScheme}`, async ({ status, owner }) => {
      await status.page.emulateMedia({ colorScheme });
      await status.page.setViewportSize({ width, height });
      await owner.issueToken({ name: 'billing-sync', validity_days: 7 });
      await status.page.goto(await owner.signInLink());
      await expect(status.tokens('Active')).toHaveText('1');
      await status.expectNoSidewaysScroll();
      await status.page.screenshot({
        path: `${screenshots}/status-${name}-${colorScheme}.png`,
        fullPage: true,
        animations: 'disabled',
      });
    });
  }
}

test('a service that ends is missed at once, and noticed when it is back', async ({
  status,
  owner,
  server,
}) => {
  await status.page.goto(await owner.signInLink());
  await status.expectRunning();
  const port = Number(new URL(owner.baseUrl).port);

  expect(await server.stop()).toBe(0);
  expect(existsSync(owner.runtimeFile)).toBe(false);
  await expect(status.alert).toContainText('The service does not answer');
  await status.retry.click();
  await expect(status.alert).toContainText('The service does not answer');

  // Sessions live in the memory of the process that gave them: the next one asks to sign in again.
  await server.start(port);
  await expect(status.alert).toContainText('not signed in');
  await status.page.goto(await owner.signInLink());
  await status.expectRunning();
});
