import type { Locator, Page } from '@playwright/test';
import { WindowPage } from './window-page.ts';

/** Opens panels of the designer, by their buttons, which are closed at first. */
export async function showPanels(
  page: Page,
  ...names: readonly ('Parts' | 'Inspector' | 'Problems')[]
): Promise<void> {
  for (const name of names) {
    if (name === 'Problems') await page.getByRole('button', { name: 'Expand the panel' }).click();
    else await page.getByRole('button', { name, exact: true, pressed: false }).click();
  }
}

/** The panels around the canvas of the designer: inspector, outline, phone, and what is known of the drawing below. */
export class DesignerPanels extends WindowPage {
  readonly inspector: Locator;
  readonly outline: Locator;
  readonly phone: Locator;
  readonly problems: Locator;
  readonly scenarios: Locator;
  readonly json: Locator;
  readonly dialog: Locator;

  constructor(page: Page) {
    super(page);
    this.inspector = page.getByRole('region', { name: 'Inspector' });
    this.outline = page.getByRole('region', { name: 'Outline' });
    this.phone = page.getByRole('region', { name: 'Phone' });
    this.problems = page.getByRole('region', { name: 'Problems' }).getByRole('listitem').getByRole('button');
    this.scenarios = page.getByRole('region', { name: 'Scenarios' });
    this.json = page.getByRole('region', { name: 'JSON' });
    this.dialog = page.getByRole('dialog');
  }

  tab(name: RegExp): Locator {
    return this.page.getByRole('tab', { name });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) });
  }

  /** A menu's heading in the outline. */
  outlined(menu: string): Locator {
    return this.outline
      .getByRole('heading', { level: 3 })
      .getByRole('button', { name: new RegExp(`^${menu}`) });
  }

  /** A key of the phone. */
  key(name: string): Locator {
    return this.phone.getByRole('button', { name: new RegExp(`^Key ${name}(,|$)`) });
  }

  get log(): Locator {
    return this.phone.getByRole('log').getByRole('listitem');
  }

  /** Looks for something in a field that offers it, and takes the first that is found. */
  async choose(field: Locator, text: string): Promise<void> {
    await field.focus();
    await this.page.keyboard.type(text);
    await this.page.keyboard.press('Enter');
  }

  /** Types over the field that has the focus. */
  async typeOver(text: string): Promise<void> {
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.type(text);
  }
}
