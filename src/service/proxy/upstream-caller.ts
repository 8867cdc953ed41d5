import type { EventEmitter } from 'node:events';
import type { LookupFunction } from 'node:net';
import { getCACertificates } from 'node:tls';
import replyFrom from '@fastify/reply-from';
import fastify, { type FastifyReply } from 'fastify';
import { Agent, type Dispatcher } from 'undici';
import type { ProxyRefusalCode } from '../../contract/proxy.ts';
import { fitsHeader, type TokenSlot } from '../../contract/provider.ts';
import type { CallAccess, CredentialAgent } from '../../core/credential/credential-agent.ts';
import { invariant } from '../../core/unreachable.ts';
import { idleLimitMs } from './outgoing-request.ts';
import { addressRefused, checkedLookup, isRefusedHost, namesPrivateNetwork } from './reachable-address.ts';

const connectLimitMs = 10_000;
const keptOpenMs = 10_000;
/** Connections to one service: more requests wait. */
const mostConnections = 512;

export interface UpstreamOptions {
  /** How names are looked up. Default: by the system. */
  readonly lookup?: LookupFunction | undefined;
  /** Certificates (PEM) to trust in addition to the system's. */
  readonly trustedCertificates?: string | undefined;
  readonly idleLimitMs?: number | undefined;
}

/** One request to be sent on. */
export interface UpstreamCall {
  readonly credential: string;
  /** What it was sent with last. */
  access: CallAccess;
  readonly isPrivateAllowed: boolean;
  /** Whether it may be sent again: a safe method without a body. */
  readonly isRepeatable: boolean;
  readonly signal: EventEmitter;
}

/** The key under which a call goes with the headers through the forwarding library. It is never sent. */
const callKey: unique symbol = Symbol('call');

/** Why there is no answer. */
class UpstreamFailure extends Error {
  readonly refusal: ProxyRefusalCode;

  constructor(refusal: ProxyRefusalCode, options?: { cause: unknown }) {
    super(refusal, options);
    this.name = 'UpstreamFailure';
    this.refusal = refusal;
  }
}

type Request = Dispatcher.RequestOptions & {
  headers: Record<string, string> & { [callKey]?: UpstreamCall };
};
type Place = 'refused' | 'private' | 'public';
type Callback = (error: Error | null, answer?: Dispatcher.ResponseData) => void;

/**
 * Sends requests to services: what the forwarding library takes for a client of undici.
 *
 * The token is added here and nowhere before, so it exists only in the headers that are sent. Proxies of the environment are
 * not used, certificates are verified whatever the environment says, and redirects are answers like any other.
 */
// see decisions/credential-proxy.md
export class UpstreamCaller {
  readonly #keeper: CredentialAgent;
  readonly #inspect: (credential: string) => void;
  /** By whether private addresses may be reached, so that no connection is shared between the two. */
  readonly #agents: Readonly<Record<'any' | 'public', Agent>>;
  readonly #connectErrors = new WeakSet<Error>();
  /** By base_url: there are as many as credentials. */
  readonly #places = new Map<string, Place>();

  constructor(
    keeper: CredentialAgent,
    { lookup, trustedCertificates, idleLimitMs: idleMs = idleLimitMs }: UpstreamOptions,
    inspect: (credential: string) => void,
  ) {
    this.#keeper = keeper;
    this.#inspect = inspect;
    const ca = trustedCertificates === undefined ? [] : [...getCACertificates(), trustedCertificates];
    const agentFor = (isPrivateAllowed: boolean): Agent => {
      const agent = new Agent({
        connect: {
          rejectUnauthorized: true,
          timeout: connectLimitMs,
          lookup: checkedLookup(isPrivateAllowed, lookup),
          ...(ca.length === 0 ? {} : { ca }),
        },
        allowH2: false,
        pipelining: 1,
        connections: mostConnections,
        keepAliveTimeout: keptOpenMs,
        headersTimeout: idleMs,
        bodyTimeout: idleMs,
      });
      agent.on('connectionError', (_origin, _targets, error) => {
        this.#connectErrors.add(error);
      });
      return agent;
    };
    this.#agents = { any: agentFor(true), public: agentFor(false) };
  }

