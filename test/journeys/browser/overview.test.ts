import { expect } from '@playwright/test';
import type { Locator } from '@playwright/test';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Owner } from '../owner.ts';
import type { StatusPage } from '../pages/status-page.ts';
import { test } from './serve-host.ts';

const screenshots = 'test-results';
const run = promisify(execFile);
const hourMs = 3_600_000;

/** Values are kept in a file here: nobody's keychain is touched. */
const scratch = mkdtempSync(join(tmpdir(), 'rotavox-overview-'));
const passphraseFile = join(scratch, 'passphrase');
writeFileSync(passphraseFile, 'for these journeys only\n', { mode: 0o600 });
const fileVault = { ROTAVOX_VAULT: 'file', ROTAVOX_VAULT_PASSPHRASE_FILE: passphraseFile };
test.use({ serverEnv: fileVault });
test.afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
});

/** A token of this service that is kept fresh under its own name. */
async function keep(owner: Owner, name: string, expiresInMs?: number): Promise<void> {
  const ends =
    expiresInMs === undefined ? {} : { expires_at: new Date(Date.now() + expiresInMs).toISOString() };
  const { access_token: value } = await owner.issueToken({ name, validity_days: 7, ...ends });
  await owner.ask('addCredential', { body: { name, value } });
}

async function open(status: StatusPage, owner: Owner): Promise<void> {
  await status.page.goto(await owner.signInLink());
  await status.expectRunning();
}

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
  await expect(status.alert).toContainText('open');
});

