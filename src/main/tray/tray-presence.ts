import { setTimeout as wait } from 'node:timers/promises';
import { isTrayHostThere, onceTrayHostIsThere } from './tray-host.ts';

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
  #isThere = true;
  #isLooking = false;
  #isClosed = false;
  #stops: (() => void)[] = [];

  constructor(listeners: PresenceListeners) {
    this.#listeners = listeners;
    void this.#look();
  }

  /** Checks again, because a panel may have ended. */
  lookAgain(): void {
    if (this.#isThere && !this.#isLooking) void this.#look();
  }

  get isThere(): boolean {
    return this.#isThere;
  }

  close(): void {
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    this.#isThere = await isTrayHostThere();
    this.#isLooking = false;
    if (this.#isThere || this.#isClosed) return;
    const grace = setTimeout(this.#listeners.onMissed, panelGraceMs);
    const stopLooking = onceTrayHostIsThere(() => {
      clearTimeout(grace);
      this.#isThere = true;
      this.#listeners.onAppeared();
    });
    this.#stops = [stopLooking, () => clearTimeout(grace)];
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
