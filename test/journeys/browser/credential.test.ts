import { expect } from '@playwright/test';
import { keep, test, valueOf } from './credential-fixtures.ts';

const name = 'nightly';

const allSteps = [
  'Intent recorded',
  'Entry reserved in the encrypted file',
  'New token received from this service',
  'Stored in the encrypted file and read back',
  'Tested',
  'Rotation recorded',
];

test('a rotation is watched step by step, whoever asked for it', async ({ credential, owner }) => {
  const { value } = await keep(owner, name);
  await credential.open(owner.baseUrl, name);
  await credential.rotate();
  await expect(credential.rotation.getByText('Rotated.', { exact: true })).toBeVisible();
  await expect(credential.steps).toHaveCount(allSteps.length);
  for (const [place, step] of allSteps.entries()) {
    await expect(credential.steps.nth(place)).toContainText(step);
    await expect(credential.steps.nth(place).getByRole('img', { name: 'done' })).toBeVisible();
    await expect(credential.steps.nth(place).getByRole('time')).toBeVisible();
  }
  await expect(credential.tokenCard).toContainText('number 2');
  await expect(credential.events.first()).toContainText('Credential rotated');
  // Afterwards: that it was handed out is an event as well.
  expect(await valueOf(owner, name)).not.toBe(value);

  await credential.page.reload();
  await expect(credential.tokenCard).toContainText('number 2');
  await expect(credential.steps).toHaveCount(0);
  await owner.ask('rotateCredential', { params: { name } });
  await expect(credential.rotation.getByText('Rotated.', { exact: true })).toBeVisible();
  await expect(credential.steps).toHaveCount(allSteps.length);
  await expect(credential.tokenCard).toContainText('number 3');
  expect(await credential.page.content()).not.toContain(await valueOf(owner, name));
});

test('the step that fails is shown with its words, and tried again at a press', async ({
  credential,
  owner,
  other,
}) => {
  other.says.set('POST /v1/auth/rotate', { status: 500, body: { success: false, message: 'Out of order.' } });
  const body = { name, value: 'a-token-of-elsewhere', base_url: other.baseUrl, validity_days: 30 };
  await owner.ask('addCredential', { body });
  await credential.open(owner.baseUrl, name);
  await credential.rotate();
  const failed = credential.steps.filter({ has: credential.page.getByRole('img', { name: 'failed' }) });
  await expect(failed).toHaveCount(1);
  await expect(failed).toContainText(`No new token from ${new URL(other.baseUrl).host}`);
  await expect(failed).toContainText('500');
  await expect(credential.state).toHaveText('Rotation failed');
  await expect(credential.trouble.first()).toContainText('1 failed attempt; next attempt');

  const reply = { success: true, message: 'Rotated.', access_token: 'the-next-one', token_type: 'bearer' };
  other.says.set('POST /v1/auth/rotate', { status: 200, body: { ...reply, validity_days: 30 } });
  await credential.trouble.getByRole('button', { name: 'Try again now' }).click();
  await credential.press('Rotate now').click();
  await expect(credential.state).toHaveText('OK');
  expect(await valueOf(owner, name)).toBe('the-next-one');
});

test(
  'a token of this service that nobody knows any more is issued again here',
  { tag: '@long' },
  async ({ credential, owner }) => {
    const { value } = await keep(owner, name);
    const { tokens } = await owner.ask('listTokens');
    await owner.ask('blacklistToken', { params: { id: tokens[0]?.id ?? '' } });
    await credential.open(owner.baseUrl, name);
    await credential.testConnection.click();
    await expect(credential.tokenCard.getByText('It is refused.')).toBeVisible();
    await expect(credential.state).toHaveText('Blacklisted');
    await expect(credential.rotation).toContainText('No rotation is planned.');
    await expect(credential.rotateNow, 'it could not succeed').toHaveCount(0);
    await expect(credential.trouble.first(), 'the button does it').not.toContainText(
      'rotavox credential reissue',
    );
    await credential.trouble.getByRole('button', { name: 'Issue a new token' }).click();
    await expect(credential.state).toHaveText('OK');
    expect(await valueOf(owner, name)).not.toBe(value);
    await credential.testConnection.click();
    await expect(credential.tokenCard.getByText('It works.')).toBeVisible();
  },
);

