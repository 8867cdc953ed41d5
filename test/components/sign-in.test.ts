import { expect } from '@playwright/test';
import { defaultSettings } from '../../src/contract/service/settings.ts';
import { providerViews } from '../../src/text/credential/providers.ts';
import { expectGoodView } from '../journeys/browser/expect-good-view.ts';
import { credentialView } from '../renderer/credentials/credential-view.ts';
import { test } from './canned-service.ts';

const now = new Date().toISOString();
const soon = new Date(Date.now() + 9.5 * 60_000).toISOString();
const vault = { kind: 'keychain', description: 'the keychain', status: 'ok', message: null };
const settings = { ...defaultSettings, first_steps: 'hidden' };
const unusedProxy = {
  credential: 'crm',
  url: 'http://127.0.0.1:7682/proxy/crm',
  rules: [],
  tokens: [],
  forbidden: [],
  recent: [],
};
const waiting = {
  id: 'sign_a',
  name: 'crm',
  method: 'browser',
  status: 'waiting',
  message: null,
  url: 'https://login.example.com/authorize?client_id=app&state=abc',
  user_code: null,
  expires_at: soon,
  credential_id: null,
};
const withCode = {
  ...waiting,
  method: 'device',
  url: 'https://login.example.com/device',
  user_code: 'WDJB-MJHT',
};
const failed = { status: 'failed', message: 'Nobody signed in in time.' };
const message = 'https://login.example.com no longer accepts the sign-in. Sign in again.';
const credential = credentialView({
  name: 'crm',
  service: 'remote',
  base_url: 'https://api.example.com',
  provider: { id: 'oauth2', inputs: { service: 'other', client_id: 'app' } },
  state: 'refused',
  trouble: { kind: 'invalid', message, since: now, attempts: 1, next_try_at: null },
  message,
});
const pageReplies = {
  '/portal/settings': settings,
  '/portal/credentials': { credentials: [credential], vault },
  '/portal/credentials/crm/history': { events: [], next_before: null },
  '/portal/credentials/crm/proxy': unusedProxy,
  '/portal/credentials/crm/use': {
    credential: 'crm',
    generation: 3,
    users: [],
    running: [],
    deliveries: [],
  },
  '/portal/credentials/crm': credential,
};
const addReplies = {
  '/portal/settings': settings,
  '/portal/credentials': { credentials: [], vault },
  '/portal/providers': { providers: providerViews() },
};

test('a sign-in that has ended is made again from the page of its credential, which says how it went', async ({
  view,
  show,
}) => {
  const replies = { ...pageReplies, '/portal/sign-ins': waiting };
  const notice = view.page.getByRole('alert').filter({ hasText: message });
  const button = notice.getByRole('button', { name: 'Sign in again' });

  await show('/credentials/crm', { ...replies, '/portal/sign-ins/sign_a': waiting });
  await expect(
    view.page.getByRole('button', { name: 'Enter a new token…' }),
    'which would be refused',
  ).toBeHidden();
  await button.click();
  const link = notice.getByRole('link', { name: 'Sign in at login.example.com' });
  await expect(link).toHaveAttribute('href', waiting.url);

  await show('/credentials/crm', { ...replies, '/portal/sign-ins/sign_a': { ...waiting, ...failed } });
  await button.click();
  await expect(notice).toContainText('Nobody signed in in time.');
  await expect(button).toBeVisible();
});

test(
  'a sign-in is made again with a code, and its page finds it after it was loaded again',
  { tag: '@long' },
  async ({ view, show }) => {
    const notice = view.page.getByRole('alert').filter({ hasText: message });
    await show('/credentials/crm', {
      ...pageReplies,
      '/portal/sign-ins': withCode,
      '/portal/sign-ins/sign_a': withCode,
    });
    await notice.getByRole('button', { name: 'Sign in with a code' }).click();
    await expect(notice.getByText('WDJB-MJHT')).toBeVisible();
    await view.page.reload();
    await expect(notice.getByText('WDJB-MJHT')).toBeVisible();
    await notice.getByRole('button', { name: 'Cancel sign-in' }).click();
    await expect(notice.getByRole('button', { name: 'Sign in again' })).toBeVisible();
  },
);

test('a sign-in that works can be made again', { tag: '@long' }, async ({ view, show }) => {
  const fine = { ...credential, state: 'fine', trouble: null, message: null };
  await show('/credentials/crm', {
    ...pageReplies,
    '/portal/credentials/crm': fine,
    '/portal/sign-ins': waiting,
    '/portal/sign-ins/sign_a': waiting,
  });
  await view.page.getByRole('button', { name: 'Sign in again' }).click();
  await expect(view.page.getByRole('link', { name: 'Sign in at login.example.com' })).toBeVisible();
});

