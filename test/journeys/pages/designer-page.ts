import { expect, type Locator, type Page } from '@playwright/test';
import { WindowPage } from './window-page.ts';

interface Spot {
  readonly x: number;
  readonly y: number;
}

/** The designer on one draft, and the dialog that begins a draft. */
export class DesignerPage extends WindowPage {
  readonly newMenu: Locator;
  readonly name: Locator;
  readonly cards: Locator;
  readonly menus: Locator;
  readonly lines: Locator;
  readonly canvas: Locator;
  readonly picker: Locator;
  readonly problems: Locator;
  readonly undo: Locator;
  readonly redo: Locator;
  readonly notice: Locator;
  readonly zoomOut: Locator;
  /** The cards that the call which is played came through. */
  readonly litCards: Locator;

  constructor(page: Page) {
    super(page);
    this.newMenu = page.getByRole('dialog', { name: 'New menu' });
    this.name = page.getByRole('textbox', { name: 'Name of the draft' });
    this.canvas = page.locator('.react-flow__pane');
    this.cards = page.locator('.react-flow__node');
    this.menus = page.locator('.react-flow__node-menu');
    this.lines = page.locator('.react-flow__edge');
    this.picker = page.getByRole('combobox', { name: 'What the line leads to' });
    this.problems = page.getByRole('tab', { name: /problems/i });
    this.undo = page.getByRole('button', { name: /^(Undo|Nothing to undo)/ });
    this.redo = page.getByRole('button', { name: /^(Redo|Nothing to redo)/ });
    this.notice = page.getByRole('alert');
    this.zoomOut = page.getByRole('button', { name: 'Zoom out' });
    this.litCards = this.cards.filter({ has: page.locator(':scope > [data-lit]:not([data-lit="no"])') });
  }

  /** Which draft is shown. */
  get draftId(): string {
    return this.page.url().split('/').at(-1) ?? '';
  }

  async open(baseUrl: string, id: string): Promise<void> {
    await this.page.goto(`${baseUrl}/ivr/drafts/${id}`);
    await expect(this.name).toBeVisible();
    await expect(this.cards.first()).toBeVisible();
  }

  /** Begins an empty draft, from the list of menus. */
  async beginEmpty(): Promise<void> {
    await this.page.getByRole('button', { name: 'New menu' }).click();
    await this.newMenu.getByRole('button', { name: /^Empty/ }).click();
    await expect(this.card('Caller')).toBeVisible();
  }

  /** A card by its name. */
  card(name: string): Locator {
    return this.page.getByRole('group', { name: new RegExp(`^(?:[^:.]*: )?${name}(?:$|\\.)`) });
  }

  /** A card by the id of its node; two may have one name. */
  cardOf(id: string): Locator {
    return this.page.locator(`.react-flow__node[data-id="${id}"]`);
  }

  /** An exit of a card: `1`, `Wrong key`, `Timeout`, or the caller's. */
  port(card: Locator, handle: string): Locator {
    return card.locator(`.react-flow__handle[data-handleid="${handle}"]`);
  }

  /** A line by where it begins. */
  line(id: string, handle: string): Locator {
    return this.page.locator(`.react-flow__edge[data-id="${id}:${handle}"]`);
  }

  part(name: string): Locator {
    return this.page.getByRole('region', { name: 'Parts' }).getByRole('button', { name }).first();
  }

  async isSaved(): Promise<void> {
    await expect(this.page.getByText('Saved', { exact: true })).toBeVisible();
  }

  /** Drags with the mouse, in steps as a hand does. */
  async drag(from: Locator, to: Locator | Spot): Promise<void> {
    await this.pull(await middleOf(from), 'x' in to ? to : await middleOf(to));
  }

