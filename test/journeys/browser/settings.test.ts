import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultSettings } from '../../../src/contract/service/settings.ts';
import { settingsText } from '../../../src/text/service/settings-text.ts';
import { voicesText } from '../../../src/text/menu/speech-window.ts';
import { SettingsPage } from '../pages/settings-page.ts';
import { fileVault, keep } from './credential-fixtures.ts';
import { expectGoodView } from './expect-good-view.ts';
import { test } from './serve-host.ts';

const { backup: text, restore: restoreText } = settingsText;

test.beforeEach(async ({ settings, owner }) => {
  await settings.page.goto(`${owner.baseUrl}/settings`);
  await expect(settings.page).toHaveTitle('Settings — Rotavox');
});

test('each setting is saved at once, and the portal has it', async ({ settings, owner }) => {
  await settings.page.getByRole('link', { name: 'Overview' }).click();
  await settings.page.getByRole('link', { name: 'Settings' }).click();
  await expect(settings.page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(settings.setting('Update feed')).toContainText('does not check for updates');

  await settings.switchOf('Notify me when something needs attention').click();
  await expect(settings.saved('Notify me when something needs attention')).toBeVisible();
  await settings.switchOf('SMS templates').click();
  await expect(settings.saved('SMS templates')).toBeVisible();
  await settings.switchOf('Quiet hours').click();
  await expect(settings.quietFrom).toHaveValue('22:00');
  await settings.quietFrom.fill('21:30');
  await settings.quietTo.fill('06:15');
  await settings.feed.fill('https://downloads.example.com/rotavox');
  await settings.feed.press('Enter');
  await expect(settings.saved('Update feed')).toBeVisible();
  await expect(settings.setting('Update feed')).toContainText('this address for new versions');
  await expect
    .poll(() => owner.ask('readSettings'))
    .toEqual({
      ...defaultSettings,
      notifications_enabled: false,
      sms_templates_enabled: true,
      quiet_hours: { from: '21:30', to: '06:15' },
      update_feed: 'https://downloads.example.com/rotavox',
    });

  await settings.feed.fill('');
  await settings.switchOf('Quiet hours').click();
  await settings.switchOf('SMS templates').click();
  await settings.switchOf('Notify me when something needs attention').click();
  await expect.poll(() => owner.ask('readSettings')).toEqual(defaultSettings);
  await settings.page.reload();
  await expect(settings.switchOf('Notify me when something needs attention')).toBeChecked();
  await expect(settings.switchOf('Quiet hours')).not.toBeChecked();
  await expect(settings.feed).toHaveValue('');
});

test(
  'what is changed elsewhere shows at once, but not over what is being typed',
  { tag: '@long' },
  async ({ settings, owner }) => {
    await settings.feed.fill('https://half.example');
    await owner.ask('changeSettings', {
      body: { sms_templates_enabled: true, update_feed: 'https://elsewhere.example' },
    });
    await expect(settings.switchOf('SMS templates')).toBeChecked();
    await expect(settings.feed).toHaveValue('https://half.example');
    await settings.feed.fill('https://elsewhere.example');
    await settings.feed.blur();
    await owner.ask('changeSettings', { body: { update_feed: null } });
    await expect(settings.feed).toHaveValue('');
  },
);

test('what is refused is said at the setting, in the service’s words, and not kept', async ({
  settings,
  owner,
}) => {
  await settings.feed.fill('http://downloads.example.com');
  await settings.feed.press('Tab');
  await expect(settings.feed).toHaveAttribute('aria-invalid', 'true');
  await expect(settings.feed).toHaveAccessibleDescription(/must be the address of an update feed/);
  await expect(settings.feed).toHaveValue('http://downloads.example.com');
  expect((await owner.ask('readSettings')).update_feed).toBeNull();
  await settings.feed.fill('https://downloads.example.com');
  await settings.feed.press('Enter');
  await expect(settings.saved('Update feed')).toBeVisible();
  await expect(settings.feed).not.toHaveAttribute('aria-invalid');

  await settings.switchOf('Quiet hours').click();
  await settings.quietTo.fill('');
  await settings.quietTo.blur();
  await expect(settings.setting('Quiet hours')).toContainText('Enter both times');
  expect((await owner.ask('readSettings')).quiet_hours).toEqual({ from: '22:00', to: '07:00' });
});

test(
  'a service that is gone saves nothing, and the switch says so',
  { tag: '@long' },
  async ({ settings, server }) => {
    await expect(settings.switchOf('SMS templates')).toBeVisible();
    await server.stop();
    await settings.switchOf('SMS templates').click();
    await expect(settings.setting('SMS templates')).toContainText('The service does not answer');
    await expect(settings.switchOf('SMS templates')).not.toBeChecked();
  },
);

test('the settings are changed without a mouse', { tag: '@long' }, async ({ settings, owner }) => {
  const { keyboard } = settings.page;
  await settings.tabTo(settings.theme('Same as system'));
  await keyboard.press('ArrowDown');
  await expect(settings.saved('Theme')).toBeVisible();
  await settings.tabTo(settings.switchOf('Notify me when something needs attention'));
  await keyboard.press('Space');
  await expect(settings.saved('Notify me when something needs attention')).toBeVisible();
  await settings.tabTo(settings.switchOf('Quiet hours'));
  await keyboard.press('Space');
  await expect(settings.quietFrom).toBeVisible();
  await settings.tabTo(settings.share);
  await keyboard.press('ArrowLeft');
  await expect(settings.saved('Default rotation policy')).toBeVisible();
  await settings.tabTo(settings.port);
  await keyboard.type('7700');
  await keyboard.press('Enter');
  await expect(settings.saved('Port')).toBeVisible();
  await settings.tabTo(settings.feed);
  await keyboard.type('https://downloads.example.com');
  await keyboard.press('Enter');
  await expect(settings.saved('Update feed')).toBeVisible();
  await expect
    .poll(() => owner.ask('readSettings'))
    .toMatchObject({
      theme: 'light',
      notifications_enabled: false,
      quiet_hours: { from: '22:00', to: '07:00' },
      rotation_fraction: 0.66,
      port: 7700,
      update_feed: 'https://downloads.example.com',
    });
  await settings.tabTo(settings.page.getByRole('button', { name: 'Show licences' }));
  await keyboard.press('Enter');
  await expect(settings.licences).toBeVisible();
  await keyboard.press('Escape');
  await expect(settings.page.getByRole('button', { name: 'Show licences' })).toBeFocused();
});

test(
  'the theme is the one of every window, at once and from the first paint on',
  { tag: '@long' },
  async ({ settings, context }) => {
    const { page } = settings;
    const schemeOf = (of: Page) => of.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    const other = await context.newPage();
    await other.goto(page.url());
    await settings.theme('Dark').check({ force: true });
    await expect(settings.saved('Theme')).toBeVisible();
    await expect.poll(() => schemeOf(page)).toBe('dark');
    await expect.poll(() => schemeOf(other)).toBe('dark');

    await other.route('**/portal/**', (route) => route.abort());
    await other.reload();
    await expect.poll(() => schemeOf(other)).toBe('dark');

    await settings.theme('Same as system').check({ force: true });
    await expect.poll(() => schemeOf(page)).toBe('light dark');
  },
);

test(
  'the port is for the next start, and what follows from it is said',
  { tag: '@long' },
  async ({ settings, owner }) => {
    await expect(settings.setting('Address')).toContainText(owner.baseUrl);
    await expect(settings.setting('Port')).toContainText(
      'After the next start the address is http://127.0.0.1:7682',
    );
    for (const bad of ['80', '65536', 'seventy']) {
      await settings.port.fill(bad);
      await settings.port.press('Enter');
      await expect(settings.port).toHaveAccessibleDescription(/whole number from 1024 to 65535/);
      expect((await owner.ask('readSettings')).port).toBeNull();
    }
    await settings.port.fill(new URL(owner.baseUrl).port);
    await settings.port.blur();
    await expect(settings.saved('Port')).toBeVisible();
    await expect(settings.setting('Port')).not.toContainText('After the next start');
    await settings.port.fill('');
    await settings.port.blur();
    await expect.poll(async () => (await owner.ask('readSettings')).port).toBeNull();
  },
);

test(
  'the list of sections leads to each, and says which one is read',
  { tag: '@long' },
  async ({ settings }) => {
    const { page, sections } = settings;
    await expect(sections.getByRole('link')).toHaveCount(12);
    await sections.getByRole('link', { name: 'About' }).click();
    await expect(page.getByRole('region', { name: 'About' })).toBeInViewport();
    await page.setViewportSize({ width: 700, height: 800 });
    await expect(sections).toBeHidden();
  },
);

test(
  'the licences of what is in it are there when somebody looks',
  { tag: '@long' },
  async ({ settings }) => {
    const { page, licences } = settings;
    await page.getByRole('button', { name: 'Show licences' }).click();
    await expect(licences).toContainText(
      'packages. The licences of Chromium are included with the desktop app.',
    );
    await licences.getByRole('textbox', { name: 'Find a package' }).fill('zod');
    await expect(licences.getByText(/^1 of \d+ packages$/)).toBeVisible();
    await licences.getByText('zod', { exact: true }).click();
    await expect(licences.getByText('Permission is hereby granted')).toBeVisible();
    await licences.getByRole('button', { name: 'Close' }).click();
    await expect(licences).toBeHidden();
  },
);

test(
  'without the service the licences cannot be read, and that is said',
  { tag: '@long' },
  async ({ settings, server }) => {
    const show = settings.page.getByRole('button', { name: 'Show licences' });
    await expect(show).toBeVisible();
    await settings.forgetScripts();
    await server.stop();
    await show.click();
    await expect(settings.setting('Licences')).toContainText('The service does not answer');
  },
);

test.describe('with credentials', () => {
  test.use({ vault: fileVault });

  test(
    'a credential that is added gets the policy of the settings, those before keep theirs',
    { tag: '@long' },
    async ({ settings, owner }) => {
      await keep(owner, 'before');
      await expect(settings.setting('Default rotation policy')).toContainText(
        'A 7-day token is rotated after 4 d 16 h',
      );
      await settings.share.fill('50');
      await expect(settings.setting('Default rotation policy')).toContainText('after 3 d 12 h');
      await expect(settings.saved('Default rotation policy')).toBeVisible();
      const replaced = settings.setting('Default rotation policy');
      await replaced.getByRole('checkbox', { name: 'Prefer certain hours' }).check({ force: true });
      await expect
        .poll(() => owner.ask('readSettings'))
        .toMatchObject({ rotation_fraction: 0.5, rotation_preferred_hours: { from: '02:00', to: '05:00' } });

      const { view: added } = await keep(owner, 'new');
      expect(added.policy).toEqual({ fraction: 0.5, preferred_hours: { from: '02:00', to: '05:00' } });
      const before = await owner.ask('readCredential', { params: { name: 'before' } });
      expect(before.policy).toEqual({ fraction: 2 / 3, preferred_hours: null });
    },
  );
});

test('the page has a way there and back', { tag: '@long' }, async ({ settings, owner }) => {
  await settings.page.getByRole('link', { name: 'Overview' }).click();
  await expect(settings.page).toHaveTitle('Rotavox');
  await settings.page.goBack();
  await expect(settings.page).toHaveTitle('Settings — Rotavox');
  await expect(settings.page).toHaveURL(`${owner.baseUrl}/settings`);
});

test(
  'a browser offers nothing that only the desktop app can do',
  { tag: '@long' },
  async ({ settings, owner }) => {
    await owner.ask('changeSettings', { body: { update_feed: 'https://downloads.example.com' } });
    await expect(settings.setting('Data folder')).toBeVisible();
    await expect(settings.setting('Open at login')).toBeHidden();
    await expect(settings.page.getByRole('button', { name: 'Show folder' })).toBeHidden();
    await expect(settings.page.getByRole('button', { name: 'Check for updates' })).toBeHidden();
  },
);

test(
  'in the desktop app the bridge is asked, and its answers are shown',
  { tag: '@long' },
  async ({ settings, owner }) => {
    await owner.ask('changeSettings', { body: { update_feed: 'https://downloads.example.com' } });
    await settings.page.addInitScript(() => {
      let login = { isOn: false, isPossible: true, note: null };
      Reflect.set(globalThis, 'rotavox', {
        readSwitch: () => Promise.resolve(login),
        setSwitch: (_name: string, isOn: boolean) => Promise.resolve((login = { ...login, isOn })),
        readTrayDrawing: () => Promise.resolve({ drawing: null, isPossible: true }),
        setTrayDrawing: (drawing: string | null) => {
          if (drawing !== 'coloured') return Promise.reject(new Error('another one'));
          return Promise.resolve();
        },
        showDataFolder: () =>
          Promise.reject(
            new Error(
              "Error invoking remote method 'rotavox:showDataFolder': Error: There is no file manager.",
            ),
          ),
        checkForUpdates: () => Promise.resolve({ words: 'This is the newest version.' }),
      });
    });
    await settings.page.reload();
    await settings.switchOf('Open at login').click();
    await expect(settings.switchOf('Open at login')).toBeChecked();
    await expect(settings.saved('Open at login')).toBeVisible();
    const icon = settings.setting('Icon in the panel');
    await icon.getByRole('radio', { name: 'Coloured' }).check({ force: true });
    await expect(icon.getByRole('radio', { name: 'Coloured' })).toBeChecked();
    await expect(settings.saved('Icon in the panel')).toBeVisible();
    await settings.page.getByRole('button', { name: 'Show folder' }).click();
    await expect(settings.setting('Data folder')).toContainText('There is no file manager.');
    await expect(settings.setting('Data folder')).not.toContainText('remote method');
    await settings.page.getByRole('button', { name: 'Check for updates' }).click();
    await expect(settings.setting('Update feed')).toContainText('This is the newest version.');
  },
);

test(
  'tokens that one window moves are at the new place in every window',
  { tag: '@long' },
  async ({ settings, owner }) => {
    await keep(owner, 'nightly');
    const other = new SettingsPage(await settings.page.context().newPage());
    await other.page.goto(`${owner.baseUrl}/settings`);
    await expect(other.setting('Where tokens are stored')).toContainText('in the OS keychain');
    await settings.page.getByRole('button', { name: 'Move to an encrypted file' }).click();
    await settings.page.getByRole('dialog').getByRole('button', { name: 'Move tokens' }).click();
    for (const window of [settings, other])
      await expect(window.setting('Where tokens are stored')).toContainText('in an encrypted file');
    await other.page.close();
    expect(await owner.ask('readCredentialValue', { params: { name: 'nightly' } })).toMatchObject({
      name: 'nightly',
    });
  },
);

test.describe('a backup', () => {
  // At the usual cost: a backup reads the vault as any other program would.
  test.use({ vault: { kind: 'file', passphraseFile: fileVault.passphraseFile } });

  test(
    'is saved from the settings, checked there, and restored by the next start',
    { tag: '@long' },
    async ({ settings, owner }, info) => {
      await keep(owner, 'nightly');
      const { page } = settings;
      const setting = settings.setting(text.title);
      await setting.getByRole('button', { name: text.back }).click();
      const back = page.getByRole('dialog', { name: text.question });
      await back.getByLabel(text.passphrase, { exact: true }).fill('short');
      await back.getByRole('button', { name: text.confirm }).click();
      await expect(back).toContainText(text.tooShort);
      await back.getByLabel(text.passphrase, { exact: true }).fill('correct horse');
      await back.getByLabel(text.repeat).fill('correct house');
      await expect(back).toContainText(text.differs);
      await expectGoodView(settings);
      await back.getByLabel(text.repeat).fill('correct horse');
      const downloading = page.waitForEvent('download');
      await page.keyboard.press('Enter');
      const download = await downloading;
      expect(download.suggestedFilename()).toMatch(/^rotavox-\d{4}-\d\d-\d\d\.backup$/);
      const file = info.outputPath('a.backup');
      await download.saveAs(file);
      const saved = page.getByRole('dialog', { name: text.title });
      await expect(saved).toContainText(text.saved);
      await saved.getByRole('button', { name: text.close }).click();

      await setting.getByRole('button', { name: text.restore }).click();
      const restore = page.getByRole('dialog', { name: restoreText.question });
      await restore.getByLabel(restoreText.file, { exact: true }).setInputFiles(file);
      await restore.getByLabel(restoreText.passphrase).fill('another one');
      await page.keyboard.press('Enter');
      await expect(restore).toContainText('The passphrase does not open this backup.');
      await expectGoodView(settings);
      await restore.getByLabel(restoreText.passphrase).fill('correct horse');
      await page.keyboard.press('Enter');
      await expect(restore.getByRole('status')).toContainText('1 credential, 1 secret and');
      await expect(restore.getByRole('listitem')).toHaveText([...restoreText.consequences]);
      await expectGoodView(settings);
      await restore.getByRole('button', { name: restoreText.confirm }).click();
      await expect(restore).toContainText(restoreText.begun);
      const { data_dir: dataDir } = await owner.ask('portalStatus');
      expect(JSON.parse(readFileSync(join(dataDir, 'restore.json'), 'utf8'))).toMatchObject({
        phase: 'tokens',
      });
    },
  );
});

test('the built-in voices are listed and heard, and one of them is chosen for the menus', async ({
  settings,
  owner,
}) => {
  const list = settings.setting(voicesText.list.title);
  const slt = list.getByRole('listitem').filter({ hasText: 'slt Basic, speaks the menus' });
  await expect(slt).toContainText('flite · ');
  await list.getByRole('button', { name: 'Listen slt', exact: true }).click();
  await expect(list.getByRole('button', { name: 'Stop slt', pressed: true })).toBeVisible();
  await expect(list.getByRole('button', { name: 'Listen slt', pressed: false })).toBeVisible(); // it has come to its end

  await settings.setting(voicesText.spoken.title).getByLabel('Voice').selectOption('rms (basic)');
  await expect(settings.saved(voicesText.spoken.title)).toBeVisible();
  expect(await owner.ask('readSettings')).toMatchObject({
    speech_language: 'en-US',
    speech_voice: 'flite/rms',
  });
  await expect(list.getByRole('listitem').filter({ hasText: 'speaks the menus' })).toContainText('rms');
});
