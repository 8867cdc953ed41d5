import { expect } from '@playwright/test';
import { keep, test, valueOf } from './credential-fixtures.ts';

test('a token is pasted, tested and added with the mouse, and its value stays nowhere in the window', async ({
  credentials,
  credential,
  owner,
}) => {
  const { access_token: value } = await owner.issueToken({ name: 'billing', validity_days: 7 });
  await credentials.page.goto(owner.baseUrl);
  await credentials.page.getByRole('link', { name: 'Credentials' }).click();
  await expect(credentials.first).toBeVisible();
  await credentials.add.click();
  await expect(credentials.page).toHaveTitle('Add credential — Rotavox');
  await credentials.service('This program').click();
  await expect(credentials.token).toBeFocused();
  await credentials.name.fill('billing-sync');
  await credentials.token.fill(` ${value}\n`);
  await expect(credentials.token, 'masked').toHaveAttribute('type', 'password');
  await credentials.dialog.getByRole('button', { name: 'Show' }).click();
  await expect(credentials.token).toHaveAttribute('type', 'text');
  await credentials.dialog.getByRole('button', { name: 'Hide' }).click();
  await expect(credentials.dialog.getByText('It works.'), 'tested at once').toBeVisible();
  await expect(credentials.dialog).toContainText('billing, Active');
  await expect(credentials.dialog).toContainText('The old token stops working at once.');
  await expect(credentials.dialog).toContainText('New tokens will be valid for 7 days.');
  await credentials.submit.click();

  await expect(credential.page.getByRole('heading', { level: 1, name: 'billing-sync' })).toBeFocused();
  await expect(credential.state).toHaveText('OK');
  await expect(credential.page.getByText('is now rotated automatically')).toBeVisible();
  expect(await valueOf(owner, 'billing-sync')).toBe(value);
  expect(await credential.page.content()).not.toContain(value);
  await expect(credential.page).toHaveURL(`${owner.baseUrl}/credentials/billing-sync?new=1`);
  await credential.page.getByRole('button', { name: 'Close' }).click();
  await expect(credential.page).toHaveURL(`${owner.baseUrl}/credentials/billing-sync`);
  await credential.page.goBack();
  await expect(credentials.dialog, 'what was added is not asked for again').toBeHidden();
  await expect(credentials.row('billing-sync')).toContainText('OK');
});

test(
  'a credential is added without a mouse',
  { tag: '@long' },
  async ({ credentials, credential, owner }) => {
    const { access_token: value } = await owner.issueToken({ name: 'crm', validity_days: 30 });
    await credentials.open(owner.baseUrl);
    const { keyboard } = credentials.page;
    await expect(credentials.add).toBeVisible();
    await credentials.tabTo(credentials.add);
    await keyboard.press('Enter');
    await expect(credentials.service('GitLab')).toBeVisible();
    await keyboard.type('this');
    await expect(credentials.service('GitLab')).toBeHidden();
    await keyboard.press('Enter');
    await expect(credentials.token).toBeFocused();
    await keyboard.insertText(value);
    await expect(credentials.dialog.getByText('It works.')).toBeVisible();
    await expect(credentials.name, 'suggested by the name of the token').toHaveValue('crm');
    await credentials.tabTo(credentials.name);
    await keyboard.type('crm-nightly');
    await credentials.tabTo(credentials.submit);
    await keyboard.press('Enter');
    await expect(credential.page.getByRole('heading', { level: 1, name: 'crm-nightly' })).toBeFocused();
    expect(await valueOf(owner, 'crm-nightly')).toBe(value);
  },
);

test('what is wrong is said at its field, and nothing is added', async ({ credentials, owner, other }) => {
  await keep(owner, 'taken');
  await credentials.page.goto(`${owner.baseUrl}/add-credential`);
  await credentials.service('This program').click();
  await credentials.submit.click();
  await expect(credentials.token).toBeFocused();
  await expect(credentials.name).toHaveAccessibleDescription(/Enter a name for the credential\./);
  await expect(credentials.token).toHaveAccessibleDescription(/Token is missing\. Paste it here\./);
  await credentials.name.fill('-no-');
  await expect(credentials.name).toHaveAccessibleDescription(/begin with a letter or a digit/);
  await credentials.name.fill('taken');
  await expect(credentials.name).not.toHaveAttribute('aria-invalid');

  await credentials.token.fill('Bearer rvx_unknown');
  await expect(credentials.token).toHaveAccessibleDescription(/must be the token alone/);
  await credentials.dialog.getByRole('button', { name: 'Use the token alone' }).click();
  await expect(credentials.token).toHaveValue('rvx_unknown');
  await expect(credentials.token).toBeFocused();
  // The name's words appear when the press is over: they would move what is pressed away from under the mouse.
  await credentials.change.click();
  await credentials.service('Another service').click();
  await credentials.address.fill('http://api.example.com');
  await credentials.address.blur();
  await expect(credentials.address).toHaveAccessibleDescription(/must be the address of a service/);
  await credentials.address.fill(other.baseUrl);
  await expect(credentials.address).not.toHaveAttribute('aria-invalid');
  await credentials.change.click();
  await credentials.service('This program').click();
  await expect(credentials.token, 'what was entered stays').toHaveValue('rvx_unknown');
  await credentials.submit.click();
  await expect(credentials.name).toHaveAccessibleDescription(/already a credential “taken”/);

  await credentials.name.fill('free');
  await credentials.submit.click();
  await expect(credentials.token).toHaveAccessibleDescription(/cannot be added/);
  await expect(credentials.token).toBeFocused();
  await credentials.page.keyboard.press('Escape');
  await expect(credentials.dialog).toBeHidden();
  expect((await owner.ask('listCredentials')).credentials).toHaveLength(1);
});

