import { expect } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { test } from './serve-host.ts';

test('an extension is added, changed where it stands, removed and put back', async ({ directory, owner }) => {
  await directory.open(owner.baseUrl, 'extensions');
  await directory.add.click();
  await directory.field('Id').fill('101');
  await directory.choose('Add').click();
  await expect(directory.field('Name')).toHaveAttribute('aria-invalid', 'true');
  await directory.field('Name').fill('Reception');
  await directory.choose('Add').click();
  await expect(directory.row('Reception')).toBeVisible();

  await directory.add.click();
  await directory.field('Id').fill('101');
  await expect(directory.dialog).toContainText('“Reception” already has this id.');
  await directory.page.keyboard.press('Escape');
  await expect(directory.dialog.getByRole('alert').filter({ hasText: 'Press Esc again' })).toBeVisible();
  await directory.page.keyboard.press('Escape');
  await expect(directory.dialog).toBeHidden();

  await directory.press('Reception', 'Edit').click();
  const name = directory.page.getByRole('textbox', { name: 'Name of 101' });
  await name.fill('');
  await directory.page.keyboard.press('Enter');
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await name.fill('Front desk');
  await directory.press('Front desk', 'Save').click();
  // While a row is edited its buttons name what is typed.
  await expect(directory.press('Front desk', 'Edit')).toBeVisible();
  expect(await owner.ask('listExtensions')).toEqual({ extensions: [{ id: '101', name: 'Front desk' }] });

  await directory.press('Front desk', 'Remove').click();
  await expect(directory.page.getByText('“Front desk” (101) was removed.')).toBeVisible();
  expect((await owner.ask('listExtensions')).extensions).toEqual([]);
  await directory.undo.click();
  await expect(directory.row('Front desk')).toBeVisible();
  await expect(directory.undo).toBeHidden();
});

test('the extensions are kept without a mouse', { tag: '@long' }, async ({ directory, owner }) => {
  const { page } = directory;
  await owner.ask('changeExtensions', { body: { set: [{ id: '101', name: 'Reception' }] } });
  await directory.open(owner.baseUrl, 'extensions');
  await directory.tabTo(directory.press('Reception', 'Edit'));
  await page.keyboard.press('Enter');
  await page.keyboard.type('Front desk');
  await page.keyboard.press('Enter');
  await expect(directory.row('Front desk')).toBeFocused();
  await directory.tabTo(directory.press('Front desk', 'Remove'));
  await page.keyboard.press('Enter');
  await expect(directory.undo).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(directory.row('Front desk')).toBeVisible();

  await directory.tabTo(directory.add);
  await page.keyboard.press('Enter');
  await expect(directory.field('Id')).toBeFocused();
  await page.keyboard.type('102');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Support');
  await page.keyboard.press('Enter');
  await expect(directory.row('Support')).toBeVisible();
});

test('a CSV file is looked at before it is imported, and exported again', async ({ directory, owner }) => {
  await owner.ask('changeExtensions', { body: { set: [{ id: '101', name: 'Reception' }] } });
  await directory.open(owner.baseUrl, 'extensions');
  await directory.bring.click();
  await directory.csv.fill('id,name\n102\n');
  await expect(
    directory.dialog.getByText('Nothing can be imported until these errors are fixed:'),
  ).toBeVisible();
  await expect(directory.dialog.getByRole('listitem')).toContainText('Row 2 must have 2 cells');
  await expect(directory.choose('Import')).toHaveAttribute('aria-disabled', 'true');

  const chooser = directory.page.waitForEvent('filechooser');
  await directory.choose('Choose a file…').click();
  const buffer = Buffer.from('id,name\n101,Front desk\n102,"Support, first level"\n103,Accounts\n');
  await (await chooser).setFiles({ name: 'extensions.csv', mimeType: 'text/csv', buffer });
  await expect(directory.dialog).toContainText('Adds 2: 102, 103');
  await expect(directory.dialog).toContainText('Changes 1: 101');
  expect((await owner.ask('listExtensions')).extensions).toEqual([{ id: '101', name: 'Reception' }]);
  await directory.choose('Import 3').click();
  await expect(directory.rows).toHaveCount(3);
  await expect(directory.row('Front desk')).toBeVisible();

  const download = directory.page.waitForEvent('download');
  await directory.page.getByRole('link', { name: 'Export CSV' }).click();
  const csv = readFileSync(await (await download).path(), 'utf8');
  expect(csv.split(/\r?\n/)).toEqual(
    expect.arrayContaining(['id,name', '101,Front desk', '102,"Support, first level"']),
  );
});

