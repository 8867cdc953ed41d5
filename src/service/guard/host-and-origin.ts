import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { ProblemCode } from '../../contract/problems.ts';
import { refuse } from '../http/refuse.ts';
import { transportSecurityHeader, transportSecurityOf } from '../http/security-headers.ts';
import type { Arrival, Arrivals } from './arrival.ts';

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
    const secured = transportSecurityOf(request.arrival);
    if (secured !== null) reply.raw.setHeader(transportSecurityHeader, secured);
    const problem = problemOfRequest(request.raw, request.arrival, () => isOpenedByLink(request));
    if (problem === null) next();
    else refuse(reply, problem);
  };
}

/** Why a call is refused: it is one of a page that is not ours, or none that an origin server can answer. Null for every other call. */
export function problemOfRequest(
  { headers, url = '', httpVersion }: IncomingMessage,
  arrival: Arrival,
  isOpenedByLink: () => boolean,
): ProblemCode | null {
  if (!url.startsWith('/') && url !== '*') return 'absolute_target';
  const { origin, expect } = headers;
  if (origin !== undefined && origin !== arrival.origin) return 'origin_not_allowed';
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isOpenedByLink())
    return 'origin_not_allowed';
  // RFC 9110 section 10.1.1: a client of HTTP/1.0 may send anything.
  const isExpectationUnknown =
    expect !== undefined && httpVersion !== '1.0' && !continueExpected.test(expect);
  return isExpectationUnknown ? 'expectation_failed' : null;
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
