import { expect } from '@playwright/test';
import type { TokenFamilyView } from '../../../src/contract/token/token-list.ts';
import { MoveDialog } from '../pages/move-dialog.ts';
import { callWith, rotateAs } from './call-service.ts';
import { fileVault } from './credential-fixtures.ts';
import { test } from './serve-host.ts';

const settings = {
  name: 'Billing sync',
  category: 'finance',
  validity_days: 15,
  scopes: ['ivr:read' as const],
  ip_restrictions: ['127.0.0.0/8'],
};

test('a family shows every generation, and that each inherited exactly what was issued', async ({
  family,
  owner,
}) => {
  const { access_token: first, family_id } = await owner.issueToken(settings);
  const second = await rotateAs(owner, first, 'billing/1.0');
  await family.open(owner.baseUrl, family_id);
  await expect(family.heading).toHaveText('Billing sync');
  await expect(family.generations).toHaveCount(2);
  await expect(family.generation(2)).toContainText('Active');
  await expect(family.generation(1)).toContainText('Issued by the owner. Rotated by 127.0.0.1 (billing/1.0)');
  await expect(family.inheritance).toContainText(
    'No difference: tokens 1 to 2 have exactly what was issued.',
  );

  await rotateAs(owner, second, 'billing/1.1');
  await expect(family.generations, 'it is followed live').toHaveCount(3);
  await expect(family.inheritance).toContainText('No difference: tokens 1 to 3');
  await family.compare(1).click();
  await expect(family.settings.getByRole('columnheader')).toHaveText([
    'Setting',
    'As issuedevent 1',
    'Token 1event 1',
    /^Token 3event \d+$/,
  ]);
  await expect(family.setting('Scopes')).toHaveText(['ivr:read', 'ivr:read', 'ivr:read']);
  await expect(family.setting('Allowed addresses')).toHaveText(['127.0.0.0/8', '127.0.0.0/8', '127.0.0.0/8']);
  await expect(family.setting('Valid for')).toHaveText(['15 days', '15 days', '15 days']);
  await family.compare(1).click();
  await expect(family.settings.getByRole('columnheader')).toHaveCount(3);

  await expect(family.history.first()).toContainText('Token rotated token 2 → 3');
  await expect(family.history.first()).toContainText('127.0.0.1 (billing/1.1)');
  await expect(family.history.last()).toContainText('the owner');
});

test(
  'a difference is marked and said, generation and setting by name',
  { tag: '@long' },
  async ({ family, owner }) => {
    const { access_token, family_id } = await owner.issueToken(settings);
    await rotateAs(owner, access_token, 'billing/1');
    // The service cannot lose a setting; this one has.
    await family.page.route(`**/portal/families/${family_id}`, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as TokenFamilyView;
      Object.assign(body.tokens[1]!, { scopes: [], category: 'general' });
      await route.fulfill({ response: answer, json: body });
    });
    await family.open(owner.baseUrl, family_id);
    await expect(family.inheritance.getByRole('alert')).toHaveText('Token 2 differs in Category and Scopes.');
    await expect(family.setting('Scopes')).toHaveText(['ivr:read', 'full access differs']);
    await expect(family.setting('Category')).toHaveText(['finance', 'general differs']);
    await expect(family.setting('Name')).toHaveText(['Billing sync', 'Billing sync']);
    await family.page.unrouteAll({ behavior: 'ignoreErrors' }); // the service may end while it is asked
  },
);

test(
  'a replaced token that is still used raises the alarm, with who it was and what to do',
  { tag: '@long' },
  async ({ family, owner }) => {
    const { access_token, family_id } = await owner.issueToken(settings);
    await family.open(owner.baseUrl, family_id);
    await expect(family.generations).toHaveCount(1);
    await rotateAs(owner, access_token, 'billing/2');
    await expect(family.generations).toHaveCount(2);
    await expect(family.alert).toBeHidden();

    await callWith(owner, access_token, '/v1/auth/token', 'curl/8.5');
    await expect(family.alert).toContainText('A superseded token is still used by 127.0.0.1 (curl/8.5)');
    await expect(family.alert).toContainText('token 1, which token 2 has replaced, 1 use, at ');
    await callWith(owner, access_token, '/v1/auth/token', 'wget/1.21');
    await expect(family.alert.getByRole('listitem')).toHaveCount(2);
    await expect(family.generation(1)).toContainText('Still used: last');
    await expect(family.history.first()).toContainText('Superseded token used token 1');
    await expect(family.history.first()).toContainText('Needs attention');
    await family.alert.getByRole('button', { name: 'Dismiss' }).click();
    await expect(family.alert).toBeHidden();
    await callWith(owner, access_token, '/v1/auth/token', 'wget/2');
    await expect(family.alert).toContainText('still used by 127.0.0.1 (wget/2)');
    await family.alert.getByRole('link', { name: 'All uses of superseded tokens' }).click();
    await expect(family.page).toHaveURL(new RegExp(`/history\\?subject=${family_id}&kind=token.reused$`));
  },
);

