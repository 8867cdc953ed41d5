import { expect } from '@playwright/test';
import { weekdays, type WeeklyHours } from '../../../src/contract/menu/schedule.ts';
import { test } from './serve-host.ts';

const everyDay = Object.fromEntries(
  weekdays.map((day) => [day, [{ from: '00:00', to: '24:00' }]]),
) as WeeklyHours;

test('opening hours are added, edited and switched by hand', async ({ status, owner }) => {
  const { page } = status;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await page.goto(`${owner.baseUrl}/opening-hours`);
  await button('Add opening hours…').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Office');
  await dialog.getByLabel('Time zone').fill('Europe/Berlin');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Office' })).toBeVisible();

  const saturday = page.getByRole('textbox', { name: 'Saturday' });
  await saturday.fill('10 to 12');
  await button('Save changes').click();
  await expect(page.getByText('Write hours as 08:00-17:00')).toBeVisible();
  await saturday.fill('10:00-12:00');
  await button('Add exception').click();
  await page.getByRole('textbox', { name: 'Date of exception 1' }).fill('12-25');
  await page.getByRole('textbox', { name: 'Name of 12-25' }).fill('Christmas');
  await button('Save changes').click();
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible();
  const [office] = (await owner.ask('listSchedules')).schedules;
  expect(office).toMatchObject({
    time_zone: 'Europe/Berlin',
    version: 2,
    weekly: { mon: [{ from: '08:00', to: '17:00' }], sat: [{ from: '10:00', to: '12:00' }], sun: [] },
    exceptions: [{ date: '12-25', name: 'Christmas', ranges: [] }],
  });

  await page.getByRole('textbox', { name: 'Until' }).fill('soon');
  await button('Closed').click();
  await expect(page.getByRole('alert').filter({ hasText: 'Write 17:00' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Until' }).fill('tomorrow 08:00');
  await button('Closed').click();
  await expect(page.getByText(/^Closed by hand until /)).toBeVisible();
  await expect(button('Closed')).toHaveAttribute('aria-pressed', 'true');
  await page.goto(owner.baseUrl);
  const card = page.getByRole('region', { name: 'Opening hours' });
  await expect(card.getByText(/^Closed by hand until /)).toBeVisible();
  await card.getByRole('link', { name: 'Office' }).click();
  await button('By schedule').click();
  await expect(page.getByText(/^Closed by hand/)).toBeHidden();
});

test('what another person does to opening hours shows at once, and is not overwritten', async ({
  status,
  owner,
}) => {
  const { page } = status;
  const body = { name: 'Support', time_zone: 'Europe/Berlin', weekly: everyDay };
  const { id } = await owner.ask('createSchedule', { body });
  await page.goto(`${owner.baseUrl}/opening-hours/${id}`);
  await expect(page.getByText('It is never closed')).toBeVisible();
  await owner.ask('setSwitch', { params: { id }, body: { to: 'closed' } });
  await expect(page.getByText('Closed by hand', { exact: true })).toBeVisible();

  await page.getByRole('textbox', { name: 'Sunday' }).fill('');
  await owner.ask('changeSchedule', {
    params: { id },
    body: { ...body, version: 1, exceptions: [], name: 'Hotline' },
  });
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('“Hotline” was changed meanwhile')).toBeVisible();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Hotline');
});

test('holidays are shown before they are imported, from a file and of a country', async ({
  status,
  owner,
}) => {
  const { page } = status;
  const { id } = await owner.ask('createSchedule', {
    body: { name: 'Branch', time_zone: 'Europe/Berlin', weekly: { mon: [{ from: '08:00', to: '17:00' }] } },
  });
  await page.goto(`${owner.baseUrl}/opening-hours/${id}`);
  await page.getByRole('button', { name: 'Import .ics…' }).click();
  const dialog = page.getByRole('dialog');
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Choose file…' }).click();
  const lines = [
    'BEGIN:VCALENDAR',
    ...['BEGIN:VEVENT', 'DTSTART;VALUE=DATE:20401224', 'SUMMARY:Christmas Eve', 'END:VEVENT'],
    ...['BEGIN:VEVENT', 'DTSTART:20401224T180000Z', 'SUMMARY:Party', 'END:VEVENT'],
    'END:VCALENDAR',
  ];
  const buffer = Buffer.from(lines.join('\r\n'));
  await (await chooser).setFiles({ name: 'holidays.ics', mimeType: 'text/calendar', buffer });
  await expect(dialog).toContainText('1 day to add');
  await expect(dialog).toContainText('2040-12-24 Party: it has a time of day');
  expect((await owner.ask('readSchedule', { params: { id } })).exceptions).toEqual([]);
  await dialog.getByRole('button', { name: 'Import 1 day' }).click();
  await expect(page.getByRole('textbox', { name: 'Name of 2040-12-24' })).toHaveValue('Christmas Eve');

  await page.getByRole('button', { name: 'Add public holidays…' }).click();
  await dialog.getByLabel('Country').selectOption('Germany');
  await dialog.getByLabel('State').selectOption('Bayern');
  await dialog.getByLabel('Years').fill('2041');
  await expect(dialog).toContainText('2041-01-06 Heilige Drei Könige');
  await dialog.getByRole('button', { name: /^Import \d+ days$/ }).click();
  await expect(page.getByRole('textbox', { name: 'Name of 2041-01-06' })).toHaveValue('Heilige Drei Könige');
});

test(
  'restoring a version of a template sets its opening hours back where that is chosen, and deleting the draft says what goes',
  { tag: '@long' },
  async ({ status, owner }) => {
    const { page } = status;
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
    const dialog = page.getByRole('dialog');
    const hours = async () => (await owner.ask('listSchedules')).schedules;
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${owner.baseUrl}/ivr`);
    await button('New menu').first().click();
    await dialog.getByRole('button', { name: /^Office with opening hours/ }).click();
    await button('Publish').click();
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
    await expect(dialog).toContainText('Published as version 1');
    await page.keyboard.press('Escape');

    const [before] = await hours();
    const { id, name, version, time_zone, exceptions } = before!;
    const body = { name, version, time_zone, exceptions, weekly: everyDay };
    await owner.ask('changeSchedule', { params: { id }, body });
    await button('Versions').click();
    await expect(dialog.getByText(/“Office hours” has other hours now than in version 1/)).toBeVisible();
    await button('Restore version 1').click();
    await expect(dialog).toBeHidden();
    expect((await hours())[0], 'not set back unless it is chosen').toMatchObject({ weekly: everyDay });

    await button('Versions').click();
    await dialog.getByText('Set the hours back to those of version 1').click();
    await button('Restore version 1').click();
    await expect(dialog).toBeHidden();
    expect(await hours()).toMatchObject([{ id, name, weekly: before!.weekly }]);

    await button('More').click();
    await page.getByRole('menuitem', { name: 'Delete this draft' }).click();
    await expect(dialog).toContainText('Opening hours that its template added go with it');
    await button('Delete the draft').click();
    await expect(page).toHaveURL(/\/ivr$/);
    expect(await hours(), 'they were changed').toHaveLength(1);
  },
);
