/** The visible speed of a page: how long each frame takes, and when typing takes effect. */
import type { Page } from '@playwright/test';

/** Every frame after the first, in milliseconds since the previous one. */
export type Frames = readonly number[];

export const limitMs = 50;

/** Scrolls a box down by this much in every frame, and from the top again at its end. Without a box nothing is done. */
export function scrollDown(
  page: Page,
  { selector, frames, pixels }: { selector: string | null; frames: number; pixels: number },
): Promise<Frames> {
  return page.evaluate(
    ({ selector: where, frames: count, pixels: by }) =>
      new Promise<number[]>((resolve) => {
        const box = where === null ? null : document.querySelector(where);
        const took: number[] = [];
        let before: number | undefined;
        const frame = (at: number): void => {
          if (before !== undefined) took.push(at - before);
          before = at;
          if (took.length === count) {
            resolve(took);
            return;
          }
          if (box !== null) {
            const isAtEnd = by > 0 && box.scrollTop + box.clientHeight >= box.scrollHeight - 1;
            box.scrollTop = isAtEnd ? 0 : box.scrollTop + by;
          }
          requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      }),
    { selector, frames, pixels },
  );
}

export interface Typed {
  readonly frames: Frames;
  /** From the last letter to the frame after the one with the expected result. */
  readonly tookMs: number;
}

/** How a page is searched, and how it shows that the search is over. */
export interface Searchable {
  readonly field: string;
  /** An element with this text once the rows are found … */
  readonly count: string;
  readonly counted: string;
  /** … and an element that exists as long as a visible row is missing. */
  readonly unread: string | null;
}

/** Types a text like a fast typist and waits until the rows are those that contain it. */
export async function typeText(page: Page, text: string, search: Searchable): Promise<Typed> {
  await page.focus(search.field);
  // Before the first letter: later events and frames are stored under a name in the page.
  await page.evaluate(
    ({ field, count, counted, unread, wanted }) => {
      const input = document.querySelector<HTMLInputElement>(field);
      const frames: number[] = [];
      let before: number | undefined;
      let lastAt = 0;
      input?.addEventListener('input', () => (lastAt = performance.now()));
      const isShown = (): boolean =>
        input?.value === wanted &&
        document.querySelector(count)?.textContent === counted &&
        (unread === null || document.querySelector(unread) === null);
      const seen = new Promise<{ frames: number[]; tookMs: number }>((resolve) => {
        let wasShown = false;
        const frame = (at: number): void => {
          if (before !== undefined) frames.push(at - before);
          before = at;
          if (wasShown) {
            resolve({ frames, tookMs: performance.now() - lastAt });
            return;
          }
          wasShown = isShown();
          requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      });
      Reflect.set(globalThis, 'seenWhileTyping', seen);
    },
    { ...search, wanted: text },
  );
  await page.keyboard.type(text, { delay: 80 });
  return page.evaluate(() => Reflect.get(globalThis, 'seenWhileTyping') as Promise<Typed>);
}

export function longestOf(frames: Frames): number {
  return frames.reduce((longest, ms) => Math.max(longest, ms), 0);
}

export function overLimit(frames: Frames): number {
  return frames.filter((ms) => ms > limitMs).length;
}
