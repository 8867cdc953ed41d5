import { expect, type Locator } from '@playwright/test';
import type { IvrDraft, NodeId } from '../../../src/contract/menu/ivr-draft.ts';
import { emptyDocument } from '../../../src/core/ivr/edit/edit-nodes.ts';
import { ivrBody } from '../../fixtures/ivr-bodies.ts';
import { templates } from '../../fixtures/ivr-templates.ts';
import type { Owner } from '../owner.ts';
import { DesignerPage } from '../pages/designer-page.ts';
import { DesignerPanels, showPanels } from '../pages/designer-panels.ts';
import { Mouse } from '../pages/mouse.ts';
import { test } from './serve-host.ts';

test.use({ viewport: { width: 1440, height: 900 } });

const reception = templates[0]!.document;

/** The draft that a window shows, as the service has it. */
function draftOf(owner: Owner, { page }: DesignerPage): Promise<IvrDraft> {
  return owner.ask('readDraft', { params: { id: page.url().split('/').at(-1) ?? '' } });
}

test('a menu is built by mouse, wired, undone, redone, and there again after a reload', async ({
  page,
  owner,
}) => {
  await owner.ask('changeExtensions', { body: { set: [{ id: '101', name: 'Asha Rao' }] } });
  const designer = new DesignerPage(page);
  await page.goto(`${owner.baseUrl}/ivr`);
  await page.getByRole('button', { name: 'New menu' }).click();
  await designer.newMenu.getByRole('button', { name: /^Empty/ }).click();
  await expect(designer.card('Caller')).toBeVisible();

  // A line from the caller into empty space asks what to put there.
  const caller = (await designer.card('Caller').boundingBox())!;
  await designer.drag(designer.port(designer.card('Caller'), 'caller'), {
    x: caller.x - 120,
    y: caller.y - 250,
  });
  await designer.picker.fill('menu');
  await page.keyboard.press('Enter');
  await expect(designer.menus).toHaveCount(1);
  await expect(designer.lines).toHaveCount(1);

  // A part from the palette, then a line from an unused key to it.
  await showPanels(page, 'Parts');
  const pane = (await designer.canvas.boundingBox())!;
  await designer.part('Asha Rao').dragTo(designer.canvas, { targetPosition: { x: pane.width - 500, y: 90 } });
  await expect(designer.card('Asha Rao')).toBeVisible();
  const menu = designer.menus.first();
  await designer.drag(designer.port(menu, 'free-3'), designer.card('Asha Rao'));
  await expect(designer.lines).toHaveCount(2);
  await expect(menu.locator('[data-handle="key-0"]')).toContainText('Asha Rao');
  // Wrong keys and silence go there too.
  await designer.drag(designer.port(menu, 'invalid'), designer.card('Asha Rao'));
  await designer.drag(designer.port(menu, 'timeout'), designer.card('Asha Rao'));
  await expect(designer.lines).toHaveCount(4);

  await page.keyboard.press('Control+z');
  await expect(designer.lines).toHaveCount(3);
  await designer.undo.click();
  await expect(designer.lines).toHaveCount(2);
  await page.keyboard.press('Control+Shift+Z');
  await designer.redo.click();
  await expect(designer.lines).toHaveCount(4);

  await designer.name.fill('Front desk');
  await designer.isSaved();
  const saved = await draftOf(owner, designer);
  expect(saved.document.name).toBe('Front desk');

  await page.reload();
  await expect(designer.name).toHaveValue('Front desk');
  await expect(designer.lines).toHaveCount(4);
  expect((await draftOf(owner, designer)).revision).toBe(saved.revision);
});

