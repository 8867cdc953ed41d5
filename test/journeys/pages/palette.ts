import type { Locator, Page } from '@playwright/test';

/** The palette over whatever a window shows, and the sheet of shortcuts. */
export class Palette {
  readonly page: Page;
  readonly dialog: Locator;
  readonly field: Locator;
  readonly options: Locator;
  readonly outcome: Locator;
  readonly button: Locator;
  readonly sheet: Locator;

  constructor(page: Page) {
    this.page = page;
    this.dialog = page.getByRole('dialog', { name: 'Command palette' });
    this.field = this.dialog.getByRole('combobox');
    this.options = this.dialog.getByRole('option');
    this.outcome = this.dialog.getByRole('status');
    this.button = page.getByRole('button', { name: 'Search', exact: true });
    this.sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  }

  /** The command that Enter would do. */
  get chosen(): Locator {
    return this.dialog.locator('[role=option][data-focused]');
  }

  async open(): Promise<void> {
    await this.page.keyboard.press('Control+K');
  }
}
