import type { Page } from '@playwright/test';
import { z } from 'zod';

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
