import type { Clock } from '../../core/ledger.ts';

/** The same user of the same old token is written down once in this time. */
const quietMs = 60_000;
/** For one old token so many events at once, then one in each `quietMs`: a caller may name itself anew with every call. */
const burstPerToken = 20;
const maxRemembered = 10_000;

interface Budget {
  left: number;
  atMs: number;
}

/**
 * Decides which uses of a Superseded token are news: an app in a loop must not fill the history.
 *
 * The journal is never pruned, so what a caller without a valid token can have written to it is bounded: for each old token
 * 20 events at once and 1,440 a day, however many names (`User-Agent`) and connections the caller has.
 */
export class ReuseWatch {
  readonly #clock: Clock;
  readonly #lastMs = new Map<string, number>();
  readonly #budgets = new Map<string, Budget>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes the use for written down; `forget` when it could not be. `use` names the token and who used it. */
  isNews(tokenId: string, use: string): boolean {
    const nowMs = this.#clock();
    const last = this.#lastMs.get(use);
    if (last !== undefined && Math.abs(nowMs - last) < quietMs) return false;
    const budget = this.#budgets.get(tokenId) ?? { left: burstPerToken, atMs: nowMs };
    const left = Math.min(budget.left + Math.max(nowMs - budget.atMs, 0) / quietMs, burstPerToken);
    if (left < 1) return false;
    remember(this.#budgets, tokenId, { left: left - 1, atMs: nowMs });
    remember(this.#lastMs, use, nowMs);
    return true;
  }

  /** The use could not be written down: the next one is news. */
  forget(tokenId: string, use: string): void {
    this.#lastMs.delete(use);
    const budget = this.#budgets.get(tokenId);
    if (budget !== undefined) budget.left += 1;
  }
}

/** As the latest; the one that was used longest ago goes when there is no room. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  const [oldest] = map.keys();
  if (map.size >= maxRemembered && oldest !== undefined) map.delete(oldest);
  map.set(key, value);
}
