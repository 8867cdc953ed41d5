import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FieldProblem } from '../contract/field-problem.ts';
import { type ProblemCode, problems } from '../contract/problems.ts';
import { refusalMark } from '../contract/proxy.ts';
import type { RouteFamily } from '../contract/shapes.ts';
import type { CredentialRefusal } from '../core/credential/find-credential.ts';
import { credentialRefusalText } from '../text/credential-refusal.ts';
import { asSentence, fieldErrors, joinFieldErrors, nameErrors } from '../text/field-errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    family?: RouteFamily;
  }
}

export interface RefusalDetails {
  readonly message?: string;
  /** All errors; the answer names some of them (`nameErrors`), so that its size does not grow with the request. */
  readonly errors?: readonly FieldProblem[];
  readonly requestId?: string;
  readonly retryAfterSeconds?: number;
  /** The command that makes a sign-in link, for whoever is not signed in. */
  readonly signInCommand?: string | null;
  /** Whether the key of an owner signs in, too. */
  readonly takesOwnerKey?: boolean;
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

export function familyOfPath(url: string): RouteFamily {
  if (url.startsWith('/portal')) return 'portal';
  if (url.startsWith('/proxy')) return 'proxy';
  return url.startsWith('/v1/ivr') ? 'ivr' : 'auth';
}

export function refusalBody(family: RouteFamily, code: ProblemCode, details: RefusalDetails = {}): object {
  const { requestId, signInCommand, takesOwnerKey } = details;
  const errors = details.errors === undefined ? undefined : nameErrors(fieldErrors(details.errors));
  const message =
    details.message ?? (errors === undefined ? problems[code].message : asSentence(joinFieldErrors(errors)));
  const more = {
    ...(errors === undefined ? {} : { errors }),
    ...(requestId === undefined ? {} : { request_id: requestId }),
  };
  switch (family) {
    case 'ivr':
      return { Success: false, Message: message, ...more };
    case 'portal':
      return {
        success: false,
        code,
        message,
        ...(typeof signInCommand === 'string' ? { sign_in_command: signInCommand } : {}),
        ...(takesOwnerKey === true ? { takes_owner_key: true } : {}),
        ...more,
      };
    case 'proxy': {
      const title = proxyTitle(message);
      const { status } = problems[code];
      const id = requestId === undefined ? {} : { request_id: requestId };
      return { type: 'about:blank', title, detail: message, status, code, ...id };
    }
    case 'auth':
      return { success: false, message, ...(requestId === undefined ? {} : { request_id: requestId }) };
  }
}

/** The first sentence of a message. */
function proxyTitle(message: string): string {
  return message.split(/\.(?:\s|$)/, 1)[0] ?? message;
}

/** Answers why an owner's request about a credential was refused. */
export function refuseCredential(reply: FastifyReply, refusal: CredentialRefusal): null {
  return refuseWritten(reply, writtenRefusal(refusal));
}

/** A refusal with its sentence. */
export interface WrittenRefusal extends Omit<CredentialRefusal, 'reason'> {
  readonly message: string;
}

export function writtenRefusal({ reason, ...refusal }: CredentialRefusal): WrittenRefusal {
  return { ...refusal, message: credentialRefusalText(reason) };
}

export function refuseWritten(reply: FastifyReply, { problem, message, field }: WrittenRefusal): null {
  refuse(
    reply,
    problem,
    field === undefined ? { message } : { errors: [{ field, code: 'rule', params: { rule: message } }] },
  );
  return null;
}
