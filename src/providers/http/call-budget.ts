import type { DocumentedRate } from '../../contract/credential/provider-facts.ts';
import { longestAskedMs, type ServiceHold } from '../../core/rotation/retry-at.ts';

/** Calls per second to a service whose limit is not known: at first, and after many answers without a complaint. */
const firstRate = 4;
const highestRate = 16;
/** However often a service complains, it is called this often. */
const lowestRate = 0.01;
/** Calls that may follow each other without a pause: a person who adds a token does not wait. */
const burst = 10;
/** The share of a documented limit that is used: other programs of the same owner count too. */
const usedShare = 0.5;

/** How many seconds of calls without a complaint make the rate grow, and how much. */
const calmSeconds = 5;
const growth = 1.5;
/** After a complaint the rate is halved, and does not grow beyond this share of what it was. */
const shareAfterComplaint = 0.75;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** How long a service is left alone that complains and does not say how long; doubled with each further complaint. */
const firstWaitMs = minuteMs;
const longestOwnWaitMs = 15 * minuteMs;
/** While a service is not called. */
export interface Hold extends ServiceHold {
  readonly fromMs: number;
}

/**
 * How many calls one service (an origin) may get, and when. It reads no clock and has no timer.
 *
 * Invariants: 1. in any `t` seconds at most `burst + rate × t` calls begin; 2. a rate that is documented is never exceeded, and
 * half of it is used at most; 3. each complaint (such as 429) lowers the highest rate that is tried, so a service whose limit is
 * not known complains a few times before the rate fits, thirty at the very most, until it has not complained for an hour; 4. answers to calls
 * that were sent before a complaint change nothing but the end of the hold.
 *
 * A hold is in memory only. After a restart the credentials that were told to wait still do, because their next attempts are
 * recorded; others of the same service may call it, at the first rate, until it complains again.
 */
export class CallBudget {
  readonly #highestRate: number;
  #rate: number;
  #ceiling: number;
  #burst = burst;
  #room = burst;
  #filledMs: number;
  #hold: Hold | null = null;
  /** When it complained last. */
  #complainedMs = -Infinity;
  /** Complaints without an answer between them that the service would have given to a call at any rate. */
  #complaints = 0;
  /** Answers since the rate has changed. */
  #answers = 0;

  constructor(documented: DocumentedRate | null, nowMs: number) {
    this.#highestRate =
      documented === null ? highestRate : (documented.calls / documented.perSeconds) * usedShare;
    this.#rate = documented === null ? firstRate : this.#highestRate;
    this.#ceiling = this.#highestRate;
    this.#filledMs = nowMs;
  }

  /** Null: it may be called. */
  hold(nowMs: number): Hold | null {
    if (this.#hold === null) return null;
    const { fromMs, untilMs, askedUntilMs } = this.#hold;
    const backMs = fromMs - nowMs;
    if (untilMs <= nowMs) this.#hold = null;
    // The clock was set back: as long as it was told to last, from now on.
    else if (backMs > 0) {
      const askedMs = askedUntilMs === null ? null : askedUntilMs - backMs;
      this.#hold = { fromMs: nowMs, untilMs: untilMs - backMs, askedUntilMs: askedMs };
    }
    return this.#hold;
  }

  /** When the next call may begin as far as the rate counts. An infinite rate is for tests, where time stands still. */
  nextCallMs(nowMs: number): number {
    this.#fill(nowMs);
    if (this.#rate === Infinity) return nowMs;
    return this.#room >= 1 ? nowMs : nowMs + Math.ceil(((1 - this.#room) / this.#rate) * 1000);
  }

  /** Counts a call. */
  take(nowMs: number): void {
    this.#fill(nowMs);
    this.#room -= 1;
  }

  /** A call that was counted is not made. */
  giveBack(): void {
    this.#room = Math.min(this.#room + 1, this.#burst);
  }

  /** The service has answered a call that was sent at an instant, and complains of nothing. */
  answered(sentMs: number, nowMs: number): void {
    if (sentMs < this.#complainedMs && this.#complainedMs <= nowMs) return;
    this.#complaints = 0;
    if (nowMs - this.#complainedMs > hourMs) {
      this.#ceiling = this.#highestRate;
      this.#burst = burst;
    }
    this.#answers += 1;
    if (this.#answers < this.#rate * calmSeconds) return;
    this.#fill(nowMs);
    this.#rate = Math.min(this.#rate * growth, this.#ceiling);
    this.#answers = 0;
  }

  /** The service has complained of too many calls. `waitMs`: how long it asks not to be called; null: it does not say. */
  complained(sentMs: number, nowMs: number, waitMs: number | null): void {
    const before = this.hold(nowMs);
    if (before === null || sentMs >= before.fromMs) {
      this.#complaints += 1;
      this.#ceiling = Math.max(this.#rate * shareAfterComplaint, lowestRate);
      this.#rate = Math.max(this.#rate / 2, lowestRate);
      this.#burst = Math.min(Math.max(this.#rate, 1), burst);
      this.#complainedMs = nowMs;
      this.#answers = 0;
    }
    const ownMs = Math.min(firstWaitMs * 2 ** (this.#complaints - 1), longestOwnWaitMs);
    const untilMs = nowMs + Math.min(waitMs ?? ownMs, longestAskedMs);
    const asked = [before?.askedUntilMs ?? null, waitMs === null ? null : nowMs + waitMs].filter(
      (ms) => ms !== null,
    );
    this.#hold = {
      fromMs: nowMs,
      untilMs: Math.max(untilMs, before?.untilMs ?? 0),
      askedUntilMs: asked.length === 0 ? null : Math.max(...asked),
    };
    // One call shows whether the wait was long enough; the next ones follow at the rate.
    this.#room = Math.min(this.#room, 1);
    this.#filledMs = this.#hold.untilMs;
  }

  #fill(nowMs: number): void {
    const seconds = (nowMs - this.#filledMs) / 1000;
    const isHeld = this.hold(nowMs) !== null;
    if (seconds > 0) this.#room = Math.min(this.#room + seconds * this.#rate, this.#burst);
    // During a hold it is filled from its end on; a clock that was set back begins anew.
    if (seconds > 0 || !isHeld) this.#filledMs = nowMs;
  }
}
