import type { ReplayKeys } from '../store/replay-keys.ts';

const hourMs = 3_600_000;

/** Sees to it that replay keys are destroyed when they are due, also while nobody rotates. */
export class ForgetReplayKeys {
  readonly #keys: ReplayKeys;
  readonly #onFailure: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;

  /** Begins at once: they may have become due while nothing ran. */
  constructor(keys: ReplayKeys, onFailure: (error: unknown) => void) {
    this.#keys = keys;
    this.#onFailure = onFailure;
    this.#timer = setInterval(() => this.look(), hourMs).unref();
    this.look();
  }

  /** To be called also after sleep and when the clock was set. A disk that refuses is tried again within the hour. */
  look(): void {
    try {
      this.#keys.forgetOld();
    } catch (error) {
      this.#onFailure(error);
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
