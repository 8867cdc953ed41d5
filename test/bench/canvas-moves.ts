/** What a person does with a call flow (drags a card, zooms), and how long the page's main thread computes meanwhile. */
import type { Page } from '@playwright/test';
import { z } from 'zod';

/** The visible speed of a page: every frame after the first, in milliseconds since the previous one. */
export type Frames = readonly number[];

export function longestOf(frames: Frames): number {
  return frames.reduce((longest, ms) => Math.max(longest, ms), 0);
}

/** How long frames are measured after the card was released: it is then selected, and shown in the inspector. */
const framesToSettle = 12;

/**
 * Drags a card in a circle, a step a frame, releases it, and returns how long each frame took.
 *
 * It uses events of the page: a mouse from outside would move between the frames, and late on a busy machine.
 */
export function dragAbout(
  page: Page,
  { selector, frames }: { selector: string; frames: number },
): Promise<Frames> {
  return page.evaluate(
    ({ selector: where, frames: count, settling }) =>
      new Promise<number[]>((resolve, reject) => {
        const card = document.querySelector(where);
        if (card === null) {
          reject(new Error(`There is no ${where} to drag.`));
          return;
        }
        const { left, top } = card.getBoundingClientRect();
        const [x, y] = [left + 40, top + 12];
        const tell = (target: EventTarget, type: string, clientX: number, clientY: number): boolean =>
          target.dispatchEvent(
            new MouseEvent(type, {
              bubbles: true,
              cancelable: true,
              view: window,
              clientX,
              clientY,
              button: 0,
            }),
          );
        tell(card, 'mousedown', x, y);
        const took: number[] = [];
        let before: number | undefined;
        const frame = (at: number): void => {
          if (before !== undefined) took.push(at - before);
          before = at;
          if (took.length === count + settling) {
            resolve(took);
            return;
          }
          if (took.length === count) tell(window, 'mouseup', x, y);
          const turn = (took.length / 60) * 2 * Math.PI;
          if (took.length < count)
            tell(window, 'mousemove', x + Math.sin(turn) * 120, y + (1 - Math.cos(turn)) * 80);
          requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      }),
    { selector, frames, settling: framesToSettle },
  );
}

/**
 * Zooms in for half of the frames and out again, by the wheel, a step a frame: from everything in sight to where cards can be
 * read, and back. Without anything to zoom: frames in which nothing is done.
 */
export function zoomAbout(
  page: Page,
  { selector, frames }: { selector: string | null; frames: number },
): Promise<Frames> {
  return page.evaluate(
    ({ selector: where, frames: count }) =>
      new Promise<number[]>((resolve) => {
        const pane = where === null ? null : document.querySelector(where);
        const { left = 0, top = 0, width = 0, height = 0 } = pane?.getBoundingClientRect() ?? {};
        const took: number[] = [];
        let before: number | undefined;
        const frame = (at: number): void => {
          if (before !== undefined) took.push(at - before);
          before = at;
          if (took.length === count) {
            resolve(took);
            return;
          }
          pane?.dispatchEvent(
            new WheelEvent('wheel', {
              bubbles: true,
              cancelable: true,
              ctrlKey: true,
              deltaY: took.length < count / 2 ? -6 : 6,
              clientX: left + width / 2,
              clientY: top + height / 2,
            }),
          );
          requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      }),
    { selector, frames },
  );
}

/** An event of Chromium's tracing (Trace Event Format); times in microseconds. */
const TraceEvent = z.object({
  name: z.string(),
  ph: z.string(),
  pid: z.number(),
  tid: z.number(),
  /** The thread's own CPU time, without the time that it waited for a core. */
  tdur: z.number().optional(),
  args: z.object({ name: z.string().optional() }).optional(),
});
const Trace = z.object({ traceEvents: z.array(TraceEvent) });

const mainThread = 'CrRendererMain';
const task = 'ThreadControllerImpl::RunTask';

export interface Traced<T> {
  readonly value: T;
  /** How long each task of the page's main thread computed, in milliseconds. */
  readonly taskCpuMs: readonly number[];
}

/**
 * Runs something on a page and returns how long its main thread computed meanwhile, task by task.
 *
 * A frame waits for the current task. In CPU time, a task is as long on a busy machine
 * as on an idle one; the frames themselves are not.
 */
export async function traceMainThread<T>(page: Page, act: () => Promise<T>): Promise<Traced<T>> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('the page has no browser that could be traced');
  await browser.startTracing(page, { categories: ['toplevel'] });
  let value: T;
  let trace: Buffer;
  try {
    value = await act();
  } finally {
    trace = await browser.stopTracing();
  }
  const { traceEvents } = Trace.parse(JSON.parse(trace.toString()));
  const threadOf = ({ pid, tid }: z.infer<typeof TraceEvent>): string => `${pid}:${tid}`;
  const mainThreads = new Set(
    traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === mainThread).map(threadOf),
  );
  const tasks = traceEvents.filter(
    (event) => event.name === task && event.ph === 'X' && mainThreads.has(threadOf(event)),
  );
  if (tasks.length === 0) throw new Error(`Chromium's trace has no ${task} on ${mainThread}`);
  return { value, taskCpuMs: tasks.map(({ tdur = 0 }) => tdur / 1000) };
}
