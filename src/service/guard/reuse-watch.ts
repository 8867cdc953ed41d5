import type { Clock } from '../../core/ledger.ts';

/** The same user of the same old token is written down once in this time. */
const quietMs = 60_000;
const maxRemembered = 10_000;

/** Decides which uses of a Superseded token are news: an app in a loop must not fill the history. */
export class ReuseWatch {
  readonly #clock: Clock;
  readonly #lastMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes the use for written down; `forget` when it could not be. */
  isNews(use: string): boolean {
    const nowMs = this.#clock();
    const last = this.#lastMs.get(use);
    if (last !== undefined && Math.abs(nowMs - last) < quietMs) return false;
    this.#lastMs.delete(use);
    if (this.#lastMs.size >= maxRemembered) {
      const [oldest] = this.#lastMs.keys();
      if (oldest !== undefined) this.#lastMs.delete(oldest);
    }
    this.#lastMs.set(use, nowMs);
    return true;
  }

  forget(use: string): void {
    this.#lastMs.delete(use);
  }
}
