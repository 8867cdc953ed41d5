import { getCACertificates } from 'node:tls';
import type { Dispatcher, request } from 'undici';
import { ownUserAgent } from '../../contract/own-call.ts';
import type { CallFailure } from '../../contract/rotation-trouble.ts';

/** The result of a call: the reply, or why there is none. */
export type CallResult =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** The body as JSON; undefined when it is none. */
      readonly body: unknown;
      /** The body as it came. */
      readonly text: string;
      readonly headers: Readonly<Record<string, string | undefined>>;
    }
  /** Nothing was sent: no connection, or an untrusted one. */
  | { readonly kind: 'not_sent'; readonly failure: CallFailure }
  /** It was sent, and the reply did not arrive completely. */
  | { readonly kind: 'lost'; readonly failure: CallFailure };

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly path: string;
  readonly bearer: string;
  readonly idempotencyKey?: string;
  /** What is sent with POST and PUT. Default: an empty object. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly timeLimitMs: number;
  /** Whether the answer may be a list of everything that the service has. */
  readonly isList?: boolean;
}

const connectLimitMs = 10_000;
/** The replies have a dozen fields; whoever sends more than this is not the service. */
const largestReplyBytes = 64 * 1024;
const largestListBytes = 8 * 1024 * 1024;
/** A rotation is rare: a connection is not kept for the next one. */
const keepAliveMs = 1_000;

interface Client {
  readonly dispatcher: Dispatcher;
  /** For lists. */
  readonly listDispatcher: Dispatcher;
  readonly request: typeof request;
}

/**
 * Calls a service with a bearer token, and only that service: a redirect is an answer and is never followed, and a
 * certificate that does not verify ends the call whatever the environment says (`NODE_TLS_REJECT_UNAUTHORIZED`).
 */
// see decisions/calls-to-other-services.md
export class ServiceCaller {
  readonly #trustedCertificates: string | undefined;
  readonly #stop = new AbortController();
  /** What failed while connecting; every other failure comes after something was sent. */
  readonly #connectErrors = new WeakSet<Error>();
  /** Made for the first call: reading undici takes a fifth of a start, and most starts have nothing to call. */
  #client: Promise<Client> | null = null;

  constructor({ trustedCertificates }: { readonly trustedCertificates?: string } = {}) {
    this.#trustedCertificates = trustedCertificates;
  }

  async call(call: Call): Promise<CallResult> {
    const { method, baseUrl, path, bearer, idempotencyKey, timeLimitMs, body: sent = {} } = call;
    const { request, dispatcher, listDispatcher } = await (this.#client ??= this.#makeClient());
    if (this.#isStopped()) return { kind: 'not_sent', failure: { code: 'stopping' } };
    const limit = AbortSignal.timeout(timeLimitMs);
    try {
      const answer = await request(`${baseUrl}${path}`, {
        method,
        dispatcher: call.isList === true ? listDispatcher : dispatcher,
        signal: AbortSignal.any([limit, this.#stop.signal]),
        headers: {
          accept: 'application/json',
          'user-agent': ownUserAgent,
          authorization: `Bearer ${bearer}`,
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
          ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
        },
        ...(method === 'GET' ? {} : { body: JSON.stringify(sent) }),
      });
      const text = await answer.body.text();
      const headers = singleHeaders(answer.headers);
      return { kind: 'answer', status: answer.statusCode, body: parsed(text), text, headers };
    } catch (error) {
      if (limit.aborted) return { kind: 'lost', failure: { code: 'no_answer', limitMs: timeLimitMs } };
      if (this.#isStopped()) return { kind: 'lost', failure: { code: 'stopped' } };
      return this.#resultOf(error);
    }
  }

  /** Aborts the calls in progress and makes no others. */
  async close(): Promise<void> {
    this.#stop.abort();
    const client = await this.#client;
    await Promise.all([client?.dispatcher.destroy(), client?.listDispatcher.destroy()]);
  }

  async #makeClient(): Promise<Client> {
    const { Agent, request } = await import('undici');
    // A list of one's own takes the place of the usual one, so that has to be in it.
    const ca =
      this.#trustedCertificates === undefined ? [] : [...getCACertificates(), this.#trustedCertificates];
    const agentFor = (maxResponseSize: number): Dispatcher => {
      const agent = new Agent({
        connect: {
          rejectUnauthorized: true,
          timeout: connectLimitMs,
          ...(ca.length === 0 ? {} : { ca }),
        },
        keepAliveTimeout: keepAliveMs,
        maxResponseSize,
      });
      agent.on('connectionError', (_origin, _targets, error) => {
        this.#connectErrors.add(error);
      });
      return agent;
    };
    return { dispatcher: agentFor(largestReplyBytes), listDispatcher: agentFor(largestListBytes), request };
  }

  #isStopped(): boolean {
    return this.#stop.signal.aborted;
  }

  #resultOf(error: unknown): CallResult {
    const systemCode = codeOf(error);
    if (!(error instanceof Error && this.#connectErrors.has(error))) {
      return { kind: 'lost', failure: { code: 'connection_lost', systemCode } };
    }
    const code = isAboutTrust(systemCode) ? 'not_trusted' : 'not_connected';
    return { kind: 'not_sent', failure: { code, systemCode } };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // what it says instead is nobody's promise
  }
}

function singleHeaders(headers: Record<string, string | string[] | undefined>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
}

/** OpenSSL's verification errors (X509_V_ERR_*) as Node names them, and those of the TLS module. */
function isAboutTrust(code: string): boolean {
  return (
    /^(?:CERT_|CRL_|ERROR_IN_|ERR_TLS_|ERR_SSL_|EPROTO$)/.test(code) ||
    /(?:SELF_SIGNED|UNABLE_TO_|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED)/.test(
      code,
    )
  );
}

function codeOf(error: unknown): string {
  for (let one = error; one instanceof Error; one = one.cause) {
    const { code } = one as NodeJS.ErrnoException;
    if (typeof code === 'string') return code;
  }
  return error instanceof Error ? error.name : 'unknown';
}

const shortestMs = 1_000;

/** The time limit of a call, in milliseconds: with a short lifetime, a service that hangs cannot be waited for long. */
export function callLimitMs(leftMs: number, longestMs: number): number {
  return Math.min(longestMs, Math.max(shortestMs, Math.floor(leftMs / 4)));
}
