import { expect, type Page } from '@playwright/test';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { GitlabServer, listenAsGitlab } from '../../fakes/gitlab-server.ts';
import type { Owner } from '../owner.ts';
import { DesignerPage } from '../pages/designer-page.ts';
import { DesignerPanels } from '../pages/designer-panels.ts';
import { Keyboard } from '../pages/keyboard.ts';
import { Mouse } from '../pages/mouse.ts';
import { test as base, valueOf } from './credential-fixtures.ts';

const run = promisify(execFile);
/** Nothing of a proxy that this machine may have. */
const environment = { PATH: process.env['PATH'], HOME: process.env['HOME'], no_proxy: '*' };

const test = base.extend<{ gitlab: GitlabServer }>({
  gitlab: async ({}, use) => {
    const server = new GitlabServer(Date.now);
    const end = await listenAsGitlab(server, Date.now);
    await use(server);
    end();
  },
});

test.beforeEach(async ({ context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
});

/** Runs what was copied from the window as a person does who pastes it into a terminal. */
async function outputOfCopied(page: Page): Promise<string> {
  const command = await page.evaluate(() => navigator.clipboard.readText());
  return (await run('sh', ['-c', command], { env: environment })).stdout.trim();
}

// The counts are those of a new user who knows where to press: a step more is one that the windows ask for.
test(
  'from an empty program to the first token in a terminal',
  { tag: '@long' },
  async ({ status, dialog, owner }) => {
    const { page } = status;
    await page.goto(owner.baseUrl);
    const mouse = new Mouse(page);
    await mouse.click(page.getByRole('button', { name: 'Issue a token' }).first());
    await expect(dialog.name).toBeFocused();
    await mouse.type('nightly');
    await mouse.click(dialog.submit);
    await mouse.click(dialog.copyCommand);
    expect(await outputOfCopied(page)).toBe(await dialog.value.textContent());
    expect(mouse.count).toBeLessThanOrEqual(4);
    await dialog.close.click();

    const hand = new Keyboard(page);
    await hand.press('n');
    await expect(dialog.name).toBeFocused();
    await hand.type('weekly');
    await hand.press('Enter');
    await expect(dialog.copyCommand).toBeFocused();
    await hand.press('Enter');
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/ get weekly$/);
    expect(await outputOfCopied(page)).toBe(await dialog.value.textContent());
    expect(hand.count).toBeLessThanOrEqual(4);
  },
);

test(
  'from a token of GitLab to its first rotation',
  { tag: '@long' },
  async ({ credentials, credential, owner, gitlab }) => {
    const { page } = credentials;
    const copy = (text: string) => page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    const paste = 'ControlOrMeta+v';

    // Of a server of one's own: Rotavox asks which one issued the token before it sends it anywhere.
    await page.goto(owner.baseUrl);
    await credentials.expectRunning();
    const mouse = new Mouse(page);
    await mouse.click(page.getByRole('link', { name: 'Credentials', exact: true }));
    await mouse.click(credentials.add.or(page.getByRole('button', { name: 'Add a credential…' })).first());
    await expect(credentials.dialog.getByRole('combobox').first()).toBeFocused();
    await copy(gitlab.issue({ name: 'ci' }).value);
    await page.keyboard.press(paste);
    await expect(credentials.token).toBeVisible();
    await mouse.click(credentials.dialog.getByRole('button', { name: 'Another server…' }));
    await expect(credentials.address).toBeFocused();
    await mouse.type(gitlab.baseUrl);
    await mouse.click(credentials.test);
    await expect(credentials.dialog.getByText('It works. It can be rotated.')).toBeVisible();
    await mouse.click(credentials.submit);
    await mouse.click(credential.rotateNow);
    await mouse.click(credential.dialog.getByRole('button', { name: 'Rotate now' }));
    await expect(page.getByText('Rotated.')).toBeVisible();
    expect(await valueOf(owner, 'ci')).toBe(gitlab.tokens.at(-1)?.value);
    expect(mouse.count).toBeLessThanOrEqual(8);

    const hand = new Keyboard(page);
    await hand.press('k');
    await expect(credentials.dialog.getByRole('combobox').first()).toBeFocused();
    await copy(gitlab.issue({ name: 'nightly' }).value);
    await hand.press(paste);
    await expect(credentials.token).toHaveValue(/./);
    await hand.use(credentials.dialog.getByRole('button', { name: '127.0.0.1' }));
    await expect(credentials.dialog.getByText('It works. It can be rotated.')).toBeVisible();
    await hand.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'nightly' })).toBeFocused();
    await hand.use(credential.rotateNow);
    await hand.use(credential.dialog.getByRole('button', { name: 'Rotate now' }));
    await expect(page.getByText('Rotated.')).toBeVisible();
    expect(await valueOf(owner, 'nightly')).toBe(gitlab.tokens.at(-1)?.value);
    expect(hand.count).toBeLessThanOrEqual(11);
  },
);