test(
  'a service that does not tell when a token ends has the person asked for it',
  { tag: '@long' },
  async ({ credentials, credential, owner, other }) => {
    await credentials.page.goto(`${owner.baseUrl}/add-credential`);
    await credentials.service('Another service').click();
    await expect(credentials.address).toBeFocused();
    await credentials.address.fill(other.baseUrl);
    await expect(credentials.name, 'suggested by the address').toHaveValue('127.0.0.1');
    await credentials.token.fill('a-token-of-elsewhere');
    await credentials.name.fill('elsewhere');
    await credentials.submit.click();
    const end = credentials.dialog.getByLabel('Expires on');
    await expect(end).toHaveAccessibleDescription(/is needed/);
    await expect(credentials.dialog, 'no option of the command line').not.toContainText('--expires-at');
    await credentials.dialog.getByLabel('Valid for, in days').fill('30');
    await credentials.submit.click();
    await expect(credential.state).toHaveText('OK');
    await expect(credential.tokenCard).toContainText('30 days');
  },
);

test(
  'a token of another service is added with five presses and two texts',
  { tag: '@long' },
  async ({ credentials, credential, owner, other }) => {
    const [createdAt, expiresAt] = [0, 30].map((days) =>
      new Date(Date.now() + days * 86_400_000).toISOString(),
    );
    const token = { status: 'Active', name: 'billing', category: 'general', validity_days: 30, scopes: [] };
    other.says.set('GET /v1/auth/token', {
      status: 200,
      body: { ...token, created_at: createdAt, expires_at: expiresAt, ip_restrictions: [] },
    });
    await credentials.page.addInitScript(() => {
      const counts = { presses: 0 };
      addEventListener('pointerdown', () => (counts.presses += 1), true);
      Object.assign(globalThis, { counts });
    });
    await credentials.page.goto(owner.baseUrl);
    await credentials.page.getByRole('link', { name: 'Credentials' }).click();
    await credentials.add.click();
    await credentials.service('Another service').click();
    await expect(credentials.address).toBeFocused();
    await credentials.page.keyboard.insertText(other.baseUrl);
    await credentials.token.click();
    await credentials.page.keyboard.insertText('a-token-of-elsewhere');
    await expect(credentials.dialog.getByText('It works. It can be rotated.')).toBeVisible();
    await expect(credentials.dialog).toContainText('New tokens will be valid for 30 days.');
    await credentials.submit.click();
    await expect(credential.page.getByRole('heading', { level: 1, name: '127.0.0.1' })).toBeFocused();
    expect(await credential.page.evaluate('counts.presses')).toBe(5);
  },
);

test('tokens are paused, resumed, copied and rotated from the list, and what others do shows at once', async ({
  credentials,
  owner,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { value } = await keep(owner, 'nightly');
  await credentials.open(owner.baseUrl);
  await credentials.action('nightly', 'Copy token').click();
  await expect(credentials.row('nightly')).toContainText('The clipboard is cleared after 30 seconds');
  expect(await credentials.page.evaluate(() => navigator.clipboard.readText())).toBe(value);
  expect(await credentials.page.content()).not.toContain(value);

  await credentials.action('nightly', 'Pause…').click();
  await expect(credentials.dialog).toContainText('The token expires unless you resume rotation before.');
  await credentials.pauseFor('For 1 hour').click();
  await expect(credentials.dialog).toBeHidden();
  await expect(credentials.row('nightly')).toContainText('Paused');
  await credentials.action('nightly', 'Resume').click();
  await expect(credentials.row('nightly')).toContainText('OK');

  await credentials.action('nightly', 'Rotate now').click();
  await credentials.dialog.getByRole('button', { name: 'Rotate now' }).click();
  await expect(credentials.row('nightly')).toContainText('Rotated');
  expect(await valueOf(owner, 'nightly')).not.toBe(value);

  await owner.ask('pauseCredential', { params: { name: 'nightly' } });
  await expect(credentials.row('nightly')).toContainText('not rotated until you resume it');
  await owner.ask('removeCredential', { params: { name: 'nightly' } });
  await expect(credentials.first).toBeVisible();
});

test(
  'after a change only what changed is read, and what was added or removed meanwhile is there',
  { tag: '@long' },
  async ({ credentials, owner }) => {
    await keep(owner, 'nightly');
    await keep(owner, 'weekly');
    const asked: string[] = [];
    credentials.page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname === '/portal/credentials') asked.push(search);
    });
    const idOf = async (name: string) => (await owner.ask('readCredential', { params: { name } })).id;
    const nightly = await idOf('nightly');
    await credentials.open(owner.baseUrl);
    await expect(credentials.rows).toHaveCount(2);

    await owner.ask('pauseCredential', { params: { name: 'nightly' } });
    await expect(credentials.row('nightly')).toContainText('not rotated until you resume it');
    await expect(credentials.row('weekly')).toContainText('OK');
    await keep(owner, 'added');
    await expect(credentials.rows).toHaveCount(3);
    await owner.ask('removeCredential', { params: { name: 'nightly' } });
    await expect(credentials.rows).toHaveCount(2);
    const whole = asked.filter((search) => !search.includes('ids='));
    expect(whole).toEqual(['?planned=false']);
    expect(asked).toContain(`?planned=false&ids=${nightly}`);
  },
);

