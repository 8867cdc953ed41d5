import type { FastifyReply, FastifyRequest } from 'fastify';
import { loopbackNames } from '../../contract/address.ts';
import { refuse } from '../refuse.ts';

/** As a Host header has them: an address of IPv6 stands in brackets. */
const hostNames = loopbackNames.map((name) => (name.includes(':') ? `[${name}]` : name));
const hostsByPort = new Map<number, ReadonlySet<string>>();

/**
 * Keeps web pages out: a name that somebody pointed at 127.0.0.1 (DNS rebinding), and pages of another origin.
 *
 * A `Host` must be a loopback name with the port that the call came in on; an `Origin` must be that same origin. Where a
 * browser says that a call comes from another site (`Sec-Fetch-Site`), no route with data answers it.
 */
export function guardHostAndOrigin(request: FastifyRequest, reply: FastifyReply, next: () => void): void {
  const { headers, socket } = request.raw;
  const port = socket.localPort ?? 80;
  const host = headers.host;
  if (host === undefined || !hostsOf(port).has(host)) {
    refuse(reply, 'host_not_allowed');
    return;
  }
  const { origin } = headers;
  if (origin !== undefined && origin !== `http://${host}`) {
    refuse(reply, 'origin_not_allowed');
    return;
  }
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && isForData(request)) {
    refuse(reply, 'origin_not_allowed');
    return;
  }
  next();
}

/** By the route that was found, not by the address: a path can be written in many ways. */
function isForData({ routeOptions, query }: FastifyRequest): boolean {
  const spendsCode = typeof query === 'object' && query !== null && 'code' in query;
  return routeOptions.config.family !== undefined || spendsCode;
}

function hostsOf(port: number): ReadonlySet<string> {
  const known = hostsByPort.get(port);
  if (known !== undefined) return known;
  const hosts = new Set(hostNames.map((name) => `${name}:${port}`));
  if (port === 80) for (const name of hostNames) hosts.add(name);
  hostsByPort.set(port, hosts);
  return hosts;
}
