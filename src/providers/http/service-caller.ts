import { AsyncLocalStorage } from 'node:async_hooks';
import type { Dispatcher, request } from 'undici';
import { ownUserAgent } from '../../contract/service/own-call.ts';
import { longestToken } from '../../contract/credential/credential.ts';
import type { ClientCertificate, TakenWay } from '../../contract/service/network.ts';
import { bearerSlot, fitsHeader, type TokenSlot } from '../../contract/credential/provider-facts.ts';
import type { CallFailure } from '../../contract/credential/rotation-trouble.ts';
import type { Clock } from '../../core/ledger.ts';
import { type ServiceHold, waitOf } from '../../core/rotation/retry-at.ts';
import { Outgoing } from '../../network/outgoing.ts';
import { readBody } from './read-body.ts';
import { complaintIn, cleanText } from './read-reply.ts';

/** What a service answered. */
export type Answer = Extract<CallResult, { kind: 'answer' }>;

/** The result of a call: the reply, or why there is none. */
export type CallResult =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** The body as JSON; undefined if it is none. */
      readonly body: unknown;
      /** The unparsed body. */
      readonly text: string;
      readonly headers: Readonly<Record<string, string | undefined>>;
    }
  /** Nothing was sent: no connection, or an untrusted one. */
  | { readonly kind: 'not_sent'; readonly failure: CallFailure }
  /** It was sent, and the reply did not arrive, or not completely. */
  | { readonly kind: 'lost'; readonly failure: CallFailure };

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly path: string;
  readonly token: string;
  /** Where the token goes. Default: `Authorization: Bearer`; null: nowhere. */
  readonly slot?: TokenSlot | null;
  readonly idempotencyKey?: string;
  /** Other headers, with names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body for POST and PUT, as JSON. Default: an empty object. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly timeLimitMs: number;
  /** Whether the answer may be a long list. */
  readonly isList?: boolean;
  readonly isAboutToken?: boolean;
}

export interface WebRequest {
  readonly method: Call['method'];
  readonly url: string;
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly timeLimitMs: number;
  readonly isList?: boolean;
  /** Whether it waits as calls about tokens do. Default: true. */
  readonly isAboutToken?: boolean;
}

/** Whether a call may be made: at once, or not before the service wants to be called again. */
export type CallPermit =
  | { readonly kind: 'go' }
  | { readonly kind: 'wait'; readonly hold: ServiceHold }
  | { readonly kind: 'stopping' };

/** The port to who says when a service may be called. */
export interface CallGate {
  /** Resolves when the call may be made, or when it is known that it may not. */
  enter(url: string): Promise<CallPermit>;
  /** The service has answered a call that was sent at an instant. `complaint`: it got too many. */
  heard(url: string, sentMs: number, complaint: { readonly waitMs: number | null } | null): void;
}

const connectLimitMs = 10_000;
/** Replies have a dozen fields; a larger one does not come from such a service. */
const largestReplyBytes = longestToken;
const largestListBytes = 8 * 1024 * 1024;
/** Rotations are rare, so connections are not kept open. */
const keepAliveMs = 1_000;

interface Client {
  readonly dispatcher: Dispatcher;
  /** For lists. */
  readonly listDispatcher: Dispatcher;
  readonly request: typeof request;
}

/**
 * Calls a service with a token, and only that service: a redirect is an answer and is never followed, and a
 * certificate that does not verify ends the call whatever the environment says (`NODE_TLS_REJECT_UNAUTHORIZED`).
 */
// see decisions/calls-to-other-services.md
export class ServiceCaller {
  readonly #outgoing: Outgoing;
  readonly #gate: CallGate | undefined;
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  readonly #presented = new AsyncLocalStorage<ClientCertificate | null>();
  /**
   * By the client certificate that they present, so that no connection is shared between two. Created for the first call: loading
   * undici takes a fifth of a start, and most starts make no call.
   */
  readonly #clients = new Map<string, Promise<Client>>();

  constructor({
    outgoing = new Outgoing(),
    gate,
    clock = Date.now,
  }: {
    readonly outgoing?: Outgoing;
    readonly gate?: CallGate;
    readonly clock?: Clock;
  } = {}) {
    this.#outgoing = outgoing;
    this.#gate = gate;
    this.#clock = clock;
  }

  /** Lets all calls that `act` makes present a client certificate. */
  async presenting<T>(
    certificate: () => Promise<ClientCertificate | null>,
    act: () => Promise<T>,
  ): Promise<T> {
    return this.#presented.run(await certificate(), act);
  }

