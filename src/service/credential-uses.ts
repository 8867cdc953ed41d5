import type { CredentialId } from '../contract/credential/credential.ts';
import { type Handout, mostRunning, type RunningCommand } from '../contract/credential/use.ts';
import { type Ledger, StoreUnavailable } from '../core/ledger.ts';
import { isKnownUse } from '../core/use/credential-use.ts';
import { type RequestUse, UseRecord } from '../core/use/use-record.ts';

const minuteMs = 60_000;

/**
 * Who uses which credential: requests through the proxy, tokens that are handed out, and commands that run with one.
 *
 * The sums of each minute are written when it is over, and when the service closes. A program that gets a token for the first
 * time is written at once. After a kill the counts of the last minute are missing, but no program that got a token.
 */
export class CredentialUses {
  readonly record = new UseRecord();
  readonly #ledger: Ledger;
  readonly #onFailure: (error: unknown) => void;
  readonly #listeners = new Set<(id: CredentialId) => void>();
  readonly #running = new Map<CredentialId, Set<RunningCommand>>();
  #runningCount = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(ledger: Ledger, onFailure: (error: unknown) => void) {
    this.#ledger = ledger;
    this.#onFailure = onFailure;
  }

  addRequest(id: CredentialId, use: RequestUse): void {
    this.record.addRequest(id, use);
    this.#noteChange(id);
  }

  addHandout(id: CredentialId, use: Handout): void {
    this.record.addHandout(id, use);
    this.#noteChange(id);
    if (!isKnownUse(this.#ledger.state, id, use)) void this.flush();
  }

  /** Notes a command until the returned function is called; null when too many run. */
  begin(id: CredentialId, command: RunningCommand): (() => void) | null {
    if (this.#runningCount >= mostRunning) return null;
    const running = this.#running.get(id) ?? new Set();
    this.#running.set(id, running.add(command));
    this.#runningCount += 1;
    this.#tell(id);
    return () => {
      if (!running.delete(command)) return;
      this.#runningCount -= 1;
      if (running.size === 0) this.#running.delete(id);
      this.#tell(id);
    };
  }

  running(id: CredentialId): RunningCommand[] {
    return [...(this.#running.get(id) ?? [])];
  }

  /** Called after each use, with its credential. Returns a function that unsubscribes. */
  onUse(listener: (id: CredentialId) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Writes the sums that are not in the journal yet. If the disk refuses, they are kept for the next time. */
  async flush(): Promise<void> {
    const events = this.record.take();
    if (events.length === 0) return;
    try {
      await this.#ledger.transact(() => ({ events, value: null }));
    } catch (error) {
      this.record.putBack(events);
      this.#flushLater();
      if (!(error instanceof StoreUnavailable)) this.#onFailure(error);
    }
  }

  /** Writes what is left, when no request is answered any more. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.flush();
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #noteChange(id: CredentialId): void {
    this.#flushLater();
    this.#tell(id);
  }

  #tell(id: CredentialId): void {
    for (const listener of this.#listeners) listener(id);
  }

  #flushLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.flush();
    }, minuteMs).unref();
  }
}
