import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ProblemCode } from '../contract/problems.ts';
import { HistoryUnreadable, StoreUnavailable } from '../core/ledger.ts';
import { tooLargeWords } from './body-limit.ts';
import { tooManyValues } from './json-bodies.ts';
import { refuse } from './refuse.ts';

/** What the framework says about a request, in our words. */
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

/** The one place where a failure becomes an answer. A 5xx hides its cause, logs it, and carries the request's id. */
export function handleError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof StoreUnavailable) {
    return refuse(reply, 'store_unavailable', { requestId: request.id, retryAfterSeconds: 1 });
  }
  if (error instanceof HistoryUnreadable) {
    request.log.error({ err: error, request_id: request.id }, 'The history could not be read');
    // To the owner alone, and with words: no other route reads the past.
    return refuse(reply, 'history_unreadable', { message: error.message, requestId: request.id });
  }
  const problem = frameworkProblems[error.code];
  if (problem === 'body_too_large') {
    return refuse(reply, problem, { message: tooLargeWords(request.routeOptions.bodyLimit) });
  }
  if (problem !== undefined) return refuse(reply, problem);
  if (error.statusCode === 400) return refuse(reply, 'malformed_json');
  request.log.error({ err: error, request_id: request.id }, 'A request failed inside the service');
  return refuse(reply, 'internal', { requestId: request.id });
}
