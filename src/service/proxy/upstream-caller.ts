import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import type { ClientCertificate } from '../../contract/service/network.ts';
import { fitsHeader, type TokenSlot } from '../../contract/credential/provider-facts.ts';
import type { ProxyRefusalCode } from '../../contract/credential/proxy.ts';
import type { CallFailure } from '../../contract/credential/rotation-trouble.ts';
import type { CallAccess, CredentialAgent } from '../../core/credential/credential-agent.ts';
import { basePathOf } from '../../core/proxy/rule-limits.ts';
import { done, refused, type Result } from '../../core/result.ts';
import { connectFailureOf, systemCodeIn } from '../../network/connect-failure.ts';
import { Outgoing } from '../../network/outgoing.ts';
import { addressRefused, checkedLookup, namesPrivateNetwork } from '../../network/reachable-address.ts';
import { hostOf, idleLimitMs } from './outgoing-request.ts';

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
  readonly method: Dispatcher.HttpMethod;
  /** Below the base_url. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** Without the token and the host, which are added here. */
  readonly headers: Record<string, string>;
  readonly body: IncomingMessage | null;
  readonly isPrivateAllowed: boolean;
  /** Whether it may be sent again: a safe method without a body. */
  readonly isRepeatable: boolean;
  /** Its `abort` ends the call. */
  readonly signal: EventEmitter;
}

/** An answer that has begun. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly body: Dispatcher.ResponseData['body'];
  /** What the request was sent with, and where: below the origin of the base_url, with its query. */
  readonly access: CallAccess;
  readonly target: string;
}

type Outcome = Result<UpstreamAnswer, ProxyRefusalCode>;

/**
 * Sends requests to services with undici.
 *
 * The token is added here and nowhere before, so it exists only in the headers that are sent. It goes the way that
 * `network` chooses; certificates are verified whatever the environment says, and redirects are answers like any other.
 */
// see decisions/credential-proxy.md
export class UpstreamCaller {
  readonly #credentialAgent: CredentialAgent;
  readonly #inspect: (credential: string) => void;
  /** By the client certificate and by whether private addresses may be reached, so that no connection is shared between two. */
  readonly #agents = new Map<string, Agent>();
  readonly #newAgent: (isPrivateAllowed: boolean, certificate: ClientCertificate | null) => Agent;

  /** `inspect`: called with the name of a credential whose current token a service has refused. */
  constructor(
    credentialAgent: CredentialAgent,
    { lookup, outgoing = new Outgoing(), idleLimitMs: idleMs = idleLimitMs }: UpstreamOptions,
    inspect: (credential: string) => void,
  ) {
    this.#credentialAgent = credentialAgent;
    this.#inspect = inspect;
    this.#newAgent = (isPrivateAllowed, clientCertificate) =>
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

  /** Resolves once the service begins to answer; `access` is settled then. After a 401 a request is repeated once with a newer token. */
  async call(call: UpstreamCall, access: CallAccess): Promise<Outcome> {
    const first = await this.#send(call, access);
    if (!first.ok || first.value.status !== 401) return first;
    const newer = await this.#newerAccess(call.credential, access);
    if (newer === null) {
      this.#inspect(call.credential);
      return first;
    }
    if (!call.isRepeatable) {
      newer.settle();
      return first;
    }
    await first.value.body.dump();
    return this.#send(call, newer);
  }

  /** Ends what is still under way, too. */
  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()));
  }

  async #send(
    { method, path, query, headers, body, isPrivateAllowed, signal }: UpstreamCall,
    access: CallAccess,
  ): Promise<Outcome> {
    const { slot, token, baseUrl, clientCertificate } = access;
    const carried = carriedIn(slot, token);
    const to = addressOf(baseUrl);
    const target = `${to.path}${path}${query === '' ? '' : `?${query}`}`;
    headers['host'] = to.host;
    headers[slot.header] = carried;
    try {
      if (!fitsHeader(carried)) return refused('not_sendable');
      const agent = this.#agentFor(isPrivateAllowed || to.isPrivate, clientCertificate);
      const answer = await agent.request({ origin: to.origin, path: target, method, headers, body, signal });
      return done({
        status: answer.statusCode,
        headers: answer.headers,
        body: answer.body,
        access,
        target,
      });
    } catch (error) {
      return refused(refusalOf(error));
    } finally {
      access.settle();
    }
  }

  #agentFor(isPrivateAllowed: boolean, clientCertificate: ClientCertificate | null): Agent {
    const presented =
      clientCertificate === null ? '' : `\n${clientCertificate.certificate}\n${clientCertificate.key}`;
    const key = `${isPrivateAllowed ? 'any' : 'public'}${presented}`;
    let agent = this.#agents.get(key);
    if (agent === undefined) {
      agent = this.#newAgent(isPrivateAllowed, clientCertificate);
      this.#agents.set(key, agent);
    }
    return agent;
  }

  /** After a 401: the token that has replaced the one that was sent, also one that a rotation is about to bring. */
  async #newerAccess(credential: string, sent: CallAccess): Promise<CallAccess | null> {
    const now = await this.#credentialAgent.accessFor(credential);
    if (!now.ok) return null;
    const isSameService = now.value.baseUrl === sent.baseUrl;
    if (now.value.generation > sent.generation && isSameService) return now.value;
    now.value.settle();
    return null;
  }
}

interface Address {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly host: string;
  /** Without a slash at its end. */
  readonly path: string;
  /** Whether the address itself says that it is in a private network. */
  readonly isPrivate: boolean;
}

/** By base_url: there are as many as credentials. */
const addresses = new Map<string, Address>();

function addressOf(baseUrl: string): Address {
  let address = addresses.get(baseUrl);
  if (address === undefined) {
    const { origin, href, hostname } = new URL(baseUrl);
    address = {
      origin,
      host: hostOf(baseUrl),
      path: basePathOf(href),
      isPrivate: namesPrivateNetwork(hostname),
    };
    addresses.set(baseUrl, address);
  }
  return address;
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

/** The value of the header that carries a token. */
export function carriedIn({ prefix, isBasic = false }: TokenSlot, token: string): string {
  return `${prefix}${isBasic ? Buffer.from(token).toString('base64') : token}`;
}
