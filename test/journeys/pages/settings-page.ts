import type { Locator, Page } from '@playwright/test';
import { WindowPage } from './window-page.ts';

/** The settings. */
export class SettingsPage extends WindowPage {
  readonly quietFrom: Locator;
  readonly quietTo: Locator;
  readonly feed: Locator;

  constructor(page: Page) {
    super(page);
    this.quietFrom = this.setting('Quiet hours').getByLabel('From');
    this.quietTo = this.setting('Quiet hours').getByLabel('To');
    this.feed = this.setting('Update feed').getByRole('textbox', { name: 'Address' });
  }

  /** A setting with everything that is said of it. */
  setting(title: string): Locator {
    return this.page.getByRole('group', { name: title });
  }

  switchOf(title: string): Locator {
    return this.setting(title).getByRole('switch', { name: title });
  }

  saved(title: string): Locator {
    return this.setting(title).getByRole('status').filter({ hasText: 'Saved' });
  }
}
