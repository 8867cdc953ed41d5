import type { ElectronApplication } from '@playwright/test';
import { join } from 'node:path';
import type { Start } from './launch-app.ts';

/** `manual-clock.cjs`, in the app's main process. */
interface ManualGlobal {
  readonly manualClock: {
    isRepeated(ms: number): boolean;
    jumpTo(ms: number): void;
    advanceTo(ms: number): void;
  };
}

/** The same start with a manual clock: long timers wait until a journey lets time pass. */
export function withManualClock(start: Start): Start {
  return { ...start, args: ['--require', join(import.meta.dirname, 'manual-clock.cjs'), ...start.args] };
}

/** Lets time pass until this long after the start. */
export function passUntil(app: ElectronApplication, ms: number): Promise<void> {
  return app.evaluate((_, to) => (globalThis as unknown as ManualGlobal).manualClock.advanceTo(to), ms);
}

/** Whether the app has a timer that repeats at this interval. */
export function isRepeated(app: ElectronApplication, ms: number): Promise<boolean> {
  return app.evaluate(
    (_, everyMs) => (globalThis as unknown as ManualGlobal).manualClock.isRepeated(everyMs),
    ms,
  );
}

/** Simulates a sleep of this length that is not reported to the app. */
export function sleepFor(app: ElectronApplication, ms: number): Promise<void> {
  return app.evaluate((_, to) => (globalThis as unknown as ManualGlobal).manualClock.jumpTo(to), ms);
}
