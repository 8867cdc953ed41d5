import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';

/** The dialog that issues a token: its form, and then the value. */
export class IssueDialog {
  readonly page: Page;
  readonly dialog: Locator;
  readonly name: Locator;
  readonly category: Locator;
  readonly otherDays: Locator;
  readonly addresses: Locator;
  readonly rotate: Locator;
  readonly credentialName: Locator;
  readonly submit: Locator;
  readonly alert: Locator;
  readonly value: Locator;
  readonly copy: Locator;
  readonly copyCommand: Locator;
  readonly close: Locator;
  readonly tryAgain: Locator;

  constructor(page: Page) {
    this.page = page;
    this.dialog = page.getByRole('dialog');
    this.name = this.dialog.getByRole('textbox', { name: 'Name', exact: true });
    this.category = this.dialog.getByRole('combobox', { name: 'Category' });
    this.otherDays = this.dialog.getByRole('textbox', { name: 'Days, from 1 to 90' });
    this.addresses = this.dialog.getByRole('textbox', { name: 'Allowed addresses' });
    this.rotate = this.dialog.getByRole('checkbox', { name: 'Rotate automatically' });
    this.credentialName = this.dialog.getByRole('textbox', { name: 'Credential name' });
    this.submit = this.dialog.getByRole('button', { name: 'Issue token' });
    this.alert = this.dialog.getByRole('alert').filter({ hasText: /./ });
    this.value = this.dialog.getByText(/^rvx_\w+$/);
    this.copyCommand = this.dialog.getByRole('button', { name: 'Copy command' });
    this.copy = this.dialog.getByRole('button', { name: 'Copy the token' });
    this.close = this.dialog.getByRole('button', { name: 'Close' });
    this.tryAgain = this.dialog.getByRole('button', { name: 'Try again' });
  }

  validity(label: string): Locator {
    return this.dialog.getByRole('radio', { name: label, exact: true });
  }

  access(label: 'Full access' | 'Only these:'): Locator {
    return this.dialog.getByRole('radio', { name: label });
  }

  scope(scope: string): Locator {
    return this.dialog.getByRole('checkbox', { name: scope });
  }

  /** Says whether the token is rotated automatically, once it is known whether it could be stored. */
  async setRotated(isRotated: boolean): Promise<void> {
    await expect(this.rotate).toBeEnabled();
    await this.rotate.setChecked(isRotated);
  }

  /** Fails unless the dialog has ended and took the value with it. */
  async expectGone(value: string): Promise<void> {
    await expect(this.dialog).toBeHidden();
    // The page takes it away in the step back that ends the dialog.
    await expect.poll(() => this.page.content()).not.toContain(value);
  }
}
