import { setTimeout as wait } from 'node:timers/promises';
import {
  askSessionBus,
  trayHostQuestion,
  trayHostSignals,
  watchSessionBus,
} from '../../host/ask-session-bus.ts';

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

/** The first check is soon after the start, because at login the panel starts at the same time; then the interval doubles. */
const firstLookMs = 1_000;
const longestLookMs = 60_000;

/** How long the bus may take to answer, in milliseconds. */
const answerLimitMs = 2_000;

/**
 * Whether something on this desktop shows tray icons.
 *
 * On Linux that is a StatusNotifier host on the session's message bus, and often there is none. If that
 * cannot be determined, the answer is yes.
 */
export async function isTrayHostThere(platform: NodeJS.Platform = process.platform): Promise<boolean> {
  if (platform !== 'linux') return true;
  const answer = await askSessionBus({ ...trayHostQuestion, answerLimitMs });
  return answer === undefined || (answer?.includes('boolean true') ?? false);
}

/** Calls back when a tray host may have come or gone. Returns how to end that. */
function watchTrayHost(onChange: () => void, platform: NodeJS.Platform = process.platform): () => void {
  return platform === 'linux' ? watchSessionBus(trayHostSignals, onChange) : () => undefined;
}

/**
 * Checks until there is a tray host, then calls back once.
 *
 * Chromium puts an icon back when a panel restarts, but not into one that appears only after the icon was made. Returns
 * how to stop looking.
 */
function onceTrayHostIsThere(callback: () => void): () => void {
  let nextLook: NodeJS.Timeout | undefined;
  let isStopped = false;
  const lookAfter = (waitMs: number): void => {
    nextLook = setTimeout(() => {
      void isTrayHostThere().then((isThere) => {
        if (isStopped) return;
        if (isThere) callback();
        else lookAfter(Math.min(waitMs * 2, longestLookMs));
      });
    }, waitMs);
  };
  lookAfter(firstLookMs);
  return () => {
    isStopped = true;
    clearTimeout(nextLook);
  };
}
