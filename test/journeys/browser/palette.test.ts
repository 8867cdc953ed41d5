import { expect } from '@playwright/test';
import { ivrBody } from '../../fixtures/ivr-bodies.ts';
import { HistoryPage } from '../pages/history-page.ts';
import { IssueDialog } from '../pages/issue-dialog.ts';
import { Palette } from '../pages/palette.ts';
import { test } from './serve-host.ts';

test(
  'the palette leads to every page and thing without a mouse',
  { tag: '@long' },
  async ({ status, owner }) => {
    const palette = new Palette(status.page);
    const { family_id: family } = await owner.issueToken({ name: 'billing-sync', validity_days: 7 });
    await status.page.goto(owner.baseUrl);
    await status.expectRunning();

    await palette.open();
    await expect(palette.field).toBeFocused();
    await palette.field.fill('sett');
    await expect(palette.chosen).toContainText('Settings');
    await status.page.keyboard.press('Enter');
    await expect(status.page.getByRole('heading', { level: 1 })).toHaveText('Settings');
    await expect(palette.dialog).toBeHidden();

    await palette.open();
    await palette.field.fill('billing');
    await expect(palette.chosen).toContainText('billing-sync');
    await status.page.keyboard.press('Enter');
    await expect(status.page).toHaveURL(new RegExp(`/tokens/family/${family}$`));

    await palette.open();
    await palette.field.fill('issue a tok');
    await status.page.keyboard.press('Enter');
    await expect(new IssueDialog(status.page).name).toBeFocused();
  },
);

test(
  'the palette has the journal verified, from another page and from the history itself',
  { tag: '@long' },
  async ({ status, owner }) => {
    const { page } = status;
    const palette = new Palette(page);
    const history = new HistoryPage(page);
    await owner.issueToken({ name: 'billing-sync', validity_days: 7 });
    await page.goto(owner.baseUrl);
    await status.expectRunning();
    for (const lastSeq of [1, 2]) {
      await palette.open();
      await palette.field.fill('verify');
      await expect(palette.chosen).toContainText('Verify the journal');
      await page.keyboard.press('Enter');
      await expect(history.verified).toHaveText(new RegExp(`^Every event up to ${lastSeq} verified`));
      await expect(page, 'the wanted is for once').toHaveURL(`${owner.baseUrl}/history`);
      await owner.issueToken({ name: 'nightly-report', validity_days: 30 });
    }
    await page.reload();
    await expect(history.rows).toHaveCount(3);
    await expect(history.verified).toBeHidden();
  },
);

test('the palette is steered by arrow keys, and says when nothing matches', async ({ status, owner }) => {
  const palette = new Palette(status.page);
  await status.page.goto(owner.baseUrl);
  await status.expectRunning();
  await palette.open();
  await expect(palette.chosen).toContainText('Issue a token…');
  await expect(palette.field).toHaveAttribute('aria-activedescendant', /./);
  const first = (await palette.field.getAttribute('aria-activedescendant')) ?? '';
  await status.page.keyboard.press('ArrowDown');
  await expect(palette.chosen).toContainText('Add a credential…');
  // What a screen reader is told to read follows the highlight.
  await expect(palette.field).not.toHaveAttribute('aria-activedescendant', first);
  await expect(palette.field).toHaveAttribute('aria-activedescendant', /./);
  await status.page.keyboard.press('ArrowUp');
  await status.page.keyboard.press('ArrowUp');
  await expect(palette.options.last()).toHaveAttribute('data-focused', 'true');

  await palette.field.fill('there is no such thing');
  await expect(palette.dialog).toContainText('No matches.');
  await status.page.keyboard.press('Escape');
  await expect(palette.dialog).toBeHidden();
});

test('the palette opens by its button, and a menu from it', { tag: '@long' }, async ({ status, owner }) => {
  const palette = new Palette(status.page);
  const { id } = await owner.ask('portalCreateIvr', { body: ivrBody });
  await status.page.goto(owner.baseUrl);
  await palette.button.click();
  await palette.field.fill('recep');
  await palette.options.filter({ hasText: 'Reception' }).click();
  await expect(status.page).toHaveURL(new RegExp(`/ivr/${id}$`));
  await expect(palette.dialog).toBeHidden();
});

