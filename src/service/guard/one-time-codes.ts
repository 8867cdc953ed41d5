import type { Clock } from '../../core/ledger.ts';

const maxOpen = 100;

/** Codes that each may be used once and within a time limit, with what each is for. Beyond a hundred the oldest is forgotten. */
export class OneTimeCodes<T> {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #open = new Map<string, { readonly untilMs: number; readonly purpose: T }>();

  constructor(clock: Clock, limitSeconds: number) {
    this.#clock = clock;
    this.#limitMs = limitSeconds * 1000;
  }

  add(code: string, purpose: T): void {
    const [oldest] = this.#open.keys();
    if (oldest !== undefined && this.#open.size >= maxOpen) this.#open.delete(oldest);
    this.#open.set(code, { untilMs: this.#clock() + this.#limitMs, purpose });
  }

  /** What it is for, when it is used for the first time and in time; otherwise null. */
  use(code: string): T | null {
    const open = this.#open.get(code);
    this.#open.delete(code);
    return open !== undefined && this.#clock() < open.untilMs ? open.purpose : null;
  }
}
