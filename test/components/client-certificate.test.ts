import { expect } from '@playwright/test';
import { clientCertificateText as text } from '../../src/text/credential/add-credential.ts';
import { providerViews } from '../../src/text/credential/providers.ts';
import { serviceAddressText } from '../../src/text/window/remedies.ts';
import { expectGoodView } from '../journeys/browser/expect-good-view.ts';
import { CredentialsPage } from '../journeys/pages/credentials-page.ts';
import { credentialView } from '../renderer/credentials/credential-view.ts';
import { Refusal, repliesOf, test } from './canned-service.ts';

const soon = new Date(Date.now() + 9 * 86_400_000).toISOString();
const certificate = '-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----\n';
const key = '-----BEGIN PRIVATE KEY-----\nREVG\n-----END PRIVATE KEY-----\n';
const fileOf = (name: string, content: string) => ({
  name,
  mimeType: 'application/x-pem-file',
  buffer: Buffer.from(content),
});
const files = [fileOf('client.key', key), fileOf('client.pem', certificate)];
const of = (inputs: Readonly<Record<string, string>>) =>
  credentialView({
    name: 'crm',
    service: 'remote',
    base_url: 'https://api.corp.example',
    expires_at: soon,
    next_rotation_at: soon,
    provider: { id: 'rotavox', inputs },
  });
const path = '/portal/credentials/crm/client-certificate';

test('a credential gets a client certificate on its page, and loses it there', async ({
  view,
  show,
  canned,
}) => {
  const { page } = view;
  await show('/credentials/crm', repliesOf(of({})));
  const card = page.getByRole('region', { name: serviceAddressText.title });
  await expect(card).toContainText(text.none);
  const open = card.getByRole('button', { name: text.open });
  await view.tabTo(open);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: text.heading('crm') });
  const save = dialog.getByRole('button', { name: text.save });
  await save.click();
  await expect(dialog.getByRole('alert')).toHaveText(text.missing);
  const chooser = dialog.getByLabel(text.files);
  await chooser.setInputFiles([fileOf('client.p12', '0\u0082')]);
  await expect(dialog.getByRole('status')).toHaveText(text.noPem(['client.p12']));
  await chooser.setInputFiles(files.slice(0, 1));
  await expect(dialog.getByRole('status')).toHaveText(text.noCertificate(['client.key']));
  await save.click();
  await expect(dialog.getByRole('alert')).toHaveText(text.missing);
  await expectGoodView(view);

  await chooser.setInputFiles(files);
  await expect(dialog.getByRole('status')).toHaveText(text.chosen(['client.key', 'client.pem']));
  await expect(dialog.getByRole('alert')).toHaveText('');
  canned.onChange(path, new Refusal(422, 'The passphrase is wrong.'));
  await dialog.getByLabel(text.passphrase).fill('open sesame');
  await save.click();
  await expect(dialog.getByRole('alert')).toHaveText('The passphrase is wrong.');
  expect(canned.bodies.get(path)).toEqual({ certificate, key, passphrase: 'open sesame' });
  canned.onChange(path, of({ client_certificate: '0a1b2c' }));
  await save.click();
  await expect(dialog).toBeHidden();

  await show('/credentials/crm', repliesOf(of({ client_certificate: '0a1b2c' })));
  await expect(card).toContainText('0a1b2c');
  await open.click();
  canned.onChange(path, of({}));
  await dialog.getByRole('button', { name: text.remove }).click();
  await expect(dialog).toBeHidden();
});

const adding = {
  '/portal/credentials': {
    credentials: [],
    vault: { kind: 'keychain', description: 'the keychain', status: 'ok', message: null },
  },
  '/portal/providers': { providers: providerViews() },
};
const presented = { client_certificate: { certificate, key, passphrase: null } };

test(
  'a sign-in presents a client certificate where its server asks for one',
  { tag: '@long' },
  async ({ view, show, canned }) => {
    const { dialog } = new CredentialsPage(view.page);
    await show('/add-credential', { ...adding, '/portal/sign-ins': new Refusal(409, 'Not today.') });
    await dialog.getByText('Another OAuth server, with a sign-in').click();
    await dialog.getByLabel('Client id').fill('crm-client');
    await dialog.getByLabel('Issuer').fill('https://login.corp.example');
    await dialog.getByRole('checkbox', { name: text.label }).check();
    const begin = dialog.getByRole('button', { name: 'Sign in' });
    await begin.click();
    await expect(dialog.getByRole('alert').filter({ hasText: text.missing })).toBeVisible();
    expect(canned.bodies.has('/portal/sign-ins')).toBe(false);
    await dialog.getByLabel(text.files).setInputFiles(files);
    await begin.click();
    await expect(dialog.getByRole('alert').filter({ hasText: 'Not today.' })).toBeVisible();
    expect(canned.bodies.get('/portal/sign-ins')).toMatchObject(presented);
    await expectGoodView(view);
  },
);

test(
  'a token that is added is tested and stored with a client certificate',
  { tag: '@long' },
  async ({ view, show, canned }) => {
    const add = new CredentialsPage(view.page);
    await show('/add-credential', { ...adding, '/portal/credentials/test': new Refusal(409, 'Not today.') });
    await add.service('GitLab').click();
    await add.dialog.getByRole('checkbox', { name: text.label }).check();
    await add.dialog.getByLabel(text.files).setInputFiles(files);
    await add.token.fill('glpat-0123456789');
    await add.name.fill('ci');
    await expect.poll(() => canned.bodies.get('/portal/credentials/test')).toMatchObject(presented);
    await add.submit.click();
    await expect.poll(() => canned.bodies.get('/portal/credentials')).toMatchObject(presented);
    await expectGoodView(view);
  },
);
