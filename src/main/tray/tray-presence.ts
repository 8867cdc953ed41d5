import { setTimeout as wait } from 'node:timers/promises';
import { isTrayHostThere, onceTrayHostIsThere, watchTrayHost } from './tray-host.ts';

/** How long a panel may take to appear, in milliseconds: at login everything starts at the same time. */
const panelGraceMs = 8_000;

export interface PresenceListeners {
  /** Called when a tray appears later. */
  readonly onAppeared: () => void;
  /** Called when there is no tray. */
  readonly onMissed: () => void;
}

/** Whether this desktop shows our icon; true until it is known. */
export class TrayPresence {
  readonly #listeners: PresenceListeners;
  readonly #stopWatching: () => void;
  #isThere = true;
  #isLooking = false;
  /** Something changed during a look. */
  #mustLookAgain = false;
  #isClosed = false;
  #stopMissing: (() => void) | null = null;

  constructor(listeners: PresenceListeners) {
    this.#listeners = listeners;
    this.#stopWatching = watchTrayHost(() => void this.#look());
    void this.#look();
  }

  /** Checks again, because a panel may have ended. */
  lookAgain(): void {
    if (this.#isThere) void this.#look();
  }

  get isThere(): boolean {
    return this.#isThere;
  }

  close(): void {
    this.#isClosed = true;
    this.#stopWatching();
    this.#stopMissing?.();
  }

  async #look(): Promise<void> {
    this.#mustLookAgain = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    let isThere = this.#isThere;
    while (this.#mustLookAgain && !this.#isClosed) {
      this.#mustLookAgain = false;
      isThere = await isTrayHostThere();
    }
    this.#isLooking = false;
    if (this.#isClosed || isThere === this.#isThere) return;
    this.#isThere = isThere;
    this.#stopMissing?.();
    this.#stopMissing = isThere ? null : this.#miss();
    if (isThere) this.#listeners.onAppeared();
  }

  /** Says after a while that there is none, unless one appears; also where the bus tells no changes. */
  #miss(): () => void {
    const grace = setTimeout(this.#listeners.onMissed, panelGraceMs);
    const stopLooking = onceTrayHostIsThere(() => void this.#look());
    return () => {
      clearTimeout(grace);
      stopLooking();
    };
  }
}

/** Chromium was seen to need 10 to 30 of it; on a busy machine more, and then the icon comes with the host. In milliseconds. */
const usuallyThereMs = 50;

/**
 * Leaves the thread to Chromium until the new icon is usually in the tray.
 *
 * On Linux an icon takes about six messages over the bus, each answered on this thread, and no event reports the last one.
 * Half a second of work at this point would keep the tray empty for as long.
 */
export async function letIconAppear(): Promise<void> {
  if (process.platform === 'linux') await wait(usuallyThereMs);
}
