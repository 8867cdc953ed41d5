import { expect } from '@playwright/test';
import { listenAsOidc, type OidcServer, oidcClient } from '../../fakes/oidc-server.ts';
import { test as base, valueOf } from './credential-fixtures.ts';

const test = base.extend<{ oidc: OidcServer }>({
  oidc: async ({}, use) => {
    const oidc = await listenAsOidc();
    await use(oidc);
    oidc.close();
  },
});

test('a sign-in that the server has ended is made again from the window', async ({
  credential,
  owner,
  oidc,
  context,
}) => {
  const inputs = { service: 'other', issuer: oidc.baseUrl, client_id: oidcClient, scope: 'openid' };
  const body = { name: 'crm', provider: { id: 'oauth2', inputs }, method: 'browser' } as const;
  const started = await owner.ask('startSignIn', { body });
  const browser = await context.newPage();
  await browser.goto(started.url);
  await expect(browser.getByRole('heading', { name: 'Signed in' })).toBeVisible();
  await browser.close();
  const first = await valueOf(owner, 'crm');
  expect(await oidc.isAccessAlive(first)).toBe(true);

  await oidc.endSignIns();
  await owner.ask('rotateCredential', { params: { name: 'crm' } });
  await credential.open(owner.baseUrl, 'crm');
  const notice = credential.page.getByRole('alert').filter({ hasText: 'no longer accepts the sign-in' });
  await notice.getByRole('button', { name: 'Sign in again' }).click();
  const opening = context.waitForEvent('page');
  await notice.getByRole('link', { name: /^Sign in at / }).click();
  await expect((await opening).getByRole('heading', { name: 'Signed in' })).toBeVisible();
  await expect(notice).toBeHidden();
  const second = await valueOf(owner, 'crm');
  expect(second).not.toBe(first);
  expect(await oidc.isAccessAlive(second)).toBe(true);
});
