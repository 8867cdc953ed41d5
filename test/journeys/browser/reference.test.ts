import { expect } from '@playwright/test';
import { StatusPage } from '../pages/status-page.ts';
import { test } from './serve-host.ts';

test(
  'the reference shows every call, and its script reaches nothing of the owner who looks at it',
  { tag: '@long' },
  async ({ page, owner }) => {
    // Not the page of a fixture, which would count what the policy refuses here as a mistake.
    const status = new StatusPage(page);
    await page.goto(await owner.signInLink());
    await status.expectRunning();

    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${owner.baseUrl}/docs`);
    await expect(page.getByRole('heading', { name: 'Rotavox', exact: true })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Rotate a token' })).toBeVisible();
    expect(asked).toEqual(['/docs', '/docs/']);

    const reached = await page.evaluate(async () => {
      const read = async (path: string): Promise<string> => {
        try {
          return `answered with ${(await fetch(path)).status}`;
        } catch {
          return 'refused';
        }
      };
      return {
        origin: self.origin,
        status: await read('/portal/status'),
        document: await read('/openapi.json'),
      };
    });
    expect(reached).toMatchObject({ origin: 'null', status: 'refused', document: 'refused' });

    const downloading = page.waitForEvent('download');
    await page
      .getByText(/^Download/)
      .first()
      .click();
    expect((await downloading).suggestedFilename()).toMatch(/\.json$/);

    // In the same tab: the owner is still signed in.
    await page.goto(owner.baseUrl);
    await status.expectRunning();
  },
);
