import type { FieldError } from '../contract/problems.ts';
import { AuthRefusal, IvrRefusal, PortalRefusal } from '../contract/shapes.ts';

/** Why the service refused a call, whatever the shape of its family of routes. */
export interface Refusal {
  readonly ok: false;
  readonly status: number;
  /** A sentence for a person. */
  readonly message: string;
  /** The problem's code in the contract; `/portal` sends it, `/v1` does not. */
  readonly code?: string;
  readonly errors?: readonly FieldError[];
  /** The id under which the service's log has the cause of a 5xx. */
  readonly requestId?: string;
  /** The delay that the service asks for before the next attempt. */
  readonly retryAfterSeconds?: number;
}

/** The refusal in an answer of any of the three shapes, or null. */
export function readRefusal(status: number, headers: Pick<Headers, 'get'>, body: unknown): Refusal | null {
  const wording = readWording(body);
  if (wording === null) return null;
  const { message, code, errors, requestId } = wording;
  const retryAfter = headers.get('retry-after');
  return {
    ok: false,
    status,
    message,
    ...(code === undefined ? {} : { code }),
    ...(errors === undefined ? {} : { errors }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(retryAfter !== null && /^\d{1,9}$/.test(retryAfter) ? { retryAfterSeconds: Number(retryAfter) } : {}),
  };
}

interface Wording {
  readonly message: string;
  readonly code?: string;
  readonly errors?: readonly FieldError[] | undefined;
  readonly requestId?: string | undefined;
}

/** By shape and not by the family of the route: a refusal before a route is found has the family of its address. */
function readWording(body: unknown): Wording | null {
  const portal = PortalRefusal.safeParse(body);
  if (portal.success) {
    const { message, code, errors, request_id: requestId } = portal.data;
    return { message, code, errors, requestId };
  }
  const ivr = IvrRefusal.safeParse(body);
  if (ivr.success) {
    return { message: ivr.data.Message, errors: ivr.data.errors, requestId: ivr.data.request_id };
  }
  const auth = AuthRefusal.safeParse(body);
  return auth.success ? { message: auth.data.message, requestId: auth.data.request_id } : null;
}

/**
 * Nothing answered at the service's address, or the answer was interrupted.
 *
 * Whether a requested change happened is not known. `cause` is the runtime's own error.
 */
export class ServiceUnreachable extends Error {
  readonly code = 'SERVICE_UNREACHABLE';
  readonly retry = true;
  readonly baseUrl: string;

  constructor(baseUrl: string, options?: { cause: unknown }) {
    super(`unreachable: ${baseUrl}`, options);
    this.name = 'ServiceUnreachable';
    this.baseUrl = baseUrl;
  }
}

/**
 * The answer does not match the contract: another program is at that address, or a service of another version.
 *
 * The answer itself is not kept: it may contain a secret.
 */
export class UnexpectedAnswer extends Error {
  readonly code = 'UNEXPECTED_ANSWER';
  readonly retry = false;
  readonly baseUrl: string;
  readonly status: number;

  constructor(baseUrl: string, status: number) {
    super(`unexpected answer: ${status} ${baseUrl}`);
    this.name = 'UnexpectedAnswer';
    this.baseUrl = baseUrl;
    this.status = status;
  }
}
