import { expect } from '@playwright/test';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Owner } from '../owner.ts';
import type { StatusPage } from '../pages/status-page.ts';
import { fileVault } from './credential-fixtures.ts';
import { test } from './serve-host.ts';

const run = promisify(execFile);
const hourMs = 3_600_000;

test.use({ vault: fileVault });

/** A token of this service and a credential of the same name. */
async function keep(owner: Owner, name: string, expiresInMs?: number): Promise<void> {
  const ends =
    expiresInMs === undefined ? {} : { expires_at: new Date(Date.now() + expiresInMs).toISOString() };
  const { access_token: value } = await owner.issueToken({ name, validity_days: 7, ...ends });
  await owner.ask('addCredential', { body: { name, value } });
}

async function open(status: StatusPage, owner: Owner): Promise<void> {
  await status.page.goto(owner.baseUrl);
  await status.expectRunning();
}

test.describe('not signed in yet', () => {
  test.use({ signedIn: false });

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
});

test.describe('the first steps', () => {
  test('end with a token that is issued, added as a credential and printed by the command that is shown', async ({
    status,
    owner,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await open(status, owner);
    await expect(status.step('Issue your first token')).toBeVisible();
    for (const later of [status.attention, status.lifeline, status.history])
      await expect(later, 'one thing to do, and nothing empty beside it').toBeHidden();

    const { access_token: value } = await owner.issueToken({ name: 'my-app', validity_days: 7 });
    await expect(status.step('Rotate it automatically')).toBeVisible();
    await expect(status.step('Issue your first token')).toBeHidden();
    await expect(status.attention).toContainText('No credentials yet.');

    await owner.ask('addCredential', { body: { name: 'nightly', value } });
    await expect(status.step('Use it in your app')).toBeVisible();
    await expect(status.firstSteps).toContainText('nightly is rotated before it expires');
    await expect(status.attention).toContainText('Nothing needs attention. Next rotation: nightly,');

    await status.copy('the command that prints the token').click();
    const command = await status.page.evaluate(() => navigator.clipboard.readText());
    const { stdout } = await run('/bin/sh', ['-c', command]);
    expect(stdout.trim()).toBe(value);

    await status.firstSteps.getByRole('button', { name: 'Done', exact: true }).click();
    await expect(status.firstSteps).toBeHidden();
    await status.page.reload();
    await expect(status.row('nightly')).toBeVisible();
    await expect(status.firstSteps, 'what is done stays done').toBeHidden();
  });

  test('show an example that counts down and is rotated, and leave nothing of it once it is removed', async ({
    status,
    owner,
  }) => {
    const { clock } = status.page;
    await clock.install();
    await open(status, owner);
    await expect(status.example).toContainText(/Token \d+ is rotated in \d+ s\. It would expire in \d+ s\./u);
    // Stands still until it is told to go on: a slow machine does not see each second.
    await clock.pauseAt((await status.page.evaluate(() => Date.now())) + 60_000);
    const said = /Token (\d+) is rotated in (\d+) s/u.exec(await status.example.innerText());
    const [token, left] = [Number(said?.[1]), Number(said?.[2])];
    await clock.runFor(left * 1000);
    await expect(status.example).toContainText(`Token ${token + 1} is rotated in 20 s.`);
    await clock.runFor(5_000);
    await expect(status.example).toContainText(
      `Token ${token + 1} is rotated in 15 s. It would expire in 25 s.`,
    );
    expect((await owner.ask('listTokens')).total, 'the service knows nothing of it').toBe(0);
    expect((await owner.ask('readHistory')).events).toEqual([]);

    await clock.resume();
    await status.example.getByRole('button', { name: 'Remove example' }).click();
    await expect(status.example).toBeHidden();
    await status.page.reload();
    await expect(status.firstSteps).toBeVisible();
    await expect(status.example).toBeHidden();
  });

  test('stay where they are while a step of theirs is done, by mouse and in a low window', async ({
    status,
    owner,
    dialog,
  }) => {
    await status.page.setViewportSize({ width: 900, height: 500 });
    await open(status, owner);
    await status.issue.click();
    await dialog.name.fill('my-app');
    await dialog.submit.click();
    await expect(status.step('Use it in your app'), 'it is in the vault').toBeAttached();
    await dialog.close.click();
    await expect(dialog.dialog).toBeHidden();
    await expect(status.step('Use it in your app')).toBeInViewport();
    await expect(status.firstSteps).toBeFocused();
    expect(await status.page.evaluate(() => scrollY)).toBe(0);
    await status.firstSteps.getByRole('button', { name: 'Done', exact: true }).click();
    await expect(status.firstSteps).toBeHidden();
    expect(await status.page.evaluate(() => scrollY)).toBe(0);
    await expect(status.attention).toBeInViewport();
  });

  test(
    'are dismissed and shown again without a mouse, and copy the command that issues a token',
    { tag: '@long' },
    async ({ status, owner, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await open(status, owner);
      const { keyboard } = status.page;
      await expect(status.firstSteps).toBeVisible();
      await status.tabTo(status.copy('the command that issues a token'));
      await keyboard.press('Enter');
      const copied = await status.page.evaluate(() => navigator.clipboard.readText());
      const { command_line: commandLine } = await owner.ask('portalStatus');
      expect(copied).toBe(`${commandLine} token issue --keep-as my-app`);

      await status.tabTo(status.firstSteps.getByRole('button', { name: 'Dismiss' }));
      await keyboard.press('Enter');
      await expect(status.firstSteps).toBeHidden();
      await status.page.reload();
      const show = status.lifeline.getByRole('button', { name: 'Show the first steps' });
      await expect(show).toBeVisible();
      await expect(status.firstSteps, 'what is dismissed stays hidden').toBeHidden();
      await status.tabTo(show);
      await keyboard.press('Enter');
      await expect(status.firstSteps).toBeFocused();
    },
  );
});

test('what changes elsewhere appears without a reload', { tag: '@long' }, async ({ status, owner }) => {
  await open(status, owner);
  for (const name of ['billing-sync', 'crm-import', 'call-reports']) {
    const { id } = await owner.issueToken({ name, validity_days: 7 });
    await expect(status.history.first()).toContainText(name);
    await expect(status.row(name)).toContainText('Expires');
    if (name === 'crm-import') await owner.ask('suspendToken', { params: { id }, body: {} });
  }
  await expect(status.tokens('Active')).toHaveText('2');
  await expect(status.tokens('Blacklisted'), 'only what occurs is counted').toHaveCount(0);
  await expect(status.row('crm-import')).toContainText('Suspended');
  await status.page.getByRole('link', { name: 'Suspended', exact: true }).click();
  await expect(status.page).toHaveURL(`${owner.baseUrl}/tokens?status=Suspended`);
});

test.describe('what needs attention', () => {
  test(
    'comes first, is mended with one press, and then nothing does',
    { tag: '@long' },
    async ({ status, owner }) => {
      await keep(owner, 'long-lived');
      await keep(owner, 'resting', 20 * hourMs);
      await owner.ask('pauseCredential', { params: { name: 'resting' } });
      await open(status, owner);
      await expect(status.needs).toHaveCount(1);
      await expect(status.needs).toContainText('“resting” is paused and expires soon');
      await expect(status.needs).toContainText('19 h');
      await expect(status.rows.first(), 'the same thing is first in the picture').toHaveAccessibleName(
        /^resting\. Paused/,
      );

      await status.needs.getByRole('button', { name: 'Resume rotation resting' }).click();
      await expect(status.attention).toContainText('Nothing needs attention. Next rotation: resting,');
    },
  );

  test('is mended without a mouse', { tag: '@long' }, async ({ status, owner }) => {
    await keep(owner, 'resting', 20 * hourMs);
    await owner.ask('pauseCredential', { params: { name: 'resting' } });
    await open(status, owner);
    await expect(status.needs).toHaveCount(1);
    await status.tabTo(status.needs.getByRole('button', { name: 'Resume rotation resting' }));
    await status.page.keyboard.press('Enter');
    await expect(status.attention).toContainText('Nothing needs attention.');
  });

  test('says why a request was refused, and stays', { tag: '@long' }, async ({ status, owner, server }) => {
    await keep(owner, 'resting', 20 * hourMs);
    await owner.ask('pauseCredential', { params: { name: 'resting' } });
    await open(status, owner);
    const resume = status.needs.getByRole('button', { name: 'Resume rotation resting' });
    await expect(resume).toBeVisible();
    await server.stop();
    await resume.click();
    await expect(status.needs).toContainText('The service does not answer');
  });
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

  await server.stop();
  expect(existsSync(owner.runtimeFile)).toBe(false);
  await expect(status.alert).toContainText('The service does not answer');
  await expect(status.row('nightly')).toBeVisible();
  await status.retry.click();
  await expect(status.alert).toContainText('The service does not answer');

  // Sessions live in the memory of the process that gave them: the next one asks to sign in again.
  await server.start(port);
  await expect(status.alert).toContainText('not signed in');
  await status.page.goto(await owner.signInLink());
  await expect(status.row('nightly')).toBeVisible();
});

test(
  'what there is shows although something holds the stream of changes back',
  { tag: '@long' },
  async ({ status, owner }) => {
    await keep(owner, 'nightly');
    await status.page.route('**/portal/events', () => undefined); // no answer, and no end
    await status.page.goto(owner.baseUrl);
    await expect(status.row('nightly')).toBeVisible();
    await expect(status.page.getByRole('status').filter({ hasText: 'Reconnecting' })).toBeVisible();
  },
);
