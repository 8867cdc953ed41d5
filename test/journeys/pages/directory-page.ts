import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { WindowPage } from './window-page.ts';

/** The extensions or the SMS templates: both are shown alike. */
export class DirectoryPage extends WindowPage {
  readonly rows: Locator;
  readonly search: Locator;
  readonly dialog: Locator;
  readonly add: Locator;
  readonly bring: Locator;
  readonly undo: Locator;
  readonly csv: Locator;

  constructor(page: Page) {
    super(page);
    this.rows = page.getByRole('row').filter({ has: page.getByRole('cell') });
    this.search = page.getByRole('searchbox');
    this.dialog = page.getByRole('dialog');
    this.add = page.getByRole('button', { name: 'Add…' });
    this.bring = page.getByRole('button', { name: 'Import CSV…' });
    this.undo = page.getByRole('button', { name: 'Undo' });
    this.csv = this.dialog.getByRole('textbox', { name: 'Or paste it here' });
  }

  async open(baseUrl: string, which: 'extensions' | 'sms-templates'): Promise<void> {
    await this.page.goto(`${baseUrl}/${which}`);
    const title = which === 'extensions' ? 'Extensions' : 'SMS templates';
    await expect(this.page.getByRole('heading', { level: 1 })).toHaveText(title);
  }

  row(name: string): Locator {
    return this.rows.filter({ hasText: name });
  }

  press(name: string, what: 'Edit' | 'Remove' | 'Save' | 'Cancel'): Locator {
    return this.page.getByRole('button', { name: `${what} ${name}`, exact: true });
  }

  /** A field of the dialog. */
  field(label: 'Id' | 'Name' | 'Text'): Locator {
    return this.dialog.getByRole('textbox', { name: label, exact: true });
  }

  choose(name: string | RegExp): Locator {
    return this.dialog.getByRole('button', { name });
  }
}
