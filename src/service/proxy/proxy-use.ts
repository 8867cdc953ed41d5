import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { CredentialId } from '../../contract/credential/credential.ts';
import type { AppTokenId, ProxyRefusalCode } from '../../contract/credential/proxy.ts';
import { isoInstant } from '../../core/iso-instant.ts';
import { type Clock, type Ledger, StoreUnavailable } from '../../core/ledger.ts';
import { UseLimits } from '../../core/proxy/use-limits.ts';
import { mayTakeTime } from '../../network/create-listener.ts';
import type { CredentialUses } from '../credential-uses.ts';
import type { KnownRequest } from './admit-request.ts';

const minuteMs = 60_000;

/** A request of a known app, until its answer has ended. undici takes it for a signal; an AbortSignal costs several times as much. */
export class RunningRequest extends EventEmitter {
  readonly known: KnownRequest;
  /** Whether it counts in the limits of its app. */
  isCounted = false;
  /** Of the token that was sent last; 0: none was. */
  generation = 0;
  refusal: ProxyRefusalCode | null = null;
  aborted = false;

  constructor(known: KnownRequest) {
    super();
    this.known = known;
  }

  /** Ends it at its service. */
  end(): void {
    if (this.aborted) return;
    this.aborted = true;
    this.emit('abort');
  }
}

/** How many bytes each connection had received at the end of its last request. */
const readBefore = new WeakMap<Socket, number>();

/** The apps that use the proxy now: their limits, and requests that are being answered. `CredentialUses` records all of them. */
export class ProxyUses {
  readonly limits = new UseLimits();
  readonly #uses: CredentialUses;
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  readonly #onFailure: (error: unknown) => void;
  readonly #running = new Map<AppTokenId, Set<RunningRequest>>();
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

  /** From here on a request is recorded at its end, whatever becomes of it. It is ended when its token is revoked. */
  begin(
    known: KnownRequest,
    { socket, method = '' }: IncomingMessage,
    response: ServerResponse,
  ): RunningRequest {
    const { app, credential, route } = known;
    const running = new RunningRequest(known);
    const ofApp = this.#running.get(app.id) ?? new Set();
    this.#running.set(app.id, ofApp.add(running));
    const at = isoInstant(this.#clock());
    const beganAt = performance.now();
    // What this connection received since its last request: a small one is read before it gets here.
    const { read, written } = { read: readBefore.get(socket) ?? 0, written: socket.bytesWritten };
    response.once('close', () => {
      if (!response.writableFinished) running.end();
      const [bytesIn, bytesOut] = [countOf(socket.bytesRead, read), countOf(socket.bytesWritten, written)];
      mayTakeTime.delete(socket);
      readBefore.set(socket, socket.bytesRead);
      if (running.isCounted) this.limits.end(app.id, bytesIn + bytesOut);
      ofApp.delete(running);
      if (ofApp.size === 0) this.#running.delete(app.id);
      this.#uses.addRequest(credential.id, {
        token_id: app.id,
        app: app.app,
        generation: running.generation,
        method,
        route,
        status: response.headersSent ? response.statusCode : 0,
        refusal: running.refusal,
        at,
        bytes_in: bytesIn,
        bytes_out: bytesOut,
        duration_ms: Math.round(performance.now() - beganAt),
      });
    });
    return running;
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
      for (const one of running) one.end();
      this.limits.forget(id);
    }
  }
}

function countOf(now: number | undefined, before: number | undefined): number {
  return Math.max(0, (now ?? 0) - (before ?? 0));
}
