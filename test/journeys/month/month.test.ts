import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TokenFamilyView } from '../../../src/contract/token/token-list.ts';
import type { SeededMonth } from '../../fixtures/month/seeded-month.ts';
import type { Owner } from '../owner.ts';
import { CredentialPage } from '../pages/credential-page.ts';
import { CredentialsPage } from '../pages/credentials-page.ts';
import { FamilyPage } from '../pages/family-page.ts';
import { HistoryPage } from '../pages/history-page.ts';
import { MoveDialog } from '../pages/move-dialog.ts';
import { StatusPage } from '../pages/status-page.ts';
import { TokensPage } from '../pages/tokens-page.ts';
import { expectGoodView } from '../browser/expect-good-view.ts';
import { test } from '../browser/serve-host.ts';

// All on one month, and so in one worker: making it takes seconds.
test.describe.configure({ mode: 'default' });
test.use({ seeded: true });

/** A view with what a month has left in it, and how it is reached. */
interface View {
  readonly name: string;
  readonly open: (page: Page, owner: Owner, month: SeededMonth) => Promise<void>;
}

const views: readonly View[] = [
  {
    name: 'history',
    open: async (page, owner) => {
      const history = new HistoryPage(page);
      await history.open(owner.baseUrl);
      await history.verify.click();
      await expect(history.verified).toBeVisible();
      await history.scrollTo(2_000);
      await expect(history.row(40)).toContainText(/[AP]M/);
    },
  },
  {
    name: 'history-search',
    open: async (page, owner) => {
      const history = new HistoryPage(page);
      await history.open(owner.baseUrl, '?text=token&result=attention');
      await expect(history.rows.first()).toContainText(/[AP]M/);
      await history.export.click();
    },
  },
  {
    name: 'history-nothing-found',
    open: async (page, owner) => {
      await new HistoryPage(page).open(owner.baseUrl, '?text=no+such+thing');
      await expect(page.getByText('No matches')).toBeVisible();
    },
  },
  {
    name: 'history-event',
    open: async (page, owner, month) => {
      const history = new HistoryPage(page);
      await history.open(owner.baseUrl, `?subject=${month.families.longName}`);
      await history.rows.first().click();
      await expect(history.fact('About')).toBeVisible();
    },
  },
  {
    name: 'tokens',
    open: async (page, owner) => {
      const tokens = new TokensPage(page);
      await tokens.open(owner.baseUrl);
      await expect(tokens.row('Call centre dashboard')).toBeVisible();
    },
  },
  {
    name: 'tokens-nothing-found',
    open: async (page, owner) => {
      await new TokensPage(page).open(owner.baseUrl, '?text=no+such+thing');
      await expect(page.getByText('No matches')).toBeVisible();
    },
  },
  {
    name: 'family',
    open: async (page, owner, month) => {
      const family = new FamilyPage(page);
      await family.open(owner.baseUrl, month.families.dashboard);
      await family.compare(5).click();
      await family.compare(1).click();
      await expect(family.settings.getByRole('columnheader')).toHaveCount(5);
      await expect(family.history.first()).toBeVisible();
    },
  },
  {
    name: 'family-long-name',
    open: async (page, owner, month) => {
      const family = new FamilyPage(page);
      await family.open(owner.baseUrl, month.families.longName);
      await expect(family.history.first()).toBeVisible();
    },
  },
  {
    name: 'family-blacklisted',
    open: async (page, owner, month) => {
      const family = new FamilyPage(page);
      await family.open(owner.baseUrl, month.families.blacklisted);
      await expect(family.present).toContainText('This token has ended.');
      await expect(family.history.first()).toBeVisible();
    },
  },
  {
    name: 'family-difference',
    open: async (page, owner, month) => {
      const { id } = await owner.ask('readFamily', { params: { id: month.families.dashboard } });
      await page.route(`**/portal/families/${id}`, async (route) => {
        const answer = await route.fetch();
        const body = (await answer.json()) as TokenFamilyView;
        Object.assign(body.tokens.at(-1)!, { scopes: [], ip_restrictions: ['127.0.0.0/8'] });
        await route.fulfill({ response: answer, json: body });
      });
      const family = new FamilyPage(page);
      await family.open(owner.baseUrl, id);
      await expect(family.inheritance.getByRole('alert')).toBeVisible();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    },
  },
  {
    name: 'blacklist-token',
    open: async (page, owner, month) => {
      await new CredentialPage(page).open(owner.baseUrl, month.credentials.fine);
      await page.getByRole('button', { name: 'Blacklist…' }).click();
      await new MoveDialog(page).reason.fill('Leaked with the laptop that was left in a taxi.');
    },
  },
  {
    name: 'month-overview',
    open: async (page, owner) => {
      await page.goto(owner.baseUrl);
      const status = new StatusPage(page);
      await status.rows.nth(2).focus();
      await page.keyboard.press('Shift+ArrowRight');
      await expect(status.tip).toBeVisible();
    },
  },
  {
    name: 'credentials',
    open: async (page, owner) => {
      const credentials = new CredentialsPage(page);
      await credentials.open(owner.baseUrl);
      await expect(credentials.rows).toHaveCount(7);
    },
  },
  {
    name: 'credentials-many',
    open: async (page, owner) => {
      const list = await owner.ask('listCredentials');
      const all = Array.from({ length: 20 }, (_, round) =>
        list.credentials.map((one) => ({ ...one, id: `${one.id}${round}`, name: `${one.name}-${round}` })),
      ).flat();
      await page.route(/\/portal\/credentials\?planned=false$/, (route) =>
        route.fulfill({ json: { ...list, credentials: all } }),
      );
      const credentials = new CredentialsPage(page);
      await credentials.open(owner.baseUrl);
      await expect(credentials.page.getByText('140 tokens rotated automatically')).toBeVisible();
    },
  },
  {
    name: 'credential-fine',
    open: async (page, owner, month) => {
      const credential = new CredentialPage(page);
      await credential.open(owner.baseUrl, month.credentials.fine);
      await credential.rotate();
      await expect(credential.rotation.getByText(/^Rotated, and delivered/)).toBeVisible();
      await credential.testConnection.click();
      await expect(credential.tokenCard.getByText('It works.')).toBeVisible();
    },
  },
  {
    name: 'credential-failing',
    open: async (page, owner, month) => {
      const credential = new CredentialPage(page);
      await credential.open(owner.baseUrl, month.credentials.failing);
      await expect(credential.trouble.first()).toBeVisible();
    },
  },
  {
    name: 'credential-delivery-failing',
    open: async (page, owner, month) => {
      const credential = new CredentialPage(page);
      await credential.open(owner.baseUrl, month.credentials.deliveryFailing);
      await expect(credential.targets.first()).toBeVisible();
    },
  },
  {
    name: 'pause-credential',
    open: async (page, owner, month) => {
      const credential = new CredentialPage(page);
      await credential.open(owner.baseUrl, month.credentials.daily);
      await credential.pause.click();
      await expect(credential.dialog).toContainText('No rotation starts until the pause is over');
    },
  },
  {
    name: 'bring-value',
    open: async (page, owner, month) => {
      const credential = new CredentialPage(page);
      await credential.open(owner.baseUrl, month.credentials.failing);
      await credential.bring.click();
      await credential.field('Token').fill('Bearer no-token');
      await credential.dialog.getByRole('checkbox', { name: 'Set when it expires' }).click();
      await credential.press('Replace token').click();
      await expect(credential.field('Token')).toHaveAttribute('aria-invalid', 'true');
    },
  },
  {
    name: 'credential-recipes',
    open: async (page, owner, month) => {
      const credential = new CredentialPage(page);
      await credential.open(owner.baseUrl, month.credentials.fine);
      await credential.add('Lines for a shell…');
      await credential.recipes.getByLabel('The token comes from').selectOption({ index: 1 });
      await expect(credential.recipe).toContainText('BILLING_TOKEN');
    },
  },
  {
    name: 'target-editor',
    open: async (page, owner, month) => {
      const credential = new CredentialPage(page);
      const env = join(month.folder, 'reports.env');
      writeFileSync(env, 'PORT=8080\n# who asks\nUSER=reports\nexport API_TOKEN="old"\n');
      await credential.open(owner.baseUrl, month.credentials.paused);
      await credential.add('Target…');
      await credential.field('Path').fill(env);
      await credential.field('Variable').fill('API_TOKEN');
      await expect(credential.dryRun).toContainText('line 4');
    },
  },
];

