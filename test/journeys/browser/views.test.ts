import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { ivrBody } from '../../fixtures/ivr-bodies.ts';
import type { Owner } from '../owner.ts';
import { IssueDialog } from '../pages/issue-dialog.ts';
import { expectAccessible } from './expect-accessible.ts';
import { test } from './serve-host.ts';

/** A view with something in it, and how it is reached. */
interface View {
  readonly name: string;
  readonly open: (page: Page, owner: Owner) => Promise<void>;
}

const views: readonly View[] = [
  {
    name: 'overview',
    open: async (page, owner) => {
      await owner.issueToken({ name: 'billing-sync', validity_days: 7 });
      await page.goto(owner.baseUrl);
      await expect(page.getByRole('region', { name: 'API tokens' })).toBeVisible();
    },
  },
  {
    name: 'first-steps',
    open: async (page, owner) => {
      await page.goto(owner.baseUrl);
      await expect(page.getByRole('region', { name: 'Issue your first token' })).toBeVisible();
    },
  },
  {
    name: 'issue-form',
    open: async (page, owner) => {
      await page.goto(`${owner.baseUrl}/tokens/issue`);
      const dialog = new IssueDialog(page);
      await dialog.validity('Other').click();
      await dialog.otherDays.fill('45');
      await dialog.addresses.fill('10.0.0.0/8 10.0.0.0/33');
      await dialog.keepFresh.click();
      await dialog.submit.click();
      await expect(dialog.name).toHaveAttribute('aria-invalid', 'true');
    },
  },
  {
    name: 'issued-token',
    open: async (page, owner) => {
      await page.goto(`${owner.baseUrl}/tokens/issue`);
      const dialog = new IssueDialog(page);
      await dialog.name.fill('billing-sync');
      await dialog.submit.click();
      await expect(dialog.value).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(dialog.alert).toBeVisible();
    },
  },
  {
    name: 'settings',
    open: async (page, owner) => {
      const hours = { from: '22:00', to: '07:00' };
      await owner.ask('changeSettings', { body: { quiet_hours: hours, sms_templates_enabled: true } });
      await page.goto(`${owner.baseUrl}/settings`);
      await page.getByRole('textbox', { name: 'Address' }).fill('ftp://nowhere');
      await page.keyboard.press('Enter');
      await expect(page.getByText('must be the address of an update feed')).toBeVisible();
    },
  },
  {
    name: 'first-menu',
    open: async (page, owner) => {
      await page.goto(`${owner.baseUrl}/ivr`);
      await expect(page.getByRole('region', { name: 'Create your first phone menu' })).toBeVisible();
    },
  },
  {
    name: 'menus',
    open: async (page, owner) => {
      for (const name of ['Reception', 'Night service', 'A name as long as a name may be '.repeat(3)])
        await owner.ask('portalCreateIvr', { body: { ...ivrBody, name } });
      await page.goto(`${owner.baseUrl}/ivr`);
      await expect(page.getByRole('region', { name: 'Stored menus' }).getByRole('listitem')).toHaveCount(3);
    },
  },
  {
    name: 'menu',
    open: async (page, owner) => {
      const night = await owner.ask('portalCreateIvr', { body: { ...ivrBody, name: 'Night service' } });
      const destination = ['extension||101', `ivr||${night.id}`, 'department||support-second-level-emea'];
      const body = { ...ivrBody, destination };
      const { id } = await owner.ask('portalCreateIvr', { body });
      await owner.ask('portalUpdateIvr', { params: { id }, body: { ...body, timeout: 8 } });
      await page.goto(`${owner.baseUrl}/ivr/${id}`);
      await expect(page.getByRole('heading', { name: 'Reception' })).toBeVisible();
    },
  },
  {
    name: 'unknown-menu',
    open: async (page, owner) => {
      await page.goto(`${owner.baseUrl}/ivr/ivr_unknown`);
      await expect(page.getByText('There is no phone menu with this id.')).toBeVisible();
    },
  },
];

for (const { name, open } of views) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`${name} is accessible and fits any width in ${colorScheme}`, async ({ status, owner }) => {
      const { page } = status;
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.goto(await owner.signInLink());
      await status.expectRunning();
      await open(page, owner);
      const hasDialog = await page.getByRole('dialog').isVisible();
      for (const width of [320, 360, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await status.expectNoSidewaysScroll();
        if (width === 320) continue;
        await expectAccessible(page);
        await page.screenshot({
          path: `test-results/${name}-${width}-${colorScheme}.png`,
          fullPage: !hasDialog,
          animations: 'disabled',
        });
      }
    });
  }
}
