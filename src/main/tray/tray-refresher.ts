import { systemTimer, type Timer } from '../app-timer.ts';
import type { TrayView } from './tray-view.ts';

/** Changes are shown together, at most once in this time, in milliseconds. */
const intervalMs = 250;

export interface TrayTimer extends Timer {
  clock(): number;
}

/**
 * Keeps the tray up to date: after a change and when the countdown changes, otherwise not at all.
 *
 * Invariants: 1. there is at most one timer; 2. it runs only while a change waits to be shown or the view has a limited
 * duration.
 */
export class TrayRefresher {
  readonly #timer: TrayTimer;
  readonly #look: (nowMs: number) => TrayView;
  readonly #show: (view: TrayView) => void;
  #cancel: (() => void) | null = null;
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

  /** Something has changed; `atOnce` shows it without waiting for the interval. */
  refresh({ atOnce = false } = {}): void {
    if (this.#isClosed) return;
    const waitMs = this.#shownAtMs + intervalMs - this.#timer.clock();
    if (atOnce || waitMs <= 0 || waitMs > intervalMs) this.#showNow();
    else this.#wait(waitMs);
  }

  close(): void {
    this.#isClosed = true;
    this.#stopWaiting();
  }

  #showNow(): void {
    this.#stopWaiting(); // first, because showing may cause a change, whose timer must stay
    const nowMs = this.#timer.clock();
    const view = this.#look(nowMs);
    this.#shownAtMs = nowMs;
    this.#show(view);
    if (view.lastsMs !== null && this.#cancel === null && !this.#isClosed) this.#wait(view.lastsMs);
  }

  #wait(waitMs: number): void {
    this.#stopWaiting();
    this.#cancel = this.#timer.start(waitMs, () => {
      this.#cancel = null;
      this.#showNow();
    });
  }

  #stopWaiting(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}
