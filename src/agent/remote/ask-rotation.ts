import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { originOf } from '../../contract/address.ts';
import { TokenValue } from '../../contract/credential.ts';
import type { EndpointFinding } from '../../contract/connection-finding.ts';
import type { TroubleKind } from '../../contract/credential-view.ts';
import { type RotationTrouble, troubleKindOf } from '../../contract/rotation-trouble.ts';
import { outsideInstantMs } from '../../core/iso-instant.ts';
import { done, refused, type Result } from '../../core/result.ts';
import { meaningOfRefusal, messageIn, redirectOrigin, tokenProblemOf } from './read-reply.ts';
import type { CallResult, ServiceCaller } from './service-caller.ts';

export interface RotatedToken {
  readonly token: string;
  readonly validityDays: number;
}

/** A failed attempt. */
export interface FailedRotation {
  readonly kind: TroubleKind;
  readonly trouble: RotationTrouble;
  /** Whether the service may have acted although the attempt failed. */
  readonly mayHaveActed: boolean;
  /** The delay that the service asked for (`Retry-After`). */
  readonly retryAfterMs: number | null;
}

/** The shortest validity, in days. */
const shortestValidityDays = 1;
/** The longest validity, which also limits what a person may enter (`AddCredential`). */
export const longestValidityDays = 3650;

/**
 * Another program's reply (spec section 2.2): only the necessary fields are required, because the token exists
 * nowhere else. With an invalid validity the token is rotated too early rather than too late.
 */
const Rotated = z.object({
  access_token: TokenValue,
  validity_days: z.int().min(1).max(longestValidityDays).catch(shortestValidityDays),
});

/** Statuses after which the service may have acted although it did not say so. */
const unclearStatuses = new Set([408, 409]);

/**
 * Asks a service to rotate a token (spec section 4.1).
 *
 * A failure says whether the service may have acted: then the token may no longer work, and only the same key can
 * return the reply again.
 */
export async function askRotation(
  caller: ServiceCaller,
  wanted: {
    readonly baseUrl: string;
    readonly token: string;
    readonly idempotencyKey: string;
    readonly timeLimitMs: number;
    readonly nowMs: number;
  },
): Promise<Result<RotatedToken, FailedRotation>> {
  const { baseUrl, token, idempotencyKey, timeLimitMs, nowMs } = wanted;
  const heard = await caller.call({
    method: 'POST',
    baseUrl,
    path: '/v1/auth/rotate',
    bearer: token,
    idempotencyKey,
    timeLimitMs,
  });
  const service = originOf(baseUrl);
  if (heard.kind !== 'answer') {
    const mayHaveActed = heard.kind === 'lost';
    return failed({ code: 'call_failed', service, failure: heard.failure }, { mayHaveActed });
  }
  return readAnswer(heard, { service, token, nowMs });
}

function readAnswer(
  heard: Extract<CallResult, { kind: 'answer' }>,
  { service, token, nowMs }: { service: string; token: string; nowMs: number },
): Result<RotatedToken, FailedRotation> {
  const { status, body, headers } = heard;
  const said = messageIn(body, token);
  if (status >= 200 && status < 300) {
    const reply = Rotated.safeParse(body);
    if (reply.success && reply.data.access_token !== token) {
      return done({ token: reply.data.access_token, validityDays: reply.data.validity_days });
    }
    return failed({ code: 'no_new_token', service, status }, { mayHaveActed: true });
  }
  if (status >= 300 && status < 400) {
    return failed({ code: 'redirected', service, to: redirectOrigin(headers['location']) });
  }
  if (status === 401 || status === 403) {
    return failed({ code: meaningOfRefusal(status, said), service, said });
  }
  if (hasNoEndpoint(status)) return failed({ code: 'no_endpoint', service, status, isRetried: false });
  const retryAfterMs = retryAfterOf(headers['retry-after'], nowMs);
  const mayHaveActed = status >= 500 || unclearStatuses.has(status);
  return failed({ code: 'service_failed', service, status, said }, { mayHaveActed, retryAfterMs });
}

function failed(
  trouble: RotationTrouble,
  { mayHaveActed = false, retryAfterMs = null }: Partial<FailedRotation> = {},
): Result<never, FailedRotation> {
  return refused({ kind: troubleKindOf(trouble), trouble, mayHaveActed, retryAfterMs });
}

/** RFC 9110 section 10.2.3: seconds or a date. */
function retryAfterOf(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  const untilMs = /^\d{1,9}$/.test(header) ? nowMs + Number(header) * 1000 : outsideInstantMs(header);
  return untilMs !== null && untilMs > nowMs ? untilMs - nowMs : null;
}

/** Statuses of a rotation call that mean that there is no such endpoint. */
function hasNoEndpoint(status: number): boolean {
  return status === 404 || status === 405 || status === 410 || status === 501;
}

/**
 * Finds out whether a service can rotate, without rotating: sends one rotation call with a token that was never issued.
 *
 * By the spec (section 3.1) such a call changes nothing and is answered with 401 and a specific text. Only that text means
 * yes: many services ask for a valid token before they look at the path, so another 401 says nothing about the path.
 * The real token is not sent.
 */
// see decisions/ask-for-the-rotate-endpoint-with-a-token-that-nobody-issued.md
export async function findRotateEndpoint(
  caller: ServiceCaller,
  { baseUrl, timeLimitMs = 10_000 }: { readonly baseUrl: string; readonly timeLimitMs?: number },
): Promise<EndpointFinding> {
  const bearer = `rvx_${randomBytes(32).toString('base64url')}`;
  const heard = await caller.call({ method: 'POST', baseUrl, path: '/v1/auth/rotate', bearer, timeLimitMs });
  const service = originOf(baseUrl);
  if (heard.kind !== 'answer') return { outcome: 'unknown', service, reason: heard.failure };
  const { status, body } = heard;
  if (hasNoEndpoint(status)) return { outcome: 'cannot_rotate', service, status };
  return tokenProblemOf(status, messageIn(body, bearer)) === 'token_invalid'
    ? { outcome: 'can_rotate', service }
    : { outcome: 'unknown', service, reason: { code: 'answered', status } };
}