test('the list of another program is imported: in Windows-1252, with its own columns, chosen by keyboard', async ({
  directory,
  owner,
}) => {
  const { page } = directory;
  await directory.open(owner.baseUrl, 'extensions');
  await directory.bring.click();
  const choose = async (name: string, buffer: Buffer) => {
    const chooser = page.waitForEvent('filechooser');
    await directory.choose('Choose a file…').click();
    await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer });
  };
  await choose('list.csv', Buffer.from('PK\u0003\u0004', 'latin1'));
  await expect(directory.dialog).toContainText('list.csv is a workbook or an archive, not text.');

  const csv = 'sep=;\r\nRaum;Durchwahl;Person\r\n7;101;M\xfcller\r\n8;102;Br\xf6du & S\xf6hne\r\n';
  await choose('list.csv', Buffer.from(csv, 'latin1'));
  await expect(directory.dialog).toContainText('Read as Windows-1252: list.csv does not say its encoding.');
  await expect(directory.dialog.getByRole('listitem').first()).toContainText(
    'Row 1 has no heading that is known for id; its columns are Raum, Durchwahl, Person.',
  );
  const id = directory.dialog.getByRole('combobox', { name: 'Id is in' });
  const name = directory.dialog.getByRole('combobox', { name: 'Name is in' });
  await id.focus();
  await page.keyboard.type('Durch');
  await expect(id).toHaveValue('1');
  await expect(id).toHaveAccessibleDescription('101 · 102');
  await page.keyboard.press('Tab');
  await expect(name).toBeFocused();
  await page.keyboard.type('Person');
  await expect(name).toHaveAccessibleDescription('Müller · Brödu & Söhne');
  await expect(directory.dialog).toContainText('Adds 2: 101, 102');
  await expect(directory.dialog).toContainText('Columns that were left out: Raum.');
  await directory.choose('Import 2').click();
  await expect(directory.row('Brödu & Söhne')).toBeVisible();
  expect((await owner.ask('listExtensions')).extensions).toEqual([
    { id: '101', name: 'Müller' },
    { id: '102', name: 'Brödu & Söhne' },
  ]);
});

test(
  'an SMS template tells how many messages it is, and what makes it longer',
  { tag: '@long' },
  async ({ directory, owner }) => {
    await directory.open(owner.baseUrl, 'sms-templates');
    await directory.add.click();
    await directory.field('Id').fill('hours');
    await directory.field('Name').fill('Opening hours');
    await directory.field('Text').fill('a'.repeat(161));
    await expect(directory.dialog).toContainText('2 messages, 145 left (GSM-7)');
    await directory.field('Text').fill('It’s open.');
    await expect(directory.dialog).toContainText('1 message, 60 left (UCS-2, because of “’”)');
    await directory.choose('Add').click();
    await expect(directory.row('Opening hours')).toContainText('1 message, 60 left');

    await directory.press('Opening hours', 'Edit').click();
    await directory.page.getByRole('textbox', { name: 'Text of hours' }).fill('Open.');
    await directory.page.keyboard.press('Control+Enter');
    await expect(directory.press('Opening hours', 'Edit')).toBeVisible();
    await expect(directory.row('Opening hours')).toContainText('1 message, 155 left');
    expect((await owner.ask('listSmsTemplates')).sms_templates).toEqual([
      { id: 'hours', name: 'Opening hours', text: 'Open.' },
    ]);
  },
);

test(
  'while SMS templates are off the page says so and leads to the switch',
  { tag: '@long' },
  async ({ directory, settings, owner }) => {
    await directory.open(owner.baseUrl, 'sms-templates');
    await directory.page.getByRole('link', { name: 'switch them on in the settings' }).click();
    const toggle = settings.switchOf('SMS templates');
    await expect(toggle).toBeInViewport();
    await toggle.click();
    await expect(settings.saved('SMS templates')).toBeVisible();
    await settings.page.getByRole('main').getByRole('link', { name: 'SMS templates' }).click();
    await expect(directory.page.getByRole('heading', { level: 1 })).toHaveText('SMS templates');
    await expect(directory.page.getByText('SMS templates are switched off')).toBeHidden();
  },
);

test(
  'a long directory is searched and gone through row by row',
  { tag: '@long' },
  async ({ directory, owner }) => {
    const set = Array.from({ length: 3000 }, (_, place) => ({
      id: `${1000 + place}`,
      name: `Desk ${1000 + place}`,
    }));
    await owner.ask('changeExtensions', { body: { set } });
    await directory.open(owner.baseUrl, 'extensions');
    await expect(directory.page.getByText('3,000 extensions')).toBeVisible();
    expect(await directory.rows.count()).toBeLessThan(60);
    await directory.search.focus();
    await directory.page.keyboard.press('ArrowDown');
    await expect(directory.row('Desk 1000')).toBeFocused();
    await directory.page.keyboard.press('End');
    await expect(directory.row('Desk 3999')).toBeFocused();
    await directory.search.fill('desk 25');
    await expect(directory.page.getByText(/^1\d\d of 3,000 extensions$/)).toBeVisible();
    await expect(directory.row('Desk 1025')).toBeVisible();
  },
);
