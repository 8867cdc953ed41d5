import { systemTimer, type Timer } from '../timer.ts';
import type { TrayView } from './tray-view.ts';

/** Many changes at once are shown together: no more often than this, in milliseconds. */
const calmMs = 250;

/** What keeps time. */
export interface TrayTimer extends Timer {
  clock(): number;
}

/**
 * Keeps what the tray shows true: at once after a change, when the countdown moves on, and otherwise not at all.
 *
 * Invariants: 1. there is at most one timer; 2. it is there only while a change waits to be shown or the view says that
 * it will become untrue by itself.
 */
export class TrayKeeper {
  readonly #timer: TrayTimer;
  readonly #look: (nowMs: number) => TrayView;
  readonly #show: (view: TrayView) => void;
  #callOff: (() => void) | null = null;
  #shownAtMs = -Infinity;
  #isClosed = false;

  constructor(
    look: (nowMs: number) => TrayView,
    show: (view: TrayView) => void,
    timer: TrayTimer = { ...systemTimer, clock: Date.now },
  ) {
    this.#look = look;
    this.#show = show;
    this.#timer = timer;
  }

  /** Something has changed; `atOnce` shows it however short the last look ago. */
  refresh({ atOnce = false } = {}): void {
    if (this.#isClosed) return;
    const calmLeftMs = this.#shownAtMs + calmMs - this.#timer.clock();
    if (atOnce || calmLeftMs <= 0 || calmLeftMs > calmMs) this.#showNow();
    else this.#wait(calmLeftMs);
  }

  close(): void {
    this.#isClosed = true;
    this.#stopWaiting();
  }

  #showNow(): void {
    this.#stopWaiting(); // first, for showing may itself bring a change about, and what that waits for must stay
    const nowMs = this.#timer.clock();
    const view = this.#look(nowMs);
    this.#shownAtMs = nowMs;
    this.#show(view);
    if (view.lastsMs !== null && this.#callOff === null && !this.#isClosed) this.#wait(view.lastsMs);
  }

  #wait(waitMs: number): void {
    this.#stopWaiting();
    this.#callOff = this.#timer.start(waitMs, () => {
      this.#callOff = null;
      this.#showNow();
    });
  }

  #stopWaiting(): void {
    this.#callOff?.();
    this.#callOff = null;
  }
}