test(
  'a token of another service that nobody knows any more is brought by hand, without a mouse',
  { tag: '@long' },
  async ({ credential, owner, other }) => {
    other.says.set('POST /v1/auth/rotate', {
      status: 401,
      body: { success: false, message: 'The provided token is invalid.' },
    });
    const body = { name, value: 'a-token-of-elsewhere', base_url: other.baseUrl, validity_days: 30 };
    await owner.ask('addCredential', { body });
    await owner.ask('rotateCredential', { params: { name } });
    await credential.open(owner.baseUrl, name);
    await expect(credential.state).toHaveText('Needs a new token');
    await expect(credential.trouble.getByRole('link', { name: `Open ${other.baseUrl}` })).toBeVisible();
    const { keyboard } = credential.page;
    await credential.tabTo(credential.trouble.getByRole('button', { name: 'Enter a new token…' }));
    await keyboard.press('Enter');
    await expect(credential.field('Token')).toBeFocused();
    await keyboard.insertText('Bearer no-token');
    await keyboard.press('Enter');
    await expect(credential.field('Token')).toHaveAccessibleDescription(/must be the token alone/);
    await credential.field('Token').selectText();
    await keyboard.insertText('another-token');
    await keyboard.press('Enter');
    await expect(credential.field('Expires on')).toHaveAccessibleDescription(/is needed/);
    await credential.tabTo(credential.field('Valid for, in days'));
    await keyboard.type('14');
    await keyboard.press('Enter');
    await expect(credential.dialog).toBeHidden();
    await expect(credential.state).toHaveText('OK');
    expect(await valueOf(owner, name)).toBe('another-token');
    expect(await credential.page.content()).not.toContain('another-token');
  },
);

test(
  'another policy shows what it means before it is saved, with the keyboard',
  { tag: '@long' },
  async ({ credential, owner }) => {
    const { view } = await keep(owner, name);
    await credential.open(owner.baseUrl, name);
    await expect(credential.policy).toContainText('About 4 d 16 h into a lifetime of 7 d');
    await credential.tabTo(credential.share);
    for (let presses = 0; presses < 17; presses += 1) await credential.page.keyboard.press('ArrowLeft');
    await expect(credential.policy).toContainText(
      'About 3 d 12 h into a lifetime of 7 d; the next rotation would be',
    );
    const promised = await credential.policy.getByRole('time').getAttribute('datetime');
    await credential.tabTo(credential.policy.getByRole('button', { name: 'Save' }));
    await credential.page.keyboard.press('Enter');
    await expect(credential.policy).toContainText('Saved');
    const saved = await owner.ask('readCredential', { params: { name } });
    expect(saved.policy).toEqual({ fraction: 0.5, preferred_hours: null });
    expect(saved.next_rotation_at, 'what was promised').toBe(promised);
    expect(saved.next_rotation_at).not.toBe(view.next_rotation_at);

    await credential.policy.getByRole('checkbox', { name: 'Prefer certain hours' }).click();
    await credential.policy.getByLabel('From', { exact: true }).fill('22:00');
    await credential.policy.getByLabel('To', { exact: true }).fill('04:00');
    await credential.policy.getByRole('button', { name: 'Save' }).click();
    await expect(credential.policy).toContainText('between 22:00 and 04:00');

    // Changed elsewhere, it shows here.
    await owner.ask('changeCredentialPolicy', { params: { name }, body: { fraction: 0.3 } });
    await expect(credential.policy).toContainText('after 30 % of its lifetime');
  },
);

test(
  'the planned rotations of 90 days are those that the service plans',
  { tag: '@long' },
  async ({ credential, owner }) => {
    const { view } = await keep(owner, name);
    await credential.open(owner.baseUrl, name);
    await expect(credential.rotation).toContainText(`${view.planned.length} rotations in the next 90 days`);
    await credential.rotation.getByText('in the next 90 days').click();
    await expect(credential.planned).toHaveCount(view.planned.length);
    const shown = await credential.planned
      .getByRole('time')
      .evaluateAll((times) => times.map((time) => time.getAttribute('datetime')));
    expect(shown).toEqual(view.planned);
  },
);

test(
  'what others do shows at once: a pause, a removal',
  { tag: '@long' },
  async ({ credential, credentials, owner }) => {
    await keep(owner, name);
    await credential.open(owner.baseUrl, name);
    await expect(credential.state).toHaveText('OK');
    await owner.ask('pauseCredential', { params: { name } });
    await expect(credential.state).toHaveText('Paused');
    await expect(credential.rotation).toContainText('It is not rotated until you resume rotation.');
    await credential.resume.click();
    await expect(credential.state).toHaveText('OK');
    await owner.ask('removeCredential', { params: { name } });
    await expect(credential.alert).toContainText('There is no credential with this name.');
    await credential.page.getByRole('link', { name: 'All credentials' }).click();
    await expect(credentials.first).toBeVisible();
  },
);

