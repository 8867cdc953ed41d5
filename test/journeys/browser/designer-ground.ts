import { expect } from '@playwright/test';
import { DesignerPage } from '../pages/designer-page.ts';
import { DesignerPanels } from '../pages/designer-panels.ts';
import { SecondService } from '../second-service.ts';
import { fileVault } from './credential-ground.ts';
import { test as base } from './serve-host.ts';

interface Fixtures {
  designer: DesignerPage;
  panels: DesignerPanels;
  /** Another service of its own, where menus can be published. */
  second: SecondService;
}

/** A browser that is signed in, the designer in it, and a second service beside the first. */
export const test = base.extend<Fixtures>({
  serverEnv: fileVault,
  contextOptions: { reducedMotion: 'reduce' },
  designer: async ({ page, owner }, use) => {
    const designer = new DesignerPage(page);
    await page.goto(await owner.signInLink());
    await expect(page).toHaveTitle('Rotavox');
    await use(designer);
    designer.expectNoViolations();
  },
  panels: async ({ page }, use) => {
    await use(new DesignerPanels(page));
  },
  second: async ({}, use) => {
    const second = new SecondService();
    await second.start();
    await use(second);
    await second.clearAway();
  },
});
