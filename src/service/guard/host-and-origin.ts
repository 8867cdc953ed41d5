import type { FastifyReply, FastifyRequest } from 'fastify';
import { loopbackNames } from '../../contract/address.ts';
import { refuse } from '../refuse.ts';

/** As a Host header has them: an address of IPv6 stands in brackets. */
const hostNames = loopbackNames.map((name) => (name.includes(':') ? `[${name}]` : name));
const hostsByPort = new Map<number, ReadonlySet<string>>();

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A page that a person may open by a link on another site. Everything else is refused to other sites. */
    opensByLink?: boolean;
  }
}

/** As Node decides which `Expect` it answers with 100. */
const continueExpected = /(?:^|\W)100-continue(?:$|\W)/i;

/**
 * Keeps web pages out: a name that somebody pointed at 127.0.0.1 (DNS rebinding), and pages of another origin.
 *
 * A `Host` must be a loopback name with the port that the call came in on; an `Origin` must be that same origin. Where a
 * browser says that a call comes from another site (`Sec-Fetch-Site`), no route answers it, also none that does not exist:
 * what needs no credential costs something, too. A route that a link may lead to says so (`config: { opensByLink: true }`).
 *
 * Looked at before anything else, and so is whether the request is one that a server of its own can answer.
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

/** By the route that was found, not by the address: a path can be written in many ways. A link must not spend a sign-in code. */
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
