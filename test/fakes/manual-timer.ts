import type { Timer } from '../../src/agent/loop/timer.ts';

interface Waiting {
  readonly atMs: number;
  readonly act: () => void;
}

/**
 * A wall clock and a timer that only a test advances.
 *
 * `advance` lets time pass: timers fire in order, each at its instant. `jump` is a clock that was set, or a
 * sleep: the clock changes and no timer notices.
 */
export class ManualTimer implements Timer {
  nowMs: number;
  /** How often a timer has fired: the cost of the program while idle. */
  wakeUps = 0;
  readonly #waiting = new Set<Waiting>();
  /** The time base of timers, not the wall clock, which can be set. */
  #elapsedMs = 0;

  constructor(nowMs: number) {
    this.nowMs = nowMs;
  }

  readonly clock = (): number => this.nowMs;

  get waiting(): number {
    return this.#waiting.size;
  }

  start(ms: number, act: () => void): () => void {
    const waiting = { atMs: this.#elapsedMs + ms, act };
    this.#waiting.add(waiting);
    return () => {
      this.#waiting.delete(waiting);
    };
  }

  jump(ms: number): void {
    this.nowMs += ms;
  }

  /** Lets time pass. `settle` runs after every timer, because its effects need real time to finish. */
  async advance(ms: number, settle: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    const untilMs = this.#elapsedMs + ms;
    for (let next = this.#next(untilMs); next !== undefined; next = this.#next(untilMs)) {
      this.#move(Math.max(next.atMs - this.#elapsedMs, 0));
      this.#waiting.delete(next);
      this.wakeUps += 1;
      next.act();
      await settle();
    }
    this.#move(untilMs - this.#elapsedMs);
  }

  #move(ms: number): void {
    this.#elapsedMs += ms;
    this.nowMs += ms;
  }

  #next(untilMs: number): Waiting | undefined {
    const due = [...this.#waiting].filter(({ atMs }) => atMs <= untilMs);
    return due.sort((a, b) => a.atMs - b.atMs)[0];
  }
}