test(
  'a menu with a submenu, prompts and two scenarios is published with at most 40 actions of the mouse',
  { tag: '@long' },
  async ({ page, owner }) => {
    const designer = new DesignerPage(page);
    const panels = new DesignerPanels(page);
    const { inspector, phone, dialog } = panels;
    const mouse = new Mouse(page);
    const name = inspector.getByLabel('Name', { exact: true });
    const say = async (label: string, words: string): Promise<void> => {
      await mouse.click(inspector.getByRole('textbox', { name: label, exact: true }));
      await mouse.type(words);
    };
    const lead = async (card: Locator, handle: string, to: RegExp): Promise<void> => {
      await mouse.click(designer.port(card, handle));
      await mouse.click(page.getByRole('option', { name: to }));
    };
    await page.goto(`${owner.baseUrl}/ivr`);

    await mouse.click(page.getByRole('button', { name: 'New menu' }));
    await mouse.click(designer.newMenu.getByRole('button', { name: /^Empty/ }));
    await lead(designer.card('Caller'), 'caller', /^New menu/);
    await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
    await mouse.type('Reception');
    await mouse.click(panels.button('Inspector'));
    await say('Callers hear', 'Press 1 or 2.');
    const reception = designer.card('Reception');
    await mouse.click(designer.port(reception, 'free-1'));
    await mouse.type('101');
    await mouse.click(page.getByRole('option', { name: /^Extension 101/ }));
    await lead(reception, 'invalid', /^Extension 101/);
    await lead(reception, 'timeout', /^Hang up/);
    await say('After a wrong key', 'Not a choice.');
    await say('Before a retry', 'Press a key.');
    await lead(reception, 'free-2', /^New menu/);

    await mouse.click(designer.card('Menu 1'));
    await mouse.click(name);
    await name.selectText();
    await mouse.type('Opening hours');
    await say('Callers hear', 'Nine to five.');
    await lead(designer.card('Opening hours'), 'free-1', /^Extension 101/);
    for (const card of await designer.cards.all()) await expect(card).toBeInViewport({ ratio: 0.99 });

    await mouse.click(panels.button('Play'));
    await mouse.click(panels.key('1'));
    await mouse.click(phone.getByRole('button', { name: 'Save', exact: true }));
    await mouse.click(phone.getByRole('button', { name: 'Call again' }));
    await mouse.click(panels.key('2'));
    await mouse.click(panels.key('1'));
    await mouse.click(phone.getByRole('button', { name: 'Save', exact: true }));
    await mouse.click(panels.button('Publish'));
    await mouse.click(dialog.getByRole('button', { name: 'Publish', exact: true }));
    await expect(dialog.getByRole('status')).toContainText('Published as version 1');
    expect(mouse.count).toBeLessThanOrEqual(40);
    await expect(dialog).toContainText(/exten => 100,1,Goto\(rotavox_reception_[0-9a-f]{8},s,1\)/);

    const { document } = await draftOf(owner, designer);
    expect(Object.keys(document.scenarios)).toHaveLength(2);
    const { ivrs } = await owner.ask('portalListIvrs', {});
    expect(ivrs.map(({ name: stored }) => stored).toSorted()).toEqual(['Opening hours', 'Reception']);
  },
);

