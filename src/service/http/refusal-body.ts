/** What refuses a call, without the framework: for a server that has no service yet, and for a host that follows. */
import type { FieldProblem } from '../../contract/field-problem.ts';
import { type ProblemCode, problems } from '../../contract/problems.ts';
import { refusalMark } from '../../contract/credential/proxy.ts';
import type { RouteFamily } from '../../contract/shapes.ts';
import {
  type FailedCall,
  type ListenerProblem,
  type Refusal,
  requestIdHeader,
} from '../../network/create-listener.ts';
import { asSentence, fieldErrors, joinFieldErrors, nameErrors } from '../../text/window/field-errors.ts';
import { embeddingHeaders } from './security-headers.ts';

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

/** The answer to what no handler can answer. */
export function refusalOf(problem: ListenerProblem, call: FailedCall | null): Refusal {
  const family = familyOfPath(call?.url ?? '');
  const isProxied = family === 'proxy';
  const details = call === null ? {} : { requestId: call.requestId };
  return {
    headers: {
      ...embeddingHeaders,
      'content-type': `application/${isProxied ? 'problem+json' : 'json'}; charset=utf-8`,
      'cache-control': 'no-store',
      ...(isProxied ? { [refusalMark]: 'refused' } : {}),
      ...(call === null ? {} : { [requestIdHeader]: call.requestId }),
    },
    body: JSON.stringify(refusalBody(family, problem, details)),
  };
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
