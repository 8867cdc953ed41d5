import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { WindowPage } from '../pages/window-page.ts';

/** The checker as text that a page runs; half as long as the one that Node loads. */
const checker = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Fails when axe finds anything in what a window shows, or it is wider than its window.
 *
 * Once for each theme, and so once for each layout: the narrow one dark, the wide one light.
 */
export async function expectGoodView(window: WindowPage): Promise<void> {
  const { page } = window;
  await page.setViewportSize({ width: 320, height: 800 });
  await window.expectNoSidewaysScroll();
  for (const { width, colorScheme } of [
    { width: 360, colorScheme: 'dark' },
    { width: 1280, colorScheme: 'light' },
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await window.expectNoSidewaysScroll();
    await test.step(`axe, ${width} wide, ${colorScheme}`, () => expectAccessible(page));
  }
}

/**
 * Fails when axe finds anything on the page as it is now: WCAG 2.2 AA and axe's own good practice.
 *
 * In the page alone, for ours have no frames, and without the lists of what passes: a quarter of the time.
 */
export async function expectAccessible(page: Page): Promise<void> {
  // Once for a page: reading this takes as long as a check.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(checker);
  expect(page.frames(), 'the frames of the page').toHaveLength(1);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      readonly axe: { run(context: Document, options: RunOptions): Promise<AxeResults> };
    };
    // What fades in is judged once it is there, for while it does its colors are nobody's choice. Asked once in a while, because a
    // page that waits for nothing but promises draws no frame, and then nothing ends.
    const fading = () =>
      document
        .getAnimations()
        .filter(
          ({ effect, playState }) =>
            playState === 'running' && effect?.getComputedTiming().endTime !== Infinity,
        );
    const limit = performance.now() + 30_000;
    while (fading().length > 0) {
      if (performance.now() > limit) throw new Error(`${fading().length} animations do not end.`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    return violations.map(({ id, help, nodes }) => ({
      id,
      help,
      where: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary ?? ''}`),
    }));
  });
  expect(found, 'what axe finds').toEqual([]);
}
