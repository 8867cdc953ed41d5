/** The answer of a service as an app gets it: without what acts on this origin, without tokens, and in the end whole or visibly cut off. */
// see decisions/credential-proxy.md
import type { FastifyReply } from 'fastify';
import type { Readable } from 'node:stream';
import {
  type ProxyRefusalCode,
  proxyPath,
  proxyRefusals,
  refusalMark,
} from '../../contract/credential/proxy.ts';
import type { AllowedRequest } from '../../core/proxy/decide-request.ts';
import { proxyRefusalText, type RefusalContext } from '../../text/credential/proxy-text.ts';
import { smallBytes } from '../guard/connections.ts';
import { answerHeaders } from './answer-headers.ts';
import { hostOf } from './outgoing-request.ts';
import type { ProxyUses, RunningRequest } from './proxy-use.ts';
import { isTextType, scrubbedBody } from './scrub-body.ts';
import { hasToken, isSearchedType, searchedBody, TokenFound } from './search-answer.ts';
import type { UpstreamAnswer } from './upstream-caller.ts';

type More = RefusalContext & { readonly retryAfterSeconds?: number };

/** Answers with a problem (RFC 9457) that is marked as ours, so that nobody takes it for an answer of the service. */
export function refuseProxied(
  reply: FastifyReply,
  code: ProxyRefusalCode,
  { retryAfterSeconds, ...context }: More = {},
): FastifyReply {
  const status = proxyRefusals[code];
  if (status === 401) void reply.header('www-authenticate', 'Bearer');
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', Math.max(1, retryAfterSeconds));
  return reply
    .code(status)
    .headers({ 'cache-control': 'no-store', [refusalMark]: 'refused' })
    .type('application/problem+json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({ type: 'about:blank', ...proxyRefusalText(code, context), status, code });
}

/** Refuses a request of a known app. */
export function refuseRunning(
  reply: FastifyReply,
  running: RunningRequest,
  code: ProxyRefusalCode,
  more: More = {},
): void {
  running.refusal = code;
  const { method = '' } = reply.request.raw;
  const { credential, app, route } = running.known;
  refuseProxied(reply, code, { method, credential: credential.name, app: app.app, route, ...more });
}

/** Refuses a request whose call has no answer. */
export function refuseLost(
  reply: FastifyReply,
  running: RunningRequest,
  code: ProxyRefusalCode,
  baseUrl: string,
): void {
  const isRevoked = running.aborted && !reply.request.raw.destroyed;
  refuseRunning(reply, running, isRevoked ? 'unknown_app_token' : code, { service: hostOf(baseUrl) });
}

export interface AnswerParts {
  readonly running: RunningRequest;
  readonly allowed: AllowedRequest;
  readonly uses: ProxyUses;
  /** This service, as the app called it. */
  readonly ownOrigin: () => string;
}

export function sendAnswer(
  reply: FastifyReply,
  { status, headers: received, body, access, target }: UpstreamAnswer,
  { running, allowed, uses, ownOrigin }: AnswerParts,
): void {
  const { raw } = reply.request;
  const { credential, app } = running.known;
  const { token, baseUrl } = access;
  const onReflected = (header: string | null): void => {
    uses.tellReflected(credential.id, app.app, header);
  };
  const headers = answerHeaders(received, {
    token,
    target,
    baseUrl,
    proxyPath: proxyPath(credential.name),
    ownOrigin,
    onReflected,
  });
  const send = (payload: Readable | Buffer): void => {
    void reply.code(status).headers(headers);
    // The next request on this connection comes after the rest of this one, which is not sent on any more.
    if (!raw.complete) void reply.header('connection', 'close');
    reply.send(payload);
  };
  const discard = (): void => {
    body.on('error', () => undefined).destroy(); // it was not read to its end
  };
  const withhold = (code: ProxyRefusalCode): void => {
    discard();
    refuseRunning(reply, running, code, { service: hostOf(baseUrl) });
  };
  const onLost = (error: Error): void => {
    if (error instanceof TokenFound) withhold('token_in_answer');
    else {
      discard();
      refuseLost(reply, running, 'connection_lost', baseUrl);
    }
  };

  const { isScrubbed, searchedFor } = searchOf(allowed, headers['content-type']);
  if (status > 599) withhold('connection_lost'); // no status of HTTP (RFC 9110, section 15)
  else if (allowed.searchedFor !== null && hasToken(Object.values(headers).join('\n'), allowed.searchedFor))
    withhold('token_in_answer');
  else if (raw.method === 'HEAD') send(body);
  else if (!isScrubbed && searchedFor === null) {
    const whole = wholeOf(body, headers);
    if (whole === null) whenBegun(body, send, onLost);
    else send(whole);
  } else if ((headers['content-encoding'] ?? 'identity') !== 'identity') withhold('compressed');
  else {
    const searched = searchedFor === null ? body : searchedBody(body, searchedFor, isReadWhole(headers));
    searched.on('error', (error) => {
      if (error instanceof TokenFound) running.refusal = 'token_in_answer';
    });
    const cleaned = isScrubbed ? scrubbedBody(searched, token, () => onReflected(null)) : searched;
    whenBegun(cleaned, send, onLost);
  }
}

type Headers = ReturnType<typeof answerHeaders>;

/** What has to be searched in a body of a type. */
function searchOf(
  allowed: AllowedRequest,
  type: unknown,
): Pick<AllowedRequest, 'isScrubbed' | 'searchedFor'> {
  return {
    isScrubbed: allowed.isScrubbed && isTextType(type),
    searchedFor: isSearchedType(type) ? allowed.searchedFor : null,
  };
}

/**
 * A small body that has arrived with its headers, as most have: it then goes out with them in one piece, which takes half as long as a
 * stream does. What had arrived was parsed to its end before the call resolved.
 */
function wholeOf(body: Readable, headers: Headers): Buffer | null {
  const length = Number(headers['content-length'] ?? Infinity);
  // Without a type the framework would name one.
  if (!(length > 0 && length < smallBytes) || headers['content-type'] === undefined) return null;
  return body.readableLength === length && !body.destroyed ? (body.read() as Buffer | null) : null;
}

/** Sends a body once its first part or its end is there, or says that it was lost before that. */
function whenBegun(body: Readable, send: (body: Readable) => void, onLost: (error: Error) => void): void {
  if (body.errored !== null) {
    onLost(body.errored);
    return;
  }
  const begin = (): void => {
    body.off('error', onLost).off('readable', begin).off('end', begin);
    send(body);
  };
  body.once('error', onLost).once('readable', begin).once('end', begin);
}

/** Whether an answer is one that a program reads when all of it is there: small, or JSON in one piece. */
function isReadWhole(headers: Headers): boolean {
  const isJson = /^application\/(?:[\w.+-]*\+)?json\b/i.test(String(headers['content-type']));
  return isJson || Number(headers['content-length'] ?? Infinity) < smallBytes;
}