for (const view of views)
  test(`${view.name} is accessible and fits any width`, async ({ status, owner, month }) => {
    await view.open(status.page, owner, month);
    await expectGoodView(status);
  });

async function open(status: StatusPage, owner: Owner): Promise<void> {
  await status.page.goto(owner.baseUrl);
  await status.expectRunning();
}

test.describe('the lifeline of a month', () => {
  // With what moves: it is scrolled.
  test.use({ contextOptions: {} });

  test('is read with the mouse: pointed at, panned, zoomed, opened', async ({ status, owner, month }) => {
    await open(status, owner);
    await expect(status.needs.first()).toContainText(month.credentials.failing);
    await status.row(month.credentials.elsewhere).scrollIntoViewIfNeeded();
    expect(await status.nowShare()).toBeCloseTo(0.25, 2);
    const nowX = await status.nowX();
    // A mark right at the present would answer for itself, and not for the value.
    const value = status.tip.filter({ hasText: 'Expires' });
    const elsewhereY = await status.middleOf(month.credentials.elsewhere);
    await expect(async () => {
      for (let x = 6; x < 60; x += 12) {
        await status.page.mouse.move(nowX - x, elsewhereY);
        if (await appears(value)) return;
      }
      throw new Error('No value answers the mouse.');
    }).toPass();
    await expect(status.tip).toContainText('Next rotation');
    await expect(status.tip).toContainText('in the next 90 days');

    const row = status.row(month.credentials.daily);
    // Clear of the head, which stays: the rows' order is by chance.
    await row.evaluate((element) => element.scrollIntoView({ block: 'nearest' }));
    const y = await status.middleOf(month.credentials.daily);
    // A mark of a value of a day is never further than this. Each place is given the time to be answered.
    const planned = status.tip.filter({ hasText: /Planned rotation \d+ of \d+/ });
    await expect(async () => {
      for (let x = 200; x < 230; x += 5) {
        await status.page.mouse.move(nowX + x, y);
        if (await appears(planned)) return;
      }
      throw new Error('No mark answers the mouse.');
    }).toPass();
    await status.page.mouse.move(nowX + 200, y);

    const before = await status.scrolled();
    await status.page.mouse.down();
    await status.page.mouse.move(nowX + 500, y, { steps: 5 });
    await status.page.mouse.up();
    expect(await status.scrolled()).toBe(before - 300);
    await expect(status.page, 'a drag opens nothing').toHaveURL(`${owner.baseUrl}/`);
    await status.page.keyboard.down('Shift');
    await status.page.mouse.wheel(0, 400);
    await status.page.keyboard.up('Shift');
    await expect.poll(() => status.scrolled()).toBeGreaterThan(before);

    await status.now.click();
    await expect.poll(() => status.nowShare()).toBeCloseTo(0.25, 2);
    await status.days(90).click();
    await expect.poll(() => status.nowShare(), 'the same instant stays in its place').toBeCloseTo(0.25, 2);
    await expect(status.page).toHaveURL(/days=90/);

    await row.getByText(month.credentials.daily).click();
    await expect(status.page).toHaveURL(`${owner.baseUrl}/credentials/${month.credentials.daily}`);
    await status.page.goBack();
    await expect(status.days(90), 'the way back leads to the same picture').toBeChecked();
  });

  test('is read without a mouse', async ({ status, owner, month }) => {
    await open(status, owner);
    const { keyboard } = status.page;
    await expect(status.rows.first()).toBeVisible();
    await status.tabTo(status.rows.first());
    await expect(status.rows.first()).toHaveAccessibleDescription(
      /Shift with left or right arrow: previous or next token/,
    );

    const row = status.row(month.credentials.fine);
    await expect(row).toHaveAccessibleName(
      /Credential of this service\. Token \d+ since .+ \d+ rotations are planned/,
    );
    for (let presses = 0; presses < 30; presses += 1) {
      if (await row.evaluate((element) => element === document.activeElement)) break;
      await keyboard.press('ArrowDown');
    }
    await expect(row).toBeFocused();
    await keyboard.press('Shift+ArrowRight');
    await expect(status.tip).toContainText('Next rotation');
    const said = status.lifeline.getByRole('status').filter({ hasText: 'Token' });
    await expect(said).toContainText('Expires');
    await keyboard.press('Shift+ArrowLeft');
    await expect(said).toContainText('Superseded');
    await keyboard.press('Escape');
    await expect(status.tip).toBeHidden();
    await expect(row, 'Esc hides the words and nothing else').toBeFocused();

    const before = await status.scrolled();
    await keyboard.press('ArrowRight');
    await expect.poll(() => status.scrolled()).toBeGreaterThan(before);
    await keyboard.press('0');
    await expect.poll(() => status.nowShare()).toBeCloseTo(0.25, 2);
    await keyboard.press('-');
    await expect(status.days(90)).toBeChecked();
    await keyboard.press('+');
    await keyboard.press('+');
    await expect(status.days(7)).toBeChecked();

    await keyboard.press('End');
    await expect(status.rows.last()).toBeFocused();
    await expect(status.rows.last()).toBeInViewport();
    await keyboard.press('Home');
    await expect(status.rows.first()).toBeFocused();
    await keyboard.press('Enter');
    await expect(status.page).toHaveURL(/\/(?:credentials|tokens\/family)\//);
  });
});

test('fits a narrow screen, a desktop and 4k, and keeps its place at every scale', async ({
  status,
  owner,
}) => {
  for (const [width, height] of [
    [320, 720],
    [1280, 900],
    [3840, 2160],
  ] as const) {
    await status.page.setViewportSize({ width, height });
    await open(status, owner);
    await expect(status.rows.first()).toBeVisible();
    await status.expectNoSidewaysScroll();
    await expect.poll(() => status.nowShare(), `at ${width}`).toBeCloseTo(0.25, 1);
    for (const days of [7, 90] as const) {
      await status.days(days).click();
      await expect.poll(() => status.nowShare(), `${days} days at ${width}`).toBeCloseTo(0.25, 1);
    }
  }
});

/** Whether something is there within a moment. */
async function appears(one: Locator): Promise<boolean> {
  return await one.waitFor({ timeout: 300 }).then(
    () => true,
    () => false,
  );
}
