import { expect } from '@playwright/test';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { builtFile } from '../../../src/launcher/ensure-built.ts';
import type { Owner } from '../owner.ts';
import { MoveDialog } from '../pages/move-dialog.ts';
import { callWith, rotateAs } from './call-service.ts';
import { test } from './serve-host.ts';

const run = promisify(execFile);

/** Five families: one rotated, one suspended, one blacklisted. */
async function issueSome(owner: Owner) {
  const issue = (name: string, category: string, validity_days: number) =>
    owner.issueToken({ name, category, validity_days });
  const billing = await issue('Billing sync', 'finance', 30);
  const probe = await issue('Status probe', 'monitoring', 1);
  const laptop = await issue('Field laptop', 'field', 15);
  const old = await issue('Old intern', 'field', 90);
  const report = await issue('Call report', 'finance', 7);
  await rotateAs(owner, probe.access_token, 'probe/1');
  await owner.ask('suspendToken', { params: { id: laptop.id }, body: { reason: 'Left in a taxi' } });
  await owner.ask('blacklistToken', { params: { id: old.id }, body: { reason: 'Leaked in a pastebin' } });
  return { billing, probe, laptop, old, report };
}

/** So many more that the list has filters: the oldest, and active. */
async function issueOlder(owner: Owner): Promise<void> {
  for (const name of ['Zone 1', 'Zone 2', 'Zone 3'])
    await owner.issueToken({ name, category: 'other', validity_days: 30 });
}

test('tokens are searched, filtered and ordered with the mouse, and the address keeps it', async ({
  tokens,
  owner,
}) => {
  await issueOlder(owner);
  await issueSome(owner);
  await tokens.open(owner.baseUrl);
  await expect(tokens.rows).toHaveCount(8);
  await tokens.expectNames(
    ...['Status probe', 'Call report', 'Old intern', 'Field laptop', 'Billing sync'],
    ...['Zone 3', 'Zone 2', 'Zone 1'],
  );
  await expect(tokens.row('Field laptop')).toContainText('Suspended');
  await expect(tokens.row('Status probe').getByRole('cell').nth(5)).toHaveText('2');

  await tokens.chip('Suspended').click();
  await tokens.expectNames('Field laptop');
  await expect(tokens.chip('Suspended')).toHaveAttribute('aria-pressed', 'true');
  await expect(tokens.chip('Active'), 'how many it would show').toHaveText('Active6');
  await tokens.chip('Blacklisted').click();
  await tokens.expectNames('Old intern', 'Field laptop');
  await tokens.category.selectOption('field');
  await expect(tokens.chip('Active')).toHaveText('Active0');
  await tokens.chip('Suspended').click();
  await tokens.chip('Blacklisted').click();
  await tokens.category.selectOption('finance');
  await tokens.expectNames('Call report', 'Billing sync');

  await tokens.head('Name').getByRole('button').click();
  await tokens.expectNames('Billing sync', 'Call report');
  await expect(tokens.head('Name')).toHaveAttribute('aria-sort', 'ascending');
  await tokens.head('Expires').getByRole('button').click();
  await tokens.expectNames('Call report', 'Billing sync');
  await tokens.head('Expires').getByRole('button').click();
  await expect(tokens.head('Expires')).toHaveAttribute('aria-sort', 'descending');
  await tokens.expectNames('Billing sync', 'Call report');

  await tokens.page.reload();
  await tokens.expectNames('Billing sync', 'Call report');
  await tokens.row('Billing sync').click();
  await expect(tokens.page).toHaveTitle('Billing sync — Rotavox');
  await tokens.page.goBack();
  await tokens.expectNames('Billing sync', 'Call report');
  await expect(tokens.category).toHaveValue('finance');

  await tokens.head('Expires').getByRole('button').click();
  await expect(tokens.head('Expires'), 'a third press gives the usual order back').not.toHaveAttribute(
    'aria-sort',
  );
  await tokens.expectNames('Call report', 'Billing sync');
});

