import { expect } from '@playwright/test';
import { type IvrDocument, NodeId } from '../../src/contract/menu/ivr-draft.ts';
import { addKey, telephoneKeys } from '../../src/core/ivr/edit/edit-keys.ts';
import { changeMenu, moveNodes } from '../../src/core/ivr/edit/edit-nodes.ts';
import { hoursNow } from '../../src/core/schedule/hours-at.ts';
import { autoLayout } from '../../src/renderer/ivr/designer/layout/auto-layout.ts';
import { twoMenus } from '../fixtures/ivr-documents.ts';
import { officeDocument, officeHours } from '../fixtures/office-document.ts';
import { scheduled } from '../fixtures/schedules.ts';
import { expectAccessible, expectGoodView } from '../journeys/browser/expect-good-view.ts';
import { DesignerPanels } from '../journeys/pages/designer-panels.ts';
import { at, replies } from './calls-replies.ts';
import { test } from './canned-service.ts';

const id = 'draft_sample00001';
const menu = NodeId.parse('reception');
const schedule = {
  ...officeHours,
  version: 1,
  switch: { ...scheduled, set_by: null, set_at: null },
  created_at: at(500),
  updated_at: at(400),
  ...hoursNow(officeHours, scheduled, Date.now()),
  findings: [],
  used_by: [],
};

function designer(document: IvrDocument) {
  const drawn = moveNodes(document, autoLayout(document));
  return {
    ...replies,
    '/portal/schedules': { schedules: [schedule] },
    [`/portal/ivrs/drafts/${id}`]: {
      ...{ id, revision: 1, created_at: at(500), updated_at: at(400), document: drawn, publications: [] },
    },
    [`/portal/ivrs/drafts/${id}/windows`]: { id, windows: [] },
    '/portal/sms-templates': { sms_templates: [] },
    '/portal/credentials': {
      credentials: [],
      vault: { kind: 'keychain', description: '', status: 'ok', message: null },
    },
    '/portal/calls/live': { calls: [] },
  };
}

test('a call is played at a chosen time and with a switch, and is kept with both as a scenario', async ({
  view,
  show,
}) => {
  const { page } = view;
  const { phone, log, scenarios } = new DesignerPanels(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await show(`/ivr/drafts/${id}`, designer(officeDocument));
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  const comes = phone.getByRole('combobox', { name: 'The call comes' });
  await expect(phone).toContainText('in Europe/Berlin');

  // By keyboard.
  await comes.fill('soon');
  await page.keyboard.press('Enter');
  await expect(phone).toContainText('This is not a time. Write 17:00, tomorrow 08:00');
  await comes.fill('2026-11-30 08:00');
  await page.keyboard.press('Enter');
  await expect(log.first()).toHaveText('Asks the opening hours “Office”: open.');
  await expect(phone.getByText('Reception', { exact: true })).toBeVisible();
  await page.keyboard.press('1');
  await expect(phone).toContainText('Entered 1, waits for the next digit');

  // By mouse.
  await comes.click();
  await page.getByRole('option', { name: 'Christmas' }).click();
  await expect(log.first()).toContainText('closed for a holiday');
  await expect(comes).toHaveValue(/-12-25 10:00$/);
  await phone.getByRole('combobox', { name: 'Switch of Office' }).selectOption('Open');
  await expect(log.first()).toHaveText('Asks the opening hours “Office”: open (set by hand).');
  await phone.getByRole('combobox', { name: 'Switch of Office' }).selectOption('By schedule: holiday');
  await expect(log.first()).toContainText('closed for a holiday');
  await expectAccessible(page);
  await phone.getByLabel('Save as scenario').fill('Christmas');
  await phone.getByRole('button', { name: 'Save', exact: true }).click();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Expand the panel' }).click();
  await page.getByRole('tab', { name: 'Scenarios: 1' }).click();
  const row = scenarios.getByRole('listitem', { name: 'Christmas' });
  await expect(row).toContainText('Passes');
  const time = row.locator('summary');
  await expect(time).toContainText(/^The call comes .*25/);
  await time.click();
  await row.getByRole('combobox', { name: 'Switch of Office' }).selectOption('Open');
  await expect(time).toContainText('Office open by hand');
  await row.getByRole('button', { name: 'Expect this result' }).click();
  await expect(row).toContainText('Passes');
  await row.getByRole('button', { name: 'Play “Christmas”' }).click();
  await expect(log.first()).toHaveText('Asks the opening hours “Office”: open (set by hand).');
  await phone.getByRole('button', { name: 'Close the phone' }).click();
  await expectGoodView(view);
});

test('a call flow that asks no hours has no time and no switch to choose', async ({ view, show }) => {
  const { page } = view;
  const { phone } = new DesignerPanels(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await show(`/ivr/drafts/${id}`, designer(twoMenus));
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(phone.getByRole('log')).toBeVisible();
  await expect(phone.getByRole('combobox')).toHaveCount(0);
});

test('opening hours are closed by hand on their card, with an end, and say so', async ({
  view,
  show,
  canned,
}) => {
  const { page } = view;
  await page.setViewportSize({ width: 1280, height: 900 });
  const path = `/portal/schedules/${officeHours.id}/switch`;
  await show(`/ivr/drafts/${id}`, { ...designer(officeDocument), [path]: schedule });
  await page.getByTitle('Show at 100 %').click();
  const card = page.locator('.react-flow__node[data-id="hours"]');
  await card.focus();
  await page.keyboard.press('Space');
  await card.getByRole('button', { name: 'Switch of “Office”: ' }).click();
  const dialog = page.getByRole('dialog', { name: 'Switch of Office' });
  await dialog.getByRole('textbox', { name: 'Until' }).fill('tomorrow 08:00');
  await page.keyboard.press('Backspace'); // no card is removed
  await page.keyboard.press('0');
  await dialog.getByRole('button', { name: 'Closed' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Until' })).toHaveValue('');
  expect(canned.bodies.get(path)).toEqual({ to: 'closed', until: 'tomorrow 08:00' });
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const closed = { to: 'closed', until, set_by: null, set_at: at(0) };
  canned.change({ '/portal/schedules': { schedules: [{ ...schedule, switch: closed }] } });
  await expect(dialog.getByText(/^Closed by hand until /)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(card).toContainText('Closed by hand until');
});

test('a menu that uses all keys of a telephone gets more, of several digits, which are shown whole', async ({
  view,
  show,
}) => {
  const { page } = view;
  const { inspector } = new DesignerPanels(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  const full = telephoneKeys.reduce(
    (document, key) => addKey(document, menu, { key, to: NodeId.parse('desk') }),
    changeMenu(officeDocument, menu, { keys: [] }),
  );
  await show(`/ivr/drafts/${id}`, designer(full));
  await page.locator(`.react-flow__node[data-id="${menu}"]`).dblclick();
  await inspector.getByRole('button', { name: 'Add a key' }).click();
  const added = inspector.getByRole('textbox', { name: 'Key 13 in order' });
  await expect(added).toBeFocused();
  await expect(added).toHaveValue('');
  await page.keyboard.type('1013');
  await expect(added).not.toHaveAttribute('aria-invalid');
  expect(await added.evaluate((field: HTMLInputElement) => field.scrollWidth - field.clientWidth)).toBe(0);
});
