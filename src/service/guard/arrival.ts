import type {} from 'fastify';
import type { IncomingMessage } from 'node:http';
import { isIPv4, type Socket } from 'node:net';
import type { ProblemCode } from '../../contract/problems.ts';
import { done, refused, type Result } from '../../core/result.ts';
import { isLoopbackHost } from '../../network/create-listener.ts';

/**
 * How a call reached us, as the caller sees it: directly, through a named proxy, or passed on by a host that follows.
 *
 * Decided once for each call, before anything else. Nothing else reads the socket or headers about the way of a call.
 */
export interface Arrival {
  /** The caller's IP address; IPv4 without the prefix for IPv6. */
  readonly address: string;
  /** Scheme, host and port that the caller used, such as `https://rotavox.example.com`. */
  readonly origin: string;
  readonly isSecure: boolean;
  /** Whether the host that passed it on has recognised its own owner, by the key in its `runtime.json`. */
  readonly isOwner: boolean;
  /** SHA-256 of the body, in base64url, where a host signed it with the call that it passed on. */
  readonly bodyDigest?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    arrival: Arrival;
  }
}

/** Why a call is refused before anything else is looked at. */
export type ArrivalRefusal = Extract<
  ProblemCode,
  'host_not_allowed' | 'unknown_name' | 'https_required' | 'clocks_differ' | 'passed_on_twice'
>;
export type ReadArrival = Result<Arrival, ArrivalRefusal>;

/** How calls from other machines come in. Which connections those are, it knows itself. */
export interface NetworkWay {
  /** The address for links and for people: that of the first name. */
  readonly origin: string;
  owns(socket: Socket): boolean;
  read(request: IncomingMessage): ReadArrival;
}

export interface ArrivalOptions {
  /** Default: calls come to loopback addresses only. */
  readonly network?: NetworkWay | null | undefined;
  /**
   * The arrival of a call that another host passed on, from what it signed; null for every other call.
   *
   * It is asked first, on every connection, and its answer is believed: also the host's name was checked there.
   */
  readonly readForwarded?: ((request: IncomingMessage) => ReadArrival | null) | undefined;
}

interface Known {
  readonly host: string | undefined;
  readonly read: ReadArrival;
}

/** Decides how each call arrived, for the service and for a host that passes its calls on. */
export class Arrivals {
  readonly network: NetworkWay | null;
  readonly #readForwarded: ArrivalOptions['readForwarded'];
  /** What the last call on a loopback connection gave: the next one has the same Host. */
  readonly #known = new WeakMap<Socket, Known>();

  constructor({ network = null, readForwarded }: ArrivalOptions = {}) {
    this.network = network;
    this.#readForwarded = readForwarded;
  }

  read(request: IncomingMessage): ReadArrival {
    const { socket, headers } = request;
    const forwarded = this.#readForwarded?.(request) ?? null;
    if (forwarded !== null) return forwarded;
    if (this.network?.owns(socket) === true) return this.network.read(request);
    const { host } = headers;
    const known = this.#known.get(socket);
    if (known !== undefined && known.host === host) return known.read;
    const read = readLoopback(request);
    this.#known.set(socket, { host, read });
    return read;
  }
}

function readLoopback(request: IncomingMessage): ReadArrival {
  if (!isLoopbackHost(request)) return refused('host_not_allowed');
  const address = plainAddress(request.socket.remoteAddress);
  return done({ address, origin: `http://${request.headers.host ?? ''}`, isSecure: false, isOwner: false });
}

/** The usual form of a peer's address: an IPv4 caller on an IPv6 socket is an IPv4 caller. */
export function plainAddress(remoteAddress: string | undefined): string {
  if (remoteAddress === undefined) return '';
  return remoteAddress.startsWith('::ffff:') && isIPv4(remoteAddress.slice(7))
    ? remoteAddress.slice(7)
    : remoteAddress;
}

/** The port that the caller reached. */
export function portOf({ origin, isSecure }: Pick<Arrival, 'origin' | 'isSecure'>): number {
  const [, port] = /:(\d+)$/.exec(origin) ?? [];
  if (port !== undefined) return Number(port);
  return isSecure ? 443 : 80;
}