test('tokens are paused and resumed without a mouse', { tag: '@long' }, async ({ credentials, owner }) => {
  await keep(owner, 'nightly');
  await credentials.open(owner.baseUrl);
  const { keyboard } = credentials.page;
  const pause = credentials.action('nightly', 'Pause…');
  await expect(pause).toBeVisible();
  await credentials.tabTo(pause);
  await keyboard.press('Enter');
  await credentials.tabTo(credentials.pauseFor('Until tomorrow'));
  await keyboard.press('Enter');
  await expect(credentials.row('nightly')).toContainText('next, after the pause');
  const { paused } = await owner.ask('readCredential', { params: { name: 'nightly' } });
  expect(new Date(paused?.until ?? '').getHours()).toBe(8);
  await credentials.tabTo(credentials.action('nightly', 'Resume'));
  await keyboard.press('Enter');
  await expect(credentials.row('nightly')).toContainText('OK');
});

test(
  'of a thousand tokens those in sight are drawn, and one is found by a few letters',
  { tag: '@long' },
  async ({ credentials, owner }) => {
    await keep(owner, 'template');
    // A thousand, as the service would say them: making them really takes minutes.
    const list = await owner.ask('listCredentials');
    const all = Array.from({ length: 1000 }, (_, place) => ({
      ...list.credentials[0],
      id: `cred_${place}`,
      name: `service-${String(place).padStart(4, '0')}`,
    }));
    await credentials.page.route(/\/portal\/credentials\?planned=false$/, (route) =>
      route.fulfill({ json: { ...list, credentials: all } }),
    );
    await credentials.open(owner.baseUrl);
    await expect(credentials.page.getByText('1,000 tokens rotated automatically')).toBeVisible();
    await expect(credentials.rows.first()).toBeVisible();
    expect(await credentials.rows.count()).toBeLessThan(60);
    await credentials.rows.first().focus();
    await credentials.page.keyboard.press('End');
    await expect(credentials.row('service-0999')).toBeInViewport();
    await credentials.search.fill('0512');
    await expect(credentials.rows).toHaveCount(1);
    await expect(credentials.page).toHaveURL(/\?q=0512$/);
    await credentials.search.fill('nothing like it');
    await expect(credentials.page.getByText('No matches for')).toBeVisible();
    await credentials.page.getByRole('button', { name: 'Show all' }).click();
    await expect(credentials.page.getByText('1,000 tokens rotated automatically')).toBeVisible();
  },
);

test.describe('without a keychain', () => {
  test.use({
    serverEnv: {
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus',
    },
    vault: { kind: 'keychain' },
  });
  test.skip(process.platform !== 'linux', 'elsewhere a keychain is always there');

  test(
    'the list says so and what to do, and so does the form',
    { tag: '@long' },
    async ({ credentials, owner }) => {
      const { access_token: value } = await owner.issueToken({ name: 'kept', validity_days: 7 });
      await credentials.page.goto(`${owner.baseUrl}/add-credential`);
      await credentials.service('This program').click();
      await credentials.name.fill('kept');
      await credentials.token.fill(value);
      await credentials.submit.click();
      await expect(credentials.dialog.getByRole('alert')).toContainText('keychain');
      await expect(credentials.token, 'pasted once is enough').toHaveValue(value);
      await credentials.page.keyboard.press('Escape');
      await credentials.page.reload();
      await expect(credentials.alert).toContainText('The keychain is missing.');
      await expect(credentials.alert).toContainText('or choose the encrypted-file vault');
      await expect(credentials.alert).toContainText('serve --vault file');
    },
  );
});
