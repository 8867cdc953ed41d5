import { expect } from '@playwright/test';
import { emptyDocument } from '../../../src/core/ivr/edit/edit-nodes.ts';
import { wavFile } from '../../fixtures/audio-files.ts';
import { templates } from '../../fixtures/ivr-templates.ts';
import { leadTo } from '../../../src/renderer/ivr/designer/inspector/destinations.ts';
import { expectGoodView } from '../browser/expect-good-view.ts';
import { test } from '../browser/designer-fixtures.ts';
import { showPanels } from '../pages/designer-panels.ts';

test.use({ viewport: { width: 1280, height: 800 } });

const reception = templates[0]!.document;

test('parts are added without a panel: a double click, a key and a line each open the list, and letters are typing', async ({
  designer,
  panels,
  owner,
}) => {
  const { page } = designer;
  const { keyboard } = page;
  const list = page.getByRole('combobox', { name: 'Part to add' });
  const { id } = await owner.ask('createDraft', { body: { document: emptyDocument('Parts') } });
  await designer.open(owner.baseUrl, id);
  const pane = (await designer.canvas.boundingBox())!;

  // By mouse: a menu takes its name, and Tab leads to its prompt.
  await designer.canvas.dblclick({ position: { x: 700, y: 160 } });
  await expect(list).toBeFocused();
  await keyboard.type('menu');
  await keyboard.press('Enter');
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await keyboard.type('Antenna');
  await keyboard.press('Tab');
  await keyboard.type('Press 1.');
  await keyboard.press('Enter');
  const menu = designer.card('Antenna');
  await expect(menu).toContainText('Press 1.');
  await expect(designer.line('caller', 'caller')).toHaveCount(1);

  await designer.canvas.dblclick({ position: { x: 200, y: 560 } });
  await keyboard.type('101');
  await keyboard.press('Enter');
  await expect(designer.card('Extension 101')).toBeFocused();
  await expect(designer.lines).toHaveCount(1);

  // A key that is pulled onto empty canvas.
  await designer.drag(designer.port(menu, 'free-1'), { x: pane.x + 1100, y: pane.y + 560 });
  await keyboard.type('102');
  await keyboard.press('Enter');
  await expect(menu.locator('[data-handle="key-0"]')).toContainText('102');

  // By keyboard; Escape adds nothing.
  const count = await designer.cards.count();
  await keyboard.press('Escape');
  await keyboard.press('e');
  await expect(list).toBeFocused();
  await keyboard.type('nib');
  await keyboard.press('Escape');
  await expect(designer.cards).toHaveCount(count);
  await keyboard.press('e');
  await keyboard.type('new: voice');
  await keyboard.press('Enter');
  await expect(page.getByLabel('Number or id')).toBeFocused();
  await keyboard.type('77');
  await keyboard.press('Enter');
  await expect(designer.card('77')).toBeFocused();
  await expect(designer.cards).toHaveCount(count + 1);
  await expect(panels.inspector).toHaveCount(0);
});

test('a part that was dropped takes the typing for its value', async ({ designer, panels, owner }) => {
  const { page } = designer;
  await owner.ask('changeExtensions', { body: { set: [{ id: '101', name: 'Asha Rao' }] } });
  const { id } = await owner.ask('createDraft', { body: { document: emptyDocument('Dropped') } });
  await designer.open(owner.baseUrl, id);
  await showPanels(page, 'Parts');
  await designer.drop('Menu', { x: 400, y: -200 });
  await page.keyboard.type('Night');
  await page.keyboard.press('Enter');
  await expect(designer.card('Night')).toBeFocused();
  await designer.drop('Extension', { x: 400, y: 300 });
  await page.keyboard.type('asha rao'); // a name of the directory is as good
  await page.keyboard.press('Enter');
  await expect(designer.card('Asha Rao')).toBeFocused();
  await designer.undo.click();
  await expect(designer.card('Not chosen')).toBeVisible();
  await expect(panels.inspector).toHaveCount(0);
});