test('a credential is removed after its consequences were said', async ({
  credential,
  credentials,
  owner,
}) => {
  await keep(owner, name);
  await credential.open(owner.baseUrl, name);
  await credential.remove.click();
  await expect(credential.dialog).toContainText('The token is not revoked');
  await credential.press('Cancel').click();
  await expect(credential.remove).toBeFocused();
  await credential.remove.click();
  await credential.press('Remove credential').click();
  await expect(credentials.first).toBeVisible();
  await expect(credential.page).toHaveURL(`${owner.baseUrl}/credentials`);
  expect((await owner.ask('listCredentials')).credentials).toEqual([]);
  expect((await owner.ask('listTokens')).tokens[0]?.status).toBe('Active');
});

test(
  'a credential is rotated, tested, used and removed without a mouse',
  { tag: '@long' },
  async ({ credential, credentials, owner }) => {
    await keep(owner, name);
    await credential.open(owner.baseUrl, name);
    await expect(credential.state).toHaveText('OK');
    const { keyboard } = credential.page;
    await credential.tabTo(credential.rotateNow);
    await keyboard.press('Enter');
    await expect(credential.dialog).toContainText('The current token stops working at once.');
    await expect(credential.dialog).toContainText('No program is known to use the current token.');
    await keyboard.press('Escape');
    await expect(credential.dialog).toBeHidden();
    await expect(credential.rotateNow).toBeFocused();
    await keyboard.press('Enter');
    await expect(credential.press('Rotate now')).toBeFocused();
    await keyboard.press('Enter');
    await expect(credential.rotation.getByText('Rotated.', { exact: true })).toBeVisible();
    await expect(credential.rotateNow, 'the focus stays where it was').toBeFocused();
    await credential.tabTo(credential.addMenu);
    await keyboard.press('Enter');
    for (const _ of ['Tool', 'App', 'Rule', 'Lines']) await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await credential.tabTo(credential.recipes.getByRole('button', { name: 'Copy the lines for a shell' }));
    await keyboard.press('Escape');
    await expect(credential.addMenu).toBeFocused();
    await credential.tabTo(credential.testConnection);
    await keyboard.press('Enter');
    await expect(credential.tokenCard.getByText('It works.')).toBeVisible();
    await credential.tabTo(credential.remove);
    await keyboard.press('Enter');
    await credential.tabTo(credential.press('Remove credential'));
    await keyboard.press('Enter');
    await expect(credentials.first).toBeVisible();
  },
);

test('the token is copied to a clipboard that clears itself', async ({ credential, owner, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { value } = await keep(owner, name);
  await credential.page.clock.install();
  await credential.open(owner.baseUrl, name);
  await credential.copyToken.click();
  await expect(credential.rotation).toContainText('The clipboard is cleared after 30 seconds');
  expect(await credential.page.evaluate(() => navigator.clipboard.readText())).toBe(value);
  await credential.page.clock.fastForward(30_000);
  await expect(credential.rotation).toContainText('The clipboard was cleared.');
  expect(await credential.page.evaluate(() => navigator.clipboard.readText())).toBe('');
});

test(
  'a value that was replaced and is still used raises the alarm',
  { tag: '@long' },
  async ({ credential, owner }) => {
    const { value } = await keep(owner, name);
    await owner.ask('rotateCredential', { params: { name } });
    await credential.open(owner.baseUrl, name);
    await expect(credential.state).toHaveText('OK');
    await fetch(`${owner.baseUrl}/v1/auth/token`, {
      headers: { authorization: `Bearer ${value}`, 'user-agent': 'old-worker/1.0' },
    });
    await expect(credential.alert).toContainText('A superseded token is still used by ');
    await expect(credential.alert).toContainText('old-worker/1.0');
    await credential.page.getByText('2 tokens, nothing changed between them').click();
    const history = credential.page.getByRole('region', { name: 'Token history' });
    await expect(history).toContainText('Still used: last');
  },
);

test(
  'while the service is away the page keeps what it knew, and goes on when it is back',
  { tag: '@long' },
  async ({ credential, owner, server }) => {
    await keep(owner, name);
    await credential.open(owner.baseUrl, name);
    await expect(credential.state).toHaveText('OK');
    const port = Number(new URL(owner.baseUrl).port);
    await server.stop();
    await expect(credential.alert).toContainText('The service does not answer');
    await credential.pause.click();
    await credential.press('For 1 hour').click();
    await expect(credential.dialog.getByRole('alert')).toContainText(
      'The history shows whether rotation is paused',
    );
    await credential.press('Cancel').click();
    await server.start(port);
    await credential.page.goto(await owner.signInLink());
    await credential.open(owner.baseUrl, name);
    await expect(credential.state).toHaveText('OK');
  },
);