test('a sign-in is asked for what its server needs, leads to its page, and says how it went', async ({
  view,
  show,
}) => {
  const replies = { ...addReplies, '/portal/sign-ins': waiting };
  const dialog = view.page.getByRole('dialog');
  const fill = async () => {
    await dialog.getByText('Another OAuth server, with a sign-in').click();
    await expect(dialog.getByLabel('Client id')).toBeFocused();
    await dialog.getByLabel('Client id').fill('app');
    await dialog.getByLabel('Issuer').fill('https://login.example.com');
    await expect(dialog.getByLabel('Name'), 'suggested').toHaveValue('login.example.com');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
  };

  await show('/add-credential', { ...replies, '/portal/sign-ins/sign_a': waiting });
  await dialog.getByText('Another OAuth server, with a sign-in').click();
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await expect(dialog.getByLabel('Client id')).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByRole('button', { name: 'Change…' }).click();
  await fill();
  const link = dialog.getByRole('link', { name: 'Sign in at login.example.com' });
  await expect(link).toHaveAttribute('href', waiting.url);
  await expectGoodView(view);

  await show('/add-credential', { ...replies, '/portal/sign-ins/sign_a': { ...waiting, ...failed } });
  await fill();
  await expect(dialog).toContainText('Nobody signed in in time.');
  await expect(dialog.getByLabel('Issuer'), 'to start again').toHaveValue('https://login.example.com');
});

test(
  'a sign-in with a code shows the code, where to enter it and how long it counts',
  { tag: '@long' },
  async ({ view, show, service }) => {
    const dialog = view.page.getByRole('dialog');
    await show('/add-credential', {
      ...addReplies,
      '/portal/sign-ins': withCode,
      '/portal/sign-ins/sign_a': withCode,
    });
    await dialog.getByText('Another OAuth server, with a sign-in').click();
    await dialog.getByLabel('Issuer').fill('https://login.example.com');
    const change = dialog.getByRole('button', { name: 'Change…' });
    await change.click();
    await dialog.getByRole('option', { name: 'Slack' }).click();
    await expect(dialog.getByLabel('Client id')).toBeFocused();
    await expect(dialog.getByRole('radio', { name: 'With a code' }), 'which Slack has not').toBeHidden();
    await expect(dialog.getByText('http://localhost:7684/callback'), 'as Slack wants it').toBeVisible();
    await change.click();
    await dialog.getByRole('option', { name: 'GitHub App sign-in' }).click();
    await expect(dialog.getByLabel('Name')).toHaveValue('github');
    await expect(dialog.getByText('http://127.0.0.1:7684/callback')).toBeVisible();
    const page = 'https://github.com/settings/apps';
    await expect(dialog.getByRole('link', { name: `Open ${page}` })).toHaveAttribute('href', page);
    await dialog.getByLabel('Client id').fill('app');
    await dialog.getByRole('radio', { name: 'With a code' }).click();
    const sent = view.page.waitForRequest((request) => request.method() === 'POST');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    expect((await sent).postDataJSON(), 'without the issuer of another service').toEqual({
      name: 'github',
      provider: { id: 'oauth2', inputs: { service: 'github', client_id: 'app' } },
      base_url: 'https://api.github.com',
      method: 'device',
    });
    await expect(dialog.getByText('WDJB-MJHT')).toBeVisible();
    await expect(dialog.getByRole('link')).toHaveAttribute('href', withCode.url);
    await expect(dialog.getByRole('status')).toHaveText('Waiting for approval.');
    await expect(dialog).toContainText('The code expires in 9 min.');
    await expectGoodView(view);

    await view.page.reload();
    await expect(dialog.getByText('WDJB-MJHT')).toBeVisible();
    service.canned.replies.set('/portal/sign-ins/sign_a', { ...withCode, ...failed });
    await expect(dialog).toContainText('Nobody signed in in time.');
    await expect(view.page).toHaveURL(/\/add-credential$/);
  },
);

test(
  'a target of a sign-in receives the part of it that was chosen, and says which',
  { tag: '@long' },
  async ({ view, show }) => {
    const target = { kind: 'file', path: '/srv/token', part: 'refresh_token' };
    const receipt = {
      id: 'tgt_a',
      target,
      status: 'delivered',
      generation: 1,
      delivered_at: now,
      note: null,
      message: null,
      attempts: 0,
      next_try_at: null,
    };
    const fine = { ...credential, state: 'fine', trouble: null, message: null };
    const withTarget = { ...fine, targets: [receipt] };
    await show('/credentials/crm', {
      ...pageReplies,
      '/portal/credentials/crm': fine,
      '/portal/credentials/crm/targets': withTarget,
      '/portal/credentials/crm/targets/preview': {
        possible: true,
        message: 'The file will have the token.',
        place: '/srv/token',
        exists: false,
        lines: [],
      },
    });
    await view.page.getByRole('button', { name: 'Add…' }).click();
    await view.page.getByRole('menuitem', { name: 'Target…' }).click();
    const dialog = view.page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'File', exact: true }).click();
    await dialog.getByLabel('Path').fill('/srv/token');
    await expect(dialog.getByRole('radio', { name: 'Access token' })).toBeChecked();
    await dialog.getByRole('radio', { name: 'Refresh token' }).click();
    await expect(dialog).toContainText('if that program uses it, the sign-in may end');
    await expectGoodView(view);
    const sent = view.page.waitForRequest((request) => request.url().endsWith('/targets'));
    await dialog.getByRole('button', { name: 'Add and deliver now' }).click();
    expect((await sent).postDataJSON()).toEqual(target);
    await expect(view.page.getByRole('list', { name: 'Who has the token' })).toContainText(
      'File · Refresh token',
    );
  },
);
