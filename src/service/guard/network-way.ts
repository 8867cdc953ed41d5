/**
 * Calls from other machines: over TLS, or through a proxy that is named. Loaded only by a host that is reached so.
 */
// see decisions/reach-a-network-host.md
import proxyAddr from '@fastify/proxy-addr';
import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { probePaths } from '../../contract/address.ts';
import { done, refused } from '../../core/result.ts';
import { type Arrival, type NetworkWay, plainAddress, type ReadArrival } from './arrival.ts';

/** How a service is reached from other machines. */
export interface NetworkAccess {
  /** Whether we end TLS ourselves. Without it every call has to come through a proxy. */
  readonly isTls: boolean;
  /** The addresses of proxies, or ranges of them (CIDR). What they say about a caller is believed. */
  readonly trustedProxies: readonly string[];
}

/** The rules for connections to the network address. */
export class OpenedNetworkWay implements NetworkWay {
  readonly #isTls: boolean;
  readonly #isProxy: (address: string) => boolean;
  readonly #sockets = new WeakSet<Socket>();
  #names: readonly string[] = [];

  /** Throws `TypeError` for a proxy that is no address and no range, and for the range of all addresses. */
  constructor({ isTls, trustedProxies }: NetworkAccess) {
    const isProxy = trustedProxies.length === 0 ? () => false : proxyAddr.compile([...trustedProxies]);
    this.#isTls = isTls;
    this.#isProxy = (address) => isProxy(address, 0);
  }

  get origin(): string {
    return `https://${this.#names[0] ?? ''}`;
  }

  /**
   * Has calls answered whose Host header is one of these names, in lower case: `rotavox.example.com`, `10.0.0.5:7682`. The first
   * one is shown to people. Before that every call is refused.
   */
  answerTo(names: readonly string[]): void {
    this.#names = names;
  }

  /** Notes a connection to the network address. */
  add(socket: Socket): void {
    this.#sockets.add(socket);
  }

  owns(socket: Socket): boolean {
    return this.#sockets.has(socket);
  }

  read(request: IncomingMessage): ReadArrival {
    const peer = plainAddress(request.socket.remoteAddress);
    if (this.#isProxy(peer)) return this.#readProxied(request, peer);
    return this.#isTls ? this.#readNamed(request.headers.host, peer) : refused('https_required');
  }

  /** Only here are headers about the way of a call read: what a stranger sends in them means nothing. */
  #readProxied(request: IncomingMessage, peer: string): ReadArrival {
    const { headers } = request;
    const scheme = lastOf(headers['x-forwarded-proto']) ?? (this.#isTls ? 'https' : 'http');
    if (scheme.toLowerCase() === 'https') {
      const host = lastOf(headers['x-forwarded-host']) ?? headers.host;
      return this.#readNamed(host, callerOf(request, this.#isProxy));
    }
    // A load balancer asks by itself whether we are well: by address, without https, and without a caller.
    if (headers['x-forwarded-for'] !== undefined || !isProbe(request)) return refused('https_required');
    return done({ address: peer, origin: `http://${headers.host ?? ''}`, isSecure: false, isOwner: false });
  }

  #readNamed(host: string | undefined, address: string): ReadArrival {
    const name = host?.toLowerCase();
    if (name === undefined || !this.#names.includes(name)) return refused('unknown_name');
    const arrival: Arrival = { address, origin: `https://${name}`, isSecure: true, isOwner: false };
    return done(arrival);
  }
}

/** The last address that is not a proxy's. Empty, so unknown, for what is no address: no IP rule allows it. */
function callerOf(request: IncomingMessage, isProxy: (address: string) => boolean): string {
  const address = plainAddress(proxyAddr(request, isProxy));
  return isIP(address) === 0 ? '' : address;
}

/** The value of the nearest proxy, where several have added theirs. */
function lastOf(header: string | string[] | undefined): string | undefined {
  return [header].flat().at(-1)?.split(',').at(-1)?.trim();
}

function isProbe({ method, url = '' }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && probePaths.includes(url.split('?', 1)[0] ?? '');
}
