import type { Browser, Page } from '@playwright/test';
import { type Frames, scrollDown, type Searchable, type Typed, typeText } from './frames.ts';
import { traceMainThread } from './main-thread.ts';

/** What is measured on a page. */
export interface Plan {
  /** The box that is scrolled; null if there is none. */
  readonly selector: string | null;
  /** The text that is typed, and how the page shows the result. */
  readonly sought: readonly string[];
  readonly searchFor: (text: string) => Searchable;
}

export interface Seen {
  readonly scrolled: Frames;
  readonly typed: readonly Typed[];
  /** What the page's main thread computed, task by task. */
  readonly taskCpuMs: readonly number[];
}

/** Opens a page and, once it is ready, measures it: from the top to the end, some of it slowly, then text by text. */
export async function lookAt(browser: Browser, open: (page: Page) => Promise<Plan>): Promise<Seen> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  try {
    const plan = await open(page);
    const { value, taskCpuMs } = await traceMainThread(page, () => scrollAndType(page, plan));
    return { ...value, taskCpuMs };
  } finally {
    await page.close();
  }
}

async function scrollAndType(
  page: Page,
  { selector, sought, searchFor }: Plan,
): Promise<Omit<Seen, 'taskCpuMs'>> {
  const slowly = await scrollDown(page, { selector, frames: 300, pixels: 100 });
  const quickly = await scrollDown(page, { selector, frames: 600, pixels: 10_000 });
  const typed: Typed[] = [];
  for (const text of sought) {
    const search = searchFor(text);
    await page.fill(search.field, '');
    typed.push(await typeText(page, text, search));
  }
  return { scrolled: [...slowly, ...quickly], typed };
}
