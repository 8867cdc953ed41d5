import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ProblemCode, problems } from '../../contract/problems.ts';
import { refusalMark } from '../../contract/credential/proxy.ts';
import type { RouteFamily } from '../../contract/shapes.ts';
import type { CredentialRefusal } from '../../core/credential/find-credential.ts';
import type { Result } from '../../core/result.ts';
import { credentialRefusalText } from '../../text/credential/credential-refusal-text.ts';
import { familyOfPath, refusalBody, type RefusalDetails } from './refusal-body.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    family?: RouteFamily;
  }
}

/** Answers with a problem in the shape of the route's family. */
export function refuse(reply: FastifyReply, code: ProblemCode, details: RefusalDetails = {}): FastifyReply {
  const { status } = problems[code];
  if (status === 401 && familyOf(reply.request) !== 'portal') void reply.header('www-authenticate', 'Bearer');
  if (details.retryAfterSeconds !== undefined) void reply.header('retry-after', details.retryAfterSeconds);
  const isProxied = familyOf(reply.request) === 'proxy';
  if (isProxied) void reply.header(refusalMark, 'refused');
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type(`application/${isProxied ? 'problem+json' : 'json'}; charset=utf-8`)
    .serializer(JSON.stringify)
    .send(refusalBody(familyOf(reply.request), code, details));
}

/** The family of the route; for an address without a route, the family that it would belong to. */
function familyOf(request: FastifyRequest): RouteFamily {
  return request.routeOptions.config.family ?? familyOfPath(request.url);
}

/** The same as the result of a handler of `addRoute`. */
export function answerRefusal(reply: FastifyReply, code: ProblemCode, details: RefusalDetails = {}): null {
  refuse(reply, code, details);
  return null;
}

/** Answers why an owner's request about a credential was refused. */
export function refuseCredential(reply: FastifyReply, refusal: CredentialRefusal): null {
  return refuseWritten(reply, writtenRefusal(refusal));
}

/** The result of an owner's request about a credential; null after the answer why there is none. */
export function answerCredential<T>(reply: FastifyReply, outcome: Result<T, CredentialRefusal>): T | null {
  return outcome.ok ? outcome.value : refuseCredential(reply, outcome.refusal);
}

/** A refusal with its sentence. */
export interface WrittenRefusal extends Omit<CredentialRefusal, 'reason'> {
  readonly message: string;
}

export function writtenRefusal({ reason, ...refusal }: CredentialRefusal): WrittenRefusal {
  return { ...refusal, message: credentialRefusalText(reason) };
}

export function refuseWritten(reply: FastifyReply, { problem, message, field }: WrittenRefusal): null {
  return answerRefusal(
    reply,
    problem,
    field === undefined ? { message } : { errors: [{ field, code: 'rule', params: { rule: message } }] },
  );
}
