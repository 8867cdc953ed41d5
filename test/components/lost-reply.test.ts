import { expect } from '@playwright/test';
import { expectGoodView } from '../journeys/browser/expect-good-view.ts';
import { credentialView } from '../renderer/credentials/credential-view.ts';
import { test } from './canned-service.ts';

const now = new Date().toISOString();
const gitlab = { service: 'remote', base_url: 'https://gitlab.com' } as const;
const provider = { id: 'gitlab', inputs: { kind: 'personal' } };
const one = credentialView({ name: 'ci', provider, ...gitlab });
const helper = credentialView({ name: 'helper', id: 'cred_b', provider, ...gitlab } as object);
const replies = {
  '/portal/credentials': {
    credentials: [one, helper],
    vault: { kind: 'keychain', description: 'the keychain', status: 'ok', message: null },
  },
  '/portal/credentials/ci': one,
  '/portal/credentials/ci/history': { events: [], next_before: null },
  '/portal/credentials/ci/use': { credential: 'ci', generation: 3, users: [], running: [], deliveries: [] },
  '/portal/credentials/ci/proxy': {
    credential: 'ci',
    url: 'http://127.0.0.1:7682/proxy/ci',
    rules: [],
    tokens: [],
    forbidden: [],
    recent: [],
  },
};

test('the recovery credential is chosen and removed on the page of a credential', async ({ view, show }) => {
  const inputs = { kind: 'personal', recovery: 'helper' };
  const changed = { ...one, provider: { id: 'gitlab', inputs } };
  const card = view.page.getByRole('region', { name: 'Protection against a lost reply' });
  const chosen = card.getByLabel('Recovery credential');
  const save = card.getByRole('button', { name: 'Save', exact: true });
  const sent = () => view.page.waitForRequest((request) => request.method() === 'PATCH');

  await show('/credentials/ci', { ...replies, '/portal/credentials/ci/helper': changed });
  await expect(chosen.getByRole('option')).toHaveText(['None', 'helper']);
  await expect(save).toBeHidden();
  await expectGoodView(view);
  await chosen.selectOption('helper');
  const choice = sent();
  await save.click();
  expect((await choice).postDataJSON()).toEqual({ input: 'recovery', credential: 'helper' });
  await expect(card).toContainText('Saved');
  await expect(chosen).toHaveValue('helper');
  await chosen.selectOption('None');
  const removal = sent();
  await save.click();
  expect((await removal).postDataJSON()).toEqual({ input: 'recovery', credential: null });
});

test(
  'a second token is entered, replaced and removed, and the page says what it does',
  { tag: '@long' },
  async ({ view, show }) => {
    const card = view.page.getByRole('region', { name: 'Protection against a lost reply' });
    await show('/credentials/ci', {
      ...replies,
      '/portal/credentials': { ...replies['/portal/credentials'], credentials: [one] },
    });
    await expect(card, 'who has no other one is told of it').toContainText(
      'Add it as a credential of gitlab.com first',
    );
    await card.getByRole('button', { name: 'Enter a second token…' }).click();
    await expect(view.page.getByRole('dialog')).toContainText('Enter a second token for ci');
    await show('/credentials/ci', {
      ...replies,
      '/portal/credentials/ci': { ...one, standby: { expires_at: now } },
    });
    await expect(card.getByRole('button', { name: 'Enter another second token…' })).toBeVisible();
    await expect(card.getByRole('button', { name: 'Remove second token' })).toBeVisible();
  },
);

test('a service that loses no token needs no protection', { tag: '@long' }, async ({ view, show }) => {
  const runner = { ...one, provider: { id: 'gitlab', inputs: { kind: 'runner' } } };
  await show('/credentials/ci', { ...replies, '/portal/credentials/ci': runner });
  await expect(view.page.getByRole('region', { name: 'Token', exact: true })).toBeVisible();
  await expect(view.page.getByText('Protection against a lost reply')).toBeHidden();
});

test(
  'the page says how long a copy works where a rotation does not end the token',
  { tag: '@long' },
  async ({ view, show }) => {
    const { page } = view;
    const state = page.getByRole('region', { name: 'State' });
    const later = new Date(Date.now() + 86_400_000).toISOString();
    const vault = {
      ...one,
      next_rotation_at: later,
      provider: { id: 'vault', inputs: {} },
      last_rotated_at: now,
    };
    await show('/credentials/ci', { ...replies, '/portal/credentials/ci': vault });
    await expect(page.getByText('Programs can keep a copy of it.')).toBeVisible();
    await expect(page.getByRole('main')).not.toContainText('stops working');
    await expect(state).toContainText(/Renewed about every .*; the next renewal is /);
    await expect(state.getByRole('button', { name: 'Renew now' })).toBeVisible();
    await expect(state.getByText(/^renewed until/)).toBeVisible();
    const app = { ...one, provider: { id: 'github-app', inputs: { app: 'a', installation: '1' } } };
    await show('/credentials/ci', { ...replies, '/portal/credentials/ci': app });
    await expect(state).toContainText('A copied token works until it expires');
    await expect(page.getByRole('button', { name: 'Enter a new private key…' })).toBeVisible();
  },
);