  /** The library's interface; it calls back once. */
  request = (request: Request, callback: Callback): void => {
    const call = request.headers[callKey];
    if (call === undefined) callback(new UpstreamFailure('not_reached'));
    else {
      this.#sendOnce(request, call, (error, answer) => {
        if (answer === undefined) callback(this.#failureOf(error));
        else if (answer.statusCode !== 401) callback(null, answer);
        else {
          this.#afterRefusal(request, call, answer).then(
            (last) => callback(null, last),
            (failure: unknown) => callback(this.#failureOf(failure)),
          );
        }
      });
    }
  };

  /** Why a request that the library sent has no answer. */
  refusalOf({ cause }: Error): ProxyRefusalCode {
    return cause instanceof UpstreamFailure ? cause.refusal : 'connection_lost';
  }

  /** For the library, which closes what it was given. */
  destroy(): void {
    void this.#agents.any.destroy();
    void this.#agents.public.destroy();
  }

  /** After a 401: the answer to the same request with a newer token, or this one. */
  async #afterRefusal(
    request: Request,
    call: UpstreamCall,
    first: Dispatcher.ResponseData,
  ): Promise<Dispatcher.ResponseData> {
    const newer = await this.#newerAccess(call);
    if (newer === null) {
      this.#inspect(call.credential);
      return first;
    }
    if (!call.isRepeatable) {
      newer.settle();
      return first;
    }
    await first.body.dump();
    call.access = newer;
    return new Promise((resolve, reject) => {
      this.#sendOnce(request, call, (error, answer) => {
        if (answer === undefined) reject(error ?? new UpstreamFailure('connection_lost'));
        else resolve(answer);
      });
    });
  }

  /** The request is the library's own copy, so the token is added to its headers. Callbacks, because promises cost more. */
  #sendOnce(
    request: Request,
    { access, isPrivateAllowed, signal }: UpstreamCall,
    callback: (error: Error | null, answer?: Dispatcher.ResponseData) => void,
  ): void {
    const { slot, token, baseUrl, settle } = access;
    const place = this.#placeOf(baseUrl);
    if (place === 'refused') {
      settle();
      callback(new UpstreamFailure('address_refused'));
      return;
    }
    const carried = carriedIn(slot, token);
    if (!fitsHeader(carried)) {
      settle();
      callback(new UpstreamFailure('not_sendable'));
      return;
    }
    const agent = isPrivateAllowed || place === 'private' ? this.#agents.any : this.#agents.public;
    request.headers[slot.header] = carried;
    request.signal = signal;
    agent.request(request, (error, answer) => {
      settle();
      if (error === null) callback(null, answer);
      else callback(error);
    });
  }

  /** What the address of a service itself says about where it is. */
  #placeOf(baseUrl: string): Place {
    let place = this.#places.get(baseUrl);
    if (place === undefined) {
      const { hostname } = new URL(baseUrl);
      if (isRefusedHost(hostname)) place = 'refused';
      else place = namesPrivateNetwork(hostname) ? 'private' : 'public';
      this.#places.set(baseUrl, place);
    }
    return place;
  }

  /** After a 401: the token that has replaced the one that was sent, also one that a rotation is about to bring. */
  async #newerAccess({ credential, access }: UpstreamCall): Promise<CallAccess | null> {
    const now = await this.#keeper.accessFor(credential);
    if (!now.ok) return null;
    const isSameService = now.value.baseUrl === access.baseUrl;
    if (now.value.generation > access.generation && isSameService) return now.value;
    now.value.settle();
    return null;
  }

  #failureOf(error: unknown): UpstreamFailure {
    if (error instanceof UpstreamFailure) return error;
    const code = codeOf(error);
    const options = { cause: error };
    if (code === addressRefused) return new UpstreamFailure('address_refused', options);
    if (error instanceof Error && this.#connectErrors.has(error)) {
      return new UpstreamFailure(isAboutTrust(code) ? 'not_trusted' : 'not_reached', options);
    }
    const isLate = code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT';
    return new UpstreamFailure(isLate ? 'no_answer' : 'connection_lost', options);
  }
}

function codeOf(error: unknown): string {
  for (let one = error; one instanceof Error; one = one.cause) {
    const { code } = one as NodeJS.ErrnoException;
    if (typeof code === 'string') return code;
  }
  return '';
}

/** OpenSSL's verification errors as Node names them, and those of the TLS module. */
function isAboutTrust(code: string): boolean {
  return /^(?:CERT_|CRL_|ERR_TLS_|ERR_SSL_|EPROTO$)|SELF_SIGNED|UNABLE_TO_|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH/.test(
    code,
  );
}

/** The value of the header that carries a token. */
export function carriedIn({ prefix, isBasic = false }: TokenSlot, token: string): string {
  return `${prefix}${isBasic ? Buffer.from(token).toString('base64') : token}`;
}

/** What forwards a request: `reply.from` of the library. */
export interface Forwarder {
  readonly from: FastifyReply['from'];
  /** Lets headers carry a call through the library. */
  readonly withCall: (
    headers: Record<string, string | string[] | undefined>,
    call: UpstreamCall,
  ) => typeof headers;
  readonly refusalOf: (error: Error) => ProxyRefusalCode;
  close(): Promise<void>;
}

/**
 * Opens the library and the client that it sends with.
 *
 * The library is a plugin for a server that does not listen yet. Loading it takes as long as loading the rest of the service,
 * and most people use no proxy, so it is given a server of its own and its function is called on the replies of ours.
 */
export async function openForwarder(
  ...args: ConstructorParameters<typeof UpstreamCaller>
): Promise<Forwarder> {
  const caller = new UpstreamCaller(...args);
  const holder = fastify();
  let from: FastifyReply['from'] | undefined;
  await holder.register(
    (instance, options, done) => {
      const capturing = Object.create(instance) as typeof instance;
      capturing.decorateReply = ((_name: string, value: FastifyReply['from']) => {
        from = value;
        return capturing;
      }) as typeof instance.decorateReply;
      replyFrom(capturing, options, done);
    },
    {
      // It calls `request` with a callback only.
      undici: caller as unknown as Pick<Dispatcher, 'request'>,
      destroyAgent: true,
      disableCache: true,
      disableRequestLogging: true,
    },
  );
  await holder.ready();
  invariant(from !== undefined, 'the library forwards');
  return {
    from,
    withCall: (headers, call) => Object.assign(headers, { [callKey]: call }),
    refusalOf: (error) => caller.refusalOf(error),
    close: () => holder.close(),
  };
}
