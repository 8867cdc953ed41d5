import { setTimeout as wait } from 'node:timers/promises';
import { isTrayHostThere, onceTrayHostIsThere } from './tray-host.ts';

/** How long a panel may take to appear after us before we do without, in milliseconds: at login all start at once. */
const panelGraceMs = 8_000;

export interface PresenceListeners {
  /** A tray has appeared after us. */
  readonly onAppeared: () => void;
  /** There is none, and probably will be none. */
  readonly onMissed: () => void;
}

/** Whether this desktop shows our icon. Believed until it is known better. */
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

  /** Looks again: a panel may have gone since. */
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
 * On Linux an icon is put up by half a dozen messages over the bus, each answered on this very thread, and nothing tells
 * when the last has gone. Whoever goes on with half a second of work at once keeps the tray empty for as long.
 */
export async function letIconAppear(): Promise<void> {
  if (process.platform === 'linux') await wait(usuallyThereMs);
}
