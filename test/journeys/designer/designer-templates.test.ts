import { expect } from '@playwright/test';
import type { NodeId } from '../../../src/contract/menu/ivr-draft.ts';
import { wavFile } from '../../fixtures/audio-files.ts';
import { drawnAlike } from '../../fixtures/drawn-alike.ts';
import { flowToDraw, templates } from '../../fixtures/ivr-templates.ts';
import { drawByMouse } from '../pages/draw-by-mouse.ts';
import { showPanels } from '../pages/designer-panels.ts';
import { fileVault } from '../browser/credential-fixtures.ts';
import { test } from '../browser/designer-fixtures.ts';

test.use({ viewport: { width: 1920, height: 1080 } });

const [reception, openingHours] = [templates[0]!.document, templates[1]!.document];

test('a call flow is drawn by mouse, part by part and line by line', async ({ designer, panels, owner }) => {
  test.slow(); // every part is dragged, every line drawn
  await owner.ask('uploadRecording', { query: { name: 'Any' }, body: wavFile() });
  await designer.page.goto(`${owner.baseUrl}/ivr`);
  await designer.beginEmpty();
  await drawByMouse(designer, flowToDraw);
  await expect(panels.tab(/roblems/)).not.toContainText(/error|to do/);
  await expect(panels.scenarios).toContainText('All 3 scenarios pass.');
  const saved = await owner.ask('readDraft', { params: { id: designer.draftId } });
  expect(drawnAlike(saved.document)).toEqual(drawnAlike(flowToDraw));
});

test('what is broken by mouse is told in the list and on the card, leads to its field, and is repaired', async ({
  designer,
  panels,
  owner,
}) => {
  const { id } = await owner.ask('createDraft', { body: { document: reception } });
  await designer.open(owner.baseUrl, id);
  await showPanels(designer.page, 'Problems');
  const menu = designer.cardOf('reception');
  await expect(panels.tab(/roblems/)).not.toContainText(/error|to do/);

  await designer.dragLineEnd('reception', 'key-2');
  await expect(designer.line('reception', 'key-2')).toHaveCount(0);
  await expect(menu.locator('[data-handle="key-2"]')).toContainText('no destination');
  await expect(panels.tab(/roblems/)).toContainText('1 to do');
  await panels.button('Publish').click();
  await expect(panels.dialog.getByRole('region', { name: 'Errors' })).toContainText('Key 3');
  await panels.dialog.getByRole('button', { name: 'Cancel' }).click();
  await panels.problems.filter({ hasText: 'key 3' }).click();
  const field = panels.inspector.getByRole('combobox', { name: 'Where key 3 leads' });
  await expect(field).toBeFocused();
  await expect(menu).toHaveClass(/selected/);
  await designer.undo.click();
  await expect(designer.line('reception', 'key-2')).toHaveCount(1);
  await expect(menu.locator('[data-handle="key-2"]')).toContainText('accounts');
  await expect(panels.tab(/roblems/)).not.toContainText(/error|to do/);

  await designer.cardOf('desk').click();
  await panels.button('Remove “Queue or department front-desk”').click();
  await expect(designer.cardOf('desk')).toHaveCount(0);
  await expect(panels.tab(/roblems/)).toContainText('3 errors');
  await expect(menu).toContainText('+2');
  await panels.tab(/Scenarios/).click();
  await expect(panels.scenarios).toContainText(
    'Scenarios cannot run until the call flow is complete and has no errors',
  );

  const { x, y } = reception.nodes['desk' as NodeId]!.place;
  const desk = await designer.drop('Queue or department', { x: x + 108, y: y + 24 });
  await panels.inspector.getByLabel('Id', { exact: true }).fill('front-desk');
  for (const handle of ['key-3', 'invalid', 'timeout']) {
    await designer.drag(designer.port(menu, handle), designer.cardOf(desk));
    await expect(designer.line('reception', handle)).toHaveCount(1);
  }
  await expect(panels.tab(/roblems/)).not.toContainText(/error|to do/);
  await expect(panels.scenarios).toContainText('All 3 scenarios pass.');
  await designer.isSaved();
  const repaired = await owner.ask('readDraft', { params: { id } });
  expect(drawnAlike(repaired.document)).toEqual(drawnAlike(reception));
});

