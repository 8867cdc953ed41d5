import type { Locator, Page } from '@playwright/test';
import type { TokenStatus } from '../../../src/contract/token.ts';
import { WindowPage } from './window-page.ts';

/** The overview. */
export class StatusPage extends WindowPage {
  readonly quit: Locator;
  readonly history: Locator;
  readonly firstSteps: Locator;
  readonly issue: Locator;

  constructor(page: Page) {
    super(page);
    this.quit = page.getByRole('button', { name: 'Quit Rotavox' });
    this.history = page.getByRole('region', { name: 'History' }).getByRole('listitem');
    this.firstSteps = page.getByRole('region', { name: 'Issue your first token' });
    this.issue = page.getByRole('button', { name: 'Issue a token…' });
  }

  /** The number shown beside a status. */
  tokens(status: TokenStatus): Locator {
    return this.page
      .getByRole('region', { name: 'API tokens' })
      .locator('div', { has: this.page.getByRole('term').filter({ hasText: status }) })
      .getByRole('definition');
  }

  fact(name: string): Locator {
    return this.page
      .getByRole('region', { name: 'Service' })
      .locator('div', { has: this.page.getByRole('term').filter({ hasText: name }) })
      .getByRole('definition');
  }
}