test.describe('the first steps', () => {
  test('end with a token that is issued, kept fresh and read by the command that is shown', async ({
    status,
    owner,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await open(status, owner);
    await expect(status.attention).toContainText('Nothing needs you. There is no token yet.');
    await expect(status.lifeline).toContainText('Every token and credential has a line here.');
    await expect(status.step('Issue a token')).toHaveAttribute('aria-current', 'step');

    const { access_token: value } = await owner.issueToken({ name: 'my-app', validity_days: 7 });
    await expect(status.step('Issue a token')).toContainText('done');
    await expect(status.step('Keep it fresh')).toHaveAttribute('aria-current', 'step');
    await expect(status.attention).toContainText('No token is kept fresh yet.');

    await owner.ask('addCredential', { body: { name: 'nightly', value } });
    await expect(status.step('Keep it fresh')).toContainText('nightly is rotated before it ends');
    await expect(status.attention).toContainText('Nothing needs you. Next rotation: nightly,');

    await status.copy('the command that reads the value').click();
    const command = await status.page.evaluate(() => navigator.clipboard.readText());
    const { stdout } = await run('/bin/sh', ['-c', command]);
    expect(stdout.trim()).toBe(value);

    await status.firstSteps.getByRole('button', { name: 'I have read it' }).click();
    await expect(status.firstSteps).toBeHidden();
    await status.page.reload();
    await expect(status.row('nightly')).toBeVisible();
    await expect(status.firstSteps, 'what is done stays done').toBeHidden();
  });

  test('are put away and brought back without a mouse, and copy the command that issues a token', async ({
    status,
    owner,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await open(status, owner);
    const { keyboard } = status.page;
    await expect(status.firstSteps).toBeVisible();
    await status.tabTo(status.copy('the command that issues a token'));
    await keyboard.press('Enter');
    const copied = await status.page.evaluate(() => navigator.clipboard.readText());
    const { command_line: commandLine } = await owner.ask('portalStatus');
    expect(copied).toBe(`${commandLine} token issue --name my-app --validity 7 --keep-as my-app`);

    await status.tabTo(status.firstSteps.getByRole('button', { name: 'Put away' }));
    await keyboard.press('Enter');
    await expect(status.firstSteps).toBeHidden();
    await status.page.reload();
    const show = status.lifeline.getByRole('button', { name: 'Show the first steps' });
    await expect(show).toBeVisible();
    await expect(status.firstSteps, 'what is put away stays away').toBeHidden();
    await status.tabTo(show);
    await keyboard.press('Enter');
    await expect(status.firstSteps).toBeFocused();
  });
});

test('what changes elsewhere appears without a reload', async ({ status, owner }) => {
  await open(status, owner);
  for (const name of ['billing-sync', 'crm-import', 'call-reports']) {
    const { id } = await owner.issueToken({ name, validity_days: 7 });
    await expect(status.history.first()).toContainText(name);
    await expect(status.row(name)).toContainText('Ends');
    if (name === 'crm-import') await owner.ask('suspendToken', { params: { id }, body: {} });
  }
  await expect(status.tokens('Active')).toHaveText('2');
  await expect(status.row('crm-import')).toContainText('Suspended');
  await status.page.getByRole('link', { name: 'Suspended', exact: true }).click();
  await expect(status.page).toHaveURL(`${owner.baseUrl}/tokens?status=Suspended`);
});

test.describe('what needs the owner', () => {
  test('comes first, is mended with one press, and then nothing does', async ({ status, owner }) => {
    await keep(owner, 'long-lived');
    await keep(owner, 'resting', 20 * hourMs);
    await owner.ask('pauseCredential', { params: { name: 'resting' } });
    await open(status, owner);
    await expect(status.needs).toHaveCount(1);
    await expect(status.needs).toContainText('“resting” is paused and comes to its end');
    await expect(status.needs).toContainText('19 h');
    await expect(status.rows.first(), 'the same thing is first in the picture').toHaveAccessibleName(
      /^resting\. Paused/,
    );

    await status.needs.getByRole('button', { name: 'Resume resting' }).click();
    await expect(status.attention).toContainText('Nothing needs you. Next rotation: resting,');
  });

  test('is mended without a mouse', async ({ status, owner }) => {
    await keep(owner, 'resting', 20 * hourMs);
    await owner.ask('pauseCredential', { params: { name: 'resting' } });
    await open(status, owner);
    await expect(status.needs).toHaveCount(1);
    await status.tabTo(status.needs.getByRole('button', { name: 'Resume resting' }));
    await status.page.keyboard.press('Enter');
    await expect(status.attention).toContainText('Nothing needs you.');
  });

  test('says why a wish was refused, and stays', async ({ status, owner, server }) => {
    await keep(owner, 'resting', 20 * hourMs);
    await owner.ask('pauseCredential', { params: { name: 'resting' } });
    await open(status, owner);
    await server.stop();
    await status.needs.getByRole('button', { name: 'Resume resting' }).click();
    await expect(status.needs).toContainText('The service does not answer');
  });
});

test.describe('the lifeline of a month', () => {
  test.use({ seeded: true, serverEnv: {} });

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
    await status.page.emulateMedia({ reducedMotion: 'reduce' });
    await open(status, owner);
    const { keyboard } = status.page;
    await expect(status.rows.first()).toBeVisible();
    await status.tabTo(status.rows.first());
    await expect(status.rows.first()).toHaveAccessibleDescription(
      /Shift and left or right: from value to value/,
    );

    const row = status.row(month.credentials.fine);
    await expect(row).toHaveAccessibleName(
      /Credential of this service\. Value \d+ since .+ \d+ rotations are planned/,
    );
    for (let presses = 0; presses < 30; presses += 1) {
      if (await row.evaluate((element) => element === document.activeElement)) break;
      await keyboard.press('ArrowDown');
    }
    await expect(row).toBeFocused();
    await keyboard.press('Shift+ArrowRight');
    await expect(status.tip).toContainText('Next rotation');
    const said = status.lifeline.getByRole('status').filter({ hasText: 'Value' });
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

  for (const { name, width, height } of [
    { name: 'narrow', width: 320, height: 720 },
    { name: 'desktop', width: 1280, height: 900 },
    { name: '4k', width: 3840, height: 2160 },
  ]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`fits a ${name} screen in ${colorScheme}`, async ({ status, owner }) => {
        await status.page.emulateMedia({ colorScheme });
        await status.page.setViewportSize({ width, height });
        await open(status, owner);
        await expect(status.rows.first()).toBeVisible();
        await status.expectNoSidewaysScroll();
        await status.page.screenshot({
          path: `${screenshots}/overview-${name}-${colorScheme}.png`,
          fullPage: true,
          animations: 'disabled',
        });
        for (const days of [7, 90] as const) {
          await status.days(days).click();
          await expect.poll(() => status.nowShare()).toBeCloseTo(0.25, 1);
          await status.lifeline.screenshot({
            path: `${screenshots}/lifeline-${days}-${name}-${colorScheme}.png`,
            animations: 'disabled',
          });
        }
      });
    }
  }
});

test('a service that ends is missed at once, what was known stays, and its return is noticed', async ({
  status,
  owner,
  server,
}) => {
  await keep(owner, 'nightly');
  await open(status, owner);
  await expect(status.row('nightly')).toBeVisible();
  const port = Number(new URL(owner.baseUrl).port);

  expect(await server.stop()).toBe(0);
  expect(existsSync(owner.runtimeFile)).toBe(false);
  await expect(status.alert).toContainText('The service does not answer');
  await expect(status.row('nightly')).toBeVisible();
  await status.retry.click();
  await expect(status.alert).toContainText('The service does not answer');

  // Sessions live in the memory of the process that gave them: the next one asks to sign in again.
  await server.start(port);
  await expect(status.alert).toContainText('not signed in');
  await open(status, owner);
  await expect(status.row('nightly')).toBeVisible();
});

/** Whether something is there within a moment. */
async function appears(one: Locator): Promise<boolean> {
  return await one.waitFor({ timeout: 300 }).then(
    () => true,
    () => false,
  );
}
