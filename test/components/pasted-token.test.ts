import { expect } from '@playwright/test';
import type { Locator } from '@playwright/test';
import { replaceTokenText, tokenFieldsText } from '../../src/text/credential/add-credential.ts';
import { providerViews } from '../../src/text/credential/providers.ts';
import { expectGoodView } from '../journeys/browser/expect-good-view.ts';
import { CredentialsPage } from '../journeys/pages/credentials-page.ts';
import { credentialView } from '../renderer/credentials/credential-view.ts';
import { Refusal, repliesOf, test } from './canned-service.ts';

const now = new Date().toISOString();
const soon = new Date(Date.now() + 9 * 86_400_000).toISOString();
const one = credentialView({ name: 'nightly', expires_at: soon, service: 'remote' });
const replies = {
  ...repliesOf(one),
  '/portal/providers': { providers: providerViews() },
  '/portal/credentials/test': {
    outcome: 'works',
    message: 'The token works.',
    checked_at: now,
    token: null,
    rotation: { outcome: 'can_rotate', message: 'It has a rotate endpoint.' },
    took_ms: 12,
  },
};

const token = 'rvx_0123456789abcdefghij';
const mistakes = [
  [`"${token}"`, 'without the quotes'],
  [`Authorization: Bearer ${token}`, 'not a whole header'],
  [`export API_TOKEN='${token}'`, 'not a whole line with its name'],
  [`{"access_token": "${token}", "expires_in": 3600}`, 'not the JSON around it'],
] as const;

function takeButton(within: Locator): Locator {
  return within.getByRole('button', { name: tokenFieldsText.takeToken });
}

test('what was pasted around a token is named, and taken away by mouse or by keyboard', async ({
  view,
  show,
  canned,
}) => {
  const add = new CredentialsPage(view.page);
  const take = takeButton(add.dialog);
  await show('/add-credential', replies);
  await add.service('This program').click();
  for (const [at, [pasted, words]] of mistakes.entries()) {
    await add.token.fill(pasted);
    if (at === 0) await expect(take, 'before the field is left').toHaveCount(0);
    await view.page.keyboard.press('Tab');
    await expect(add.token).toHaveAccessibleDescription(new RegExp(words));
    expect(JSON.stringify([...canned.bodies.values()]), 'not sent as it is').not.toContain(
      JSON.stringify(pasted),
    );
    if (at === 1) await expectGoodView(view);
    if (at % 2 === 0) await take.click();
    else {
      await add.token.focus();
      await view.tabTo(take);
      await view.page.keyboard.press('Enter');
    }
    await expect(add.token).toHaveValue(token);
    await expect(add.token).not.toHaveAttribute('aria-invalid', 'true');
    await expect(take).toHaveCount(0);
    await expect(add.token, 'the focus is not lost').toBeFocused();
    await expect(add.token, 'and it is not shown').toHaveAttribute('type', 'password');
  }
  await add.name.focus();
  await expect(add.dialog.getByText('It works. It can be rotated.')).toBeVisible();
  expect(canned.bodies.get('/portal/credentials/test')).toMatchObject({ value: token });
});

test(
  'a mistake that hides the token is named, and there is nothing to take',
  { tag: '@long' },
  async ({ view, show }) => {
    const add = new CredentialsPage(view.page);
    await show('/add-credential', replies);
    await add.service('This program').click();
    await add.token.fill('glpat-••••••••');
    await add.submit.click();
    await expect(add.token).toHaveAccessibleDescription(/hidden behind stars or dots/);
    await expect(takeButton(add.dialog)).toHaveCount(0);
    await expectGoodView(view);
  },
);

test(
  'a new token for a credential is taken out of what was pasted, also after a refusal',
  { tag: '@long' },
  async ({ view, show, canned }) => {
    await show('/credentials/nightly', replies);
    await view.page.getByRole('button', { name: /Enter a new token/ }).click();
    const dialog = view.page.getByRole('dialog', { name: replaceTokenText.title('nightly') });
    const field = dialog.getByLabel('Token', { exact: true });
    await expect(field).toBeFocused();
    await field.fill(`Bearer ${token}`);
    await view.page.keyboard.press('Enter');
    await expect(field).toHaveAccessibleDescription(/without a word such as Bearer/);
    await expectGoodView(view);
    expect(canned.bodies.size, 'nothing is sent').toBe(0);
    await view.tabTo(takeButton(dialog));
    await view.page.keyboard.press('Space');
    await expect(field).toHaveValue(token);
    await expect(field).toBeFocused();
    const refusal = 'https://api.example.com does not accept this token.';
    canned.replies.set(
      '/portal/credentials/nightly/value',
      new Refusal(400, refusal, { code: 'bad_request' }),
    );
    await view.page.keyboard.press('Enter');
    await expect(dialog.getByRole('alert').filter({ hasText: refusal })).toBeVisible();
    expect(canned.bodies.get('/portal/credentials/nightly/value')).toMatchObject({ value: token });
    canned.replies.set('/portal/credentials/nightly/value', one);
    await dialog.getByRole('button', { name: replaceTokenText.replace }).click();
    await expect(dialog).toBeHidden();
  },
);