test('a prompt is edited on its card: Enter and leaving save in one step to undo, Escape changes nothing', async ({
  designer,
  panels,
  owner,
}) => {
  const { page } = designer;
  const { keyboard } = page;
  const { id: recording } = await owner.ask('uploadRecording', {
    query: { name: 'Please hold' },
    body: wavFile(),
  });
  const { id } = await owner.ask('createDraft', { body: { document: reception } });
  const prompt = async () => {
    const { document } = await owner.ask('readDraft', { params: { id } });
    return Object.values(document.nodes).find((node) => node.kind === 'menu')?.recording;
  };
  await designer.open(owner.baseUrl, id);
  const menu = designer.menus.first();
  const field = menu.getByLabel('Callers hear', { exact: true });
  const before = (await prompt())!;

  // By mouse.
  await menu.getByText(/^“Welcome/).dblclick();
  await expect(field).toHaveValue(before.split('||')[1]!);
  await keyboard.type('nkg: press 1');
  await keyboard.press('Escape');
  await expect(field).toHaveCount(0);
  await expect(menu).toBeFocused();
  await expect(designer.undo).toHaveAccessibleName('Nothing to undo');
  await menu.getByText(/^“Welcome/).dblclick();
  await keyboard.type('Press 1');
  await keyboard.press('Enter');
  await expect(menu).toContainText('“Press 1”');
  await expect.poll(prompt).toBe('outbound_tts||Press 1');
  await menu.getByText('“Press 1”').dblclick();
  await keyboard.type('Left by a click');
  await designer.canvas.click({ position: { x: 60, y: 60 } });
  await expect.poll(prompt).toBe('outbound_tts||Left by a click');
  await designer.undo.click();
  await expect.poll(prompt).toBe('outbound_tts||Press 1');

  // By keyboard: the name of a recording is chosen.
  await menu.focus();
  await keyboard.press('Space');
  await designer.tabTo(menu.getByRole('button', { name: /^Edit the prompt/ }));
  await expectGoodView(designer);
  await page.setViewportSize({ width: 1280, height: 800 });
  await designer.tabTo(menu.getByRole('button', { name: /^Edit the prompt/ }));
  await keyboard.press('Enter');
  await expect(field).toBeFocused();
  await keyboard.type('please hold');
  await keyboard.press('Enter');
  await expect.poll(prompt).toBe(`recording||${recording}`);
  await expect(panels.inspector).toHaveCount(0);
});

test('an extension that is not in the directory is added where it is seen: on its card, in its field, and in the list', async ({
  designer,
  panels,
  owner,
}) => {
  const { page } = designer;
  const { keyboard } = page;
  const drawn = ['101', '102', '103'].reduce(
    (document, ref, place) =>
      leadTo(
        document,
        { kind: 'free-key', menu: reception.caller.to!, key: `${place + 6}` },
        {
          kind: 'new-end',
          type: 'extension',
          ref,
        },
      ).document,
    reception,
  );
  const { id } = await owner.ask('createDraft', { body: { document: drawn } });
  const names = async () => (await owner.ask('listExtensions')).extensions;
  await designer.open(owner.baseUrl, id);
  const add = { name: 'Add to the directory' };

  // By mouse, on the card.
  const card = designer.card('Extension 101');
  await expect(card).toContainText('Not in directory');
  await card.getByRole('button', add).click();
  await page.getByLabel('Name of extension 101').fill('Anna');
  await card.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(designer.card('Anna')).toBeFocused();
  await expect(designer.card('Anna')).not.toContainText('Not in directory');

  // By keyboard: on a selected card Tab leads to it, and Escape adds nothing.
  const other = designer.card('Extension 102');
  await other.focus();
  await keyboard.press('Space');
  await keyboard.press('Tab');
  await expect(other.getByRole('button', add)).toBeFocused();
  await keyboard.press('Enter');
  await expect(page.getByLabel('Name of extension 102')).toBeFocused();
  await keyboard.press('Enter');
  await expect(other.getByRole('alert')).not.toBeEmpty();
  await keyboard.press('Escape');
  await expect(other).toBeFocused();
  expect(await names()).toHaveLength(1);

  // In the inspector, below the field.
  await keyboard.press('Enter');
  await panels.inspector.getByRole('button', add).press('Enter');
  await keyboard.type('Ben');
  await keyboard.press('Enter');
  await expect(panels.inspector.getByLabel('Id', { exact: true })).toBeFocused();
  await expect(panels.inspector).not.toContainText('is not in the list of extensions');

  // In the list of the checks.
  await showPanels(page, 'Problems');
  const finding = page
    .getByRole('region', { name: 'Problems' })
    .getByRole('listitem')
    .filter({ hasText: 'Extension 103' });
  await finding.getByRole('button', add).press('Enter');
  await keyboard.type('Cleo');
  await keyboard.press('Enter');
  await expect(finding).toHaveCount(0);
  expect(await names()).toEqual([
    { id: '101', name: 'Anna' },
    { id: '102', name: 'Ben' },
    { id: '103', name: 'Cleo' },
  ]);
});
