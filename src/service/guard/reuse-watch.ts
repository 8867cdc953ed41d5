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

  isNews(tokenId: string, address: string, userAgent: string | null): boolean {
    const key = JSON.stringify([tokenId, address, userAgent]);
    const nowMs = this.#clock();
    const last = this.#lastMs.get(key);
    if (last !== undefined && Math.abs(nowMs - last) < quietMs) return false;
    this.#lastMs.delete(key);
    if (this.#lastMs.size >= maxRemembered) {
      const [oldest] = this.#lastMs.keys();
      if (oldest !== undefined) this.#lastMs.delete(oldest);
    }
    this.#lastMs.set(key, nowMs);
    return true;
  }
}
