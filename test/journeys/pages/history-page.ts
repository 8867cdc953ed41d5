import { expect } from '@playwright/test';
import type { Download, Locator, Page } from '@playwright/test';
import { WindowPage } from './window-page.ts';

/** The history. */
export class HistoryPage extends WindowPage {
  readonly search: Locator;
  readonly kind: Locator;
  readonly rows: Locator;
  /** How many events there are, and how many of them are shown. */
  readonly count: Locator;
  /** Offered while what is new is not shown. */
  readonly news: Locator;
  readonly verify: Locator;
  readonly verified: Locator;
  readonly export: Locator;
  readonly details: Locator;
  /** The list, which scrolls inside itself. */
  readonly list: Locator;

  constructor(page: Page) {
    super(page);
    this.search = page.getByRole('searchbox', { name: 'Search the history' });
    this.kind = page.getByRole('combobox', { name: 'Kind of event' });
    this.list = page.getByRole('list', { name: 'Events, newest first' });
    this.rows = this.list.getByRole('listitem');
    this.count = page.getByText(/^(?:[\d,]+ of )?[\d,]+ events?$/).first();
    this.news = page.getByRole('button', { name: /new events?$/ });
    this.verify = page.getByRole('button', { name: 'Verify journal' });
    this.verified = page.getByText(/^Every event up to [\d,]+ verified/);
    this.export = page.getByRole('button', { name: 'Export…' });
    this.details = page.getByRole('dialog');
  }

  /** Opened by its address, in a window that is signed in. */
  async open(baseUrl: string, query = ''): Promise<void> {
    await this.page.goto(`${baseUrl}/history${query}`);
    await expect(this.page).toHaveTitle('History — Rotavox');
  }

  row(place: number): Locator {
    return this.list.locator(`[data-index="${place}"]`);
  }

  /** The words of the rows that are drawn, from the top. */
  async words(): Promise<string[]> {
    return (await this.rows.allInnerTexts()).map((text) => text.split('\n').slice(0, 2).join(': '));
  }

  result(name: 'All' | 'OK' | 'Attention' | 'Failed'): Locator {
    return this.page.getByRole('group', { name: 'Result' }).getByRole('radio', { name, exact: true });
  }

  /** What the open event says under a name. */
  fact(name: string): Locator {
    return this.details
      .locator('dl > div', { has: this.page.getByRole('term').getByText(name, { exact: true }) })
      .getByRole('definition');
  }

  /** Downloads what is shown. */
  async download(format: 'CSV' | 'JSON'): Promise<Download> {
    await this.export.click();
    const downloading = this.page.waitForEvent('download');
    await this.page.getByRole('link', { name: format }).click();
    return downloading;
  }

  async scrollTo(top: number): Promise<void> {
    await this.list.evaluate((list, to) => list.scrollTo({ top: to }), top);
  }
}
