import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { CredentialId } from '../../contract/credential/credential.ts';
import type { AppTokenId, ProxyRefusalCode } from '../../contract/credential/proxy.ts';
import { type Clock, type Ledger, StoreUnavailable } from '../../core/ledger.ts';
import { UseLimits } from '../../core/proxy/use-limits.ts';
import { mayTakeTime } from '../../network/create-listener.ts';
import type { CredentialUses } from '../credential-uses.ts';
import type { KnownRequest } from './admit-request.ts';

const minuteMs = 60_000;

/** A request of a known app, until its answer has ended. */
export class RunningRequest {
  readonly known: KnownRequest;
  /** Whether it counts in the limits of its app. */
  isCounted = false;
  /** Of the token that was sent last; 0: none was. */
  generation = 0;
  refusal: ProxyRefusalCode | null = null;
  aborted = false;
  /** The call to its service; null while it is not sent. */
  sent: { end(): void } | null = null;
  /** Among those of its app. */
  place = 0;

  constructor(known: KnownRequest) {
    this.known = known;
  }

  /** Ends it at its service. */
  end(): void {
    if (this.aborted) return;
    this.aborted = true;
    this.sent?.end();
  }
}

/** How many bytes each connection had received at the end of its last request. */
const receivedBefore = new WeakMap<Socket, { bytes: number }>();

/** The apps that use the proxy now: their limits, and requests that are being answered. `CredentialUses` records all of them. */
export class ProxyUses {
  readonly limits = new UseLimits();
  readonly #uses: CredentialUses;
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  readonly #onFailure: (error: unknown) => void;
  /**
   * By app, in any order. Not a Set: one that grows and shrinks leaves tables behind which keep what was in them until the next large
   * collection, and with it all of a request and its answer.
   */
  readonly #running = new Map<AppTokenId, RunningRequest[]>();
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
    let ofApp = this.#running.get(app.id);
    if (ofApp === undefined) this.#running.set(app.id, (ofApp = []));
    const others = ofApp;
    running.place = others.push(running) - 1;
    const atMs = this.#clock();
    const beganAt = performance.now();
    // What this connection received since its last request: a small one is read before it gets here.
    let received = receivedBefore.get(socket);
    if (received === undefined) receivedBefore.set(socket, (received = { bytes: 0 }));
    const before = received;
    const written = socket.bytesWritten;
    response.on('close', () => {
      if (!response.writableFinished) running.end();
      const bytesIn = countOf(socket.bytesRead, before.bytes);
      const bytesOut = countOf(socket.bytesWritten, written);
      before.bytes = socket.bytesRead;
      mayTakeTime.delete(socket);
      if (running.isCounted) this.limits.end(app.id, bytesIn + bytesOut);
      running.sent = null;
      const last = others.pop();
      if (last !== undefined && last !== running) {
        last.place = running.place;
        others[last.place] = last;
      }
      this.#uses.addRequest(credential.id, {
        token_id: app.id,
        app: app.app,
        generation: running.generation,
        method,
        route,
        status: response.headersSent ? response.statusCode : 0,
        refusal: running.refusal,
        atMs,
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
      for (const one of [...running]) one.end();
      this.limits.forget(id);
      this.#running.delete(id);
    }
  }
}

function countOf(now: number | undefined, before: number | undefined): number {
  return Math.max(0, (now ?? 0) - (before ?? 0));
}
