import type { Locator, Page } from '@playwright/test';

/** The dialog that suspends, resumes or blacklists a token. */
export class MoveDialog {
  readonly dialog: Locator;
  readonly consequences: Locator;
  readonly reason: Locator;
  readonly cancel: Locator;
  readonly alert: Locator;

  constructor(page: Page) {
    this.dialog = page.getByRole('dialog');
    this.consequences = this.dialog.getByRole('listitem');
    this.reason = this.dialog.getByRole('textbox', { name: 'Reason' });
    this.cancel = this.dialog.getByRole('button', { name: 'Cancel' });
    this.alert = this.dialog.getByRole('alert').filter({ hasText: /./ });
  }

  submit(words: 'Suspend token' | 'Resume token' | 'Blacklist permanently'): Locator {
    return this.dialog.getByRole('button', { name: words });
  }
}
