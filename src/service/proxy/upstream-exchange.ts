import type { IncomingMessage } from 'node:http';
import type { Dispatcher } from 'undici';
import type { ProxyRefusalCode } from '../../contract/credential/proxy.ts';
import type { CallFailure } from '../../contract/credential/rotation-trouble.ts';
import type { CallAccess } from '../../core/credential/credential-agent.ts';
import { connectFailureOf, systemCodeIn } from '../../network/connect-failure.ts';
import { addressRefused } from '../../network/reachable-address.ts';

/** One request to be sent on. */
export interface UpstreamCall {
  readonly credential: string;
  readonly method: Dispatcher.HttpMethod;
  /** Below the base_url. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** Names and values in turn, without the token and the host, which are added here. */
  readonly headers: readonly string[];
  readonly body: IncomingMessage | Buffer | null;
  readonly isPrivateAllowed: boolean;
  /** Whether it may be sent again: a safe method without a body. */
  readonly isRepeatable: boolean;
}

/** What a request was sent with, and where: below the origin of the base_url, with its query. */
export interface Sent {
  readonly access: CallAccess;
  readonly target: string;
}

/** Who gets the answer to a call: `onAnswer`, `onPart` for each part of its body, and `onEnd`, or at any time `onLost`, once. */
export interface Receiver {
  /** `headers`: names and values in turn, as they came. */
  onAnswer(status: number, headers: readonly Buffer[], sent: Sent): void;
  /** Returns false where it takes nothing further until it calls `resume`. */
  onPart(part: Buffer): boolean;
  onEnd(): void;
  /** There is no answer, or not the rest of it. */
  onLost(refusal: ProxyRefusalCode): void;
  /** One of these methods threw. The call has ended. */
  onFailure(error: unknown): void;
}

/** What an exchange needs of its sender. */
export interface Sender {
  dispatch(exchange: UpstreamExchange): void;
  /** After a 401: the newer token with which the call may be repeated; null: it may not be. */
  tokenAfterRefusal(call: UpstreamCall, sent: CallAccess): Promise<CallAccess | null>;
  /** A part of a body has gone through, in either direction. */
  passed(bytes: number): void;
}

/** Of an answer that may have to wait for a newer token, as much is read as one read brings. */
const heldBytes = 64 * 1024;
/** An answer that nobody gets is read to its end, so that its connection can be used again, unless it is longer. */
const unreadBytes = 128 * 1024;

/** Where an exchange is: `held` while a newer token is looked for after a 401, `left` when the call was sent again. */
type Phase = 'sent' | 'held' | 'passed' | 'left' | 'over';

interface HeldAnswer {
  readonly status: number;
  readonly headers: readonly Buffer[];
  readonly parts: Buffer[];
  isWhole: boolean;
  lost: ProxyRefusalCode | null;
}

/**
 * A call and its answer, as undici reports them.
 *
 * By the callbacks that undici 7 calls deprecated: they have the headers as they came. Those that replace them make an object
 * of all headers for each answer, which takes longer than our checks of them.
 */
export class UpstreamExchange implements Dispatcher.DispatchHandler {
  readonly call: UpstreamCall;
  readonly access: CallAccess;
  target = '';
  readonly #receiver: Receiver;
  readonly #caller: Sender;
  readonly #isRepeated: boolean;
  #phase: Phase = 'sent';
  #abort: (() => void) | null = null;
  #resume: (() => void) | null = null;
  /** What arrived while it was held. */
  #held: HeldAnswer | null = null;
  /** Bytes that are held or were left unread. */
  #bytes = 0;
  /** The second attempt. */
  #next: UpstreamExchange | null = null;

  constructor(
    call: UpstreamCall,
    access: CallAccess,
    receiver: Receiver,
    caller: Sender,
    isRepeated = false,
  ) {
    this.call = call;
    this.access = access;
    this.#receiver = receiver;
    this.#caller = caller;
    this.#isRepeated = isRepeated;
  }

