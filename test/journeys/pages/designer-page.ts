import { expect, type Locator, type Page } from '@playwright/test';
import { WindowPage } from './window-page.ts';

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
  }

  async open(baseUrl: string, id: string): Promise<void> {
    await this.page.goto(`${baseUrl}/ivr/drafts/${id}`);
    await expect(this.name).toBeVisible();
    await expect(this.cards.first()).toBeVisible();
  }

  /** A card by its name. */
  card(name: string): Locator {
    return this.page.getByRole('group', { name: new RegExp(`^(?:[^:.]*: )?${name}(?:$|\\.)`) });
  }

  /** A way out of a card: `1`, `Wrong key`, `Silence`, or the caller's. */
  port(card: Locator, handle: string): Locator {
    return card.locator(`.react-flow__handle[data-handleid="${handle}"]`);
  }

  part(name: string): Locator {
    return this.page.getByRole('region', { name: 'Parts' }).getByRole('button', { name }).first();
  }

  async isSaved(): Promise<void> {
    await expect(this.page.getByText('Saved', { exact: true })).toBeVisible();
  }

  /** Drags with the mouse, in steps as a hand does. */
  async drag(from: Locator, to: Locator | { readonly x: number; readonly y: number }): Promise<void> {
    const start = await middleOf(from);
    const end = 'x' in to ? to : await middleOf(to);
    await this.page.mouse.move(start.x, start.y);
    await this.page.mouse.down();
    await this.page.mouse.move(start.x + 8, start.y + 4, { steps: 2 });
    await this.page.mouse.move(end.x, end.y, { steps: 12 });
    await this.page.mouse.up();
  }
}

async function middleOf(locator: Locator): Promise<{ x: number; y: number }> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error(`There is nothing to take hold of: ${locator.toString()}`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
