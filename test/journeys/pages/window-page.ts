import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';

/** What every window has, as a person finds their way in it: by names and headings, never by class names. */
export class WindowPage {
  readonly page: Page;
  readonly sign: Locator;
  readonly alert: Locator;
  readonly retry: Locator;
  readonly #violations: string[] = [];

  constructor(page: Page) {
    this.page = page;
    this.sign = page.getByRole('banner').getByRole('status');
    // An alert is there before it has anything to say, or it could not be heard.
    this.alert = page.getByRole('alert').filter({ hasText: /./ });
    this.retry = page.getByRole('button', { name: 'Retry' });
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) this.#violations.push(message.text());
    });
    page.on('pageerror', (error) => this.#violations.push(error.message));
  }

  /** What the Content-Security-Policy refused and what the page threw, so far. */
  get violations(): readonly string[] {
    return this.#violations;
  }

  copy(what: string): Locator {
    return this.page.getByRole('button', { name: `Copy ${what}` });
  }

  async expectRunning(): Promise<void> {
    await expect(this.sign).toHaveText('Running');
  }

  /** As in a browser that keeps none of the scripts: what is not loaded yet is asked for. */
  async forgetScripts(): Promise<void> {
    // Playwright leaves the cache out where it routes.
    await this.page.route('**/assets/*', (route) => route.continue());
  }

  /** Fails when anything was refused by the Content-Security-Policy or thrown by the page. */
  expectNoViolations(): void {
    expect(this.#violations, 'what the policy refused or the page threw').toEqual([]);
  }

  /** Fails when the page is wider than its window. */
  async expectNoSidewaysScroll(): Promise<void> {
    // What lies over the page finds its place a moment after the window has another size.
    await expect
      .poll(
        () =>
          this.page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          ),
        'pixels of sideways scroll',
      )
      .toBe(0);
  }

  /** Presses Tab until the focus is on something; for journeys without a mouse. */
  async tabTo(target: Locator): Promise<void> {
    // While its list is open, a combobox hides everything else from assistive technology, and so from roles.
    const openList = this.page.locator('[role=combobox][aria-expanded=true]');
    for (let presses = 0; presses < 60; presses += 1) {
      const isHidden = (await openList.count()) > 0 && (await target.count()) === 0;
      if (!isHidden && (await target.evaluate((element) => element === document.activeElement))) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to ${target.toString()}`);
  }
}
