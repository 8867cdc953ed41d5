import { expect } from '@playwright/test';
import { goEvent } from '../../../src/contract/window/bridge.ts';
import { test } from './serve-host.ts';

test.beforeEach(async ({ status, owner }) => {
  await status.page.goto(owner.baseUrl);
});

test('a token is issued with the mouse, works as set up, and its value is gone with the dialog', async ({
  status,
  dialog,
  owner,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await status.firstSteps.getByRole('button', { name: 'Issue a token…' }).click();
  await expect(status.page).toHaveTitle('Issue a token — Rotavox');
  await expect(dialog.name).toBeFocused();
  await dialog.name.fill('billing-sync');
  await dialog.category.fill('billing');
  await dialog.validity('30 days').click();
  await expect(dialog.access('Full access')).toBeChecked();
  await dialog.access('Only these:').click();
  await dialog.setRotated(false);
  await dialog.submit.click();
  await expect(dialog.dialog).toContainText('The selection must name one scope at least, or be full access.');
  await dialog.scope('ivr:read').click();
  await dialog.addresses.fill('127.0.0.0/8\n::1');
  await expect(dialog.dialog).toContainText('It works only from these 2');
  await dialog.submit.click();

  const value = (await dialog.value.textContent())!;
  await expect(dialog.dialog).toContainText('the only time');
  await dialog.copy.click();
  await expect(dialog.dialog).toContainText('Copied');
  expect(await status.page.evaluate(() => navigator.clipboard.readText())).toBe(value);
  const self = await fetch(`${owner.baseUrl}/v1/auth/token`, {
    headers: { authorization: `Bearer ${value}` },
  });
  expect(await self.json()).toMatchObject({
    status: 'Active',
    name: 'billing-sync',
    category: 'billing',
    validity_days: 30,
    scopes: ['ivr:read'],
    ip_restrictions: ['127.0.0.0/8', '::1'],
  });

  await dialog.close.click();
  await dialog.expectGone(value);
  await expect(status.page).toHaveURL(`${owner.baseUrl}/`);
  await expect(status.tokens('Active')).toHaveText('1');
  await expect(status.history.filter({ hasText: 'Token issued' })).toContainText('billing-sync');
  await expect(status.firstSteps, 'the button that was pressed is gone, the focus is not').toBeFocused();
});

test('a token is issued without a mouse', async ({ status, dialog, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { keyboard } = status.page;
  await expect(status.issue).toBeVisible();
  await status.tabTo(status.issue);
  await keyboard.press('Enter');
  await expect(dialog.name).toBeFocused();
  await keyboard.type('crm-import');
  await status.tabTo(dialog.validity('7 days'));
  await keyboard.press('ArrowRight');
  await expect(dialog.validity('15 days')).toBeChecked();
  await status.tabTo(dialog.access('Full access'));
  await keyboard.press('ArrowRight');
  await status.tabTo(dialog.scope('ivr:write'));
  await keyboard.press('Space');
  await status.tabTo(dialog.addresses);
  await keyboard.type('10.0.0.0/8');
  await status.tabTo(dialog.rotate);
  await keyboard.press('Space');
  await status.tabTo(dialog.name);
  await keyboard.press('Enter');

  await expect(dialog.copy).toBeFocused();
  const value = (await dialog.value.textContent())!;
  await keyboard.press('Enter');
  await expect(dialog.dialog).toContainText('Copied');
  expect(await status.page.evaluate(() => navigator.clipboard.readText())).toBe(value);
  await keyboard.press('Escape');
  await dialog.expectGone(value);
  await expect(status.firstSteps).toBeFocused();
  await expect(status.tokens('Active')).toHaveText('1');
});

test('what is wrong is said at its field, as it is typed, and nothing is issued', async ({
  status,
  dialog,
}) => {
  await status.issue.click();
  await dialog.submit.click();
  await expect(dialog.name).toBeFocused();
  await expect(dialog.name).toHaveAttribute('aria-invalid', 'true');
  await expect(dialog.name).toHaveAccessibleDescription(/The name must have 1 to 100 characters\./);
  await dialog.name.fill('call-reports');
  await dialog.setRotated(false);
  await expect(dialog.name).not.toHaveAttribute('aria-invalid');

  await dialog.addresses.focus();
  await status.page.keyboard.type('10.0.0.0/33');
  await expect(dialog.addresses, 'a rule that is being typed is not judged').not.toHaveAttribute(
    'aria-invalid',
  );
  await status.page.keyboard.press('Enter');
  await expect(dialog.addresses).toHaveAccessibleDescription(
    /“10\.0\.0\.0\/33” must be an address or a CIDR range/,
  );
  await dialog.addresses.fill('10.0.0.0/8');
  await expect(dialog.addresses).not.toHaveAttribute('aria-invalid');

  await dialog.validity('Other').click();
  for (const days of ['0', '91', '2.5', 'a week']) {
    await dialog.otherDays.fill(days);
    await dialog.submit.click();
    await expect(dialog.otherDays).toHaveAccessibleDescription(
      'The validity must be a whole number of days from 1 to 90.',
    );
    await expect(dialog.otherDays).toBeFocused();
  }
  await dialog.otherDays.fill('90');
  await expect(dialog.otherDays).not.toHaveAttribute('aria-invalid');
  await expect(status.firstSteps, 'no token was issued').toBeAttached();
  await dialog.submit.click();
  await expect(dialog.value).toBeVisible();
});

test('two presses issue one token', { tag: '@long' }, async ({ status, dialog, owner }) => {
  await status.issue.click();
  await dialog.name.fill('once');
  await dialog.setRotated(false);
  const presses = Promise.withResolvers<undefined>();
  await status.page.route('**/portal/tokens', async (route) => {
    await presses.promise;
    await route.continue();
  });
  await dialog.submit.dblclick();
  await dialog.name.press('Enter');
  await status.page.keyboard.press('Escape'); // nor does it close: the value would be lost
  presses.resolve(undefined);
  await expect(dialog.value).toBeVisible();
  expect((await owner.ask('listTokens')).tokens).toHaveLength(1);
});

test('the dialog does not close over a value that nobody has, unless asked twice', async ({
  status,
  dialog,
}) => {
  await status.issue.click();
  await dialog.name.fill('careful');
  await dialog.setRotated(false);
  await dialog.name.press('Enter');
  const value = (await dialog.value.textContent())!;
  await status.page.keyboard.press('Escape');
  await expect(dialog.alert).toContainText('was not copied');
  await expect(dialog.value).toBeVisible();
  await dialog.close.click();
  await dialog.expectGone(value);
});

test(
  'a service that is gone is said in the dialog, which keeps what was typed',
  { tag: '@long' },
  async ({ status, dialog, server }) => {
    await status.issue.click();
    await dialog.name.fill('later');
    await dialog.setRotated(false);
    await server.stop();
    await dialog.submit.click();
    await expect(dialog.alert).toContainText('The service does not answer');
    await expect(dialog.alert).toContainText('The history shows whether a token was issued');
    await expect(dialog.name).toHaveValue('later');
  },
);

test(
  'a dialog that can no longer be loaded is said, and loaded when the service is back',
  { tag: '@long' },
  async ({ status, server, owner }) => {
    await expect(status.issue).toBeVisible();
    await status.forgetScripts();
    const port = Number(new URL(owner.baseUrl).port);
    await server.stop();
    await status.issue.click();
    const failure = status.alert.filter({ hasText: 'A part of this window could not be shown.' });
    const again = failure.getByRole('button', { name: 'Load the window again' });
    await again.click();
    await expect(failure).toContainText('The service does not answer. Start Rotavox again');
    await server.start(port);
    await again.click();
    await expect(failure).toBeHidden();
    await expect(status.alert).toContainText('not signed in'); // the new process knows no old window
  },
);

test(
  'the tray’s address opens the dialog, and closing it leads to the overview',
  { tag: '@long' },
  async ({ status, dialog, owner }) => {
    await status.page.goto(`${owner.baseUrl}/tokens/issue`);
    await expect(dialog.name).toBeFocused();
    await status.page.keyboard.press('Escape');
    await expect(dialog.dialog).toBeHidden();
    await expect(status.page).toHaveURL(`${owner.baseUrl}/`);
    await expect(status.issue).toBeFocused();

    await status.issue.click();
    await expect(dialog.dialog).toBeVisible();
    await status.page.goBack();
    await expect(dialog.dialog).toBeHidden();
    await status.page.goForward();
    await expect(dialog.dialog).toBeVisible();
  },
);

test(
  'the focus goes to the button although the window learns late where it belongs',
  { tag: '@long' },
  async ({ status, dialog, owner }) => {
    const asked = Promise.withResolvers<undefined>();
    await status.page.route(/\/portal\/lifeline/u, async (route) => {
      await asked.promise;
      await route.continue();
    });
    await status.page.goto(`${owner.baseUrl}/tokens/issue`);
    await expect(dialog.name).toBeFocused();
    await status.page.keyboard.press('Escape');
    await expect(dialog.dialog).toBeHidden();
    asked.resolve(undefined);
    await expect(status.issue).toBeFocused();
  },
);

test(
  'the tray leads an open window elsewhere, but not away from an open dialog',
  { tag: '@long' },
  async ({ status, dialog, owner }) => {
    const lead = (path: string) =>
      status.page.evaluate(([name, detail]) => dispatchEvent(new CustomEvent(name, { detail })), [
        goEvent,
        path,
      ] as const);
    await expect(status.issue).toBeVisible();
    await lead('/settings');
    await expect(status.page).toHaveTitle('Settings — Rotavox');
    await lead('/tokens/issue');
    await dialog.name.fill('half-typed');
    await lead('/settings');
    await expect(dialog.name).toHaveValue('half-typed');
    await expect(status.page).toHaveURL(`${owner.baseUrl}/tokens/issue`);
    await status.page.keyboard.press('Escape');
    await expect(status.page, 'back to where the tray led away from').toHaveTitle('Settings — Rotavox');
    await lead('/');
    await expect(status.issue).toBeVisible();
  },
);

test(
  'whoever is not signed in is told that, not asked for a token',
  { tag: '@long' },
  async ({ owner, browser }) => {
    const stranger = await browser.newContext();
    const page = await stranger.newPage();
    await page.goto(`${owner.baseUrl}/tokens/issue`);
    await expect(page.getByRole('alert')).toContainText('not signed in');
    await expect(page.getByRole('dialog')).toBeHidden();
    await stranger.close();
  },
);

test(
  'the page clears the clipboard after 30 seconds while the person stays',
  { tag: '@long' },
  async ({ status, dialog, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { clock } = status.page;
    await clock.install();
    await status.issue.click();
    await dialog.name.fill('short-lived');
    await dialog.setRotated(false);
    await dialog.name.press('Enter');
    // Stands still until it is told to go on: a slow machine takes more than a second for what comes between.
    await clock.pauseAt((await status.page.evaluate(() => Date.now())) + 60_000);
    await dialog.copy.click();
    await expect(dialog.dialog).toContainText('The clipboard is cleared after 30 seconds');
    await clock.fastForward(29_000);
    expect(await status.page.evaluate(() => navigator.clipboard.readText())).toMatch(/^rvx_/);
    await clock.fastForward(1_000);
    await expect(dialog.dialog).toContainText('The clipboard was cleared.');
    expect(await status.page.evaluate(() => navigator.clipboard.readText())).toBe('');
  },
);

test(
  'the page leaves the clipboard alone once the person has left, or copied something else',
  { tag: '@long' },
  async ({ status, dialog, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await status.page.clock.install();
    await status.issue.click();
    await dialog.name.fill('pasted-elsewhere');
    await dialog.setRotated(false);
    await dialog.name.press('Enter');
    await dialog.copy.click();
    await expect(dialog.dialog).toContainText('Copied');
    await status.page.evaluate(() => dispatchEvent(new Event('blur')));
    await expect(dialog.dialog).toContainText('You left this page');
    await status.page.clock.fastForward(60_000);
    expect(await status.page.evaluate(() => navigator.clipboard.readText())).toMatch(/^rvx_/);

    await dialog.copy.click();
    await dialog.close.click();
    await status.copy("the service's address").click();
    await expect(status.copy("the service's address")).toContainText('Copied');
    await status.page.clock.fastForward(60_000);
    expect(await status.page.evaluate(() => navigator.clipboard.readText())).toMatch(/^http:/);
  },
);

test(
  'in the desktop app the value goes through the app’s own clipboard',
  { tag: '@long' },
  async ({ status, dialog }) => {
    await status.page.addInitScript(() => {
      const copied: string[] = [];
      Reflect.set(globalThis, 'copied', copied);
      Reflect.set(globalThis, 'rotavox', {
        copySecret: (text: string) => {
          copied.push(text);
          return Promise.resolve();
        },
      });
    });
    await status.page.reload();
    await status.issue.click();
    await dialog.name.fill('desktop');
    await dialog.setRotated(false);
    await dialog.name.press('Enter');
    await dialog.copy.click();
    await expect(dialog.dialog).toContainText('Copied. The clipboard is cleared after 30 seconds.');
    const copied = await status.page.evaluate(() => Reflect.get(globalThis, 'copied') as string[]);
    expect(copied).toEqual([await dialog.value.textContent()]);
  },
);
