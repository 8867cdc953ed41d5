import { expect } from '@playwright/test';
import { pageKeyHeader } from '../../src/contract/address.ts';
import { defaultSettings } from '../../src/contract/service/settings.ts';
import { expectGoodView } from '../journeys/browser/expect-good-view.ts';
import { cannedStatus, Refusal, test } from './canned-service.ts';

const now = new Date().toISOString();
const key = `rvo_${'k'.repeat(49)}`;
const settings = { ...defaultSettings, first_steps: 'hidden' };
const signedOut = new Refusal(401, 'Sign in.', { code: 'not_signed_in', takes_owner_key: true });
const ada = {
  id: 'own_a',
  name: 'Ada Lovelace',
  created_at: now,
  last_used_at: now,
  sessions: 2,
  is_you: true,
};
const grace = { id: 'own_g', name: 'גרייס', created_at: now, last_used_at: null, sessions: 0, is_you: false };
const session = {
  id: 'ses_a',
  is_current: true,
  signed_in_at: now,
  last_used_at: now,
  address: '192.0.2.7',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};
const other = { ...session, id: 'ses_b', is_current: false, user_agent: 'curl/8.5.0' };
const settingsReplies = {
  '/portal/status': { ...cannedStatus, owner: { id: ada.id, name: ada.name }, owners: 2 },
  '/portal/settings': settings,
  '/portal/owners': { owners: [ada, grace] },
  '/portal/sessions': { sessions: [session, other] },
};

test('a page that is not signed in asks for the key of an owner, says why one is refused, and goes on with the right one', async ({
  view,
  show,
  canned,
}) => {
  const { page } = view;
  await show('/settings', {
    '/portal/status': signedOut,
    '/portal/settings': signedOut,
    '/portal/sign-in-challenges': signedOut,
    '/portal/sessions': new Refusal(403, 'This is not the key of an owner.', { code: 'wrong_owner_key' }),
  });
  const field = page.getByLabel('Owner key');
  await expect(field).toHaveAttribute('type', 'password');
  await expectGoodView(view);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(field).toHaveAccessibleDescription(/Enter your owner key/);
  await field.fill('rvo_wrong');
  await field.press('Enter');
  await expect(field).toHaveAccessibleDescription(/This is not the key of an owner/);
  await expect(field).toBeFocused();

  for (const [path, reply] of Object.entries(settingsReplies)) canned.replies.set(path, reply);
  canned.replies.set('/portal/sessions', { page_code: 'rvl_code' });
  canned.replies.set('/portal/browser-keys', {});
  await field.fill(` ${key} `);
  const asked = page.waitForRequest(
    (request) => request.headers()[pageKeyHeader]?.startsWith('rvl_code.') === true,
  );
  await field.press('Enter');
  await asked;
  await expect(page.getByRole('heading', { name: 'Owners' })).toBeVisible();
  await expect.poll(() => canned.bodies.get('/portal/sessions')).toEqual({ key });
  expect(page.url()).not.toContain('rvo_');
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('rvo_');
});

test(
  'a page on the computer itself names the command beside the key',
  { tag: '@long' },
  async ({ view, show }) => {
    const command = 'rotavox --data-dir /srv/rotavox open';
    const refusal = new Refusal(401, 'Sign in.', { takes_owner_key: true, sign_in_command: command });
    await show('/settings', {
      '/portal/status': refusal,
      '/portal/settings': refusal,
      '/portal/sign-in-challenges': refusal,
    });
    await expect(view.page.getByLabel('Owner key')).toBeVisible();
    await expect(view.page.getByText(command)).toBeVisible();
  },
);

test(
  'the settings list owners, and say what revoking one does',
  { tag: '@long' },
  async ({ view, show, canned }) => {
    const { page } = view;
    await show('/settings#owners', settingsReplies);
    const owners = page.getByRole('list', { name: 'Owners' }).getByRole('listitem');
    await expect(owners).toHaveText([
      /^Ada Lovelace \(you\).*signed in to 2 browsers\./,
      /^גרייס.*not used yet\./,
    ]);
    await expectGoodView(view);
    await page.getByRole('button', { name: 'Revoke Ada Lovelace' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke “Ada Lovelace”?' });
    await expect(dialog).toContainText('2 browsers are signed out');
    await expect(dialog).toContainText('you will be signed out');
    canned.onChange(
      '/portal/owners/Ada%20Lovelace',
      { id: ada.id, name: ada.name, sessions_ended: 2, owners_left: 1 },
      { '/portal/owners': { owners: [grace] } },
    );
    await dialog.getByRole('button', { name: 'Revoke owner' }).click();
    await expect(dialog).toBeHidden();
    canned.tell('change', { seq: 13, at: now, kind: 'owner.revoked', subject: ada.id });
    await expect(owners).toHaveCount(1);
  },
);

test('the settings show the key of a new owner once', { tag: '@long' }, async ({ view, show, canned }) => {
  const { page } = view;
  await show('/settings#owners', settingsReplies);
  await page.getByRole('button', { name: 'Add owner' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('<Ada>');
  await dialog.getByRole('button', { name: 'Add owner' }).click();
  await expect(dialog.getByLabel('Name')).toHaveAccessibleDescription(/The name must be a name of 1 to 60/);
  await dialog.getByLabel('Name').fill('Linus');
  canned.onChange('/portal/owners', { id: 'own_l', name: 'Linus', key, created_at: now });
  await dialog.getByRole('button', { name: 'Add owner' }).click();
  await expect(page.getByRole('dialog', { name: 'Key of Linus' })).toContainText(key);
  await expectGoodView(view);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(key)).toHaveCount(0);
});

test('the settings sign another browser out', { tag: '@long' }, async ({ view, show, canned }) => {
  await show('/settings#owners', settingsReplies);
  const rows = view.page.getByRole('list', { name: 'Your browsers' }).getByRole('listitem');
  await expect(rows).toHaveText([/^Firefox on Linux \(this browser\).*192\.0\.2\.7/, /^curl\/8\.5\.0/]);
  canned.replies.set('/portal/sessions/ses_b', { sessions: [session] });
  await rows.getByRole('button', { name: 'Sign out' }).click();
  await expect(rows).toHaveCount(1);
});

test(
  'the settings of one person on one computer say nothing of owners',
  { tag: '@long' },
  async ({ view, show }) => {
    await show('/settings', { '/portal/settings': settings });
    await expect(view.page.getByRole('heading', { name: 'This computer' })).toBeVisible();
    await expect(view.page.getByText('Owners')).toHaveCount(0);
  },
);
