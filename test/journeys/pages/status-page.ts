import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import type { TokenStatus } from '../../../src/contract/token.ts';

/** The status window as a person finds their way in it: by names and headings, never by class names. */
export class StatusPage {
  readonly page: Page;
  readonly sign: Locator;
  readonly alert: Locator;
  readonly retry: Locator;
  readonly quit: Locator;
  readonly history: Locator;
  readonly firstSteps: Locator;
  readonly #violations: string[] = [];

  constructor(page: Page) {
    this.page = page;
    this.sign = page.getByRole('status').first();
    this.alert = page.getByRole('alert');
    this.retry = page.getByRole('button', { name: 'Retry' });
    this.quit = page.getByRole('button', { name: 'Quit Rotavox' });
    this.history = page.getByRole('region', { name: 'History' }).getByRole('listitem');
    this.firstSteps = page.getByRole('region', { name: 'Issue your first token' });
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) this.#violations.push(message.text());
    });
    page.on('pageerror', (error) => this.#violations.push(error.message));
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

  copy(what: string): Locator {
    return this.page.getByRole('button', { name: `Copy ${what}` });
  }

  async expectRunning(): Promise<void> {
    await expect(this.sign).toHaveText('Running');
  }

  /** Fails when anything was refused by the Content-Security-Policy or thrown by the page. */
  expectNoViolations(): void {
    expect(this.#violations, 'what the policy refused or the page threw').toEqual([]);
  }

  /** Fails when the page is wider than its window. */
  async expectNoSidewaysScroll(): Promise<void> {
    const excess = await this.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(excess, 'pixels of sideways scroll').toBe(0);
  }
}
