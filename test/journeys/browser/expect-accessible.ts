import AxeBuilder from '@axe-core/playwright';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

/**
 * Fails when axe finds anything on the page as it is now: WCAG 2.2 AA and axe's own good practice.
 *
 * In the page alone, for ours have no frames, and without the lists of what is well: a quarter of the time.
 */
export async function expectAccessible(page: Page): Promise<void> {
  expect(page.frames(), 'the frames of the page').toHaveLength(1);
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await axe.analyze();
  const found = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary ?? ''}`),
  }));
  expect(found, 'what axe finds').toEqual([]);
}