test(
  'cards are moved, selected together, copied into another draft and deleted',
  { tag: '@long' },
  async ({ page, owner, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const from = await owner.ask('createDraft', { body: { document: reception } });
    const into = await owner.ask('createDraft', { body: { document: emptyDocument('Other') } });
    const designer = new DesignerPage(page);
    await designer.open(owner.baseUrl, from.id);
    const sales = designer.card('sales');

    const before = from.document.nodes['sales' as NodeId]!.place;
    const box = (await sales.boundingBox())!;
    await designer.drag(sales, { x: box.x + box.width / 2 + 60, y: box.y + box.height / 2 - 40 });
    await designer.isSaved();
    const moved = (await draftOf(owner, designer)).document.nodes['sales' as NodeId]!.place;
    expect(moved.x).toBeGreaterThan(before.x);
    expect(moved.y).toBeLessThan(before.y);

    // A box that touches everything, then less one of them. Not by the edges: there the drawing moves while the button is held.
    const pane = (await designer.canvas.boundingBox())!;
    const inside = 48;
    await designer.pull(
      { x: pane.x + inside, y: pane.y + inside },
      { x: pane.x + pane.width - inside, y: pane.y + pane.height - inside },
    );
    await expect(page.locator('.react-flow__node.selected')).toHaveCount(6);
    await page.keyboard.down('Shift');
    await designer.card('accounts').click();
    await page.keyboard.up('Shift');
    await expect(page.locator('.react-flow__node.selected')).toHaveCount(5);
    await page.keyboard.press('Control+c');

    await designer.open(owner.baseUrl, into.id);
    await page.keyboard.press('Control+v');
    await expect(designer.cards).toHaveCount(5);
    await expect(designer.lines).toHaveCount(5); // those to what was not copied, and the caller's, stayed behind
    await page.keyboard.press('Control+v');
    await expect(designer.cards).toHaveCount(9);
    await page.keyboard.press('Delete');
    await expect(designer.cards).toHaveCount(5);

    await page.evaluate(() => navigator.clipboard.writeText('{"name":"Reception"}'));
    await page.keyboard.press('Control+v');
    await expect(designer.cards).toHaveCount(5);
  },
);

test('a line is led elsewhere and taken away by its end', { tag: '@long' }, async ({ page, owner }) => {
  const { id } = await owner.ask('createDraft', { body: { document: reception } });
  const designer = new DesignerPage(page);
  await designer.open(owner.baseUrl, id);
  const menu = designer.menus.first();
  await designer.drag(designer.port(menu, 'key-0'), designer.card('support'));
  await expect(menu.locator('[data-handle="key-0"]')).toContainText('support');
  await designer.isSaved();
  expect((await draftOf(owner, designer)).document.nodes['reception' as NodeId]).toMatchObject({
    keys: [{ key: '1', to: 'support' }, {}, {}, {}],
  });

  const end = designer.page.locator('[data-id="reception:key-2"] .react-flow__edgeupdater-target');
  const pane = (await designer.canvas.boundingBox())!;
  await designer.drag(end, { x: pane.x + 60, y: pane.y + pane.height - 100 });
  await expect(menu.locator('[data-handle="key-2"]')).toContainText('no destination');
  await expect(menu).toContainText('has no destination');
});

test('by keyboard alone cards are reached, moved, opened, duplicated, deleted and undone', async ({
  page,
  owner,
}) => {
  const { id } = await owner.ask('createDraft', { body: { document: reception } });
  const designer = new DesignerPage(page);
  await designer.open(owner.baseUrl, id);
  await designer.card('Caller').focus();
  await page.keyboard.press('ArrowRight');
  await expect(designer.menus.first()).toBeFocused();
  await page.keyboard.press('Space');
  await expect(designer.menus.first()).toHaveClass(/selected/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await designer.isSaved();
  const moved = (await draftOf(owner, designer)).document.nodes['reception' as NodeId]!;
  expect(moved.place.y).toBe(reception.nodes['reception' as NodeId]!.place.y + 48);

  await page.keyboard.press('Control+d');
  await expect(designer.menus).toHaveCount(2);
  await page.keyboard.press('Control+z');
  await expect(designer.menus).toHaveCount(1);
  await designer.menus.first().focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Inspector' }).locator(':focus')).toBeVisible();

  await designer.card('accounts').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Delete');
  await expect(designer.cards).toHaveCount(5);
  await page.keyboard.press('Control+z');
  await expect(designer.cards).toHaveCount(6);
});

test('two windows on one draft: the idle one follows, one with edits is told, and nothing is lost', async ({
  page,
  owner,
  context,
}) => {
  const { id } = await owner.ask('createDraft', { body: { document: reception } });
  const designer = new DesignerPage(page);
  await designer.open(owner.baseUrl, id);
  const other = new DesignerPage(await context.newPage());
  await other.open(owner.baseUrl, id);

  await designer.name.fill('Front desk');
  await designer.isSaved();
  await expect(other.name).toHaveValue('Front desk');
  await expect(other.page.getByText('Changed elsewhere, up to date')).toBeVisible();

  // They see each other, and where.
  const signs = other.page.getByRole('list', { name: 'Also open here' });
  await expect(signs).toHaveText(/Another window has this call flow open/);
  await designer.card('accounts').focus();
  await page.keyboard.press('Space');
  await expect(signs).toHaveText(/Another window is at “accounts”/);
  await expect(other.page.getByText('Another window', { exact: true })).toBeVisible();

  // Edits of different cards go together, though both are made before either is saved.
  await other.page.route('**/portal/ivrs/drafts/*', (route) =>
    route.request().method() === 'GET' ? route.continue() : route.abort(),
  );
  await other.page.keyboard.press('m');
  await expect(other.menus).toHaveCount(2);
  await expect(other.page.getByText(/^Not saved/)).toBeVisible();
  await designer.name.fill('Reception');
  await designer.isSaved();
  await expect(other.name).toHaveValue('Reception');
  await other.page.unrouteAll();
  await other.isSaved();
  await expect(designer.menus).toHaveCount(2);
  await expect(other.notice).toHaveCount(0);

  // Both change it at once: the other's save does not get through before the first one's does.
  await other.page.route('**/portal/ivrs/drafts/*', (route) =>
    route.request().method() === 'GET' ? route.continue() : route.abort(),
  );
  const wait = (window: DesignerPage): Locator => window.page.getByLabel('Then wait for a key');
  for (const window of [other, designer]) {
    if (!(await wait(window).isVisible())) await showPanels(window.page, 'Inspector');
    await window.menus.first().focus();
    await window.page.keyboard.press('Space');
  }
  await other.name.fill('Mine');
  await wait(other).fill('11');
  await expect(other.page.getByText(/^Not saved/)).toBeVisible();
  await designer.name.fill('Theirs');
  await wait(designer).fill('12');
  await designer.page.getByLabel('Description').fill('Only theirs');
  await designer.isSaved();
  await other.page.unrouteAll();
  await expect(other.notice).toContainText('changed elsewhere');
  await expect(other.name).toHaveValue('Mine');

  // Each place, and what both made of it, in words; what only one of them edited is no question.
  await other.page.getByRole('button', { name: 'Compare and choose' }).click();
  const dialog = other.page.getByRole('dialog', { name: 'Choose between two versions' });
  const places = dialog.getByRole('listitem').filter({ has: other.page.getByRole('heading') });
  await expect(places).toHaveCount(2);
  await expect(places.nth(0)).toContainText('The draft is called “Mine” instead of “Reception”.');
  await expect(places.nth(0)).toContainText('The draft is called “Theirs” instead of “Reception”.');
  await expect(places.nth(1)).toContainText(/Menu “.*”: then wait for a key/u);
  await expect(places.nth(1)).toContainText('Callers have 11 seconds to press a key instead of');
  await expect(places.nth(1)).toContainText('Callers have 12 seconds to press a key instead of');
  other.expectNoViolations();
  await expect(dialog.getByRole('radio', { name: 'Keep all of mine' })).toBeChecked();

  // What is saved there meanwhile is not overwritten by a choice that did not know of it.
  await dialog.getByRole('radio', { name: 'Take all of theirs' }).check();
  await wait(designer).fill('13');
  await designer.isSaved();
  await expect(dialog).toContainText('The other version has changed while you were choosing.');
  await expect(places.nth(1)).toContainText('Callers have 13 seconds to press a key instead of');
  await expect(dialog.getByRole('radio', { name: 'Keep all of mine' })).toBeChecked();

  await places.nth(1).getByRole('radio', { name: 'Take theirs' }).check();
  await dialog.getByRole('button', { name: 'Use this' }).click();
  await expect(other.notice).toHaveCount(0);
  for (const window of [other, designer]) {
    await expect(window.name).toHaveValue('Mine');
    await expect(wait(window)).toHaveValue('13');
    await expect(window.page.getByLabel('Description')).toHaveValue('Only theirs');
  }
  // Undo goes back to what was edited here, and leaves what only the other one has edited.
  await other.undo.click();
  await expect(wait(other)).toHaveValue('11');
  await expect(wait(designer)).toHaveValue('11');
  await expect(designer.page.getByLabel('Description')).toHaveValue('Only theirs');
});

test(
  'a save of its own does not download the draft again, a save of another window does',
  { tag: '@long' },
  async ({ page, owner }) => {
    const { id } = await owner.ask('createDraft', { body: { document: reception } });
    const designer = new DesignerPage(page);
    await designer.open(owner.baseUrl, id);
    let downloads = 0;
    page.on('request', (request) => {
      if (request.method() === 'GET' && request.url().endsWith(`/drafts/${id}`)) downloads += 1;
    });
    for (const name of ['One', 'Two', 'Three']) {
      await designer.name.fill(name);
      await designer.isSaved();
    }
    const { revision, document } = await draftOf(owner, designer);
    expect(document.name).toBe('Three');
    await owner.ask('saveDraft', {
      params: { id },
      body: { revision, document: { ...document, name: 'Four' } },
    });
    await expect(designer.name).toHaveValue('Four');
    expect(downloads).toBe(1);
  },
);

test(
  'what was changed on both sides can be kept as a draft of its own',
  { tag: '@long' },
  async ({ page, owner }) => {
    const { id } = await owner.ask('createDraft', { body: { document: reception } });
    const designer = new DesignerPage(page);
    await designer.open(owner.baseUrl, id);
    await page.route('**/portal/ivrs/drafts/*', (route) =>
      route.request().method() === 'GET' ? route.continue() : route.abort(),
    );
    await designer.name.fill('Mine');
    await expect(page.getByText(/^Not saved/)).toBeVisible();
    await owner.ask('saveDraft', {
      params: { id },
      body: { revision: 1, document: { ...reception, name: 'Theirs' } },
    });
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Keep mine as a copy' }).click();
    await expect(designer.name).toHaveValue('Mine (copy)');
    expect((await owner.ask('readDraft', { params: { id } })).document.name).toBe('Theirs');
    expect((await owner.ask('listDrafts')).drafts).toHaveLength(2);
  },
);

test(
  'a stored menu is opened in the designer, and a draft is deleted',
  { tag: '@long' },
  async ({ page, owner }) => {
    const { id } = await owner.ask('portalCreateIvr', { body: ivrBody });
    const designer = new DesignerPage(page);
    await page.goto(`${owner.baseUrl}/ivr/${id}`);
    await page.getByRole('button', { name: 'Open in the designer' }).click();
    await expect(designer.name).toHaveValue(ivrBody.name);
    await expect(designer.menus).toHaveCount(1);

    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Delete this draft' }).click();
    await page.getByRole('button', { name: 'Delete the draft' }).click();
    await expect(page.getByRole('region', { name: 'Drafts' })).toContainText('No drafts yet');
    expect((await owner.ask('listDrafts')).drafts).toHaveLength(0);
  },
);