test(
  'a search finds what the name, the category, the id or the reason has, in every generation on wanted',
  { tag: '@long' },
  async ({ tokens, owner }) => {
    await issueOlder(owner);
    const { probe } = await issueSome(owner);
    await tokens.open(owner.baseUrl);
    for (const [text, names] of [
      ['PROBE', ['Status probe']],
      ['finance', ['Call report', 'Billing sync']],
      ['pastebin', ['Old intern']],
      [probe.family_id.slice(4).toUpperCase(), ['Status probe']],
    ] as const) {
      await tokens.search.fill(text);
      await tokens.expectNames(...names);
    }
    await tokens.search.fill('probe');
    await tokens.generations('With previous tokens').click();
    await tokens.expectNames('Status probe', 'Status probe');
    await tokens.rows.nth(1).click();
    await expect(tokens.page, 'an older generation has its own place on the page').toHaveURL(
      new RegExp(`/tokens/family/${probe.family_id}#${probe.id}$`),
    );
    await tokens.page.goBack();

    await tokens.search.fill('no such token');
    await expect(tokens.page.getByText('No matches')).toBeVisible();
    await tokens.page.getByRole('button', { name: 'Show all tokens' }).click();
    await expect(tokens.rows).toHaveCount(9);
    await tokens.chip('Superseded').click();
    await tokens.expectNames('Status probe');
    await tokens.generations('Newest only').click();
    await expect(tokens.rows, 'what was superseded is never the newest').toHaveCount(8);
  },
);

test('everything is done without a mouse', { tag: '@long' }, async ({ tokens, owner }) => {
  await issueOlder(owner);
  const { billing } = await issueSome(owner);
  const { keyboard } = tokens.page;
  const move = new MoveDialog(tokens.page);
  await tokens.open(owner.baseUrl);
  await expect(tokens.rows).toHaveCount(8);
  await keyboard.press('/');
  await expect(tokens.search).toBeFocused();
  await keyboard.type('finance');
  await tokens.expectNames('Call report', 'Billing sync');
  await keyboard.press('ArrowDown');
  await expect(tokens.rows.first()).toBeFocused();
  await keyboard.press('End');
  await expect(tokens.row('Billing sync')).toBeFocused();
  await keyboard.press('ArrowUp');
  await expect(tokens.row('Call report')).toBeFocused();
  await keyboard.press('End');

  await keyboard.press('Shift+F10');
  await expect(tokens.menu.getByRole('menuitem', { name: 'Open token' })).toBeFocused();
  await keyboard.press('Escape');
  await expect(tokens.menu).toBeHidden();
  await expect(tokens.row('Billing sync')).toBeFocused();
  await keyboard.press('Shift+F10');
  await expect(tokens.menu.getByRole('menuitem', { name: 'Open token' })).toBeFocused();
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await expect(move.reason).toBeFocused();
  await keyboard.type('Holiday');
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await expect(move.submit('Suspend token')).toBeFocused();
  await keyboard.press('Enter');
  await expect(move.dialog).toBeHidden();
  await expect(tokens.row('Billing sync')).toContainText('Suspended');
  expect(await owner.ask('readToken', { params: { id: billing.id } })).toMatchObject({ reason: 'Holiday' });
  await expect(tokens.row('Billing sync')).toBeFocused();

  await keyboard.press('Enter');
  await expect(tokens.page.getByRole('heading', { level: 1, name: 'Billing sync' })).toBeFocused();
});

test('a token is suspended, resumed and blacklisted from its row', async ({ tokens, owner }) => {
  const { report } = await issueSome(owner);
  const move = new MoveDialog(tokens.page);
  const tryIt = async () => (await callWith(owner, report.access_token, '/v1/auth/token', 'app/1')).status;
  await tokens.open(owner.baseUrl);
  await tokens.choose('Call report', 'Suspend…');
  await move.submit('Suspend token').click();
  await expect(tokens.row('Call report')).toContainText('Suspended');
  expect(await tryIt()).toBe(403);
  await tokens.choose('Call report', 'Resume…');
  await move.submit('Resume token').click();
  await expect(tokens.row('Call report')).toContainText('Active');
  expect(await tryIt()).toBe(200);
  await tokens.choose('Call report', 'Blacklist…');
  await expect(move.consequences.first()).toHaveText('It never works again. This cannot be undone.');
  await move.submit('Blacklist permanently').click();
  await expect(tokens.row('Call report')).toContainText('Blacklisted');
  await tokens.row('Call report').click({ button: 'right' });
  await expect(tokens.menu.getByRole('menuitem'), 'nothing more can be done to it').toHaveText([
    'Open token',
    'Copy id',
  ]);
});

