import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { emptyDocument } from '../../../src/core/ivr/edit/edit-nodes.ts';
import { ivrBody } from '../../fixtures/ivr-bodies.ts';
import { halfWired } from '../../fixtures/ivr-documents.ts';
import { templates } from '../../fixtures/ivr-templates.ts';
import type { Owner } from '../owner.ts';
import { CredentialsPage } from '../pages/credentials-page.ts';
import { DesignerPage } from '../pages/designer-page.ts';
import { DesignerPanels, showPanels } from '../pages/designer-panels.ts';
import { DirectoryPage } from '../pages/directory-page.ts';
import { FamilyPage } from '../pages/family-page.ts';
import { HistoryPage } from '../pages/history-page.ts';
import { IssueDialog } from '../pages/issue-dialog.ts';
import { Palette } from '../pages/palette.ts';
import { RecordingsPage } from '../pages/recordings-page.ts';
import { TokensPage } from '../pages/tokens-page.ts';
import { silentTone, wavFile } from '../browser/audio-files.ts';
import { expectGoodView } from '../browser/expect-good-view.ts';
import { test } from '../browser/serve-host.ts';

/** A view with something in it, and how it is reached. */
interface View {
  readonly name: string;
  readonly open: (page: Page, owner: Owner) => Promise<void>;
}

/** The designer on a draft, of two menus unless told otherwise, wherever its panels are. */
async function openDrawing(
  page: Page,
  owner: Owner,
  document = templates[1]!.document,
): Promise<DesignerPanels> {
  const { id } = await owner.ask('createDraft', { body: { document } });
  await page.goto(`${owner.baseUrl}/ivr/drafts/${id}`);
  const panels = new DesignerPanels(page);
  await showPanels(page, 'Inspector', 'Problems');
  await expect(panels.inspector).toBeVisible();
  return panels;
}

