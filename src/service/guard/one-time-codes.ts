import type { Clock } from '../../core/ledger.ts';

const maxOpen = 100;

/** Codes that each may be used once and within a time limit. Beyond a hundred the oldest is forgotten. */
export class OneTimeCodes {
  readonly #clock: Clock;
  readonly #limitMs: number;
  /** Until when each may be used. */
  readonly #open = new Map<string, number>();

  constructor(clock: Clock, limitSeconds: number) {
    this.#clock = clock;
    this.#limitMs = limitSeconds * 1000;
  }

  add(code: string): void {
    const [oldest] = this.#open.keys();
    if (oldest !== undefined && this.#open.size >= maxOpen) this.#open.delete(oldest);
    this.#open.set(code, this.#clock() + this.#limitMs);
  }

  /** Whether it is used for the first time and in time. */
  use(code: string): boolean {
    const untilMs = this.#open.get(code);
    this.#open.delete(code);
    return untilMs !== undefined && this.#clock() < untilMs;
  }
}
