import type { Locator, Page } from '@playwright/test';
import { WindowPage } from './window-page.ts';

/** The phone menus' own window: the list, and one menu. */
export class MenusPage extends WindowPage {
  readonly list: Locator;
  readonly firstMenu: Locator;
  readonly name: Locator;
  readonly versions: Locator;
  readonly body: Locator;
  readonly back: Locator;

  constructor(page: Page) {
    super(page);
    this.list = page.getByRole('region', { name: 'Stored menus' }).getByRole('listitem');
    this.firstMenu = page.getByRole('region', { name: 'Create your first phone menu' });
    this.name = page.getByRole('heading', { level: 1 });
    this.versions = page.getByRole('region', { name: 'Versions' }).getByRole('button');
    this.body = page.getByRole('region', { name: 'JSON body' }).locator('pre');
    this.back = page.getByRole('link', { name: 'All phone menus' });
  }

  key(name: string): Locator {
    return this.page
      .getByRole('region', { name: 'Keys' })
      .getByRole('listitem')
      .filter({ has: this.page.getByRole('img', { name: `Key ${name}`, exact: true }) });
  }

  /** What a caller meets, step by step. */
  way(title: string): Locator {
    return this.page
      .getByRole('region', { name: 'What the caller hears' })
      .locator('div', { has: this.page.getByRole('heading', { name: title }) })
      .last()
      .getByRole('listitem');
  }
}
