import type { Locator, Page } from '@playwright/test';
import type { TokenStatus } from '../../../src/contract/token/token.ts';
import { WindowPage } from './window-page.ts';

/** The overview. */
export class StatusPage extends WindowPage {
  readonly quit: Locator;
  readonly history: Locator;
  readonly firstSteps: Locator;
  readonly issue: Locator;
  /** What needs attention: the region, and each item in it. */
  readonly attention: Locator;
  readonly needs: Locator;
  readonly lifeline: Locator;
  /** Those that are drawn. */
  readonly rows: Locator;
  readonly tip: Locator;
  readonly now: Locator;

  constructor(page: Page) {
    super(page);
    this.quit = page.getByRole('button', { name: 'Quit Rotavox' });
    this.history = page.getByRole('region', { name: 'History' }).getByRole('listitem');
    this.firstSteps = page.getByRole('region', { name: 'First steps' });
    this.issue = page.getByRole('button', { name: 'Issue a token…' });
    this.attention = page.getByRole('region', { name: 'Needs attention' });
    this.needs = this.attention.getByRole('listitem');
    this.lifeline = page.getByRole('region', { name: 'Lifeline' });
    this.rows = this.lifeline.getByRole('list', { name: 'Lifelines' }).getByRole('link');
    this.tip = this.lifeline.getByRole('tooltip');
    this.now = this.lifeline.getByRole('button', { name: 'Now' });
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

  /** A row by the name of its credential or token. */
  row(name: string): Locator {
    return this.rows.and(this.page.getByRole('link', { name: new RegExp(`^${name}(?:, .*)?\\. `) }));
  }

  /** The heading of one of the three steps, of which one is shown. */
  step(name: string): Locator {
    return this.firstSteps.getByRole('heading', { name });
  }

  /** The token of the first steps that is rotated while one looks. */
  get example(): Locator {
    return this.firstSteps.getByRole('region', { name: 'Example' });
  }

  days(count: 7 | 30 | 90): Locator {
    return this.lifeline.getByRole('radio', { name: `${count} days` });
  }

  /** Where now is drawn, in pixels from the left of the window. */
  async nowX(): Promise<number> {
    const { x, width } = (await this.lifeline
      .locator('span')
      .getByText('Now', { exact: true })
      .boundingBox())!;
    return x + width / 2;
  }

  /** The middle of a row, in pixels from the top of the window. */
  async middleOf(name: string): Promise<number> {
    const { y, height } = (await this.row(name).boundingBox())!;
    return y + height / 2;
  }

  /** How far time is scrolled, in pixels. */
  scrolled(): Promise<number> {
    return this.#box().evaluate((box) => box.scrollLeft);
  }

  /** Where now is drawn, as a share of what is in sight of time. */
  nowShare(): Promise<number> {
    return this.#box().evaluate((box) => {
      const sight = box.getBoundingClientRect();
      const names = box.querySelector('ul')?.getBoundingClientRect().right ?? sight.left;
      const now = [...box.querySelectorAll('span')].find(({ textContent }) => textContent === 'Now');
      const { left, width } = now!.getBoundingClientRect();
      const from = names >= sight.right ? sight.left : names;
      return (left + width / 2 - from) / (sight.left + box.clientWidth - from);
    });
  }

  #box(): Locator {
    return this.lifeline.locator('div', { has: this.page.getByRole('list', { name: 'Lifelines' }) }).nth(1);
  }
}
