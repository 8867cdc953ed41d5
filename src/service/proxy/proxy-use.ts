import { EventEmitter } from 'node:events';
import type { CredentialId } from '../../contract/credential.ts';
import type { AppTokenId, ProxyUse } from '../../contract/proxy.ts';
import { type Clock, type Ledger, StoreUnavailable } from '../../core/ledger.ts';
import { UseLimits } from '../../core/proxy/use-limits.ts';
import { UseRecord } from '../../core/proxy/use-record.ts';

const minuteMs = 60_000;

/** Ends a request at its service. undici takes it for a signal; an AbortSignal costs several times as much. */
export class CallEnding extends EventEmitter {
  aborted = false;

  end(): void {
    if (this.aborted) return;
    this.aborted = true;
    this.emit('abort');
  }
}

/**
 * Who uses what through the proxy now: limits, requests that are being answered, and the record of all of them.
 *
 * The sums of each minute are written when it is over, and when the service closes. After a kill the last minute is missing.
 */
export class ProxyUses {
  readonly limits = new UseLimits();
  readonly record = new UseRecord();
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  readonly #onFailure: (error: unknown) => void;
  readonly #running = new Map<AppTokenId, Set<CallEnding>>();
  readonly #reflected = new Map<CredentialId, number>();
  readonly #listeners = new Set<(id: CredentialId) => void>();
  readonly #stopListening: () => void;
  #timer: NodeJS.Timeout | null = null;

  constructor(ledger: Ledger, clock: Clock, onFailure: (error: unknown) => void) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#onFailure = onFailure;
    this.#stopListening = ledger.subscribe((event) => {
      if (event.kind === 'proxy.token_revoked') this.limits.forget(event.data.app_token_id);
      else if (event.kind !== 'credential.removed') return;
      this.#endTokens();
    });
  }

  /** Notes a request that is being answered. It is ended when its token is revoked. */
  begin(id: AppTokenId): CallEnding {
    const ending = new CallEnding();
    const running = this.#running.get(id) ?? new Set();
    this.#running.set(id, running.add(ending));
    return ending;
  }

  /** `bytes`: null if it was refused before it counted. */
  end(id: AppTokenId, ending: CallEnding, bytes: number | null): void {
    if (bytes !== null) this.limits.end(id, bytes);
    const running = this.#running.get(id);
    running?.delete(ending);
    if (running?.size === 0) this.#running.delete(id);
  }

  add(id: CredentialId, use: ProxyUse): void {
    this.record.add(id, use);
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.flush();
    }, minuteMs).unref();
    for (const listener of this.#listeners) listener(id);
  }

  /** Called after each request, with its credential. Returns a function that unsubscribes. */
  onUse(listener: (id: CredentialId) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Records that a service sent a token back: once an hour for each credential. */
  tellReflected(id: CredentialId, app: string, header: string): void {
    const lastMs = this.#reflected.get(id);
    const nowMs = this.#clock();
    if (lastMs !== undefined && nowMs - lastMs < 60 * minuteMs) return;
    this.#reflected.set(id, nowMs);
    const data = { credential_id: id, app, header };
    this.#ledger
      .transact((state) => ({
        events: state.credentials.has(id)
          ? [{ kind: 'proxy.token_reflected', subject: id, actor: { kind: 'system' }, data }]
          : [],
        value: null,
      }))
      .catch((error: unknown) => {
        this.#reflected.delete(id);
        if (!(error instanceof StoreUnavailable)) this.#onFailure(error);
      });
  }

  /** Writes the sums that are not in the journal yet. If the disk refuses, they are kept for the next time. */
  async flush(): Promise<void> {
    const events = this.record.take();
    if (events.length === 0) return;
    try {
      await this.#ledger.transact(() => ({ events, value: null }));
    } catch (error) {
      this.record.putBack(events);
      this.#timer ??= setTimeout(() => {
        this.#timer = null;
        void this.flush();
      }, minuteMs).unref();
      if (!(error instanceof StoreUnavailable)) this.#onFailure(error);
    }
  }

  /** Writes what is left, when no request is answered any more. */
  async close(): Promise<void> {
    this.#stopListening();
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.flush();
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #endTokens(): void {
    const { appTokens } = this.#ledger.state;
    for (const [id, running] of this.#running) {
      if (appTokens.has(id)) continue;
      for (const ending of running) ending.end();
      this.limits.forget(id);
    }
  }
}
