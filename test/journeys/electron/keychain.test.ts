import { expect } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import { CredentialPage } from '../pages/credential-page.ts';
import { test } from './launch-app.ts';

test('a token is kept in the real keychain, replaced there, and taken out again', async ({
  status,
  owner,
}) => {
  test.skip(process.platform !== 'linux', 'secret-tool reads the keychain from outside on Linux only');
  const name = `journey-${process.pid}`;
  const inKeychain = () =>
    execFileSync('secret-tool', ['lookup', 'service', 'rotavox', 'account', name], { encoding: 'utf8' });

  const issued = await owner.issueToken({ name: 'kept', validity_days: 7 });
  await owner.ask('addCredential', { body: { name, value: issued.access_token } });
  expect(inKeychain()).toBe(issued.access_token);
  await expect(status.history.first()).toContainText('Token kept fresh from now on');

  const rotated = await owner.ask('rotateCredential', { params: { name } });
  expect(rotated).toMatchObject({ state: 'fine', generation: 2 });
  expect(inKeychain()).not.toBe(issued.access_token);
  const { value } = await owner.ask('readCredentialValue', { params: { name } });
  expect(inKeychain()).toBe(value);
  await expect(status.history.first()).toContainText('New token in the vault');

  await owner.ask('removeCredential', { params: { name } });
  expect(inKeychain).toThrow();
});

test('its page replaces it there, brings it to another entry, and copies it through the app', async ({
  app,
  status,
  owner,
}) => {
  test.skip(process.platform !== 'linux', 'secret-tool reads the keychain from outside on Linux only');
  const name = `journey-${process.pid}-page`;
  const inKeychain = (service: string, account: string) =>
    execFileSync('secret-tool', ['lookup', 'service', service, 'account', account], { encoding: 'utf8' });
  const { access_token: first } = await owner.issueToken({ name: 'paged', validity_days: 7 });
  await owner.ask('addCredential', { body: { name, value: first } });

  const credential = new CredentialPage(status.page);
  await status.page.getByRole('link', { name: 'Credentials' }).click();
  await status.page.getByRole('link', { name, exact: true }).click();
  await expect(credential.tokenCard).toContainText(`the keychain: service rotavox, account ${name}`);
  await credential.rotateNow.click();
  await expect(credential.steps.nth(3)).toContainText('In the keychain, and read back');
  await expect(credential.tokenCard).toContainText('number 2');
  const value = inKeychain('rotavox', name);
  expect(value).not.toBe(first);

  await credential.addTarget.click();
  await credential.targetKind('keychain').click();
  await credential.field('Service').fill(name);
  await credential.field('Account').fill('app');
  await credential.press('Add and deliver now').click();
  await expect(credential.targets).toContainText('Has the present value, number 2');
  expect(inKeychain(name, 'app')).toBe(value);

  await credential.copyToken.click();
  await expect(credential.tokenCard).toContainText(
    'Copied. It is cleared from the clipboard after 30 seconds.',
  );
  expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toBe(value);

  await owner.ask('removeCredential', { params: { name } });
  await expect(credential.alert).toContainText('No token is kept fresh under this name.');
  execFileSync('secret-tool', ['clear', 'service', name, 'account', 'app']);
});
