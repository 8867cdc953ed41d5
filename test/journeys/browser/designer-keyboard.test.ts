import { expect } from '@playwright/test';
import { drawnAlike } from '../../fixtures/drawn-alike.ts';
import { flowToDraw, templates } from '../../fixtures/ivr-templates.ts';
import { drawByKeyboard } from '../pages/draw-by-keyboard.ts';
import { Keyboard } from '../pages/keyboard.ts';
import { fileVault } from './credential-fixtures.ts';
import { test } from './designer-fixtures.ts';

test('a call flow is written into the outline with the keyboard alone', async ({
  designer,
  panels,
  owner,
}) => {
  test.slow(); // hundreds of presses
  const hand = new Keyboard(panels.page);
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
    await expect(field).toHaveValue('Department accounts');

    // A destination is taken away, and made anew.
    await hand.use(outline.getByRole('button', { name: 'Remove “Department accounts”' }));
    await expect(panels.tab(/roblems/)).toContainText('1 to do');
    await hand.use(panels.problems.filter({ hasText: 'key 3' }));
    await expect(field).toBeFocused();
    await hand.type('New: department');
    await hand.press('Enter', 'Tab');
    await hand.type('accounts');
    await expect(field).toHaveValue('Department accounts');
    await expect(panels.tab(/roblems/)).not.toContainText(/error|to do/);

    await hand.use(panels.button('Play'));
    await expect(phone.getByRole('group', { name: 'Call' })).toBeFocused();
    await hand.use(phone.getByRole('button', { name: /^10×/ }));
    await hand.press('7');
    await expect(panels.log.filter({ hasText: 'after a wrong key' })).toHaveCount(1);
    await expect(phone).toContainText('The call reached'); // nobody presses anything more
    await expect(phone).toContainText('Department front-desk');
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
    await expect(row).toContainText('Department sales');
    await hand.use(designer.undo);
    await expect(row).toContainText('Passes');

    await hand.use(panels.button('Publish'));
    await hand.reach(dialog.getByLabel('Where to'));
    await hand.type('head-office');
    await hand.use(dialog.getByRole('button', { name: 'Publish' }));
    await expect(dialog.getByRole('status')).toContainText('Saved as version 1');
    await hand.press('Escape');
    await expect(dialog).toHaveCount(0);
    expect(await second.menus()).toMatchObject([{ name: 'Reception', option: ['1', '2', '3', '0'] }]);
  });
});
