import type { ElectronApplication } from '@playwright/test';
import { setTimeout as wait } from 'node:timers/promises';

/** Five in a row were lost while the machine had little memory and the program collected all the time. */
const attempts = 25;

/**
 * Has what a journey asks the main process asked again when the answer was lost on the way, and answers the same app.
 *
 * V8 holds the promise of an answer weakly while the inspector waits for it: a garbage collection at that moment takes it
 * away, also that of a question which was answered at once (microsoft/playwright#33737, #42019). So questions of journeys
 * read, or do what may be done twice. To be removed when Electron brings a V8 that holds it.
 */
export function askAgain(app: ElectronApplication): ElectronApplication {
  const ask = app.evaluate.bind(app) as (...given: unknown[]) => Promise<unknown>;
  const insist = async (...given: unknown[]): Promise<unknown> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await ask(...given);
      } catch (error) {
        if (attempt === attempts || !isLost(error)) throw error;
        await wait(20);
      }
    }
  };
  return Object.assign(app, { evaluate: insist });
}

function isLost(error: unknown): boolean {
  return error instanceof Error && error.message.includes('promise was garbage collected');
}
