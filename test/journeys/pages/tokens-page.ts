import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import type { TokenStatus } from '../../../src/contract/token/token.ts';
import { WindowPage } from './window-page.ts';

/** The table of tokens. */
export class TokensPage extends WindowPage {
  readonly search: Locator;
  readonly category: Locator;
  readonly order: Locator;
  readonly issue: Locator;
  readonly table: Locator;
  readonly rows: Locator;
  readonly menu: Locator;

  constructor(page: Page) {
    super(page);
    this.search = page.getByRole('searchbox', { name: 'Search the tokens' });
    this.category = page.getByRole('combobox', { name: 'Category' });
    this.order = page.getByRole('combobox', { name: 'Order' });
    this.issue = page.getByRole('button', { name: 'Issue a token…' });
    this.table = page.getByRole('table', { name: 'Tokens' });
    this.rows = this.table.locator('[data-index]');
    this.menu = page.getByRole('menu');
  }

  async open(baseUrl: string, search = ''): Promise<void> {
    await this.page.goto(`${baseUrl}/tokens${search}`);
  }

  chip(status: TokenStatus): Locator {
    return this.page.getByRole('group', { name: 'Status' }).getByRole('button', { name: status });
  }

  generations(which: 'Newest only' | 'With previous tokens'): Locator {
    return this.page.getByRole('radio', { name: which });
  }

  row(name: string): Locator {
    return this.rows.filter({ hasText: name });
  }

  head(column: string): Locator {
    return this.table.getByRole('columnheader', { name: column });
  }

  /** The names in the table from the top, as far as they are drawn. */
  async expectNames(...names: string[]): Promise<void> {
    await expect(this.rows.getByRole('cell').nth(1)).toBeVisible();
    await expect
      .poll(() =>
        this.rows.evaluateAll((rows) =>
          rows.map((row) => row.querySelectorAll('[role="cell"]')[1]?.textContent),
        ),
      )
      .toEqual(names);
  }

  /** Opens the menu of a row with the mouse and chooses from it. */
  async choose(name: string, item: string): Promise<void> {
    await this.row(name)
      .getByRole('button', { name: `Actions for ${name}` })
      .click();
    await this.menu.getByRole('menuitem', { name: item }).click();
  }
}
