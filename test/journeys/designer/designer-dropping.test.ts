import { expect } from '@playwright/test';
import type { IvrDocument } from '../../../src/contract/menu/ivr-draft.ts';
import { emptyDocument } from '../../../src/core/ivr/edit/edit-nodes.ts';
import { wavFile } from '../../fixtures/audio-files.ts';
import { ivrBody } from '../../fixtures/ivr-bodies.ts';
import { templates } from '../../fixtures/ivr-templates.ts';
import type { Owner } from '../owner.ts';
import { DesignerPage } from '../pages/designer-page.ts';
import { showPanels } from '../pages/designer-panels.ts';
import { test } from '../browser/serve-host.ts';

test.use({ viewport: { width: 1440, height: 900 } });

const reception = templates[0]!.document;

async function documentOf(owner: Owner, id: string): Promise<IvrDocument> {
  return (await owner.ask('readDraft', { params: { id } })).document;
}

function menuIn({ nodes }: IvrDocument) {
  const menu = Object.values(nodes).find(({ kind }) => kind === 'menu');
  if (menu?.kind !== 'menu') throw new Error('The draft has no menu.');
  return menu;
}

test('a recording and an SMS template are dragged from the palette to where they are meant', async ({
  page,
  owner,
}) => {
  const { id: recording } = await owner.ask('uploadRecording', {
    query: { name: 'Please hold' },
    body: wavFile(),
  });
  await owner.ask('changeSettings', { body: { sms_templates_enabled: true } });
  await owner.ask('changeSmsTemplates', { body: { set: [{ id: '77', name: 'Our address', text: 'Here' }] } });
  const { id } = await owner.ask('createDraft', { body: { document: reception } });
  const designer = new DesignerPage(page);
  await designer.open(owner.baseUrl, id);
  const menu = designer.menus.first();
  await showPanels(page, 'Parts');

  await designer.part('Please hold').dragTo(menu.getByText('Reception', { exact: true }));
  await expect
    .poll(async () => menuIn(await documentOf(owner, id)).recording)
    .toBe(`recording||${recording}`);
  await designer.part('Please hold').dragTo(menu.getByText('Wrong key', { exact: true }));
  await expect
    .poll(async () => menuIn(await documentOf(owner, id)).invalid_recording)
    .toBe(`recording||${recording}`);

  await designer.part('Our address').dragTo(menu.locator('[data-handle="key-1"]'));
  await expect.poll(async () => menuIn(await documentOf(owner, id)).keys[1]?.sms_template).toBe('77');
  // Where there is no place for it nothing changes.
  const before = await documentOf(owner, id);
  await designer.part('Our address').dragTo(designer.canvas, { targetPosition: { x: 300, y: 60 } });
  await expect(designer.undo).toHaveAccessibleName('Undo: choose an SMS template');
  await designer.undo.click();
  await expect.poll(async () => menuIn(await documentOf(owner, id)).keys[1]?.sms_template).toBeNull();
  expect(menuIn(before).keys[1]?.sms_template).toBe('77');
});

test('a call flow is laid out in columns at a click, and as it was before at the next', async ({
  page,
  owner,
}) => {
  const place = { x: 40, y: 40 };
  const heap = Object.fromEntries(
    Object.values(reception.nodes).map((node) => [node.id, { ...node, place }]),
  );
  const { id } = await owner.ask('createDraft', { body: { document: { ...reception, nodes: heap } } });
  const designer = new DesignerPage(page);
  await designer.open(owner.baseUrl, id);

  await page.getByRole('button', { name: 'Lay out in columns' }).click();
  const boxes = async () =>
    Promise.all((await designer.cards.all()).map(async (card) => (await card.boundingBox())!));
  await expect.poll(async () => overlapping(await boxes())).toEqual([]);
  await designer.undo.click();
  await expect.poll(async () => (await documentOf(owner, id)).nodes).toEqual(heap);
});

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function overlapping(boxes: readonly Box[]): (readonly [Box, Box])[] {
  return boxes.flatMap((one, place) =>
    boxes
      .slice(place + 1)
      .filter(
        (other) =>
          one.x < other.x + other.width &&
          other.x < one.x + one.width &&
          one.y < other.y + other.height &&
          other.y < one.y + one.height,
      )
      .map((other) => [one, other] as const),
  );
}

