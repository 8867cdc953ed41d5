import TinyQueue from 'tinyqueue';
import type { AuditEvent } from '../contract/audit-event.ts';
import type { TokenId } from '../contract/token.ts';
import type { Clock, Ledger } from '../core/ledger.ts';
import { expireTokens } from '../core/token/expire-tokens.ts';

/** The longest nap: after sleep or a clock change, time is looked at again this soon at the latest. */
const maxNapMs = 60_000;
const retryMs = 5_000;
/** How many are recorded at once, so that a thousand that end together never hold the thread. */
const expiredAtOnce = 500;

interface Due {
  readonly tokenId: TokenId;
  readonly atMs: number;
}

/**
 * Writes the end of a token into the history at the instant that it ends.
 *
 * What a token may do never waits for this: `statusAt` knows. Wall-clock instants and capped naps, so that sleep and
 * clock jumps skip nothing; entries of tokens that were rotated away are dropped when they come up.
 */
export class ExpiryWatch {
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  readonly #onFailure: (error: unknown) => void;
  readonly #queue: TinyQueue<Due>;
  readonly #stop: () => void;
  #timer: NodeJS.Timeout | null = null;
  #isSweeping = false;
  #isClosed = false;

  constructor(ledger: Ledger, clock: Clock, onFailure: (error: unknown) => void) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#onFailure = onFailure;
    const live: Due[] = [];
    for (const token of ledger.state.tokens.values()) {
      if (token.status === 'Active' || token.status === 'Suspended') {
        live.push({ tokenId: token.id, atMs: token.expiresAtMs });
      }
    }
    this.#queue = new TinyQueue(live, (a, b) => a.atMs - b.atMs);
    this.#stop = ledger.subscribe((event) => {
      this.#learn(event);
    });
    this.wake();
  }

  /** Looks at the clock now: after sleep, a clock change, a start. */
  wake(): void {
    if (this.#isSweeping || this.#isClosed) return;
    this.#isSweeping = true;
    void this.#sweep().then(
      (napMs) => {
        this.#nap(napMs);
      },
      (error: unknown) => {
        this.#onFailure(error);
        this.#nap(retryMs);
      },
    );
  }

  #learn(event: AuditEvent): void {
    const issued =
      event.kind === 'token.issued'
        ? { tokenId: event.data.token_id, atMs: Date.parse(event.data.expires_at) }
        : event.kind === 'token.rotated'
          ? { tokenId: event.data.successor_id, atMs: Date.parse(event.data.expires_at) }
          : null;
    if (issued === null) return;
    const isFirst = issued.atMs < (this.#queue.peek()?.atMs ?? Number.POSITIVE_INFINITY);
    this.#queue.push(issued);
    if (isFirst && !this.#isSweeping) this.#nap(issued.atMs - this.#clock());
  }

  /** Records everything that has ended; returns how long until there may be more. */
  async #sweep(): Promise<number> {
    for (;;) {
      const nowMs = this.#clock();
      const due: Due[] = [];
      for (let next = this.#queue.peek(); next !== undefined; next = this.#queue.peek()) {
        const isLive = this.#isLive(next.tokenId);
        if (isLive && (next.atMs > nowMs || due.length === expiredAtOnce)) break;
        this.#queue.pop();
        if (isLive) due.push(next);
      }
      if (due.length === 0) return (this.#queue.peek()?.atMs ?? Number.POSITIVE_INFINITY) - nowMs;
      const tokenIds = due.map(({ tokenId }) => tokenId);
      try {
        await this.#ledger.transact((state, atMs) => expireTokens(state, tokenIds, atMs));
      } catch (error) {
        for (const entry of due) this.#queue.push(entry);
        throw error;
      }
    }
  }

  #isLive(tokenId: TokenId): boolean {
    const status = this.#ledger.state.tokens.get(tokenId)?.status;
    return status === 'Active' || status === 'Suspended';
  }

  #nap(ms: number): void {
    this.#isSweeping = false;
    if (this.#isClosed) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (ms === Number.POSITIVE_INFINITY) return; // nothing can end: the next token that is issued sets the alarm
    this.#timer = setTimeout(
      () => {
        this.wake();
      },
      Math.min(Math.max(ms, 1), maxNapMs),
    );
    this.#timer.unref();
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#stop();
  }
}
