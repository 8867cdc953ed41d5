/** A tool is connected in the window, with the real git of this machine and a home of the test. */
import { expect } from '@playwright/test';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keep, test, valueOf } from './credential-fixtures.ts';

const name = 'nightly';
const place = 'https://git.example.com';
const comments = '# mine\n[user]\n\tname = Ada ; me\n';
const home = mkdtempSync(join(tmpdir(), 'rotavox-home-'));
const settings = join(home, '.gitconfig');

// The file of git by its name, too: the environment of whoever runs this may name another one, which must not be changed.
test.use({ serverEnv: { HOME: home, GIT_CONFIG_GLOBAL: settings } });
test.afterAll(() => rmSync(home, { recursive: true, force: true }));

/** What git gets for the address, started as a desktop starts it. */
function filled(): Promise<string> {
  return new Promise((resolve) => {
    const env = { HOME: home, PATH: '/usr/bin:/bin', GIT_TERMINAL_PROMPT: '0' };
    const git = execFile('git', ['credential', 'fill'], { env }, (_error, stdout) => resolve(stdout));
    git.stdin?.end(`url=${place}\n\n`);
  });
}

test('git is connected, checked and disconnected in the window, and its file is as before', async ({
  credential,
  owner,
}) => {
  writeFileSync(settings, comments);
  await keep(owner, name);
  await credential.open(owner.baseUrl, name);
  await credential.add('Tool that asks for it…');
  await credential.field('Address').fill(place);
  await credential.field('User name').fill('oauth2');
  await expect(credential.dryRun).toContainText(settings);
  await expect(credential.dryRun.locator('ins').first()).toHaveText(`[credential "${place}"]`);
  expect(readFileSync(settings, 'utf8')).toBe(comments);

  await credential.press('Connect').click();
  await expect(credential.dialog).toContainText(`git at ${place} now asks Rotavox for the token.`);
  await expect(credential.dialog.getByRole('status')).toContainText('All checks pass');
  await credential.press('Close').click();
  const token = await valueOf(owner, name);
  expect(await filled()).toContain(`username=oauth2\npassword=${token}\n`);

  const row = credential.who.filter({ hasText: `git at ${place}` });
  await row.getByRole('button', { name: /^Check now/ }).click();
  await expect(row.getByRole('status')).toContainText('git gets the current token.');
  expect(await credential.page.content()).not.toContain(token);

  await row.getByRole('button', { name: /^Disconnect…/ }).click();
  await expect(credential.dryRun.locator('del').first()).toHaveText(`[credential "${place}"]`);
  await credential.press('Disconnect').click();
  await expect(credential.dialog).toBeHidden();
  await expect(row).toBeHidden();
  await expect(credential.addMenu).toBeFocused();
  expect(readFileSync(settings, 'utf8')).toBe(comments);
  expect(await filled()).toBe('');
});
