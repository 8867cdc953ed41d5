import type { FastifyReply, FastifyRequest } from 'fastify';
import { loopbackNames } from '../../contract/address.ts';
import { refuse } from '../refuse.ts';

/** The form of a Host header: an IPv6 address in brackets. */
const hostNames = loopbackNames.map((name) => (name.includes(':') ? `[${name}]` : name));
const hostsByPort = new Map<number, ReadonlySet<string>>();

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A page that a link on another site may open. Everything else is refused to other sites. */
    opensByLink?: boolean;
  }
}

/** Matches the `Expect` values that Node answers with 100. */
const continueExpected = /(?:^|\W)100-continue(?:$|\W)/i;

/**
 * Refuses calls from web pages of other origins, also through a name that resolves to 127.0.0.1 (DNS rebinding).
 *
 * `Host` must be a loopback name with the port of the call; `Origin` must be that same origin. A call that the
 * browser marks as cross-site (`Sec-Fetch-Site`) is refused on every route, also on paths without one, because even
 * routes without a credential cost something. A route that a link may open declares it (`config: { opensByLink: true }`).
 *
 * Checked before anything else, as is whether the request is one that an origin server can answer.
 */
export function guardHostAndOrigin(request: FastifyRequest, reply: FastifyReply, next: () => void): void {
  const { headers, socket, url = '', httpVersion } = request.raw;
  const port = socket.localPort ?? 80;
  const host = headers.host;
  if (host === undefined || !hostsOf(port).has(host)) {
    refuse(reply, 'host_not_allowed');
    return;
  }
  if (!url.startsWith('/') && url !== '*') {
    refuse(reply, 'absolute_target');
    return;
  }
  const { origin } = headers;
  if (origin !== undefined && origin !== `http://${host}`) {
    refuse(reply, 'origin_not_allowed');
    return;
  }
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isOpenedByLink(request)) {
    refuse(reply, 'origin_not_allowed');
    return;
  }
  const { expect } = headers;
  // RFC 9110 section 10.1.1: a client of HTTP/1.0 may send anything.
  if (expect !== undefined && httpVersion !== '1.0' && !continueExpected.test(expect)) {
    refuse(reply, 'expectation_failed');
    return;
  }
  next();
}

/** By the route that was found, not by the address: a path can be written in many ways. A link must not use up a sign-in code. */
function isOpenedByLink({ routeOptions, query, headers }: FastifyRequest): boolean {
  const spendsCode = typeof query === 'object' && query !== null && 'code' in query;
  return (
    routeOptions.config.opensByLink === true &&
    !spendsCode &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document'
  );
}

function hostsOf(port: number): ReadonlySet<string> {
  const known = hostsByPort.get(port);
  if (known !== undefined) return known;
  const hosts = new Set(hostNames.map((name) => `${name}:${port}`));
  if (port === 80) for (const name of hostNames) hosts.add(name);
  hostsByPort.set(port, hosts);
  return hosts;
}