test('a call is played by mouse with a wrong key and silence, saved as a scenario, and kept by it', async ({
  designer,
  panels,
  owner,
}) => {
  const { id } = await owner.ask('createDraft', { body: { document: openingHours } });
  await designer.open(owner.baseUrl, id);
  await panels.button('Play').click();
  await panels.phone.getByRole('button', { name: /^10×/ }).click();
  await panels.key('9').click();
  await expect(panels.log.filter({ hasText: 'after a wrong key' })).toHaveCount(1);
  await panels.key('2').click();
  await expect(panels.phone.getByText('Opening hours', { exact: true })).toBeVisible();
  await expect(designer.litCards).toHaveCount(3); // the caller, and two menus
  // Nobody presses anything any more: the clock leads out of the menu by itself.
  await expect(panels.phone).toContainText('The call reached');
  await expect(panels.phone).toContainText('Hang up');
  await expect(designer.line('hours', 'timeout').locator('[data-lit="true"]')).toHaveCount(1);
  const name = panels.phone.getByLabel('Save as scenario');
  await expect(name).toHaveValue(
    'Caller presses 9, presses 2, waits for the timeout, waits for the timeout: Hang up',
  );
  await name.fill('Asks for the hours and leaves');
  await panels.phone.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(panels.phone).toContainText('Saved as “Asks for the hours and leaves”.');
  await panels.phone.getByRole('button', { name: 'Close the phone' }).click();
  await expect(designer.litCards).toHaveCount(0);

  await designer.drag(designer.port(designer.cardOf('hours'), 'timeout'), designer.cardOf('message'));
  await expect(panels.tab(/Scenarios/)).toContainText('2 of 4 fail');
  await panels.tab(/Scenarios/).click();
  const row = panels.scenarios.getByRole('listitem', { name: 'Asks for the hours and leaves' });
  await expect(row).toContainText('Voicemail shop');
  await panels.button('Publish').click();
  await expect(panels.dialog.getByRole('button', { name: 'Publish' })).toHaveCount(0);
  await panels.dialog.getByRole('button', { name: /Asks for the hours and leaves/ }).click();
  await expect(row).toBeVisible();
  await designer.undo.click();
  await expect(row).toContainText('Passes');
  await expect(panels.tab(/Scenarios/)).toContainText('Scenarios: 4');
});

test.describe('with a second service', () => {
  test.use({ vault: fileVault });

  test('a call flow is published to another service: a token without the right and a service that is away lose nothing', async ({
    designer,
    panels,
    owner,
    second,
  }) => {
    await second.isKeptBy(owner, 'reader', ['ivr:read']);
    await second.isKeptBy(owner, 'head-office', ['ivr:read', 'ivr:write']);
    const { id } = await owner.ask('createDraft', { body: { document: openingHours } });
    await designer.open(owner.baseUrl, id);
    const { dialog } = panels;
    const target = dialog.getByLabel('Where to');
    const choose = async (credential: string): Promise<void> => {
      await target.selectOption({ label: (await target.getByText(credential).textContent()) ?? '' });
    };
    await panels.button('Publish').click();
    await choose('reader');
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await expect(dialog.getByRole('status')).toContainText('It needs the scope ivr:write');
    await expect(dialog.getByRole('status')).toContainText('The draft is saved here and unchanged.');
    await expect(dialog.getByText('It needs the scope ivr:write')).toHaveCount(1);
    expect(await second.menus()).toEqual([]);
    await choose('head-office');
    await choose('reader');
    await expect(dialog).toContainText('Nothing of this call flow is published there yet.');

    await second.stop();
    await choose('head-office');
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await expect(dialog.getByRole('status')).toContainText('Publish again');
    await expect(dialog.getByRole('status')).toContainText('The draft is saved here and unchanged.');
    await second.start();
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await expect(dialog.getByRole('status')).toContainText('Published as version 1');
    await dialog.getByRole('button', { name: 'Close' }).click();

    const first = await second.menus();
    const ids = new Map(first.map((menu) => [menu.name, menu.id]));
    expect(first.map(({ name }) => name).toSorted()).toEqual(['Opening hours', 'Welcome']);
    expect(first.find(({ name }) => name === 'Welcome')).toMatchObject({
      option: ['1', '2', '3'],
      destination: ['time_condition||shop-hours', `ivr||${ids.get('Opening hours')!}`, 'voicemail||shop'],
      timeout: 6,
    });
    expect(await owner.ask('portalListIvrs')).toEqual({ ivrs: [] });

    await designer.cardOf('welcome').click();
    await panels.inspector.getByLabel('Then wait for a key').fill('9');
    await panels.button('Publish').click();
    await choose('head-office');
    const changes = dialog.getByRole('region', { name: 'What changes for callers' });
    await expect(changes.getByRole('listitem')).toHaveText([
      'Callers have 9 seconds to press a key instead of 6 seconds.',
    ]);
    await dialog.getByText('As JSON requests').click();
    await expect(dialog.locator('p > code')).toHaveText([/^PUT/, /^PUT/]);
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await expect(dialog.getByRole('status')).toContainText('Published as version 2');
    const then = await second.menus();
    expect(then.map((menu) => [menu.name, menu.id]).toSorted()).toEqual([...ids].toSorted());
    expect(then.find(({ name }) => name === 'Welcome')).toMatchObject({ timeout: 9 });
  });
});
