import type { LookupFunction } from 'node:net';
import { Agent } from 'undici';
import type { ClientCertificate } from '../../contract/service/network.ts';
import { fitsHeader, type TokenSlot } from '../../contract/credential/provider-facts.ts';
import type { CallAccess, CredentialAgent } from '../../core/credential/credential-agent.ts';
import { basePathOf } from '../../core/proxy/rule-limits.ts';
import { Outgoing } from '../../network/outgoing.ts';
import { checkedLookup, namesPrivateNetwork } from '../../network/reachable-address.ts';
import { hostOf, idleLimitMs } from './outgoing-request.ts';
import { PartMemory } from './part-memory.ts';
import { type Receiver, type Sender, type UpstreamCall, UpstreamExchange } from './upstream-exchange.ts';

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

/**
 * Sends requests to services with undici.
 *
 * The token is added here and nowhere before, so it exists only in the headers that are sent. It goes the way that
 * `network` chooses; certificates are verified whatever the environment says, and redirects are answers like any other.
 */
// see decisions/credential-proxy.md
export class UpstreamCaller implements Sender {
  readonly #credentialAgent: CredentialAgent;
  readonly #inspect: (credential: string) => void;
  /** By the client certificate and by whether private addresses may be reached, so that no connection is shared between two. */
  readonly #agents = new Map<string, Agent>();
  readonly #memory = new PartMemory();
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

  /**
   * Sends a call and returns at once. `access` is settled when the service begins to answer, or the call is over. After a 401 a
   * repeatable call is sent once more with a newer token.
   */
  send(call: UpstreamCall, access: CallAccess, receiver: Receiver): UpstreamExchange {
    const exchange = new UpstreamExchange(call, access, receiver, this);
    this.dispatch(exchange);
    return exchange;
  }

  /** Sends what an exchange is made for. */
  dispatch(exchange: UpstreamExchange): void {
    const { method, path, query, headers, body, isPrivateAllowed } = exchange.call;
    const { slot, token, baseUrl, clientCertificate } = exchange.access;
    const carried = carriedIn(slot, token);
    if (!fitsHeader(carried)) {
      exchange.lose('not_sendable');
      return;
    }
    const to = addressOf(baseUrl);
    exchange.target = query === '' ? `${to.path}${path}` : `${to.path}${path}?${query}`;
    const sent = ['host', to.host, slot.header, carried];
    for (const one of headers) sent.push(one);
    this.#agentFor(isPrivateAllowed || to.isPrivate, clientCertificate).dispatch(
      { origin: to.origin, path: exchange.target, method, headers: sent, body },
      exchange,
    );
  }

  /** After a 401: whether the call may be repeated, and with which token. */
  async tokenAfterRefusal(
    { credential, isRepeatable }: UpstreamCall,
    sent: CallAccess,
  ): Promise<CallAccess | null> {
    const now = await this.#credentialAgent.accessFor(credential);
    const isNewer = now.ok && now.value.baseUrl === sent.baseUrl && now.value.generation > sent.generation;
    if (!isNewer) this.#inspect(credential);
    if (isNewer && isRepeatable) return now.value;
    if (now.ok) now.value.settle();
    return null;
  }

  passed(bytes: number): void {
    this.#memory.passed(bytes);
  }

  /** Ends what is still under way, too. */
  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()));
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

/** The value of the header that carries a token. */
export function carriedIn({ prefix, isBasic = false }: TokenSlot, token: string): string {
  return `${prefix}${isBasic ? Buffer.from(token).toString('base64') : token}`;
}
