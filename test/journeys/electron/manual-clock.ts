import type { ElectronApplication } from '@playwright/test';
import { join } from 'node:path';
import type { Start } from './launch-app.ts';

/** `manual-clock.cjs`, in the app's main process. */
interface ManualGlobal {
  readonly manualClock: {
    read(): { jumpedMs: number; elapsedMs: number };
    isRepeated(ms: number): boolean;
    hold(): void;
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

/** The clock of an app that was started with one, as a test uses it: times are counted from when it looked at it first. */
export class ManualClock {
  readonly #app: ElectronApplication;
  readonly #first: ReturnType<ManualGlobal['manualClock']['read']>;

  private constructor(app: ElectronApplication, first: ReturnType<ManualGlobal['manualClock']['read']>) {
    this.#app = app;
    this.#first = first;
  }

  static async of(app: ElectronApplication): Promise<ManualClock> {
    const first = await app.evaluate(() => (globalThis as unknown as ManualGlobal).manualClock.read());
    return new ManualClock(app, first);
  }

  /** Stops what the app reads from the machine's clock, so that no limit is over before the test says so. */
  hold(): Promise<void> {
    return this.#app.evaluate(() => (globalThis as unknown as ManualGlobal).manualClock.hold());
  }

  /** Lets time pass until this long after the first look. */
  passUntil(ms: number): Promise<void> {
    return this.#app.evaluate(
      (_, to) => (globalThis as unknown as ManualGlobal).manualClock.advanceTo(to),
      this.#first.elapsedMs + ms,
    );
  }

  /** Simulates a sleep of this length that is not reported to the app. */
  sleepFor(ms: number): Promise<void> {
    return this.#app.evaluate(
      (_, to) => (globalThis as unknown as ManualGlobal).manualClock.jumpTo(to),
      this.#first.jumpedMs + ms,
    );
  }

  /** Whether the app has a timer that repeats at this interval. */
  isRepeated(ms: number): Promise<boolean> {
    return this.#app.evaluate(
      (_, everyMs) => (globalThis as unknown as ManualGlobal).manualClock.isRepeated(everyMs),
      ms,
    );
  }
}
