import { DesignerPage } from '../pages/designer-page.ts';
import { DesignerPanels } from '../pages/designer-panels.ts';
import { SecondService } from '../second-service.ts';
import { test as base } from './serve-host.ts';

interface Fixtures {
  designer: DesignerPage;
  panels: DesignerPanels;
  /** Another service of its own, where menus can be published. */
  second: SecondService;
}

/** A browser that is signed in, the designer in it, and a second service beside the first. */
export const test = base.extend<Fixtures>({
  designer: async ({ page }, use) => {
    const designer = new DesignerPage(page);
    await use(designer);
    designer.expectNoViolations();
  },
  panels: async ({ page }, use) => {
    await use(new DesignerPanels(page));
  },
  second: async ({ hosts }, use) => {
    const second = new SecondService(hosts);
    await second.start();
    await use(second);
    await second.clearAway();
  },
});
