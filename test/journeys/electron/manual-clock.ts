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

/**
 * The same start with a manual clock: timers of 5 s or longer wait until a journey lets time pass.
 *
 * Those of exactly `shortenedMs` fire almost at once.
 */
export function withManualClock(
  start: Start,
  { shortenedMs = 0 }: { readonly shortenedMs?: number } = {},
): Start {
  return {
    ...start,
    args: ['--require', join(import.meta.dirname, 'manual-clock.cjs'), ...start.args],
    env: { ...start.env, MANUAL_CLOCK_SHORTENED_MS: String(shortenedMs) },
  };
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
