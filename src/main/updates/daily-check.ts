const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Not at the start itself: then the machine and its network have other things to do. */
const firstCheckAfterMs = 5 * minuteMs;
const retryAfterMs = hourMs;
/** The longest nap: after a sleep that nobody told us of, or a clock that was set, time is looked at again this soon. */
const maxNapMs = hourMs;

/** Calls `act` once, after `ms` at the earliest. Returns how to call it off. */
export type StartTimer = (ms: number, act: () => void) => () => void;

export interface DailyCheckParts {
  readonly clock: () => number;
  readonly startTimer: StartTimer;
  /** Asks for a check. `settled` is told how it went, if it was made. */
  readonly check: () => void;
}

/**
 * The check that nobody asks for: minutes after the start, then once a day, an hour later after a failure.
 *
 * The due time is an instant of the wall clock, compared after capped naps and at `wake()`, so a laptop that sleeps most
 * of the day still checks. Stopped, it has no timer at all.
 */
export class DailyCheck {
  readonly #parts: DailyCheckParts;
  #dueMs: number | null = null;
  #callOff: (() => void) | null = null;

  constructor(parts: DailyCheckParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#setDue(firstCheckAfterMs);
  }

  stop(): void {
    this.#dueMs = null;
    this.#callOff?.();
    this.#callOff = null;
  }

  /** A check was made, by whomever: the next is due a day later, or sooner when this one failed. */
  settled(succeeded: boolean): void {
    if (this.#dueMs !== null) this.#setDue(succeeded ? dayMs : retryAfterMs);
  }

  /** Looks at the clock now: after a nap, a sleep of the machine, a clock that was set. */
  wake(): void {
    if (this.#dueMs === null) return;
    const waitMs = this.#dueMs - this.#parts.clock();
    if (waitMs > 0) {
      // More than a day: the clock was set back, and the instant was one of the clock as it was before.
      this.#setDue(Math.min(waitMs, dayMs));
    } else {
      this.#setDue(dayMs);
      this.#parts.check();
    }
  }

  #setDue(inMs: number): void {
    this.#callOff?.();
    this.#dueMs = this.#parts.clock() + inMs;
    this.#callOff = this.#parts.startTimer(Math.min(inMs, maxNapMs), () => {
      this.wake();
    });
  }
}
