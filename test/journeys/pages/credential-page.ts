import { expect, type Locator, type Page } from '@playwright/test';
import type { DeliveryTarget } from '../../../src/contract/credential/credential.ts';
import { WindowPage } from './window-page.ts';

const kinds: Record<DeliveryTarget['kind'], string> = {
  dotenv: 'Dotenv file',
  setting: 'Settings file',
  file: 'File',
  keychain: 'Keychain entry',
  hook: 'Command',
};

/** One credential. */
export class CredentialPage extends WindowPage {
  readonly state: Locator;
  readonly trouble: Locator;
  readonly rotation: Locator;
  readonly rotateNow: Locator;
  readonly pause: Locator;
  readonly resume: Locator;
  readonly steps: Locator;
  readonly planned: Locator;
  readonly tokenCard: Locator;
  readonly copyToken: Locator;
  readonly testConnection: Locator;
  readonly bring: Locator;
  readonly who: Locator;
  readonly targets: Locator;
  readonly addMenu: Locator;
  readonly dialog: Locator;
  readonly dryRun: Locator;
  readonly policy: Locator;
  readonly share: Locator;
  readonly recipes: Locator;
  readonly recipe: Locator;
  readonly events: Locator;
  readonly remove: Locator;

  constructor(page: Page) {
    super(page);
    this.state = page.getByRole('main').getByRole('status').first();
    this.trouble = page.getByRole('main').getByRole('alert').filter({ hasText: /./ });
    this.rotation = page.getByRole('region', { name: 'State', exact: true });
    this.rotateNow = this.rotation.getByRole('button', { name: /Rotat/ }).first();
    this.pause = this.rotation.getByRole('button', { name: 'Pause…' });
    this.resume = this.rotation.getByRole('button', { name: 'Resume' });
    this.steps = page.getByRole('list', { name: 'Steps of the rotation' }).getByRole('listitem');
    this.planned = page.getByRole('list', { name: 'Planned rotations' }).getByRole('listitem');
    this.tokenCard = page.getByRole('region', { name: 'Token', exact: true });
    this.copyToken = this.rotation.getByRole('button', { name: 'Copy token' });
    this.testConnection = this.tokenCard.getByRole('button', { name: 'Test connection' });
    this.bring = this.tokenCard.getByRole('button', { name: 'Enter a new token…' });
    this.who = page.getByRole('list', { name: 'Who has the token' }).getByRole('listitem');
    this.targets = this.who.filter({ has: page.getByRole('button', { name: /^Remove…/ }) });
    this.addMenu = page.getByRole('button', { name: 'Add…' });
    this.dialog = page.getByRole('dialog');
    this.dryRun = this.dialog.getByRole('region', { name: 'What will change' });
    this.policy = page.getByRole('region', { name: 'Rotation policy' });
    this.share = this.policy.getByRole('slider');
    this.recipes = page.getByRole('dialog', { name: 'Use it in a shell' });
    this.recipe = this.recipes.locator('pre');
    this.events = page.getByRole('list', { name: 'Latest events' }).getByRole('listitem');
    this.remove = page.getByRole('button', { name: 'Remove credential…' });
  }

  async open(baseUrl: string, name: string): Promise<void> {
    await this.page.goto(`${baseUrl}/credentials/${name}`);
    // All of it: what comes later would move what is pressed away from under the mouse.
    await this.expectRunning();
    await expect(this.events.first()).toBeVisible();
  }

  /** Chooses from "Add…" who is to have the token. */
  async add(
    what:
      | 'Target…'
      | 'Tool that asks for it…'
      | 'App with a token of its own…'
      | 'Rule for apps…'
      | 'Lines for a shell…',
  ): Promise<void> {
    const item = this.page.getByRole('menuitem', { name: what });
    // A scroll ends a menu, also the one that brought the button into sight and is reported late.
    await expect(async () => {
      if (!(await item.isVisible())) await this.addMenu.click();
      await item.click({ timeout: 5_000 });
    }).toPass();
  }

  /** Presses "Rotate now" and confirms. */
  async rotate(): Promise<void> {
    await this.rotateNow.click();
    await this.press('Rotate now').click();
  }

  /** A field of the dialog that is open. */
  field(label: string): Locator {
    return this.dialog.getByLabel(label, { exact: true });
  }

  /** A button of the dialog that is open. */
  press(label: string | RegExp): Locator {
    return this.dialog.getByRole('button', { name: label });
  }

  targetKind(kind: DeliveryTarget['kind']): Locator {
    return this.dialog.getByRole('radio', { name: kinds[kind], exact: true });
  }
}
