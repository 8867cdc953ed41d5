import { BrowserWindow } from 'electron';
import { statSync } from 'node:fs';

/** How often the file is looked at, in milliseconds. */
const lookMs = 60_000;
/** How long a package manager may take to put all files in place, in milliseconds. */
const settledMs = 15_000;

/**
 * Notices that a package manager has replaced this program while it runs, as an upgrade does.
 *
 * What is loaded is of the old version and what is loaded later of the new one, so the app has to start again soon.
 */
export class ReplacedProgram {
  readonly #path: string;
  readonly #before: number | null;
  readonly #timer: NodeJS.Timeout | null;
  #isReplaced = false;

  /** `act` is called for each look at a program that was replaced. `path` null: nothing replaces it, as in a checkout. */
  constructor(path: string | null, act: () => void) {
    this.#path = path ?? '';
    this.#before = path === null ? null : (this.#look()?.ino ?? null);
    this.#timer =
      this.#before === null
        ? null
        : setInterval(() => {
            if (this.#isSettled()) act();
          }, lookMs).unref();
  }

  get isReplaced(): boolean {
    return this.#isReplaced;
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  #isSettled(): boolean {
    const now = this.#look();
    // While it is being replaced there may be none.
    if (now === null || now.ino === this.#before || Date.now() - now.ctimeMs < settledMs) return false;
    return (this.#isReplaced = true);
  }

  #look(): { readonly ino: number; readonly ctimeMs: number } | null {
    return statSync(this.#path, { throwIfNoEntry: false }) ?? null;
  }
}

/** Whether somebody looks at a window of this app. */
export function isWindowShown(): boolean {
  return BrowserWindow.getAllWindows().some((window) => window.isVisible());
}
