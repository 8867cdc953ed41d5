/** What a person does with the lifeline, frame by frame. */
import type { Page } from '@playwright/test';
import type { Frames } from './frames.ts';

/** Scrolls a box sideways by this much in every frame, and back from its ends. Without a box nothing is done. */
export function panBox(
  page: Page,
  { selector, frames, pixels }: { selector: string | null; frames: number; pixels: number },
): Promise<Frames> {
  return page.evaluate(
    ({ selector: where, frames: count, pixels: by }) =>
      new Promise<number[]>((resolve) => {
        const box = where === null ? null : document.querySelector(where);
        const took: number[] = [];
        let before: number | undefined;
        let step = by;
        const frame = (at: number): void => {
          if (before !== undefined) took.push(at - before);
          before = at;
          if (took.length === count) {
            resolve(took);
            return;
          }
          if (box !== null) {
            const wanted = box.scrollLeft + step;
            box.scrollLeft = wanted;
            if (Math.abs(box.scrollLeft - wanted) > 1) step = -step;
          }
          requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      }),
    { selector, frames, pixels },
  );
}

/** Presses one choice after the other, and measures this many frames after each. */
export function pressInTurn(
  page: Page,
  { choices, rounds, framesEach }: { choices: readonly string[]; rounds: number; framesEach: number },
): Promise<Frames> {
  return page.evaluate(
    ({ choices: wanted, rounds: turns, framesEach: each }) =>
      new Promise<number[]>((resolve) => {
        const took: number[] = [];
        const count = wanted.length * turns * each;
        let before: number | undefined;
        const frame = (at: number): void => {
          if (before !== undefined) took.push(at - before);
          before = at;
          if (took.length === count) {
            resolve(took);
            return;
          }
          if (took.length % each === 0) {
            const selector = wanted[(took.length / each) % wanted.length];
            document.querySelector<HTMLElement>(selector ?? '')?.click();
          }
          requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      }),
    { choices, rounds, framesEach },
  );
}
