import type { Locator, Page } from '@playwright/test';
import { WindowPage } from './window-page.ts';

/** The list of credentials, and the dialog that adds one. */
export class CredentialsPage extends WindowPage {
  readonly first: Locator;
  readonly list: Locator;
  readonly rows: Locator;
  readonly search: Locator;
  readonly add: Locator;
  readonly change: Locator;
  readonly dialog: Locator;
  readonly name: Locator;
  readonly token: Locator;
  readonly address: Locator;
  readonly test: Locator;
  readonly submit: Locator;

  constructor(page: Page) {
    super(page);
    this.first = page.getByRole('region', { name: 'Add your first credential' });
    this.list = page.getByRole('list', { name: 'Credentials', exact: true });
    this.rows = this.list.locator('> li, [role="listitem"][data-index]');
    this.search = page.getByRole('searchbox', { name: 'Search credentials' });
    this.add = page.getByRole('button', { name: 'Add credential…' });
    this.dialog = page.getByRole('dialog');
    this.change = this.dialog.getByRole('button', { name: 'Change…' });
    this.name = this.dialog.getByRole('textbox', { name: 'Name', exact: true });
    this.token = this.dialog.getByLabel('Token', { exact: true });
    this.address = this.dialog.getByRole('textbox', { name: 'Address of the service' });
    this.test = this.dialog.getByRole('button', { name: 'Test connection' });
    this.submit = this.dialog.getByRole('button', { name: 'Add credential', exact: true });
  }

  async open(baseUrl: string): Promise<void> {
    await this.page.goto(`${baseUrl}/credentials`);
  }

  row(name: string): Locator {
    return this.rows.filter({ has: this.page.getByRole('link', { name, exact: true }) });
  }

  /** A quick action of a row. */
  action(name: string, label: string): Locator {
    return this.row(name).getByRole('button', { name: label });
  }

  /** A service in the list with which the dialog begins: the first one whose name contains this. */
  service(name: string): Locator {
    return this.dialog.getByRole('option', { name }).first();
  }

  pauseFor(label: string): Locator {
    return this.dialog.getByRole('button', { name: label });
  }
}