  /** Goes on with the answer, after `onPart` has returned false. */
  resume(): void {
    if (this.#next === null) this.#resume?.();
    else this.#next.resume();
  }

  /** Ends it at the service. The receiver hears of it, unless its answer was at its end or lost before. */
  end(): void {
    if (this.#next !== null) this.#next.end();
    else {
      this.lose('connection_lost');
      this.#abort?.();
    }
  }

  /** There is no answer, or not the rest of it. */
  lose(refusal: ProxyRefusalCode): void {
    this.access.settle();
    if (this.#phase === 'held' && this.#held !== null) {
      this.#held.lost ??= refusal;
      return;
    }
    if (this.#phase === 'left' || this.#phase === 'over') return;
    this.#phase = 'over';
    this.#receiver.onLost(refusal);
  }

  onConnect(abort: () => void): void {
    this.#abort = abort;
    if (this.#phase === 'over') abort();
  }

  onHeaders(status: number, headers: Buffer[], resume: () => void): boolean {
    if (status < 200) return true;
    this.#resume = resume;
    this.access.settle();
    if (status !== 401 || this.#isRepeated) return this.#pass(status, headers);
    this.#phase = 'held';
    this.#held = { status, headers, parts: [], isWhole: false, lost: null };
    this.#lookForNewer(this.#held).catch((error: unknown) => this.#fail(error));
    return true;
  }

  /** undici gives the part itself; its types say that it is its length. */
  onBodySent(part: Buffer | number): void {
    this.#caller.passed(typeof part === 'number' ? part : part.length);
  }

  onData(part: Buffer): boolean {
    this.#caller.passed(part.length);
    switch (this.#phase) {
      case 'passed':
        try {
          return this.#receiver.onPart(part);
        } catch (error) {
          this.#fail(error);
          return true;
        }
      case 'held':
        this.#bytes += part.length;
        this.#held?.parts.push(part);
        return this.#bytes < heldBytes;
      case 'left':
        this.#bytes += part.length;
        if (this.#bytes > unreadBytes) this.#abort?.();
        return true;
      case 'sent':
      case 'over':
        return true;
    }
  }

  onComplete(): void {
    if (this.#held !== null) this.#held.isWhole = true;
    if (this.#phase === 'passed') this.#finish();
  }

  onError(error: Error): void {
    this.lose(refusalOf(error));
  }

  #pass(status: number, headers: readonly Buffer[]): boolean {
    this.#phase = 'passed';
    try {
      this.#receiver.onAnswer(status, headers, { access: this.access, target: this.target });
    } catch (error) {
      this.#fail(error);
      return true;
    }
    // They have no body, whatever length they name (RFC 9110, section 8.6); undici would miss it.
    if (status === 204 || status === 304) this.#finish();
    return true;
  }

  #finish(): void {
    this.#phase = 'over';
    try {
      this.#receiver.onEnd();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** What is thrown by a receiver must not be taken for a failure of the service. */
  #fail(error: unknown): void {
    this.#phase = 'over';
    this.#receiver.onFailure(error);
    this.#abort?.();
  }

  async #lookForNewer(held: HeldAnswer): Promise<void> {
    const newer = await this.#caller.tokenAfterRefusal(this.call, this.access);
    if (newer !== null && held.lost === null) {
      this.#phase = 'left';
      this.#next = new UpstreamExchange(this.call, newer, this.#receiver, this.#caller, true);
      this.#caller.dispatch(this.#next);
      this.#resume?.();
      return;
    }
    newer?.settle();
    this.#held = null;
    this.#phase = 'passed';
    if (held.lost !== null) {
      this.lose(held.lost);
      return;
    }
    this.#pass(held.status, held.headers);
    for (const part of held.parts) this.onData(part);
    if (held.isWhole) this.onComplete();
    else this.#resume?.();
  }
}

function refusalOf(error: unknown): ProxyRefusalCode {
  const code = systemCodeIn(error);
  if (code === addressRefused) return 'address_refused';
  const failure = connectFailureOf(error);
  if (failure !== null) return refusalFor[failure.code] ?? 'not_reached';
  const isLate = code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT';
  return isLate ? 'no_answer' : 'connection_lost';
}

/** What an app is told of a connection that was not made; its owner learns more from a test of the credential. */
const refusalFor: Partial<Record<CallFailure['code'], ProxyRefusalCode>> = {
  not_trusted: 'not_trusted',
  proxy_failed: 'company_proxy',
  proxy_invalid: 'company_proxy',
  client_certificate: 'client_certificate',
};
