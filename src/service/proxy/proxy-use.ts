import { EventEmitter } from 'node:events';
import type { CredentialId } from '../../contract/credential.ts';
import type { AppTokenId, ProxyUse } from '../../contract/proxy.ts';
import { type Clock, type Ledger, StoreUnavailable } from '../../core/ledger.ts';
import { UseLimits } from '../../core/proxy/use-limits.ts';
import type { CredentialUses } from '../credential-uses.ts';

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

/** The apps that use the proxy now: their limits, and requests that are being answered. `CredentialUses` records all of them. */
export class ProxyUses {
  readonly limits = new UseLimits();
  readonly #uses: CredentialUses;
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  readonly #onFailure: (error: unknown) => void;
  readonly #running = new Map<AppTokenId, Set<CallEnding>>();
  readonly #reflected = new Map<CredentialId, number>();
  readonly #stopListening: () => void;

  constructor(
    uses: CredentialUses,
    { ledger, clock }: { readonly ledger: Ledger; readonly clock: Clock },
    onFailure: (error: unknown) => void,
  ) {
    this.#uses = uses;
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
    this.#uses.addRequest(id, use);
  }

  /** Records that a service sent a token back: once an hour for each credential. */
  tellReflected(id: CredentialId, app: string, header: string | null): void {
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

  close(): void {
    this.#stopListening();
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
