import { expect } from '@playwright/test';
import type { ElectronApplication } from '@playwright/test';
import { test } from './launch-app.ts';

const sourceOf = (app: ElectronApplication) => app.evaluate(({ nativeTheme }) => nativeTheme.themeSource);

test('the app and its windows look as the settings say, at once and at the next start', async ({
  app,
  status,
  owner,
  launch,
  start,
}) => {
  // Playwright tells pages that light is preferred, so what Electron makes of that cannot be seen here.
  const page = status.page.locator('html');
  expect(await sourceOf(app)).toBe('system');
  await owner.ask('changeSettings', { body: { theme: 'dark' } });
  await expect.poll(() => sourceOf(app)).toBe('dark');
  await expect(page).toHaveAttribute('data-theme', 'dark');
  await owner.ask('changeSettings', { body: { theme: 'light' } });
  await expect.poll(() => sourceOf(app)).toBe('light');
  await expect(page).toHaveAttribute('data-theme', 'light');
  await app.close();

  const next = await launch(start);
  await next.firstWindow();
  expect(await sourceOf(next)).toBe('light');
});
