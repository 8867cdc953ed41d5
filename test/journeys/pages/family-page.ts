import type { Locator, Page } from '@playwright/test';
import { WindowPage } from './window-page.ts';

/** The page of a token that no credential rotates, and what that of a credential shares with it. */
export class FamilyPage extends WindowPage {
  readonly heading: Locator;
  readonly present: Locator;
  readonly generations: Locator;
  readonly inheritance: Locator;
  readonly settings: Locator;
  readonly history: Locator;
  readonly outcome: Locator;

  constructor(page: Page) {
    super(page);
    this.heading = page.getByRole('heading', { level: 1 });
    this.present = page.getByRole('region', { name: 'Current token' });
    this.generations = page.getByRole('region', { name: 'Token history' }).getByRole('listitem');
    this.inheritance = page.getByRole('region', { name: 'Inheritance' });
    this.settings = this.inheritance.getByRole('table');
    this.history = page.getByRole('list', { name: 'History of the token' }).getByRole('listitem');
    this.outcome = this.present.getByRole('status');
  }

  async open(baseUrl: string, familyId: string, generation = ''): Promise<void> {
    await this.page.goto(`${baseUrl}/tokens/family/${familyId}${generation}`);
  }

  generation(number: number): Locator {
    return this.generations.filter({ hasText: new RegExp(`Token ${number} [A-Z]`) });
  }

  compare(number: number): Locator {
    return this.page.getByRole('button', { name: `Compare token ${number} with the issue` });
  }

  /** The cells of a setting, from the issue on. */
  setting(name: string): Locator {
    return this.settings.getByRole('row', { name }).getByRole('cell');
  }

  act(words: 'Suspend…' | 'Resume…' | 'Blacklist…'): Locator {
    return this.present.getByRole('button', { name: words });
  }

  fact(name: string): Locator {
    return this.present
      .locator('dl > div', { has: this.page.getByRole('term').filter({ hasText: name }) })
      .getByRole('definition');
  }
}
