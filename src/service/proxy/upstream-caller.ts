import type { EventEmitter } from 'node:events';
import type { LookupFunction } from 'node:net';
import replyFrom from '@fastify/reply-from';
import fastify, { type FastifyReply } from 'fastify';
import { Agent, type Dispatcher } from 'undici';
import type { ClientCertificate } from '../../contract/network.ts';
import { fitsHeader, type TokenSlot } from '../../contract/provider-facts.ts';
import type { ProxyRefusalCode } from '../../contract/proxy.ts';
import type { CallFailure } from '../../contract/rotation-trouble.ts';
import type { CallAccess, CredentialAgent } from '../../core/credential/credential-agent.ts';
import { invariant } from '../../core/unreachable.ts';
import { connectFailureOf, systemCodeIn } from '../../network/connect-failure.ts';
import { Outgoing } from '../../network/outgoing.ts';
import { addressRefused, checkedLookup, namesPrivateNetwork } from '../../network/reachable-address.ts';
import { idleLimitMs } from './outgoing-request.ts';

const connectLimitMs = 10_000;
const keptOpenMs = 10_000;
/** Connections to one service: more requests wait. */
const mostConnections = 512;

export interface UpstreamOptions {
  /** How names are looked up. Default: by the system. */
  readonly lookup?: LookupFunction | undefined;
  /** How connections are made. Default: as the environment says. */
  readonly outgoing?: Outgoing | undefined;
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
type Callback = (error: Error | null, answer?: Dispatcher.ResponseData) => void;

/**
 * Sends requests to services: what the forwarding library takes for a client of undici.
 *
 * The token is added here and nowhere before, so it exists only in the headers that are sent. It goes the way that
 * `network` chooses; certificates are verified whatever the environment says, and redirects are answers like any other.
 */
// see decisions/credential-proxy.md
export class UpstreamCaller {
  readonly #keeper: CredentialAgent;
  readonly #inspect: (credential: string) => void;
  /** By the client certificate and by whether private addresses may be reached, so that no connection is shared between two. */
  readonly #agents = new Map<string, Agent>();
  readonly #agentFor: (isPrivateAllowed: boolean, certificate: ClientCertificate | null) => Agent;
  /** By base_url: there are as many as credentials. */
  readonly #namesPrivate = new Map<string, boolean>();

  constructor(
    keeper: CredentialAgent,
    { lookup, outgoing = new Outgoing(), idleLimitMs: idleMs = idleLimitMs }: UpstreamOptions,
    inspect: (credential: string) => void,
  ) {
    this.#keeper = keeper;
    this.#inspect = inspect;
    this.#agentFor = (isPrivateAllowed, clientCertificate) =>
      new Agent({
        connect: outgoing.connector({
          timeLimitMs: connectLimitMs,
          lookup: checkedLookup(isPrivateAllowed, lookup),
          clientCertificate,
        }),
        allowH2: false,
        pipelining: 1,
        connections: mostConnections,
        keepAliveTimeout: keptOpenMs,
        headersTimeout: idleMs,
        bodyTimeout: idleMs,
      });
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
    for (const agent of this.#agents.values()) void agent.destroy();
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
    const { slot, token, baseUrl, settle, clientCertificate } = access;
    const carried = carriedIn(slot, token);
    if (!fitsHeader(carried)) {
      settle();
      callback(new UpstreamFailure('not_sendable'));
      return;
    }
    const isPrivate = isPrivateAllowed || this.#isInPrivateNetwork(baseUrl);
    const key = `${isPrivate ? 'any' : 'public'}${clientCertificate === null ? '' : `\n${clientCertificate.certificate}\n${clientCertificate.key}`}`;
    let agent = this.#agents.get(key);
    if (agent === undefined) {
      agent = this.#agentFor(isPrivate, clientCertificate);
      this.#agents.set(key, agent);
    }
    request.headers[slot.header] = carried;
    request.signal = signal;
    agent.request(request, (error, answer) => {
      settle();
      if (error === null) callback(null, answer);
      else callback(error);
    });
  }

  /** Whether the address of a service itself says that it is in one. */
  #isInPrivateNetwork(baseUrl: string): boolean {
    let isPrivate = this.#namesPrivate.get(baseUrl);
    if (isPrivate === undefined) {
      isPrivate = namesPrivateNetwork(new URL(baseUrl).hostname);
      this.#namesPrivate.set(baseUrl, isPrivate);
    }
    return isPrivate;
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
    const code = systemCodeIn(error);
    const options = { cause: error };
    if (code === addressRefused) return new UpstreamFailure('address_refused', options);
    const failure = connectFailureOf(error);
    if (failure !== null) return new UpstreamFailure(refusalFor[failure.code] ?? 'not_reached', options);
    const isLate = code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT';
    return new UpstreamFailure(isLate ? 'no_answer' : 'connection_lost', options);
  }
}

/** What an app is told of a connection that was not made; its owner learns more from a test of the credential. */
const refusalFor: Partial<Record<CallFailure['code'], ProxyRefusalCode>> = {
  not_trusted: 'not_trusted',
  proxy_failed: 'company_proxy',
  proxy_invalid: 'company_proxy',
  client_certificate: 'client_certificate',
};

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
