import { expect } from '@playwright/test';
import { execFileSync } from 'node:child_process';
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