test('a token is suspended, resumed and blacklisted with the mouse: consequences first, reasons kept', async ({
  family,
  owner,
}) => {
  const { access_token, family_id } = await owner.issueToken(settings);
  const move = new MoveDialog(family.page);
  await family.open(owner.baseUrl, family_id);
  await family.act('Suspend…').click();
  await expect(move.dialog).toHaveAccessibleName('Suspend “Billing sync”?');
  await expect(move.consequences).toHaveText([
    /Every call with it is refused with 403 at once/,
    'It cannot be rotated or refreshed until you resume it.',
    /^Its lifetime goes on: it expires .+ whether it is suspended or not\.$/,
  ]);
  await move.reason.fill('x'.repeat(501));
  await expect(move.reason).toHaveAccessibleDescription(
    /The reason must have 500 characters at most: 1 character too many\./,
  );
  await move.submit('Suspend token').click();
  await expect(move.dialog, 'a reason that is too long is not sent').toBeVisible();
  await move.reason.fill('Lost laptop');
  await move.submit('Suspend token').click();
  await expect(move.dialog).toBeHidden();
  await expect(family.outcome).toHaveText('Token 1 is suspended.');
  await expect(family.present).toContainText('“Lost laptop”');
  await expect(family.history.first()).toContainText('Token suspended token 1“Lost laptop”the owner');
  expect((await callWith(owner, access_token, '/v1/auth/rotate', 'app')).status).toBe(403);

  await family.act('Resume…').click();
  await move.reason.fill('Found it');
  await move.submit('Resume token').click();
  await expect(family.outcome).toHaveText('Token 1 is Active again.');
  expect((await callWith(owner, access_token, '/v1/auth/token', 'app')).status).toBe(200);

  await family.act('Blacklist…').click();
  await move.cancel.click();
  await expect(family.act('Blacklist…')).toBeFocused();
  await family.act('Blacklist…').click();
  await expect(move.consequences).toContainText([
    'This cannot be undone',
    '403',
    'cannot be rotated any more',
  ]);
  await move.submit('Blacklist permanently').click();
  await expect(family.present).toContainText('This token has ended.');
  await expect(family.outcome, 'the button that was pressed is gone, the focus is not').toBeFocused();
  await expect(family.act('Suspend…')).toBeHidden();
  await expect(family.history.nth(0)).toContainText('Token blacklisted');
  await expect(family.history.filter({ hasText: '“Found it”' })).toHaveCount(1);
});

test('the same without a mouse', { tag: '@long' }, async ({ family, owner }) => {
  const { family_id, id } = await owner.issueToken(settings);
  const { keyboard } = family.page;
  const move = new MoveDialog(family.page);
  await family.open(owner.baseUrl, family_id);
  await expect(family.present).toBeVisible();
  await family.tabTo(family.act('Suspend…'));
  await keyboard.press('Enter');
  await expect(move.reason).toBeFocused();
  await keyboard.type('Holiday');
  await family.tabTo(move.submit('Suspend token'));
  await keyboard.press('Space');
  await expect(family.outcome).toHaveText('Token 1 is suspended.');
  await expect(family.act('Resume…'), 'it stands where the other stood').toBeFocused();
  await keyboard.press('Enter');
  await expect(move.dialog).toBeVisible(); // or Escape comes before it
  await keyboard.press('Escape');
  await expect(move.dialog).toBeHidden();
  await expect(family.act('Resume…')).toBeFocused();
  await family.tabTo(family.compare(1));
  await keyboard.press('Space');
  await expect(family.settings.getByRole('columnheader')).toHaveCount(2);
  expect((await owner.ask('readToken', { params: { id } })).status).toBe('Suspended');
});

