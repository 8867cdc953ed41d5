import { expect } from '@playwright/test';
import type { IvrDocument } from '../../../src/contract/ivr-draft.ts';
import { wavFile } from '../../fixtures/audio-files.ts';
import { ivrBody } from '../../fixtures/ivr-bodies.ts';
import { templates } from '../../fixtures/ivr-templates.ts';
import type { Owner } from '../owner.ts';
import { DesignerPage } from '../pages/designer-page.ts';
import { test } from './serve-host.ts';

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
  await designer.part('Our address').dragTo(designer.canvas, { targetPosition: { x: 60, y: 60 } });
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
  await expect
    .poll(async () => (await documentOf(owner, id)).name, { timeout: 30_000 })
    .toBe('Not saved yet');
});
