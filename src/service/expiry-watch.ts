import TinyQueue from 'tinyqueue';
import type { AuditEvent } from '../contract/history/audit-event.ts';
import type { FamilyId, TokenId, TokenStatus } from '../contract/token/token.ts';
import type { Clock, Ledger } from '../core/ledger.ts';
import type { Token } from '../core/token/token-record.ts';
import { expireTokens } from '../core/token/move-token.ts';

/** The longest timer: after sleep or a clock change, the time is checked again within this time. */
const maxNapMs = 60_000;
const retryMs = 5_000;
/** How many are recorded at once, so that many tokens that expire together do not block the thread. */
const expiredAtOnce = 500;

interface Due {
  readonly familyId: FamilyId;
  /** When the token that was the family's newest expires, or expired. */
  readonly atMs: number;
}

interface Listeners {
  readonly onFailure: (error: unknown) => void;
  readonly onNapEnd: () => void;
}

/**
 * Records the expiry of a token in the history when it happens.
 *
 * What a token may do does not depend on this: `statusAt` decides. It uses wall-clock instants and short timers, so that
 * sleep and clock changes skip nothing. A family has an entry no later than the expiry of its newest token: a successor
 * expires after its source would have (unless the clock was set back), so a rotation adds nothing here, and an entry
 * that is too early is moved to that expiry.
 */
export class ExpiryWatch {
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  readonly #tell: Listeners;
  readonly #queue: TinyQueue<Due>;
  readonly #stop: () => void;
  #timer: NodeJS.Timeout | null = null;
  #isSweeping = false;
  #isClosed = false;

  constructor(ledger: Ledger, clock: Clock, tell: Listeners) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#tell = tell;
    const live: Due[] = [];
    for (const { familyId, status, expiresAtMs } of ledger.state.tokens.values()) {
      if (isLive(status)) live.push({ familyId, atMs: expiresAtMs });
    }
    this.#queue = new TinyQueue(live, (a, b) => a.atMs - b.atMs);
    this.#stop = ledger.subscribe((event) => {
      this.#learn(event);
    });
    this.wake();
  }

  /** Checks the clock now: after sleep, a clock change, a start. */
  wake(): void {
    if (this.#isSweeping || this.#isClosed) return;
    this.#isSweeping = true;
    void this.#sweep().then(
      (napMs) => {
        this.#nap(napMs);
      },
      (error: unknown) => {
        this.#tell.onFailure(error);
        this.#nap(retryMs);
      },
    );
  }

  #learn(event: AuditEvent): void {
    if (event.kind !== 'token.issued' && event.kind !== 'token.rotated') return;
    const { family_id: familyId } = event.data;
    const { tokens } = this.#ledger.state;
    const generations = tokens.generationsOf(familyId);
    const atMs = tokens.ofFamily(familyId, generations)?.expiresAtMs;
    const sourceMs = tokens.ofFamily(familyId, generations - 1)?.expiresAtMs;
    if (atMs === undefined || (sourceMs !== undefined && sourceMs <= atMs)) return;
    const isFirst = atMs < (this.#queue.peek()?.atMs ?? Number.POSITIVE_INFINITY);
    this.#queue.push({ familyId, atMs });
    if (isFirst && !this.#isSweeping) this.#nap(atMs - this.#clock());
  }

  /** Records all expired tokens; returns the time until there may be more. */
  async #sweep(): Promise<number> {
    for (;;) {
      const nowMs = this.#clock();
      const due: Due[] = [];
      const tokenIds = new Set<TokenId>();
      for (let next = this.#queue.peek(); next !== undefined; next = this.#queue.peek()) {
        const token = this.#newestLive(next.familyId);
        if (token !== undefined && (next.atMs > nowMs || due.length === expiredAtOnce)) break;
        this.#queue.pop();
        if (token === undefined) continue;
        if (token.expiresAtMs > nowMs) {
          this.#queue.push({ familyId: next.familyId, atMs: token.expiresAtMs });
        } else {
          due.push(next);
          tokenIds.add(token.id);
        }
      }
      if (due.length === 0) return (this.#queue.peek()?.atMs ?? Number.POSITIVE_INFINITY) - nowMs;
      try {
        await this.#ledger.transact((state, atMs) => expireTokens(state, [...tokenIds], atMs));
      } catch (error) {
        for (const entry of due) this.#queue.push(entry);
        throw error;
      }
    }
  }

  /** The newest token of a family, if it can still expire: no older token can be Active or Suspended. */
  #newestLive(familyId: FamilyId): Token | undefined {
    const { tokens } = this.#ledger.state;
    const token = tokens.ofFamily(familyId, tokens.generationsOf(familyId));
    return token !== undefined && isLive(token.status) ? token : undefined;
  }

  #nap(ms: number): void {
    this.#isSweeping = false;
    if (this.#isClosed) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (ms === Number.POSITIVE_INFINITY) return; // no token can expire: the next token that is issued starts the timer
    this.#timer = setTimeout(
      () => {
        this.#tell.onNapEnd();
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

function isLive(status: TokenStatus): boolean {
  return status === 'Active' || status === 'Suspended';
}
