import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../refuse.ts';
import { addTransportSecurity } from '../security-headers.ts';
import type { Arrivals } from './arrival.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A page that a link on another site may open. Everything else is refused to other sites. */
    opensByLink?: boolean;
  }
}

/** Matches the `Expect` values that Node answers with 100. */
const continueExpected = /(?:^|\W)100-continue(?:$|\W)/i;

/**
 * A hook that decides how a call arrived (`request.arrival`) and refuses calls from web pages of other origins.
 *
 * `Host` must be a name of the service (`arrival.ts`), and `Origin` that same origin. A call that the
 * browser marks as cross-site (`Sec-Fetch-Site`) is refused on every route, also on paths without one, because even
 * routes without a credential cost something. A route that a link may open declares it (`config: { opensByLink: true }`).
 *
 * Checked before anything else, as is whether the request is one that an origin server can answer.
 */
export function guardHostAndOrigin(arrivals: Arrivals) {
  return (request: FastifyRequest, reply: FastifyReply, next: () => void): void => {
    const arrived = arrivals.read(request.raw);
    if (!arrived.ok) {
      refuse(reply, arrived.refusal);
      return;
    }
    request.arrival = arrived.value;
    addTransportSecurity(request.arrival, reply);
    if (isOwnRequest(request, reply)) next();
  };
}

/** Whether the call is one of our own pages or of no page at all; otherwise it has been refused. */
function isOwnRequest(request: FastifyRequest, reply: FastifyReply): boolean {
  const { headers, url = '', httpVersion } = request.raw;
  if (!url.startsWith('/') && url !== '*') {
    refuse(reply, 'absolute_target');
    return false;
  }
  const { origin } = headers;
  if (origin !== undefined && origin !== request.arrival.origin) {
    refuse(reply, 'origin_not_allowed');
    return false;
  }
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isOpenedByLink(request)) {
    refuse(reply, 'origin_not_allowed');
    return false;
  }
  const { expect } = headers;
  // RFC 9110 section 10.1.1: a client of HTTP/1.0 may send anything.
  if (expect !== undefined && httpVersion !== '1.0' && !continueExpected.test(expect)) {
    refuse(reply, 'expectation_failed');
    return false;
  }
  return true;
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
