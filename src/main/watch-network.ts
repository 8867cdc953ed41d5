import { net } from 'electron';

/** How often the network is looked at while something waits for it, in milliseconds. */
const lookMs = 5_000;

/**
 * Notices that the network is back while something waits for it.
 *
 * Electron's main process has no event for that, so it is polled; and only as long as an attempt has failed because
 * nothing answered.
 */
export class NetworkWatch {
  readonly #onBack: () => void;
  #timer: NodeJS.Timeout | null = null;
  #wasOnline = true;

  constructor(onBack: () => void) {
    this.#onBack = onBack;
  }

  set isNeeded(isNeeded: boolean) {
    if (isNeeded === (this.#timer !== null)) return;
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#wasOnline = net.isOnline();
    this.#timer = isNeeded ? setInterval(() => this.#look(), lookMs) : null;
  }

  #look(): void {
    const isOnline = net.isOnline();
    const isBack = isOnline && !this.#wasOnline;
    this.#wasOnline = isOnline;
    if (isBack) this.#onBack();
  }
}
