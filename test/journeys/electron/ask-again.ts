import type { ElectronApplication } from '@playwright/test';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { hasEnded } from './panel.ts';

/** Five in a row were lost while the machine had little memory and the program collected all the time. */
const attempts = 25;
/** Ends a test that waits for the end of the app. It asserts no time. */
const endLimitMs = 100_000;

/**
 * Has what a journey asks the main process run as a task of its own, and asked again when the answer was lost on the way; answers the same
 * app.
 *
 * What an inspector asks for at once runs in the middle of what the app is doing, which nothing but an inspector can do: its tray was
 * closed between two lines that show it, and Electron crashed as the clipboard was read.
 *
 * V8 holds the promise of an answer weakly while the inspector waits for it: a garbage collection at that moment takes it
 * away, also that of a question which was answered at once (microsoft/playwright#33737, #42019). So questions of journeys
 * read, or do what may be done twice. To be removed when Electron brings a V8 that holds it.
 */
export function askAgain(app: ElectronApplication): ElectronApplication {
  const ask = app.evaluate.bind(app) as (...given: unknown[]) => Promise<unknown>;
  const insist = async (question: unknown, given?: unknown): Promise<unknown> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await ask(runAsTask, { source: String(question), given });
      } catch (error) {
        if (attempt === attempts || !isLost(error)) throw error;
        await wait(20);
      }
    }
  };
  const close = app.close.bind(app);
  const child = app.process(); // which it no longer tells after its end
  const end = async (): Promise<void> => {
    await quit(app, child);
    await close();
  };
  return Object.assign(app, { evaluate: insist, close: end });
}

/** Runs in the main process, which gets the source of what is asked. */
async function runAsTask(
  electron: unknown,
  { source, given }: { readonly source: string; readonly given: unknown },
): Promise<unknown> {
  await new Promise((resolve) => setImmediate(resolve));
  // oxlint-disable-next-line no-eval -- as the inspector itself would
  const question = globalThis.eval(`(${source})`) as (asked: unknown, ...rest: unknown[]) => unknown;
  return question(electron, given);
}

/** Has the app quit, and gives back its exit code once it has; throws with what it said where it does not end. */
export async function quit(app: ElectronApplication, child = app.process()): Promise<number | null> {
  if (hasEnded(child)) return child.exitCode;
  let words = '';
  child.stderr!.on('data', (chunk: Buffer) => (words += chunk.toString()));
  const exited = once(child, 'exit', { signal: AbortSignal.timeout(endLimitMs) });
  void app.evaluate(({ app: electron }) => void setImmediate(() => electron.quit())).catch(() => undefined); // it may be gone before it answers
  const [code] = (await exited.catch((cause: unknown) => {
    throw new Error(`The app does not end. It said:\n${words}`, { cause });
  })) as [number | null];
  return code;
}

function isLost(error: unknown): boolean {
  return error instanceof Error && error.message.includes('promise was garbage collected');
}