const views: readonly View[] = [
  {
    name: 'overview',
    open: async (page, owner) => {
      await owner.issueToken({ name: 'billing-sync', validity_days: 7 });
      await page.goto(owner.baseUrl);
      await expect(page.getByRole('region', { name: 'API tokens' })).toBeVisible();
    },
  },
  {
    name: 'first-steps',
    open: async (page, owner) => {
      await page.goto(owner.baseUrl);
      await expect(page.getByRole('region', { name: 'First steps' })).toBeVisible();
    },
  },
  {
    name: 'issue-form',
    open: async (page, owner) => {
      await page.goto(`${owner.baseUrl}/tokens/issue`);
      const dialog = new IssueDialog(page);
      await dialog.validity('Other').click();
      await dialog.otherDays.fill('45');
      await dialog.addresses.fill('10.0.0.0/8 10.0.0.0/33');
      await dialog.submit.click();
      await expect(dialog.name).toHaveAttribute('aria-invalid', 'true');
    },
  },
  {
    name: 'issued-token',
    open: async (page, owner) => {
      await page.goto(`${owner.baseUrl}/tokens/issue`);
      const dialog = new IssueDialog(page);
      await dialog.name.fill('billing-sync');
      await dialog.setRotated(false);
      await dialog.submit.click();
      await expect(dialog.value).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(dialog.alert).toBeVisible();
    },
  },
  {
    name: 'palette',
    open: async (page, owner) => {
      await owner.issueToken({ name: 'billing-sync', validity_days: 7 });
      await owner.ask('portalCreateIvr', { body: ivrBody });
      await page.goto(owner.baseUrl);
      const palette = new Palette(page);
      await palette.button.click();
      await expect(palette.options.filter({ hasText: 'billing-sync' })).toBeVisible();
    },
  },
  {
    name: 'shortcuts',
    open: async (page, owner) => {
      await page.goto(owner.baseUrl);
      const palette = new Palette(page);
      await palette.button.waitFor();
      await page.keyboard.press('?');
      await expect(palette.sheet).toBeVisible();
    },
  },
  {
    name: 'first-credential',
    open: async (page, owner) => {
      const credentials = new CredentialsPage(page);
      await credentials.open(owner.baseUrl);
      await expect(credentials.first).toBeVisible();
    },
  },
  {
    name: 'choose-service',
    open: async (page, owner) => {
      await page.goto(`${owner.baseUrl}/add-credential`);
      await expect(new CredentialsPage(page).service('GitLab')).toBeVisible();
    },
  },
  {
    name: 'add-credential',
    open: async (page, owner) => {
      await page.goto(`${owner.baseUrl}/add-credential`);
      const credentials = new CredentialsPage(page);
      await credentials.service('This program').click();
      await credentials.token.fill('rvx_not-a-token-of-this-service');
      await expect(credentials.dialog.getByText('It is refused.')).toBeVisible();
      await credentials.name.fill('-no-');
      await credentials.change.click();
      await credentials.service('Another service').click();
      await credentials.address.fill('http://api.example.com');
      await credentials.dialog.getByRole('checkbox', { name: 'Set when it expires' }).click();
      await credentials.dialog.getByRole('checkbox', { name: 'Choose when it is rotated' }).click();
      await credentials.submit.click();
      await expect(credentials.name).toHaveAttribute('aria-invalid', 'true');
    },
  },
  {
    name: 'history-empty',
    open: async (page, owner) => {
      await new HistoryPage(page).open(owner.baseUrl);
      await expect(page.getByText('No events yet')).toBeVisible();
    },
  },
  {
    name: 'settings',
    open: async (page, owner) => {
      const hours = { from: '22:00', to: '07:00' };
      const body = { quiet_hours: hours, rotation_preferred_hours: hours, sms_templates_enabled: true };
      await owner.ask('changeSettings', { body });
      await page.goto(`${owner.baseUrl}/settings`);
      await page.getByRole('textbox', { name: 'Address', exact: true }).fill('ftp://nowhere');
      await page.keyboard.press('Enter');
      await expect(page.getByText('must be the address of an update feed')).toBeVisible();
    },
  },
  {
    name: 'licences',
    open: async (page, owner) => {
      await page.goto(`${owner.baseUrl}/settings`);
      await page.getByRole('button', { name: 'Show licences' }).click();
      await page.getByText('@fastify/cookie').click();
      const granted = page.getByText('Permission is hereby granted').filter({ visible: true });
      await expect(granted).toHaveCount(1);
    },
  },
  {
    name: 'tokens-empty',
    open: async (page, owner) => {
      await new TokensPage(page).open(owner.baseUrl);
      await expect(page.getByText('No tokens yet')).toBeVisible();
    },
  },
  {
    name: 'unknown-family',
    open: async (page, owner) => {
      await new FamilyPage(page).open(owner.baseUrl, 'fam_unknown');
      await expect(page.getByText('There is no token with this id.')).toBeVisible();
    },
  },
  {
    name: 'first-menu',
    open: async (page, owner) => {
      await page.goto(`${owner.baseUrl}/ivr`);
      await expect(page.getByRole('region', { name: 'Create your first phone menu' })).toBeVisible();
    },
  },
  {
    name: 'menus',
    open: async (page, owner) => {
      for (const name of ['Reception', 'Night service', 'A name as long as a name may be '.repeat(3)])
        await owner.ask('portalCreateIvr', { body: { ...ivrBody, name } });
      await page.goto(`${owner.baseUrl}/ivr`);
      await expect(page.getByRole('region', { name: 'Stored menus' }).getByRole('listitem')).toHaveCount(3);
    },
  },
  {
    name: 'menu',
    open: async (page, owner) => {
      const night = await owner.ask('portalCreateIvr', { body: { ...ivrBody, name: 'Night service' } });
      const destination = ['extension||101', `ivr||${night.id}`, 'department||support-second-level-emea'];
      const body = { ...ivrBody, destination };
      const { id } = await owner.ask('portalCreateIvr', { body });
      await owner.ask('portalUpdateIvr', { params: { id }, body: { ...body, timeout: 8 } });
      await page.goto(`${owner.baseUrl}/ivr/${id}`);
      await expect(page.getByRole('heading', { name: 'Reception' })).toBeVisible();
    },
  },
  {
    name: 'first-recording',
    open: async (page, owner) => {
      const recordings = new RecordingsPage(page);
      await recordings.open(owner.baseUrl);
      await expect(recordings.first).toBeVisible();
    },
  },
  {
    name: 'recordings',
    open: async (page, owner) => {
      const recordings = new RecordingsPage(page);
      await recordings.open(owner.baseUrl);
      await page.getByRole('button', { name: 'Add the sample recordings' }).click();
      await expect(recordings.row('Greeting chime')).toBeVisible();
      await expect(recordings.uploads).toContainText('4 files uploaded.');
      const list = await owner.ask('listRecordings');
      const id = list.recordings.find(({ name }) => name === 'Greeting chime')!.id;
      await owner.ask('portalCreateIvr', { body: { ...ivrBody, recording: `recording||${id}` } });
      await recordings.upload(wavFile(`${'Opening-hours-and-the-way-to-us-'.repeat(3)}.wav`, silentTone), {
        name: 'notes.wav',
        mimeType: 'audio/wav',
        buffer: Buffer.from('no audio at all'),
      });
      await expect(recordings.uploads).toContainText('1 of 2 files uploaded');
      await recordings.chooseMore('Waiting tone', 'Rename');
      await recordings.page.getByRole('textbox', { name: 'New name of Waiting tone' }).fill('');
      await expect(recordings.rows).toHaveCount(5);
      for (const row of await recordings.rows.all()) await row.scrollIntoViewIfNeeded();
      await expect(recordings.waveform(page.locator('main'))).toHaveCount(5);
    },
  },
  {
    name: 'record-prompt',
    open: async (page, owner) => {
      const recordings = new RecordingsPage(page);
      await recordings.open(owner.baseUrl);
      await recordings.forbidMicrophone();
      await page.getByRole('button', { name: 'Record…' }).click();
      await recordings.record.click();
      await expect(recordings.alert).toContainText('then try again');
    },
  },
  {
    name: 'trim-recording',
    open: async (page, owner) => {
      const recordings = new RecordingsPage(page);
      await recordings.open(owner.baseUrl);
      await recordings.upload(wavFile('Welcome.wav', silentTone));
      await recordings.press('Welcome', 'Trim…').click();
      await expect(recordings.dialog).toContainText('Removes ');
      await expect(recordings.waveform(recordings.dialog)).toHaveCount(2);
    },
  },
  {
    name: 'extensions-empty',
    open: async (page, owner) => {
      await new DirectoryPage(page).open(owner.baseUrl, 'extensions');
      await expect(page.getByRole('region', { name: 'Add the first extension' })).toBeVisible();
    },
  },
  {
    name: 'extensions',
    open: async (page, owner) => {
      const names = ['Reception', 'Support, first level', 'Accounts', 'A-name-without-a-space-'.repeat(4)];
      const set = Array.from({ length: 40 }, (_, place) => ({
        id: `${100 + place}`,
        name: names[place % 4]!,
      }));
      await owner.ask('changeExtensions', { body: { set } });
      const directory = new DirectoryPage(page);
      await directory.open(owner.baseUrl, 'extensions');
      await directory.press('Accounts', 'Remove').first().click();
      await expect(directory.undo).toBeVisible();
      await directory.press('Reception', 'Edit').first().click();
      await expect(page.getByRole('textbox', { name: 'Name of 100' })).toBeFocused();
    },
  },
  {
    name: 'sms-templates',
    open: async (page, owner) => {
      const text = 'We are open Monday to Friday, 9:00 to 17:00. You find us at 12 Long Street. ';
      const set = [
        { id: 'hours', name: 'Opening hours', text },
        { id: 'way', name: 'The way to us', text: `It’s easy: ${text.repeat(4)}` },
        { id: 'callback', name: 'We call back', text: 'We call you back within an hour.' },
      ];
      await owner.ask('changeSmsTemplates', { body: { set } });
      const directory = new DirectoryPage(page);
      await directory.open(owner.baseUrl, 'sms-templates');
      await expect(page.getByText('SMS templates are switched off')).toBeVisible();
      await directory.press('We call back', 'Edit').click();
      await expect(page.getByRole('textbox', { name: 'Name of callback' })).toBeFocused();
    },
  },
  {
    name: 'add-sms-template',
    open: async (page, owner) => {
      const directory = new DirectoryPage(page);
      await directory.open(owner.baseUrl, 'sms-templates');
      await directory.add.click();
      await directory.field('Id').fill('a|b');
      await directory.field('Text').fill('It’s us');
      await directory.choose('Add').click();
      await expect(directory.field('Id')).toHaveAttribute('aria-invalid', 'true');
    },
  },
  {
    name: 'import-extensions',
    open: async (page, owner) => {
      await owner.ask('changeExtensions', { body: { set: [{ id: '101', name: 'Reception' }] } });
      const directory = new DirectoryPage(page);
      await directory.open(owner.baseUrl, 'extensions');
      await directory.bring.click();
      await directory.csv.fill('id,name\n101,Front desk\n102\n,Nobody\n');
      await expect(directory.dialog.getByText('row 3')).toBeVisible();
    },
  },
  {
    name: 'drafts',
    open: async (page, owner) => {
      for (const { document } of templates) await owner.ask('createDraft', { body: { document } });
      await page.goto(`${owner.baseUrl}/ivr`);
      await expect(page.getByRole('region', { name: 'Drafts' }).getByRole('listitem')).toHaveCount(4);
    },
  },
  {
    name: 'new-menu',
    open: async (page, owner) => {
      await page.goto(`${owner.baseUrl}/ivr`);
      await page.getByRole('button', { name: 'New menu' }).click();
      await expect(new DesignerPage(page).newMenu).toBeVisible();
    },
  },
  {
    name: 'designer',
    open: async (page, owner) => {
      const { id } = await owner.ask('createDraft', { body: { document: templates[2]!.document } });
      await page.goto(`${owner.baseUrl}/ivr/drafts/${id}`);
      await page.getByRole('button', { name: 'Canvas', exact: true }).click();
      await expect(new DesignerPage(page).menus).toHaveCount(3);
    },
  },
  {
    name: 'designer-outline',
    open: async (page, owner) => {
      const panels = await openDrawing(page, owner);
      await panels.button('Outline').click();
      await panels.outlined('Welcome').click();
      await panels.tab(/Scenarios/).click();
      await expect(panels.scenarios.getByRole('listitem').first()).toBeVisible();
    },
  },
  {
    name: 'designer-phone',
    open: async (page, owner) => {
      const panels = await openDrawing(page, owner);
      await panels.button('Play').click();
      await panels.phone.getByRole('button', { name: /^Steps/ }).click();
      await panels.key('7').click();
      await panels.key('2').click();
      await expect(panels.log.last()).toBeVisible();
    },
  },
  {
    name: 'designer-publish',
    open: async (page, owner) => {
      const panels = await openDrawing(page, owner);
      await panels.button('Publish').click();
      await panels.dialog.getByText('As JSON requests').click();
    },
  },
  {
    name: 'designer-published',
    open: async (page, owner) => {
      const panels = await openDrawing(page, owner);
      await panels.button('Publish').click();
      await panels.dialog.getByRole('button', { name: 'Publish' }).click();
      await expect(panels.dialog.getByRole('status')).toContainText('version 1');
      await panels.dialog.getByText('stored', { exact: true }).first().click();
    },
  },
  {
    name: 'designer-versions',
    open: async (page, owner) => {
      const panels = await openDrawing(page, owner);
      await panels.button('Publish').click();
      await panels.dialog.getByRole('button', { name: 'Publish' }).click();
      await panels.dialog.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('textbox', { name: 'Name of the draft' }).fill('Front desk');
      await panels.button('Versions').click();
      await expect(panels.dialog.getByRole('img', { name: /Version 1/ })).toBeVisible();
    },
  },
  {
    name: 'designer-no-versions',
    open: async (page, owner) => {
      const panels = await openDrawing(page, owner);
      await panels.button('Versions').click();
      await expect(panels.dialog).toBeVisible();
    },
  },
  {
    name: 'designer-problem',
    open: async (page, owner) => {
      const panels = await openDrawing(page, owner, halfWired);
      await panels.problems.first().click();
      await expect(panels.inspector.locator(':focus')).toBeVisible();
    },
  },
  {
    name: 'designer-cannot-play',
    open: async (page, owner) => {
      const panels = await openDrawing(page, owner, halfWired);
      await panels.button('Play').click();
      await expect(
        panels.phone.getByRole('button', { name: /Key 1 of .* has no destination/ }),
      ).toBeVisible();
    },
  },
  {
    name: 'designer-export',
    open: async (page, owner) => {
      const panels = await openDrawing(page, owner);
      await panels.button('Export').click();
      await panels.dialog.getByRole('radio', { name: 'Asterisk' }).check({ force: true });
      await expect(panels.dialog).toContainText('WaitExten');
    },
  },
  {
    name: 'import-menus',
    open: async (page, owner) => {
      await page.goto(`${owner.baseUrl}/ivr`);
      await page.getByRole('button', { name: 'Import…' }).click();
      await page.getByLabel('Or paste it').fill(JSON.stringify({ ...ivrBody, colour: 'red' }));
      await expect(page.getByRole('dialog').getByRole('status')).toContainText('colour');
    },
  },
  {
    name: 'import-refused',
    open: async (page, owner) => {
      await page.goto(`${owner.baseUrl}/ivr`);
      await page.getByRole('button', { name: 'Import…' }).click();
      await page.getByLabel('Or paste it').fill('{"name": ');
      await expect(page.getByRole('dialog').getByRole('status')).toContainText('This cannot be imported');
    },
  },
  {
    name: 'designer-empty',
    open: async (page, owner) => {
      const { id } = await owner.ask('createDraft', { body: { document: emptyDocument('New menu') } });
      await page.goto(`${owner.baseUrl}/ivr/drafts/${id}`);
      await expect(page.getByText('This call flow is empty')).toBeVisible();
    },
  },
  {
    name: 'unknown-draft',
    open: async (page, owner) => {
      await page.goto(`${owner.baseUrl}/ivr/drafts/draft_unknown`);
      await expect(page.getByText('There is no draft with this id.')).toBeVisible();
    },
  },
  {
    name: 'unknown-menu',
    open: async (page, owner) => {
      await page.goto(`${owner.baseUrl}/ivr/ivr_unknown`);
      await expect(page.getByText('Nothing is stored with this id.')).toBeVisible();
    },
  },
];

for (const view of views)
  test(`${view.name} is accessible and fits any width`, async ({ status, owner }) => {
    await view.open(status.page, owner);
    await expectGoodView(status);
  });