  call(call: Call): Promise<CallResult> {
    const { method, baseUrl, path, token, idempotencyKey, body: sent = {} } = call;
    const slot = call.slot === undefined ? bearerSlot : call.slot;
    return this.send({
      method,
      url: `${baseUrl}${path}`,
      headers: {
        accept: 'application/json',
        ...(slot === null ? {} : { [slot.header]: `${slot.prefix}${token}` }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
        ...call.headers,
      },
      body: method === 'GET' ? null : JSON.stringify(sent),
      timeLimitMs: call.timeLimitMs,
      ...(call.isList === undefined ? {} : { isList: call.isList }),
      ...(call.isAboutToken === undefined ? {} : { isAboutToken: call.isAboutToken }),
    });
  }

  /** The same for a request of any form. */
  async send(wanted: WebRequest): Promise<CallResult> {
    const { method, url, headers, body, timeLimitMs, isList, isAboutToken = true } = wanted;
    if (!Object.values(headers).every(fitsHeader)) {
      return { kind: 'not_sent', failure: { code: 'not_sendable' } };
    }
    const permit = isAboutToken ? await this.#gate?.enter(url) : undefined;
    if (permit?.kind === 'wait') {
      return { kind: 'not_sent', failure: { code: 'asked_to_wait', ...waitOf(permit.hold) } };
    }
    if (permit?.kind === 'stopping') return { kind: 'not_sent', failure: { code: 'stopping' } };
    const { request, dispatcher, listDispatcher } = await this.#clientFor(this.#presented.getStore() ?? null);
    if (this.#isStopped()) return { kind: 'not_sent', failure: { code: 'stopping' } };
    const limit = AbortSignal.timeout(timeLimitMs);
    const sentMs = this.#clock();
    try {
      const answer = await request(url, {
        method,
        dispatcher: isList === true ? listDispatcher : dispatcher,
        signal: AbortSignal.any([limit, this.#stop.signal]),
        headers: { ...headers, 'user-agent': ownUserAgent },
        body,
      });
      const received = singleHeaders(answer.headers);
      const text = await readBody(await answer.body.bytes(), {
        encoding: received['content-encoding'],
        mostBytes: isList === true ? largestListBytes : largestReplyBytes,
      });
      // Also a path of the same service is told as an address.
      const { location } = received;
      const isRedirect = answer.statusCode >= 300 && answer.statusCode < 400;
      if (isRedirect && location !== undefined && URL.canParse(location, url)) {
        received['location'] = new URL(location, url).href;
      }
      this.#gate?.heard(url, sentMs, complaintIn(answer.statusCode, received, this.#clock()));
      const heard = { status: answer.statusCode, body: parsed(text), text, headers: received };
      if (isAboutToken && isPageInstead(heard)) {
        const secrets = [...Object.values(headers), ...(body === null ? [] : [body])];
        return {
          kind: 'lost',
          failure: { code: 'page', status: heard.status, title: titleOf(text, secrets) },
        };
      }
      return { kind: 'answer', ...heard };
    } catch (error) {
      if (limit.aborted) return { kind: 'lost', failure: { code: 'no_answer', limitMs: timeLimitMs } };
      if (this.#isStopped()) return { kind: 'lost', failure: { code: 'stopped' } };
      const { isSent, failure } = this.#outgoing.failureOf(error, url);
      return { kind: isSent ? 'lost' : 'not_sent', failure };
    }
  }

  /** How a service was reached last; null: not yet. */
  wayTo(baseUrl: string): TakenWay | null {
    return this.#outgoing.takenTo(baseUrl);
  }

  /** Aborts the calls in progress and makes no others. */
  async close(): Promise<void> {
    this.#stop.abort();
    const clients = await Promise.all(this.#clients.values());
    await Promise.all(
      clients.flatMap(({ dispatcher, listDispatcher }) => [dispatcher.destroy(), listDispatcher.destroy()]),
    );
  }

  #clientFor(certificate: ClientCertificate | null): Promise<Client> {
    const key = certificate === null ? '' : `${certificate.certificate}\n${certificate.key}`;
    const client = this.#clients.get(key) ?? this.#makeClient(certificate);
    this.#clients.set(key, client);
    return client;
  }

  async #makeClient(clientCertificate: ClientCertificate | null): Promise<Client> {
    const { Agent, request } = await import('undici');
    const agentFor = (maxResponseSize: number): Dispatcher =>
      new Agent({
        connect: this.#outgoing.connector({ timeLimitMs: connectLimitMs, clientCertificate }),
        keepAliveTimeout: keepAliveMs,
        maxResponseSize,
      });
    return { dispatcher: agentFor(largestReplyBytes), listDispatcher: agentFor(largestListBytes), request };
  }

  #isStopped(): boolean {
    return this.#stop.signal.aborted;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // not JSON, which the caller handles
  }
}

function singleHeaders(headers: Record<string, string | string[] | undefined>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
}

const shortestMs = 1_000;

/** The time limit of a call, in milliseconds: a token with a short lifetime cannot wait long for a service that hangs. */
export function callLimitMs(leftMs: number, longestMs: number): number {
  return Math.min(longestMs, Math.max(shortestMs, Math.floor(leftMs / 4)));
}

/** An answer as it arrived; `body` undefined: it is no JSON. */
interface Heard {
  readonly status: number;
  readonly body: unknown;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/**
 * Whether a web page came where a service would answer with data: it is from a firewall, from the sign-in of a network, or from
 * the website at that address. The service itself may not have had the call at all.
 *
 * Pages of other statuses say what their status says, such as 404 and 502.
 */
export function isPageInstead({ status, body, text, headers }: Heard): boolean {
  const isAnswer = (status >= 200 && status < 300) || status === 403 || status === 511;
  if (!isAnswer || body !== undefined || text.trim() === '') return false;
  if (/^(text\/html|application\/xhtml)/i.test(headers['content-type'] ?? '')) return true;
  // Without a type, or with a wrong one; a declaration or comments may come first.
  return text.trimStart().startsWith('<') && /<(!doctype html|html|head|body)\b/i.test(text.slice(0, 1000));
}

/** What a page calls itself, for display. Null where it has no title, or one with a word of what was sent. */
export function titleOf(page: string, sent: readonly string[]): string | null {
  const title = /<title[^<>]*>([^<]{1,1000})/i.exec(page)?.[1];
  if (title === undefined) return null;
  const words = sent.flatMap((one) => one.split(/[\s&=:]+/)).filter(({ length }) => length >= shortestSecret);
  const told = title.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_all, name: string) => entities[name] ?? '');
  return words.some((word) => told.includes(word)) ? null : cleanText(told);
}

/** Shorter words are in many titles. */
const shortestSecret = 8;

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
};
