import type { Locator, Page } from '@playwright/test';
import { WindowPage } from './window-page.ts';

/** The settings. */
export class SettingsPage extends WindowPage {
  readonly quietFrom: Locator;
  readonly quietTo: Locator;
  readonly feed: Locator;
  readonly share: Locator;
  readonly port: Locator;
  /** The list of sections beside them. */
  readonly sections: Locator;
  readonly licences: Locator;
  readonly signOut: Locator;
  readonly signOutAll: Locator;

  constructor(page: Page) {
    super(page);
    this.quietFrom = this.setting('Quiet hours').getByLabel('From');
    this.quietTo = this.setting('Quiet hours').getByLabel('To');
    this.share = this.setting('Default rotation policy').getByRole('slider');
    this.port = this.setting('Port').getByRole('textbox');
    const browsers = this.setting('Signed-in browsers');
    this.signOut = browsers.getByRole('button', { name: 'Sign out', exact: true });
    this.signOutAll = browsers.getByRole('button', { name: 'Sign out all browsers' });
    this.sections = page.getByRole('navigation', { name: 'Sections' });
    this.licences = page.getByRole('dialog', { name: 'Packages in Rotavox' });
    this.feed = this.setting('Update feed').getByRole('textbox', { name: 'Address' });
  }

  /** A setting with everything that is said of it. */
  setting(title: string): Locator {
    return this.page.getByRole('group', { name: title, exact: true });
  }

  theme(name: 'Same as system' | 'Light' | 'Dark'): Locator {
    return this.setting('Theme').getByRole('radio', { name });
  }

  switchOf(title: string): Locator {
    return this.setting(title).getByRole('switch', { name: title });
  }

  saved(title: string): Locator {
    return this.setting(title).getByRole('status').filter({ hasText: 'Saved' });
  }
}
