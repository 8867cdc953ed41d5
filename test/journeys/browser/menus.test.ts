import { expect } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ivrBody } from '../../fixtures/ivr-bodies.ts';
import { test } from './serve-host.ts';

test.beforeEach(async ({ menus, owner }) => {
  await menus.page.goto(owner.baseUrl);
  await expect(menus.page).toHaveTitle('Rotavox');
});

test(
  'a click opens the phone menus where it was made, one with a modifier key or the middle button in a tab of their own',
  { tag: '@long' },
  async ({ menus, context }) => {
    const link = menus.page.getByRole('navigation').getByRole('link', { name: 'Phone menus' });
    for (const press of [
      () => link.click({ modifiers: ['ControlOrMeta'] }),
      () => link.click({ button: 'middle' }),
    ]) {
      const opened = context.waitForEvent('page');
      await press();
      await expect(await opened).toHaveTitle('Phone menus — Rotavox');
      await expect(menus.page).toHaveTitle('Rotavox');
    }
    const others = context.pages().length;
    await link.click();
    await expect(menus.page).toHaveTitle('Phone menus — Rotavox');
    await menus.page.goBack();
    await expect(menus.page).toHaveTitle('Rotavox');
    expect(context.pages()).toHaveLength(others);
  },
);

test('with no menu the window says how to make one, in lines that work as pasted', async ({
  menus,
  owner,
  server,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const pasted = async (what: string) => {
    await menus.copy(what).click();
    return menus.page.evaluate(() => navigator.clipboard.readText());
  };
  await menus.page.goto(`${owner.baseUrl}/ivr`);
  await expect(menus.firstMenu.getByRole('button')).toHaveText(['Import…', 'New menu']);
  await menus.page.getByText('Create one through the API').click();
  writeFileSync(join(server.dataDir, 'menu.json'), await pasted('the body of a menu'));
  const byApp = await pasted('the call that stores a menu');

  const byOwner = await pasted('the command that stores a menu');
  execFileSync('sh', ['-c', byOwner], { cwd: server.dataDir, stdio: 'pipe' });
  await expect(menus.list).toHaveCount(1);
  await expect(menus.list.first()).toContainText('Reception');

  const { access_token: TOKEN } = await owner.issueToken({ name: 'app', validity_days: 1 });
  execFileSync('sh', ['-c', byApp], { cwd: server.dataDir, env: { ...process.env, TOKEN }, stdio: 'pipe' });
  await expect(menus.list).toHaveCount(2);
});

test('a menu shows its keys, its exits, its body, and every change at once', async ({ menus, owner }) => {
  const night = await owner.ask('portalCreateIvr', { body: { ...ivrBody, name: 'Night service' } });
  const body = { ...ivrBody, destination: ['extension||101', `ivr||${night.id}`, 'voicemail||7'] };
  const { id } = await owner.ask('portalCreateIvr', { body });
  await menus.page.goto(`${owner.baseUrl}/ivr/${id}`);
  await expect(menus.page).toHaveTitle('Phone menus — Rotavox');
  await expect(menus.name).toHaveText('Reception');
  await expect(menus.key('1')).toContainText('Extension 101');
  await expect(menus.key('2').getByRole('link', { name: 'Night service' })).toBeVisible();
  await expect(menus.key('0')).toContainText('Voicemail 7');
  await expect(menus.key('star')).toContainText('not used');
  await expect(menus.way('After a wrong key')).toHaveText([
    'Recording 12',
    'Repeats the menu up to 3 times',
    'Extension 100',
  ]);
  await expect(menus.way('After a timeout')).toHaveText([
    'Recording 13',
    'Repeats the menu up to 2 times',
    'Recording 14',
    'Hang up',
  ]);
  const shown = JSON.parse((await menus.body.textContent())!) as Record<string, unknown>;
  expect(shown).toEqual({ ...body, timeout: 5, incorrect_count: 3, timeout_tries: 2 });

  await owner.ask('portalUpdateIvr', { params: { id }, body: { ...shown, name: 'Front desk', timeout: 9 } });
  await expect(menus.name).toHaveText('Front desk');
  await expect(menus.versions.first()).toContainText(
    'Callers have 9 seconds to press a key instead of 5 seconds.',
  );
  await menus.versions.last().click();
  await expect(menus.name).toHaveText('Reception');
  await expect(menus.page.getByText('This is version 1; the newest is 2.')).toBeVisible();
  await menus.page.getByRole('button', { name: 'Show the newest' }).click();
  await expect(menus.name).toHaveText('Front desk');

  await menus.key('2').getByRole('link', { name: 'Night service' }).click();
  await expect(menus.name).toHaveText('Night service');
  await menus.page.goBack();
  await expect(menus.name).toHaveText('Front desk');
  await owner.ask('portalDeleteIvr', { params: { id } });
  await expect(menus.alert).toContainText('This phone menu was deleted.');
  await expect(menus.name).toHaveText('Front desk');
});

test('the menus are read without a mouse', { tag: '@long' }, async ({ menus, owner }) => {
  const { id } = await owner.ask('portalCreateIvr', { body: ivrBody });
  await menus.page.goto(`${owner.baseUrl}/ivr`);
  await expect(menus.list).toHaveCount(1);
  await menus.tabTo(menus.list.getByRole('link', { name: 'Reception' }));
  await menus.page.keyboard.press('Enter');
  await expect(menus.name).toHaveText('Reception');
  await expect(menus.page).toHaveURL(`${owner.baseUrl}/ivr/${id}`);
  await expect(menus.page.getByRole('heading', { level: 1 })).toBeFocused();
  await menus.tabTo(menus.versions.first());
  await menus.tabTo(menus.copy('the JSON body'));
  await menus.back.focus();
  await menus.page.keyboard.press('Enter');
  await expect(menus.list).toHaveCount(1);
});

for (const id of ['ivr_unknown', '%3Cb%3E', 'ivr%2F..%2Fetc']) {
  test(
    `an id that nothing has (${id}) is said, with the way back`,
    { tag: '@long' },
    async ({ menus, owner }) => {
      await owner.ask('portalCreateIvr', { body: ivrBody });
      await menus.page.goto(`${owner.baseUrl}/ivr/${id}`);
      await expect(menus.alert).toContainText('Nothing is stored with this id.');
      await expect(menus.alert).toContainText(decodeURIComponent(id));
      await menus.back.click();
      await expect(menus.list).toHaveCount(1);
      await expect(menus.page).toHaveURL(`${owner.baseUrl}/ivr`);
    },
  );
}
