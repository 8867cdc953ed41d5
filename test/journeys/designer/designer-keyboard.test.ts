import { expect } from '@playwright/test';
import { drawnAlike } from '../../fixtures/drawn-alike.ts';
import { flowToDraw, templates } from '../../fixtures/ivr-templates.ts';
import { drawByKeyboard } from '../pages/draw-by-keyboard.ts';
import { Keyboard } from '../pages/keyboard.ts';
import { emptyDocument } from '../../../src/core/ivr/edit/edit-nodes.ts';
import { wavFile } from '../../fixtures/audio-files.ts';
import { fileVault } from '../browser/credential-fixtures.ts';
import { test } from '../browser/designer-fixtures.ts';

test('a call flow is written into the outline with the keyboard alone', async ({
  designer,
  panels,
  owner,
}) => {
  test.slow(); // hundreds of presses
  const hand = new Keyboard(panels.page);
  await owner.ask('uploadRecording', { query: { name: 'Any' }, body: wavFile() });
  await panels.page.goto(`${owner.baseUrl}/ivr`);
  await hand.use(panels.button('New menu'));
  await hand.use(designer.newMenu.getByRole('button', { name: /^Empty/ }));
  await expect(designer.name).toBeVisible();
  await drawByKeyboard(panels, flowToDraw);
  await expect(panels.tab(/roblems/)).not.toContainText(/error|to do/);
  await expect(panels.scenarios).toContainText('All 3 scenarios pass.');
  await designer.isSaved();
  const saved = await owner.ask('readDraft', { params: { id: designer.draftId } });
  expect(drawnAlike(saved.document)).toEqual(drawnAlike(flowToDraw));
});

test('a menu with two keys, a submenu, a wrong key and a timeout is published with at most 31 keys', async ({
  designer,
  panels,
  owner,
}) => {
  const { page, outline, dialog } = panels;
  for (const name of ['Welcome', 'Opening hours', 'Try again', 'Still there?', 'Goodbye'])
    await owner.ask('uploadRecording', { query: { name }, body: wavFile() });
  const { id } = await owner.ask('createDraft', { body: { document: emptyDocument('Reception') } });
  await designer.open(owner.baseUrl, id);
  const hand = new Keyboard(page);
  const field = (name: string) => outline.getByLabel(name, { exact: true });
  /** To the next thing to do, wherever that is. */
  const next = 'ControlOrMeta+.';

  await hand.press('o', 'm');
  await expect(field('Name')).toBeFocused();
  await hand.type('Reception');
  await hand.press(next);
  await expect(field('Callers hear')).toBeFocused();
  await hand.type('Welcome');
  await hand.press('ControlOrMeta+Enter');
  await expect(outline.getByRole('combobox', { name: 'Where key 1 leads' })).toBeFocused();
  await hand.type('101');
  // Past the buttons of the key and what a caller is told at the end: each is the next thing to do.
  for (const [name, text] of [
    ['After a wrong key', 'Try again'],
    ['Too many wrong keys lead to', 'hang'],
    ['Before a retry', 'Still there?'],
    ['After the last timeout', 'Goodbye'],
    ['Then the timeout leads to', 'hang'],
  ] as const) {
    await hand.press(next);
    await expect(field(name)).toBeFocused();
    await hand.type(text);
  }
  await hand.press('ControlOrMeta+Enter');
  await expect(outline.getByRole('combobox', { name: 'Where key 2 leads' })).toBeFocused();
  await expect(outline.getByRole('combobox', { name: 'Where key 1 leads' })).toHaveValue('Extension 101');
  await hand.type('New menu');
  await hand.press(next);
  // The new menu has what plays after a wrong key and a timeout from the one that leads to it.
  await expect(field('Callers hear')).toBeFocused();
  await hand.type('Opening hours');
  await hand.press('Shift+Tab', 'Shift+Tab', 'Shift+Tab');
  await expect(field('Name')).toBeFocused();
  await hand.type('Opening hours');
  await hand.press('ControlOrMeta+Enter');
  await hand.type('101');
  await hand.press('Enter', 'Escape', 'P');
  await expect(dialog).toContainText('What callers will hear');
  await expect(dialog.getByRole('status'), 'there before what is said in it').toHaveText('');
  await hand.press('ControlOrMeta+Enter');
  await expect(dialog.getByRole('status')).toContainText('Published as version 1');
  expect(hand.count).toBeLessThanOrEqual(31);
  const { ivrs } = await owner.ask('portalListIvrs', {});
  expect(ivrs.map(({ name }) => name).toSorted()).toEqual(['Opening hours', 'Reception']);
});