/** A calendar as a person has it from a web page: Christmas of every year. */
const calendar = [
  'BEGIN:VCALENDAR',
  'BEGIN:VEVENT',
  'DTSTART;VALUE=DATE:20201225',
  'RRULE:FREQ=YEARLY',
  'SUMMARY:Christmas Day',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n');
const file = { name: 'holidays.ics', mimeType: 'text/calendar', buffer: Buffer.from(calendar) };

/** The parts of the windows on the way to an office with opening hours and holidays. */
function officeOn(page: Page, owner: Owner) {
  const designer = new DesignerPage(page);
  const { inspector, phone, dialog, log } = new DesignerPanels(page);
  return {
    inspector,
    newMenu: page.getByRole('button', { name: 'New menu', exact: true }).first(),
    template: designer.newMenu.getByRole('button', { name: /^Office with opening hours/ }),
    hours: page.locator('.react-flow__node[data-id="hours"]'),
    importFile: inspector.getByRole('button', { name: 'Import .ics…' }),
    chooseFile: dialog.getByRole('button', { name: 'Choose file…' }),
    importDay: dialog.getByRole('button', { name: 'Import 1 day' }),
    comes: phone.getByRole('combobox', { name: 'The call comes' }),
    publish: page.getByRole('button', { name: 'Publish', exact: true }).first(),
    publishNow: dialog.getByRole('button', { name: 'Publish', exact: true }),
    /** The template is open from nine. */
    async expectClosed(): Promise<void> {
      await expect(log.first()).toHaveText('Asks the opening hours “Office hours”: closed.');
    },
    async expectHoliday(): Promise<void> {
      await expect(log.first()).toContainText('closed for a holiday (Christmas Day)');
    },
    async expectPublished(): Promise<void> {
      await expect(dialog.getByRole('status')).toContainText('Published as version 1');
      const [schedule] = (await owner.ask('listSchedules')).schedules;
      expect(schedule?.exceptions).toMatchObject([{ name: 'Christmas Day', ranges: [] }]);
      const { ivrs } = await owner.ask('portalListIvrs', {});
      expect(ivrs.map(({ name }) => name)).toEqual(['Welcome']);
    },
  };
}

test(
  'an office with opening hours and holidays is tried at two times and published with the mouse',
  { tag: '@long' },
  async ({ page, owner }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const office = officeOn(page, owner);
    await page.goto(`${owner.baseUrl}/ivr`);
    const mouse = new Mouse(page);
    await mouse.click(office.newMenu);
    await mouse.click(office.template);
    await mouse.click(office.hours);
    await mouse.click(page.getByRole('button', { name: 'Inspector', exact: true }));
    await mouse.click(office.importFile);
    const asked = page.waitForEvent('filechooser');
    await mouse.click(office.chooseFile);
    await mouse.take(await asked, file);
    await mouse.click(office.importDay);
    await mouse.click(page.getByRole('button', { name: 'Play', exact: true }));
    await mouse.click(office.comes);
    await mouse.type('tomorrow 08:00\n');
    await office.expectClosed();
    await mouse.click(office.comes);
    await mouse.click(page.getByRole('option', { name: /^Christmas Day/ }));
    await office.expectHoliday();
    await mouse.click(office.publish);
    await mouse.click(office.publishNow);
    await office.expectPublished();
    expect(mouse.count).toBeLessThanOrEqual(16);
  },
);

test(
  'an office with opening hours and holidays is tried at two times and published by keyboard',
  { tag: '@long' },
  async ({ page, owner }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const office = officeOn(page, owner);
    await page.goto(`${owner.baseUrl}/ivr`);
    const hand = new Keyboard(page);
    await hand.use(page.getByRole('navigation', { name: 'Skip to' }).getByRole('button').first());
    await hand.use(office.newMenu);
    await hand.use(office.template);
    await expect(office.hours).toBeVisible();
    await hand.use(page.getByRole('button', { name: 'Skip to the canvas' }));
    await hand.reach(office.hours);
    await hand.press('Enter');
    await expect(office.inspector.getByRole('combobox', { name: 'Opening hours' })).toBeFocused();
    await hand.use(office.importFile);
    const asked = page.waitForEvent('filechooser');
    await hand.use(office.chooseFile);
    await hand.take(await asked, file);
    await expect(office.importDay).toBeEnabled();
    await hand.use(office.importDay);
    await expect(page.getByRole('dialog')).toBeHidden();
    await hand.press('p');
    await hand.reach(office.comes);
    await hand.type('tomorrow 08:00');
    await hand.press('Enter');
    await office.expectClosed();
    await hand.reach(office.comes);
    await hand.type('Christmas');
    await hand.press('ArrowDown', 'Enter');
    await office.expectHoliday();
    await hand.press('P');
    await expect(office.publishNow).toBeEnabled();
    await hand.press('ControlOrMeta+Enter');
    await office.expectPublished();
    expect(hand.count).toBeLessThanOrEqual(45);
  },
);