test('a stored menu that was opened in the designer leads to the same draft again', async ({
  page,
  owner,
}) => {
  const { id } = await owner.ask('portalCreateIvr', { body: ivrBody });
  const designer = new DesignerPage(page);
  const open = page.getByRole('button', { name: 'Open in the designer' });
  await page.goto(`${owner.baseUrl}/ivr/${id}`);
  await open.click();
  await designer.name.fill('Changed in the designer');
  await designer.isSaved();
  const draft = designer.draftId;

  await page.goto(`${owner.baseUrl}/ivr/${id}`);
  await expect(page.getByText('Opens its draft “Changed in the designer”')).toBeVisible();
  await open.click();
  await expect(designer.name).toHaveValue('Changed in the designer');
  expect(designer.draftId).toBe(draft);
  expect((await owner.ask('listDrafts')).drafts).toHaveLength(1);
});

test('a window with something that is not saved yet asks before it is closed', async ({ page, owner }) => {
  const { id } = await owner.ask('createDraft', { body: { document: reception } });
  const designer = new DesignerPage(page);
  await designer.open(owner.baseUrl, id);
  await page.route(`**/portal/ivrs/drafts/${id}`, (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  );
  await designer.name.fill('Not saved yet');
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  expect(page.isClosed()).toBe(false);

  await page.unrouteAll();
  await expect.poll(async () => (await documentOf(owner, id)).name).toBe('Not saved yet');
});

test('a click on a port asks for the destination, Escape closes, and a drag still draws a line', async ({
  page,
  owner,
}) => {
  const { id } = await owner.ask('createDraft', { body: { document: emptyDocument('Ports') } });
  const designer = new DesignerPage(page);
  const ref = page.getByLabel('Number or id');
  await designer.open(owner.baseUrl, id);

  await designer.port(designer.card('Caller'), 'caller').click();
  await expect(designer.picker).toBeFocused();
  await page.keyboard.type('new menu'); // typed letters are no shortcuts
  await page.keyboard.press('Enter');
  await expect(designer.menus).toHaveCount(1);
  const menu = designer.menus.first();

  await designer.port(menu, 'free-1').click();
  await page.keyboard.press('Escape');
  await expect(designer.picker).toHaveCount(0);
  await expect(menu).toBeFocused();
  await expect(menu).toContainText('Menu 1');

  await designer.port(menu, 'free-1').click();
  await page.keyboard.type('101');
  await expect(page.getByRole('option').first()).toHaveText(/^Extension 101/);
  await page.keyboard.press('Enter');
  await expect(menu.locator('[data-handle="key-0"]')).toContainText('Extension 101');

  // A destination that needs an id takes it on its card, without a panel.
  await designer.port(menu, 'invalid').click();
  await page.keyboard.type('new: voicemail');
  await page.keyboard.press('Enter');
  await expect(ref).toBeFocused();
  await page.keyboard.type('77');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Inspector' })).toHaveCount(0);
  await expect(menu.locator('[data-handle="invalid"]')).toContainText('77');

  await designer.drag(designer.port(menu, 'timeout'), designer.card('77'));
  await expect(designer.lines).toHaveCount(4);
});

test('panels fold away and stay so, and menus that are dropped on each other do not cover each other', async ({
  page,
  owner,
}) => {
  const { id } = await owner.ask('createDraft', { body: { document: emptyDocument('Room') } });
  const designer = new DesignerPage(page);
  const parts = page.getByRole('region', { name: 'Parts' });
  const inspector = page.getByRole('region', { name: 'Inspector' });
  await designer.open(owner.baseUrl, id);
  // Closed at first: the canvas has the window.
  for (const panel of [parts, inspector]) await expect(panel).toHaveCount(0);
  await showPanels(page, 'Parts', 'Inspector', 'Problems');
  const caller = (await designer.card('Caller').boundingBox())!;
  const pane = (await designer.canvas.boundingBox())!;
  const onCaller = { x: caller.x - pane.x + 20, y: caller.y - pane.y + 20 };
  for (let count = 1; count <= 3; count += 1) {
    await designer.part('Menu').dragTo(designer.canvas, { targetPosition: onCaller, force: true });
    await expect(designer.menus).toHaveCount(count);
  }
  const boxes = await Promise.all(
    (await designer.cards.all()).map(async (card) => (await card.boundingBox())!),
  );
  expect(overlapping(boxes)).toEqual([]);

  await page.keyboard.press('Escape');
  for (const key of ['a', 'i', 'b']) await page.keyboard.press(key);
  await expect(parts).toHaveCount(0);
  await expect(inspector).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Expand the panel' })).toBeVisible();
  const wide = (await designer.canvas.boundingBox())!;
  expect(wide.width).toBe(1440);
  await page.keyboard.press('f');
  for (const card of await designer.cards.all()) await expect(card).toBeInViewport({ ratio: 0.99 });

  await page.reload();
  await expect(designer.cards.first()).toBeVisible();
  await expect(parts).toHaveCount(0);
  await expect(inspector).toHaveCount(0);
  // A field that is asked for is shown.
  await designer.menus.first().focus();
  await page.keyboard.press('Enter');
  await expect(inspector.getByLabel('Name', { exact: true })).toBeFocused();
});

test('a prompt is uploaded or written in its field, and a text that is too long stops no save', async ({
  page,
  owner,
}) => {
  const { id } = await owner.ask('createDraft', { body: { document: reception } });
  const designer = new DesignerPage(page);
  const inspector = page.getByRole('region', { name: 'Inspector' });
  await designer.open(owner.baseUrl, id);
  await designer.menus.first().focus();
  await page.keyboard.press('Enter');
  await expect(inspector.getByLabel('Name', { exact: true })).toBeFocused();

  await inspector
    .getByLabel('Audio file for “Callers hear”', { exact: true })
    .setInputFiles({ name: 'Good_day.wav', mimeType: 'audio/wav', buffer: Buffer.from(wavFile()) });
  await expect(inspector).toContainText('Good day, ');
  const { recordings } = await owner.ask('listRecordings', {});
  await expect
    .poll(async () => menuIn(await documentOf(owner, id)).recording)
    .toBe(`recording||${recordings[0]!.id}`);

  await inspector.getByLabel('After a wrong key: kind').selectOption('outbound_tts');
  const words = inspector.getByRole('textbox', { name: 'After a wrong key' });
  await expect(words).toHaveAttribute('placeholder', /What should callers hear/);
  await words.fill('Please try\nagain.');
  await expect
    .poll(async () => menuIn(await documentOf(owner, id)).invalid_recording)
    .toBe('outbound_tts||Please try again.');

  const description = inspector.getByLabel('Description', { exact: true });
  await description.fill('x'.repeat(5_000));
  await expect(inspector).toContainText(
    'At most 1,000 characters. This has 5,000. Only the first 2,000 are saved.',
  );
  await inspector.getByLabel('Then wait for a key').fill('200');
  await expect(inspector).toContainText('Enter a whole number from 1 to 120.');
  await inspector.getByLabel('Then wait for a key').fill('9');
  await expect.poll(async () => menuIn(await documentOf(owner, id)).timeout).toBe(9);
  await expect(page.getByText('Saved; long text cut')).toBeVisible();
  await expect(description).toHaveValue('x'.repeat(5_000));
  await description.fill('Short');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();

  await inspector.getByLabel('Name', { exact: true }).fill('Very long '.repeat(500));
  const title = await inspector.getByRole('heading').boundingBox();
  expect(title!.height).toBeLessThan(60);
  await showPanels(page, 'Problems');
  const problem = page.getByRole('region', { name: 'Problems' }).getByRole('button').first();
  expect((await problem.boundingBox())!.height).toBeLessThan(140);
});

test('on a laptop the canvas has the window: a flow that fits is read at 100 %, and no panel covers what is opened', async ({
  page,
  owner,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const { id } = await owner.ask('createDraft', { body: { document: reception } });
  const designer = new DesignerPage(page);
  const inspector = page.getByRole('region', { name: 'Inspector' });
  const name = inspector.getByLabel('Name', { exact: true });
  await designer.open(owner.baseUrl, id);
  await expect(page.getByRole('button', { name: '100 %' })).toBeVisible();
  expect((await designer.canvas.boundingBox())!.width).toBe(1280);
  for (const card of await designer.cards.all()) await expect(card).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('img', { name: 'Overview of the call flow' })).toHaveCount(0);

  // By mouse, then by keyboard.
  await designer.menus.first().click();
  await expect(inspector).toHaveCount(0);
  await designer.card('sales').dblclick();
  await expect(inspector.getByLabel('Kind')).toBeFocused();
  const side = (await inspector.boundingBox())!;
  for (const card of await designer.cards.all())
    await expect
      .poll(async () => {
        const { x, width } = (await card.boundingBox())!;
        return x + width;
      })
      .toBeLessThanOrEqual(side.x);
  await page.getByRole('button', { name: 'Inspector', exact: true }).click();
  await designer.menus.first().focus();
  await page.keyboard.press('Enter');
  await expect(name).toBeFocused();

  // A flow that was fitted is fitted again into what a panel leaves.
  const { id: larger } = await owner.ask('createDraft', { body: { document: templates[1]!.document } });
  await page.setViewportSize({ width: 1440, height: 800 });
  await designer.open(owner.baseUrl, larger);
  await page.getByRole('button', { name: 'Inspector', exact: true }).click();
  await expect(page.getByRole('button', { name: '100 %' })).toBeVisible();
  await showPanels(page, 'Parts');
  const parts = (await page.getByRole('region', { name: 'Parts' }).boundingBox())!;
  for (const card of await designer.cards.all())
    await expect
      .poll(async () => (await card.boundingBox())!.x)
      .toBeGreaterThanOrEqual(parts.x + parts.width);
  await page.keyboard.press('a');
  await expect(page.getByRole('button', { name: '100 %' })).toBeVisible();

  // Larger than the window: the small map is there.
  await page.getByRole('button', { name: 'Zoom in' }).click({ clickCount: 4 });
  await expect(page.getByRole('img', { name: 'Overview of the call flow' })).toBeVisible();
});

test('a letter that means nothing in the designer does nothing there', async ({ page, owner }) => {
  const { id } = await owner.ask('createDraft', { body: { document: reception } });
  const designer = new DesignerPage(page);
  await designer.open(owner.baseUrl, id);
  const { pathname } = new URL(page.url());
  await designer.menus.first().click();
  for (const key of ['n', 'k', 'x', 'g', 't', 'g', 'h']) await page.keyboard.press(key);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toContainText('Add a menu');
  await expect(page.getByRole('dialog')).not.toContainText('Issue a token');
  await page.keyboard.press('Escape');
  expect(new URL(page.url()).pathname).toBe(pathname);
});

test('the header keeps to one line down to 900 px and to two at 360 px, and a menu has what finds no room', async ({
  page,
  owner,
}) => {
  const { id } = await owner.ask('createDraft', { body: { document: reception } });
  const designer = new DesignerPage(page);
  const header = page.getByRole('banner');
  const more = page.getByRole('button', { name: 'More' });
  const item = (name: string) => page.getByRole('menuitem', { name });
  const dialog = page.getByRole('dialog');
  await designer.open(owner.baseUrl, id);
  for (const [width, most] of [
    [1440, 72],
    [1280, 72],
    [900, 72],
    [360, 112],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(async () => (await header.boundingBox())!.height).toBeLessThanOrEqual(most);
    await designer.expectNoSidewaysScroll();
  }
  // By mouse, then by keyboard.
  await page.setViewportSize({ width: 900, height: 800 });
  await more.click();
  await item('Versions').click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(more).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(item('Lay out in columns')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('Delete this draft?');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 360, height: 800 });
  await more.click();
  await item('Show or hide the parts').click();
  const parts = page.getByRole('region', { name: 'Parts' });
  await expect(parts).toBeVisible();
  await page.getByRole('button', { name: 'Close the parts' }).click();
  await expect(parts).toHaveCount(0);

  // Beside both panels nothing of the call flow would be left: each closes the other.
  await page.setViewportSize({ width: 900, height: 800 });
  const inspector = page.getByRole('region', { name: 'Inspector' });
  await showPanels(page, 'Parts');
  await expect(parts).toBeVisible();
  await showPanels(page, 'Inspector');
  await expect(parts).toHaveCount(0);
  await showPanels(page, 'Parts');
  await expect(inspector).toHaveCount(0);
});