test('a menu with a submenu and two scenarios goes from an empty flow to published with at most 34 keys', async ({
  designer,
  panels,
  owner,
}) => {
  const { page, outline, dialog, phone } = panels;
  const next = 'ControlOrMeta+.';
  const field = (name: string) => outline.getByLabel(name, { exact: true });
  const status = page.getByRole('region', { name: 'About the call flow' }).getByRole('status').first();
  await page.goto(`${owner.baseUrl}/ivr`);
  await panels.button('New menu').click();
  await designer.newMenu.getByRole('button', { name: /^Empty/ }).click();
  // The dialog that had the focus is gone.
  await expect(page.locator('[data-region="view"]')).toBeFocused();
  await expect(designer.name).toBeVisible();
  const hand = new Keyboard(page);

  await hand.press('o', 'm');
  await expect(field('Name')).toBeFocused();
  await hand.type('Reception');
  await hand.press(next);
  await expect(field('Callers hear')).toBeFocused();
  await hand.type('Press 1 for sales, 2 for our hours.');
  await hand.press('ControlOrMeta+Enter');
  await hand.type('101');
  await hand.press(next);
  await expect(field('Too many wrong keys lead to')).toBeFocused();
  await hand.type('hang');
  await hand.press(next);
  await expect(field('Then the timeout leads to')).toBeFocused();
  await hand.type('hang');
  await hand.press('ControlOrMeta+Enter');
  await hand.type('New menu');
  await hand.press(next);
  await expect(field('Callers hear')).toBeFocused();
  await hand.type('We are open from 9 to 5. Press 1 for sales.');
  await hand.press('Shift+Tab', 'Shift+Tab', 'Shift+Tab');
  await expect(field('Name')).toBeFocused();
  await hand.type('Hours');
  await hand.press('ControlOrMeta+Enter');
  await hand.type('101');
  await hand.press('Enter', 'Escape');
  await expect(status).toHaveText('Problems: 1 warning');

  for (const keys of [['1'], ['2', '1']]) {
    await hand.press('p');
    await expect(phone.getByRole('group', { name: 'Call', exact: true })).toBeFocused();
    await hand.press(...keys, 'ControlOrMeta+Enter');
    await expect(phone.getByRole('status').last()).toContainText('Saved');
    await hand.press('Escape');
    await expect(phone).toHaveCount(0);
  }
  await hand.press('P');
  await expect(dialog).toContainText('All 2 scenarios pass.');
  await hand.press('ControlOrMeta+Enter');
  await expect(dialog.getByRole('status')).toContainText('Published as version 1');
  expect(hand.count).toBeLessThanOrEqual(34);
  const { ivrs } = await owner.ask('portalListIvrs', {});
  expect(ivrs.map(({ name }) => name).toSorted()).toEqual(['Hours', 'Reception']);
  const { document } = await owner.ask('readDraft', { params: { id: designer.draftId } });
  expect(Object.values(document.scenarios).map(({ inputs }) => inputs)).toEqual([['1'], ['2', '1']]);
});

test.describe('with a second service', () => {
  test.use({ vault: fileVault });

  test('with the keyboard alone a call flow is broken, repaired, played, kept by a scenario and published elsewhere', async ({
    designer,
    panels,
    owner,
    second,
  }) => {
    const { page, outline, phone, dialog, scenarios } = panels;
    const hand = new Keyboard(page);
    await second.isKeptBy(owner, 'head-office', ['ivr:read', 'ivr:write']);
    const { id } = await owner.ask('createDraft', { body: { document: templates[0]!.document } });
    await designer.open(owner.baseUrl, id);
    await hand.use(panels.button('Outline'));
    await hand.press('b');

    // A way is taken away, and given back by undo.
    await hand.reach(panels.outlined('Reception'));
    await hand.press('ArrowRight');
    const field = outline.getByRole('combobox', { name: 'Where key 3 leads' });
    await hand.reach(field);
    await hand.type('No destination');
    await hand.press('Enter');
    await expect(panels.tab(/roblems/)).toContainText('1 to do');
    await hand.use(panels.problems.filter({ hasText: 'key 3' }));
    await expect(field).toBeFocused();
    await hand.use(designer.undo);
    await expect(panels.tab(/roblems/)).not.toContainText(/error|to do/);
    await expect(field).toHaveValue('Queue or department accounts');

    // A destination is taken away, and made anew.
    await hand.use(outline.getByRole('button', { name: 'Remove “Queue or department accounts”' }));
    await expect(panels.tab(/roblems/)).toContainText('1 to do');
    await hand.use(panels.problems.filter({ hasText: 'key 3' }));
    await expect(field).toBeFocused();
    await hand.type('New: queue');
    await hand.press('Enter');
    await expect(page.locator(':focus')).toHaveAccessibleName('Queue or department: id');
    await hand.type('accounts');
    await expect(field).toHaveValue('Queue or department accounts');
    await expect(panels.tab(/roblems/)).not.toContainText(/error|to do/);

    await hand.use(panels.button('Play'));
    await expect(phone.getByRole('group', { name: 'Call' })).toBeFocused();
    await hand.use(phone.getByRole('button', { name: /^10×/ }));
    await hand.press('7');
    await expect(panels.log.filter({ hasText: 'after a wrong key' })).toHaveCount(1);
    await expect(phone).toContainText('The call reached'); // nobody presses anything more
    await expect(phone).toContainText('Queue or department front-desk');
    await hand.fill(phone.getByLabel('Save as scenario'), 'One wrong key and silence');
    await hand.use(phone.getByRole('button', { name: 'Save', exact: true }));
    await expect(phone).toContainText('Saved as “One wrong key and silence”.');
    await hand.press('Escape');
    await expect(phone).toHaveCount(0);

    const silence = outline.getByLabel('Then the timeout leads to');
    await hand.reach(silence);
    await hand.type('Department sales');
    await hand.press('Enter');
    await expect(panels.tab(/Scenarios/)).toContainText('2 of 4 fail');
    await hand.use(panels.button('Publish'));
    await expect(dialog.getByRole('button', { name: 'Publish' })).toHaveCount(0);
    await hand.use(dialog.getByRole('button', { name: /One wrong key and silence/ }));
    const row = scenarios.getByRole('listitem', { name: 'One wrong key and silence' });
    await expect(row).toContainText('Queue or department sales');
    await hand.use(designer.undo);
    await expect(row).toContainText('Passes');

    await hand.use(panels.button('Publish'));
    await hand.reach(dialog.getByLabel('Where to'));
    await hand.type('head-office');
    await hand.use(dialog.getByRole('button', { name: 'Publish' }));
    await expect(dialog.getByRole('status')).toContainText('Published as version 1');
    await hand.press('Escape');
    await expect(dialog).toHaveCount(0);
    expect(await second.menus()).toMatchObject([{ name: 'Reception', option: ['1', '2', '3', '0'] }]);
  });
});
