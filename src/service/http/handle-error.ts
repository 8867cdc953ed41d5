import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { eventStreamPath, metricsPath } from '../../contract/address.ts';
import { type ProblemCode, problems } from '../../contract/problems.ts';
import { routes } from '../../contract/routes.ts';
import { downloads } from '../../contract/downloads.ts';
import { bodyLimitBytes } from '../../contract/route.ts';
import { HistoryUnreadable, StoreUnavailable } from '../../core/ledger.ts';
import { logText, malformedText, refusalText } from '../../text/service/service-text.ts';
import { historyProblemText } from '../../text/service/store-text.ts';
import { notLeadingHeader, passedOnHeader } from '../guard/passed-on.ts';
import { MalformedBody, tooManyValues } from './json-bodies.ts';
import { refuse } from './refuse.ts';

/** The messages for errors that the framework finds in a request. */
const frameworkProblems: Record<string, ProblemCode> = {
  [tooManyValues]: 'too_many_values',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'not_json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_json',
  ROTAVOX_BODY_ENCODED: 'body_encoded',
  ROTAVOX_BODY_IN_PARTS: 'body_in_parts',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad_header',
  FST_ERR_BAD_URL: 'bad_request',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
};

/** The error handler. A 5xx hides its cause, logs it, and contains the request's id. */
export function handleError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof StoreUnavailable) {
    const { problem, isForLeader } = unavailableProblem(error, request.headers);
    if (isForLeader) void reply.header(notLeadingHeader, '1');
    return refuse(reply, problem, { requestId: request.id, retryAfterSeconds: 1 });
  }
  if (error instanceof HistoryUnreadable) {
    request.log.error({ err: error, request_id: request.id }, logText.historyUnreadable);
    // With its message, because only the owner's routes read the history.
    return refuse(reply, 'history_unreadable', {
      message: historyProblemText(error.problem),
      requestId: request.id,
    });
  }
  if (error instanceof MalformedBody) {
    return refuse(reply, 'malformed_json', { message: malformedText(error.malformation) });
  }
  const problem = frameworkProblems[error.code];
  if (problem === 'body_too_large') {
    return refuse(reply, problem, { message: tooLargeWords(request.routeOptions.bodyLimit) });
  }
  if (problem !== undefined) return refuse(reply, problem);
  if (error.statusCode === 400) return refuse(reply, 'malformed_json');
  request.log.error({ err: error, request_id: request.id }, logText.requestFailed);
  return refuse(reply, 'internal', { requestId: request.id });
}

/** `isForLeader`: nothing was done, and the host that has passed the call on may send it to the one that leads now. */
export function unavailableProblem(
  { code }: StoreUnavailable,
  headers: IncomingHttpHeaders,
): { readonly problem: ProblemCode; readonly isForLeader: boolean } {
  const isPassedOn = headers[passedOnHeader] !== undefined;
  const isElsewhere = code === 'NOT_LEADING' || (isPassedOn && code === 'CLOSED');
  return {
    problem: isElsewhere ? 'no_leader' : 'store_unavailable',
    isForLeader: isElsewhere && isPassedOn,
  };
}

interface KnownPath {
  readonly pattern: RegExp;
  readonly method: string;
}

const knownPaths: readonly KnownPath[] = [
  ...Object.values(routes),
  { method: 'GET', path: eventStreamPath },
  ...Object.values(downloads),
  { method: 'GET', path: metricsPath },
  { method: 'GET', path: '/docs' },
  { method: 'GET', path: '/openapi.json' },
].map(({ method, path }) => ({ method, pattern: patternOf(path) }));

function patternOf(path: string): RegExp {
  const end = path.startsWith('/v1/') ? '/?' : '';
  return new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}${end}$`);
}

/**
 * 404 for an unknown path, 405 with an `Allow` header for an unsupported method.
 *
 * Sent before the body is read: errors in it are irrelevant then.
 */
export function answerNotFound(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, next) => {
    if (request.is404 || isWithoutId(request)) notFound(request, reply);
    else next();
  });
  app.setNotFoundHandler((request, reply) => notFound(request, reply));
}

/** `GET /v1/ivr/` is `/v1/ivr` with another method, not the menu with an empty id. */
function isWithoutId({ params, routeOptions: { config } }: FastifyRequest): boolean {
  return (params as { readonly id?: string }).id === '' && config.path?.startsWith('/v1/') === true;
}

function notFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.split('?', 1)[0] ?? '';
  const methods = knownPaths.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  if (methods.length === 0) return refuse(reply, 'not_found');
  const allowed = new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])));
  void reply.header('allow', [...allowed].join(', '));
  return refuse(reply, 'method_not_allowed');
}

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** The message for a body that is larger than its route allows. */
export function tooLargeWords(limitBytes: number): string {
  if (limitBytes === bodyLimitBytes) return problems.body_too_large.message;
  const limit = limitBytes >= mebibyte ? `${limitBytes / mebibyte} MiB` : `${limitBytes / kibibyte} KiB`;
  return refusalText.bodyTooLarge(limit);
}