test(
  'what the command line does shows up while the page is open',
  { tag: '@long' },
  async ({ tokens, owner, server }) => {
    await issueOlder(owner);
    const { billing } = await issueSome(owner);
    const rotavox = (...args: string[]) =>
      run(process.execPath, [builtFile('cli/index.js'), ...args, '--data-dir', server.dataDir]);
    await tokens.open(owner.baseUrl, '?sort=name');
    await expect(tokens.row('Billing sync')).toContainText('Active');
    await rotavox('token', 'suspend', billing.id, '--reason', 'from the command line');
    await expect(tokens.row('Billing sync')).toContainText('Suspended');
    await expect(tokens.chip('Suspended')).toHaveText('Suspended2');
    await rotavox('token', 'issue', '--name', 'AAA', '--validity', '1');
    await expect(tokens.rows.first()).toContainText('AAA');
    await expect(tokens.page.getByText('9 tokens')).toBeVisible();
  },
);

test(
  'without a token the page leads to the first one',
  { tag: '@long' },
  async ({ tokens, dialog, owner }) => {
    await tokens.open(owner.baseUrl);
    await expect(tokens.page.getByText('No tokens yet')).toBeVisible();
    await tokens.issue.click();
    await dialog.name.fill('First of all');
    await dialog.setRotated(false);
    // The list that shows the token comes after the dialog is gone, and with a button of its own.
    const { promise: closed, resolve: close } = Promise.withResolvers<undefined>();
    await tokens.page.route(/\/portal\/tokens/, async (route) => {
      if (route.request().method() === 'GET') await closed;
      await route.continue();
    });
    await dialog.submit.click();
    await dialog.close.click();
    await dialog.close.click();
    await expect(dialog.close).toBeHidden();
    close(undefined);
    await tokens.expectNames('First of all');
    await expect(tokens.search, 'nobody searches one token').toBeHidden();
    await expect(tokens.chip('Active')).toBeHidden();
    await expect(tokens.head('Name').getByRole('button')).toBeHidden();
    await expect(tokens.order).toBeHidden();
    await expect(tokens.page).toHaveURL(`${owner.baseUrl}/tokens`);
    await expect(tokens.issue).toBeFocused();
  },
);

test(
  'the issue dialog leaves the list behind it as it is, and suggests the categories in use',
  { tag: '@long' },
  async ({ tokens, dialog, owner }) => {
    await issueSome(owner);
    await tokens.open(owner.baseUrl, '?category=finance');
    await tokens.expectNames('Call report', 'Billing sync');
    await tokens.issue.click();
    await expect(dialog.name).toBeFocused();
    await expect(tokens.page).toHaveTitle('Issue a token — Rotavox');
    await expect(tokens.rows).toHaveCount(2);
    const suggested = () =>
      dialog.category.evaluate((input: HTMLInputElement) =>
        [...(input.list?.options ?? [])].map(({ value }) => value).sort(),
      );
    // The dialog asks for them once it is open.
    await expect.poll(suggested).toEqual(['field', 'finance', 'monitoring']);
    await tokens.page.keyboard.press('Escape');
    await expect(tokens.page).toHaveURL(`${owner.baseUrl}/tokens?category=finance`);
    await expect(tokens.issue).toBeFocused();
  },
);

test(
  'a service that is gone leaves what was known, and says so where something is asked of it',
  { tag: '@long' },
  async ({ tokens, owner, server }) => {
    await issueSome(owner);
    const move = new MoveDialog(tokens.page);
    await tokens.open(owner.baseUrl);
    await tokens.row('Call report').getByRole('button').click();
    await server.stop();
    await expect(tokens.alert).toContainText('The service does not answer');
    await expect(tokens.rows).toHaveCount(5);
    await tokens.menu.getByRole('menuitem', { name: 'Suspend…' }).click();
    await move.reason.fill('Too late');
    await move.submit('Suspend token').click();
    await expect(move.alert).toContainText('The history shows whether the token is suspended');
    await expect(move.reason).toHaveValue('Too late');
  },
);

test(
  'where there is no room for columns a row is two lines, and the order is chosen from a list',
  { tag: '@long' },
  async ({ tokens, owner }) => {
    await issueOlder(owner);
    await issueSome(owner);
    await tokens.page.setViewportSize({ width: 360, height: 800 });
    await tokens.open(owner.baseUrl);
    const rows = tokens.page.getByRole('list', { name: 'Tokens' }).locator('[data-index]');
    await expect(rows).toHaveCount(8);
    await expect(tokens.order).toBeHidden();
    await tokens.page.getByRole('button', { name: 'Filters' }).click();
    await tokens.order.selectOption({ label: 'Name, A to Z' });
    await expect(rows.first()).toContainText('Billing sync');
    await expect(rows.first()).toContainText('Active · token 1 · finance');
    await rows.first().click();
    await expect(tokens.page).toHaveTitle('Billing sync — Rotavox');
  },
);
