import { expect } from '@playwright/test';
import { test } from './serve-host.ts';

// Values are in the real keychain here: each name is this run's own, and taken out again.
const name = `journey-${process.pid}-fresh`;

test.describe('with a keychain', () => {
  test.afterEach(async ({ owner }) => {
    for (const { name } of (await owner.ask('listCredentials')).credentials)
      await owner.ask('removeCredential', { params: { name } });
  });

  test('a token is rotated automatically unless that is turned off, and its command is copied with Enter', async ({
    status,
    dialog,
    owner,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await status.page.goto(owner.baseUrl);
    await status.issue.click();
    await expect(dialog.rotate).toBeChecked();
    await dialog.name.fill(` ${name.replaceAll('-', ' ')}!`);
    await expect(dialog.credentialName, 'suggested in the letters that may be used').toHaveValue(name);
    await dialog.submit.click();

    await expect(dialog.dialog).toContainText(`Rotated automatically as ${name}`);
    const value = await dialog.value.textContent();
    expect((await owner.ask('readCredentialValue', { params: { name } })).value).toBe(value);
    await expect(dialog.dialog.getByText(new RegExp(` get ${name}$`))).toBeVisible();
    await expect(dialog.copyCommand).toBeFocused();
    await status.page.keyboard.press('Enter');
    await expect
      .poll(() => status.page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(new RegExp(` get ${name}$`));
    await dialog.close.click(); // at once: the value is in the keychain
    await expect(dialog.dialog).toBeHidden();
    await expect(status.history.filter({ hasText: 'Credential added' })).toBeVisible();
  });

  test(
    'a name that is taken is said before a token is issued',
    { tag: '@long' },
    async ({ status, dialog, owner }) => {
      const { access_token: value } = await owner.issueToken({ name: 'first', validity_days: 7 });
      await owner.ask('addCredential', { body: { name, value } });
      await status.page.goto(owner.baseUrl);
      await status.issue.click();
      await dialog.name.fill(name);
      await dialog.submit.click();
      await expect(dialog.credentialName).toHaveAccessibleDescription(
        /A credential named “.*” already exists/,
      );
      await expect(dialog.credentialName).toBeFocused();
      expect((await owner.ask('listTokens')).tokens).toHaveLength(1);

      await dialog.credentialName.fill('-no-');
      await expect(dialog.credentialName).toHaveAccessibleDescription(/begin with a letter or a digit/);
      await dialog.credentialName.fill(`${name}-2`);
      await dialog.submit.click();
      await expect(dialog.dialog).toContainText(`Rotated automatically as ${name}-2`);
    },
  );

  test('a token that could not be added is shown with the reason, and added on the next try', async ({
    status,
    dialog,
    owner,
  }) => {
    const { access_token: other } = await owner.issueToken({ name: 'other', validity_days: 7 });
    await status.page.goto(owner.baseUrl);
    await status.issue.click();
    await dialog.name.fill(name);
    // Somebody else takes the name after it was found to be free.
    await status.page.route('**/portal/tokens', async (route) => {
      await owner.ask('addCredential', { body: { name, value: other } });
      await route.continue();
    });
    await dialog.submit.click();
    await expect(dialog.value).toBeVisible();
    await expect(dialog.alert).toContainText('It is not rotated automatically.');
    await expect(dialog.alert).toContainText(name);
    await dialog.credentialName.fill(`${name}-2`);
    await dialog.tryAgain.click();
    await expect(dialog.dialog).toContainText(`Rotated automatically as ${name}-2`);
    const kept = await owner.ask('readCredentialValue', { params: { name: `${name}-2` } });
    expect(kept.value).toBe(await dialog.value.textContent());
  });
});

test.describe('without a keychain', () => {
  test.use({ serverEnv: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus' } });
  test.skip(process.platform !== 'linux', 'elsewhere a keychain is always there');

  test(
    'it is off with the reason, and a person who turns it on gets the token all the same',
    { tag: '@long' },
    async ({ status, dialog, owner }) => {
      await status.page.goto(owner.baseUrl);
      await status.issue.click();
      await expect(dialog.rotate).not.toBeChecked();
      await expect(dialog.rotate).toHaveAccessibleDescription(/no D-Bus session/);
      await dialog.name.fill('no-keychain');
      await dialog.setRotated(true);
      await dialog.submit.click();
      await expect(dialog.value).toBeVisible();
      await expect(dialog.alert).toContainText('It is not rotated automatically.');
      await expect(dialog.alert).toContainText('keychain');
      await status.page.keyboard.press('Escape');
      await expect(dialog.alert.last()).toContainText('was not copied');
    },
  );
});
