import { expect, type ElectronApplication, type Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { IvrDocument, type NodeId } from '../../../src/contract/menu/ivr-draft.ts';
import { templates } from '../../fixtures/ivr-templates.ts';
import { fileVault } from '../browser/credential-fixtures.ts';
import { DesignerPage } from '../pages/designer-page.ts';
import { DesignerPanels } from '../pages/designer-panels.ts';
import { SecondService } from '../second-service.ts';
import { test as base } from './launch-app.ts';
import type { Panel } from './panel.ts';

interface Fixtures {
  second: SecondService;
}

const test = base.extend<Fixtures>({
  start: async ({ start }, use) => {
    const vault = { ROTAVOX_VAULT: 'file', ROTAVOX_VAULT_PASSPHRASE_FILE: fileVault.passphraseFile };
    await use({ ...start, env: { ...start.env, ...vault } });
  },
  second: async ({ services }, use) => {
    const second = new SecondService(services);
    await second.start();
    await use(second);
    await second.clearAway();
  },
});

test.skip(process.platform !== 'linux', 'the panel and its message bus are those of Linux');

const reception = templates[0]!.document;

test(
  'in a window of its own a template is changed by mouse, played, published elsewhere and saved as a file, and is there after a restart',
  { tag: '@long' },
  async ({ panel, start, launch, owner, second }, testInfo) => {
    const hidden = { ...start, args: [...start.args, '--hidden'] };
    const app = await launch(hidden);
    const page = await openFromTray(panel, app);
    await second.isKeptBy(owner, 'head-office', ['ivr:read', 'ivr:write']);
    const designer = new DesignerPage(page);
    const panels = new DesignerPanels(page);

    const { id } = await owner.ask('createDraft', { body: { document: reception } });
    await page.getByRole('link', { name: 'Reception' }).click();
    await expect(designer.cards).toHaveCount(6);
    const card = designer.cardOf('support');
    await card.hover(); // waits until it stands still
    const { x, y } = (await card.boundingBox())!;
    await designer.drag(card, { x, y });
    const read = () => owner.ask('readDraft', { params: { id } });
    await expect
      .poll(async () => placeOfSupport(await read()))
      .not.toEqual(placeOfSupport({ document: reception }));
    const drawn = await read();

    await panels.button('Play').click();
    await panels.phone.getByRole('button', { name: /^Steps/ }).click();
    await panels.key('7').click();
    await panels.key('2').click();
    await expect(panels.phone).toContainText('The call reached');
    await expect(panels.phone).toContainText('Queue or department support');
    await panels.phone.getByRole('button', { name: 'Close the phone' }).click();

    await publish(panels);
    await expect(panels.dialog.getByRole('status')).toContainText('Published as version 1');
    await panels.dialog.getByRole('button', { name: 'Close' }).click();
    const [stored] = await second.menus();
    expect(stored).toMatchObject({ name: 'Reception', option: ['1', '2', '3', '0'] });

    const file = testInfo.outputPath('Reception.rotavox.json');
    await saveDownloadsAs(app, file);
    await panels.button('Export').click();
    await panels.dialog.getByRole('button', { name: /^Save/ }).click();
    await expect.poll(() => exportedDocument(file)).toEqual(drawn.document);
    designer.expectNoViolations();
    await app.close();

    const again = await launch(hidden);
    const then = new DesignerPage(await openFromTray(panel, again));
    await then.page.getByRole('link', { name: 'Reception' }).click();
    await expect(then.cards).toHaveCount(6);
    const kept = await owner.ask('readDraft', { params: { id: then.draftId } });
    expect(kept.document).toEqual(drawn.document);
    const panelsThen = new DesignerPanels(then.page);
    await publish(panelsThen);
    await expect(panelsThen.dialog.getByRole('status')).toContainText('Published as version 2');
    expect((await second.menus()).map(({ id }) => id)).toEqual([stored!.id]);
    then.expectNoViolations();
  },
);

function placeOfSupport({ document }: { readonly document: IvrDocument }) {
  return document.nodes['support' as NodeId]!.place;
}

/** Presses “Phone menus” in the tray, and answers the window that comes. */
async function openFromTray(panel: Panel, app: ElectronApplication): Promise<Page> {
  await expect.poll(() => panel.labels()).toContain('Phone menus');
  const opened = app.firstWindow();
  await panel.click('Phone menus');
  const page = await opened;
  await expect.poll(() => new URL(page.url()).pathname).toBe('/ivr');
  await expect(page.getByRole('heading', { name: 'Phone menus' })).toBeVisible();
  return page;
}

async function publish(panels: DesignerPanels): Promise<void> {
  await panels.button('Publish').click();
  const { dialog } = panels;
  await dialog.getByLabel('Where to').selectOption('at head-office');
  await dialog.getByRole('button', { name: 'Publish' }).click();
}

/** Answers the question of the system's dialog beforehand. */
async function saveDownloadsAs(app: ElectronApplication, file: string): Promise<void> {
  await app.evaluate(({ BrowserWindow }, path) => {
    const [window] = BrowserWindow.getAllWindows();
    window!.webContents.session.on('will-download', (_event, item) => item.setSavePath(path));
  }, file);
}

/** The drawing in a file; what is wrong with it while it is not whole. */
function exportedDocument(file: string): unknown {
  try {
    const { document } = JSON.parse(readFileSync(file, 'utf8')) as { document: unknown };
    return IvrDocument.parse(document);
  } catch (error) {
    return String(error);
  }
}