test('shortcuts lead to the pages, are told on a sheet, and can be turned off', async ({ status, owner }) => {
  const { page } = status;
  const palette = new Palette(page);
  await page.goto(owner.baseUrl);
  await status.expectRunning();
  for (const [keys, path] of [
    ['gh', '/history'],
    ['gt', '/tokens'],
    ['gc', '/credentials'],
    ['gs', '/settings'],
    ['gm', '/ivr'],
    ['go', '/'],
  ] as const) {
    for (const key of keys) await page.keyboard.press(key);
    await expect(page).toHaveURL(new RegExp(`:\\d+${path}$`));
  }

  await page.keyboard.press('?');
  await expect(palette.sheet).toContainText('Open the command palette');
  await expect(palette.sheet).toContainText('History');
  const singleKeys = palette.sheet.getByRole('checkbox', { name: /^Single-key shortcuts/ });
  await singleKeys.uncheck();
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await page.keyboard.press('?');
  await expect(palette.sheet).toBeHidden();
  await expect(page).toHaveURL(/:\d+\/$/);

  await palette.open();
  await palette.field.fill('shortcuts');
  await page.keyboard.press('Enter');
  await singleKeys.check();
  await page.keyboard.press('Escape');
  // While a dialog is open, keys are its own.
  await expect(palette.sheet).toBeHidden();
  await page.keyboard.press('n');
  await expect(new IssueDialog(page).name).toBeFocused();
});

test.describe('with a keychain', () => {
  const name = `journey-${process.pid}-palette`;
  test.afterEach(async ({ owner }) => {
    await owner.ask('removeCredential', { params: { name } });
  });

  test(
    'the palette copies, pauses and rotates a credential, and says how that went',
    { tag: '@long' },
    async ({ status, owner, context }) => {
      const palette = new Palette(status.page);
      const { access_token: value } = await owner.issueToken({ name, validity_days: 7 });
      await owner.ask('addCredential', { body: { name, value } });
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await status.page.goto(owner.baseUrl);
      await status.expectRunning();
      await palette.open();
      await palette.field.fill(`copy ${name}`);
      await expect(palette.chosen).toContainText(`Copy the token of ${name}`);
      await status.page.keyboard.press('Enter');
      await expect(palette.outcome).toContainText('The clipboard is cleared after 30 seconds');
      expect(await status.page.evaluate(() => navigator.clipboard.readText())).toBe(value);

      await palette.field.fill(`pause ${name}`);
      await expect(palette.chosen).toContainText('for 1 hour');
      await status.page.keyboard.press('Enter');
      await expect(palette.outcome).toContainText('paused for 1 hour');
      expect((await owner.ask('readCredential', { params: { name } })).state).toBe('paused');

      await palette.field.fill(`rotate ${name}`);
      await expect(palette.chosen).toContainText(`Rotate ${name} now`);
      await status.page.keyboard.press('Enter');
      await expect(status.page).toHaveURL(new RegExp(`/credentials/${name}\\?rotate=1$`));
      await expect(status.page.getByRole('dialog')).toContainText('The current token stops working at once.');
      await status.page.keyboard.press('Enter');
      await expect(status.page).toHaveURL(new RegExp(`/credentials/${name}$`));
      await expect
        .poll(async () => (await owner.ask('readCredential', { params: { name } })).generation)
        .toBe(2);
    },
  );
});

test('what is typed while the palette is loaded is in its field', async ({ status, owner }) => {
  const palette = new Palette(status.page);
  await status.page.goto(owner.baseUrl);
  await status.expectRunning();
  const held = Promise.withResolvers<null>();
  await status.page.route(/palette.*\.js$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await palette.open();
  await status.page.keyboard.type('settings');
  held.resolve(null);
  await expect(palette.field).toHaveValue('settings');
  await expect(status.page.getByRole('dialog')).toHaveCount(1);
});