  /** Takes a line by its end and lets it go where nothing is. */
  async dragLineEnd(id: string, handle: string): Promise<void> {
    const pane = await this.#freePart();
    const end = this.line(id, handle).locator('.react-flow__edgeupdater-target');
    await this.drag(end, { x: pane.x + 60, y: pane.y + pane.height - 100 });
  }

  /** Drags a part of the palette to a place of the drawing, and answers the id of the card that it became. */
  async drop(part: string, place: Spot): Promise<string> {
    const known = await this.cards.count();
    const { x, y, pane } = await this.#onCanvas(place);
    await this.part(part).dragTo(this.canvas, { targetPosition: { x: x - pane.x, y: y - pane.y } });
    await expect(this.cards).toHaveCount(known + 1);
    const id = await this.page.locator('.react-flow__node.selected').getAttribute('data-id');
    if (id === null) throw new Error(`${part} was dropped, and no card is selected.`);
    return id;
  }

  /** Makes room for a drawing as large as this: zooms out until it fits, and drags the ground to its upper left corner. */
  async makeRoom({ x, y, width, height }: Spot & { readonly width: number; readonly height: number }) {
    const pane = await this.#freePart();
    const edge = 24;
    // The buttons for the zoom cover the lower edge.
    const below = 64;
    const fitting = Math.min((pane.width - 2 * edge) / width, (pane.height - edge - below) / height);
    for (let { zoom } = await this.#view(); zoom > Math.max(fitting, 0.2); { zoom } = await this.#view()) {
      await this.zoomOut.click();
      await expect.poll(async () => (await this.#view()).zoom).toBeLessThan(zoom);
    }
    const corner = await this.#onCanvas({ x, y });
    const by = { x: pane.x + edge - corner.x, y: pane.y + edge - corner.y };
    const from = { x: pane.x + pane.width / 2, y: pane.y + 20 };
    await this.pull(from, { x: from.x + by.x, y: from.y + by.y }, 'middle');
  }

  /** From one place of the window to another with a button held, in steps as a hand does. */
  async pull(start: Spot, end: Spot, button: 'left' | 'middle' = 'left'): Promise<void> {
    await this.page.mouse.move(start.x, start.y);
    await this.page.mouse.down({ button });
    await this.page.mouse.move(start.x + 8, start.y + 4, { steps: 2 });
    await this.page.mouse.move(end.x, end.y, { steps: 12 });
    await this.page.mouse.up({ button });
  }

  /** What the panels that are open leave of the canvas. */
  async #freePart() {
    const pane = await boxOf(this.canvas);
    const region = (name: string) => this.page.getByRole('region', { name }).boundingBox({ timeout: 100 });
    const [parts, inspector] = await Promise.all(
      ['Parts', 'Inspector'].map((name) => region(name).catch(() => null)),
    );
    const below = await boxOf(this.page.getByRole('tablist'));
    const left = parts ? parts.x + parts.width : pane.x;
    const right = inspector?.x ?? pane.x + pane.width;
    return { x: left, y: pane.y, width: right - left, height: below.y - pane.y };
  }

  /** Where a place of the drawing is in the window. */
  async #onCanvas(place: Spot) {
    const pane = await boxOf(this.canvas);
    const { x, y, zoom } = await this.#view();
    return { x: pane.x + x + place.x * zoom, y: pane.y + y + place.y * zoom, pane };
  }

  /** What of the drawing is in sight. */
  async #view(): Promise<Spot & { readonly zoom: number }> {
    const style = (await this.page.locator('.react-flow__viewport').getAttribute('style')) ?? '';
    const [, x, y, zoom] = /translate\((-?[\d.]+)px, (-?[\d.]+)px\) scale\(([\d.]+)\)/.exec(style) ?? [];
    return { x: Number(x), y: Number(y), zoom: Number(zoom) };
  }
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (box === null) throw new Error(`There is nothing to take hold of: ${locator.toString()}`);
  return box;
}

async function middleOf(locator: Locator): Promise<Spot> {
  const box = await boxOf(locator);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
