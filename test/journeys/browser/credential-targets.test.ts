import { expect } from '@playwright/test';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keep, test, valueOf } from './credential-fixtures.ts';

const name = 'nightly';

test.beforeEach(async ({ credential, owner }) => {
  await keep(owner, name);
  await credential.open(owner.baseUrl, name);
  await expect(credential.state).toHaveText('OK');
});

test('a line of a dotenv file is shown before it is changed, and each rotation arrives there', async ({
  credential,
  owner,
  scratch,
}) => {
  const env = join(scratch, '.env');
  const before = '# reports\nPORT=8080\n\nexport API_TOKEN="old" # changes\nLAST=1\n';
  writeFileSync(env, before);
  await credential.add('Target…');
  await credential.field('Path').fill('.env');
  await credential.field('Variable').fill('1ST');
  await credential.press('Cancel').focus();
  await expect(credential.field('Path')).toHaveAccessibleDescription(/must be an absolute path/);
  await expect(credential.field('Variable')).toHaveAccessibleDescription(/not beginning with a digit/);
  await credential.field('Path').fill(env);
  await expect(credential.field('Path')).not.toHaveAttribute('aria-invalid');
  await credential.field('Variable').fill('API_TOKEN');
  await expect(credential.dryRun).toContainText('line 4');
  await expect(credential.dryRun.getByRole('deletion')).toContainText('export API_TOKEN="');
  await expect(credential.dryRun, 'no value, old or new').not.toContainText('old"');
  expect(readFileSync(env, 'utf8'), 'nothing is written before').toBe(before);

  await credential.press('Add and deliver now').click();
  await expect(credential.dialog).toBeHidden();
  await expect(credential.targets).toContainText('Has the current token, number 1');
  const written = (value: string): string => before.replace('old', value);
  expect(readFileSync(env, 'utf8')).toBe(written(await valueOf(owner, name)));

  await credential.rotate();
  await expect(credential.steps.last()).toContainText(`Delivered to ${env} (API_TOKEN)`);
  await expect(credential.targets).toContainText('Has the current token, number 2');
  expect(readFileSync(env, 'utf8')).toBe(written(await valueOf(owner, name)));

  writeFileSync(env, before);
  await credential.targets.getByRole('button', { name: 'Deliver again now' }).click();
  await expect(credential.targets.getByText('Delivered', { exact: true })).toBeVisible();
  expect(readFileSync(env, 'utf8')).toBe(written(await valueOf(owner, name)));

  await credential.targets.getByRole('button', { name: 'Remove…' }).click();
  await expect(credential.dialog).toContainText('The file stays as it is');
  await credential.press('Remove target').click();
  await expect(credential.page.getByText('It has no delivery target.')).toBeVisible();
  expect(readFileSync(env, 'utf8')).toBe(written(await valueOf(owner, name)));
});

test(
  'a command gets the value, and what it says is shown without it; all with the keyboard',
  { tag: '@long' },
  async ({ credential, owner }) => {
    const { keyboard } = credential.page;
    await credential.tabTo(credential.addMenu);
    await keyboard.press('Enter');
    await expect(credential.page.getByRole('menuitem', { name: 'Target…' })).toBeFocused();
    await keyboard.press('Enter');
    await credential.tabTo(credential.targetKind('dotenv'));
    for (const _ of ['setting', 'file', 'keychain', 'hook']) await keyboard.press('ArrowRight');
    await expect(credential.targetKind('hook')).toBeChecked();
    await credential.tabTo(credential.field('Program'));
    await keyboard.type(process.execPath);
    await credential.tabTo(credential.field('Arguments'));
    await keyboard.type('-e');
    await keyboard.press('Enter');
    await keyboard.insertText('console.log(`reloaded with ${process.env.APP_TOKEN}`)');
    await credential.tabTo(credential.dialog.getByRole('radio', { name: 'On its standard input' }));
    await keyboard.press('ArrowRight');
    await credential.tabTo(credential.field('Variable'));
    await credential.field('Variable').selectText();
    await keyboard.type('APP_TOKEN');
    await expect(credential.dryRun).toContainText(process.execPath);
    await credential.tabTo(credential.press('Add and deliver now'));
    await keyboard.press('Enter');
    await expect(credential.targets).toContainText('Output: reloaded with');
    await expect(credential.targets).not.toContainText(await valueOf(owner, name));
    await credential.tabTo(credential.targets.getByRole('button', { name: 'Deliver again now' }));
    await keyboard.press('Enter');
    await expect(credential.targets.getByText('Delivered', { exact: true })).toBeVisible();
  },
);

test('a place that cannot take it is said before; added all the same it is tried again, and mended', async ({
  credential,
  owner,
  scratch,
}) => {
  const folder = join(scratch, 'app');
  const file = join(folder, 'token');
  await credential.add('Target…');
  await credential.targetKind('file').click();
  await credential.field('Path').fill(file);
  await expect(credential.dryRun).toContainText(folder);
  await credential.press('Add anyway').click();
  await expect(credential.targets).toContainText('Delivery failed. It never had a token.');
  await expect(credential.targets).toContainText('next attempt');
  await expect(credential.state).toHaveText('Delivery failed');
  mkdirSync(folder);
  await credential.targets.getByRole('button', { name: 'Deliver again now' }).click();
  await expect(credential.state).toHaveText('OK');
  expect(readFileSync(file, 'utf8')).toBe(`${await valueOf(owner, name)}\n`);

  await credential.add('Target…');
  await credential.targetKind('file').click();
  await credential.field('Path').fill(file);
  await credential.press(/^Add/).click();
  await expect(credential.dialog.getByRole('alert')).toContainText('already delivers to this place');
});

test('what is missing is said when the form is sent off', { tag: '@long' }, async ({ credential }) => {
  await credential.add('Target…');
  await credential.targetKind('keychain').click();
  await credential.press('Add and deliver now').click();
  await expect(credential.field('Service')).toBeFocused();
  await expect(credential.field('Service')).toHaveAccessibleDescription(/1 to 200 characters/);
  await credential.field('Service').fill('rotavox');
  await expect(credential.field('Service')).toHaveAccessibleDescription(/keeps for itself/);
  await credential.targetKind('hook').click();
  await expect(credential.field('Program')).not.toHaveAttribute('aria-invalid');
  await credential.press('Add and deliver now').click();
  await expect(credential.field('Program')).toHaveAccessibleDescription(/must name a program/);
  await credential.field('Time limit, in seconds').fill('900');
  await expect(credential.field('Time limit, in seconds')).toHaveAccessibleDescription(/from 1 to 240/);
});