test(
  'a move that does not fit any more is refused in the dialog',
  { tag: '@long' },
  async ({ family, owner }) => {
    const { family_id, id } = await owner.issueToken(settings);
    const move = new MoveDialog(family.page);
    await family.open(owner.baseUrl, family_id);
    await family.act('Suspend…').click();
    await move.reason.fill('As well');
    await owner.ask('blacklistToken', { params: { id }, body: { reason: 'By somebody else' } });
    await expect(family.history.first()).toContainText('Token blacklisted');
    await move.submit('Suspend token').click();
    await expect(move.alert).toContainText(
      'The token is Blacklisted; only an Active token can be suspended.',
    );
    await expect(move.reason).toHaveValue('As well');
    await move.cancel.click();
    await expect(family.present).toContainText('“By somebody else”');
  },
);

test.describe('with a credential', () => {
  test.use({ vault: fileVault });

  test(
    'its page is the one of its credential, which has its history and the actions for it',
    { tag: '@long' },
    async ({ family, owner }) => {
      const { access_token: value, family_id, id } = await owner.issueToken(settings);
      const move = new MoveDialog(family.page);
      await family.open(owner.baseUrl, family_id);
      await expect(family.fact('Rotated by')).toContainText('no credential');
      await expect(family.fact('Rotated by').getByRole('link', { name: 'Add credential…' })).toHaveAttribute(
        'href',
        '/add-credential',
      );
      await owner.ask('addCredential', { body: { name: 'nightly', value } });
      await expect(family.page).toHaveURL(`${owner.baseUrl}/credentials/nightly`);
      await expect(family.page.getByText('token “Billing sync” of this service')).toBeVisible();
      await owner.ask('rotateCredential', { params: { name: 'nightly' } });
      await family.page.getByText('2 tokens, nothing changed between them').click();
      await expect(family.generations).toHaveCount(2);
      await expect(family.inheritance).toContainText('No difference: tokens 1 to 2');

      await family.open(owner.baseUrl, family_id, `#${id}`);
      await expect(family.page).toHaveURL(`${owner.baseUrl}/credentials/nightly#${id}`);
      await expect(family.generation(1)).toHaveAttribute('aria-current', 'true');
      await expect(family.generation(1)).toContainText('Rotated by Rotavox');

      const token = family.page.getByRole('region', { name: 'Token', exact: true });
      await token.getByRole('button', { name: 'Suspend…' }).click();
      await expect(move.consequences.last()).toHaveText(
        'The credential nightly does not rotate or deliver it until it is resumed.',
      );
      await move.submit('Suspend token').click();
      await expect(token.getByRole('status').filter({ hasText: 'Token 2 is suspended.' })).toBeVisible();
      await token.getByRole('button', { name: 'Resume…' }).click();
      await move.submit('Resume token').click();
      await expect(token.getByRole('status').filter({ hasText: 'Token 2 is Active again.' })).toBeVisible();
    },
  );
});

test(
  'an address may name a generation, also one of a long family that is not shown at first',
  { tag: '@long' },
  async ({ family, owner }) => {
    const { access_token, family_id, id } = await owner.issueToken(settings);
    let value = access_token;
    for (let times = 0; times < 10; times += 1) value = await rotateAs(owner, value, 'billing/1');
    await family.open(owner.baseUrl, family_id);
    await expect(family.generations).toHaveCount(6);
    await family.page.getByRole('button', { name: 'Show 5 older' }).click();
    await expect(family.generations).toHaveCount(11);
    await family.open(owner.baseUrl, family_id, `#${id}`);
    await expect(family.generation(1)).toHaveAttribute('aria-current', 'true');
    await expect(family.generation(1)).toBeInViewport();
    await expect(family.settings.getByRole('columnheader').nth(2)).toContainText('Token 1');
    await expect(family.history).toHaveCount(10);
    await family.page.getByRole('button', { name: 'Show older events' }).click();
    await expect(family.history).toHaveCount(11);
  },
);

test('a family that was never issued is said to be none', { tag: '@long' }, async ({ family, owner }) => {
  await family.open(owner.baseUrl, 'fam_none');
  await expect(family.alert).toContainText('There is no token with this id.');
  await family.page.getByRole('link', { name: 'All tokens' }).click();
  await expect(family.heading).toHaveText('Tokens');
});
