import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { TokenValue } from '../../contract/credential.ts';
import { problems } from '../../contract/problems.ts';
import type { FailedAttempt } from '../../core/credential/attempt-rotation.ts';
import { outsideInstantMs } from '../../core/iso-instant.ts';
import { done, refused, type Result } from '../../core/result.ts';
import { unreachable } from '../../core/unreachable.ts';
import { meaningOfRefusal, originOf, wordsOf } from './answer-words.ts';
import type { Heard, ServiceCaller } from './service-caller.ts';

export interface RotatedValue {
  readonly value: string;
  readonly validityDays: number;
}

/** The shortest validity that there is, in days. */
const shortestValidityDays = 1;
/** The longest that a person may say, too (`AddCredential`). */
export const longestValidityDays = 3650;

/**
 * Another program's reply (spec section 2.2): only what is needed here is asked of it, for the value in it exists nowhere
 * else. Where its validity makes no sense, the value is rotated too early rather than too late.
 */
const Rotated = z.object({
  access_token: TokenValue,
  validity_days: z.int().min(1).max(longestValidityDays).catch(shortestValidityDays),
});

/** Statuses after which the service may have acted although it did not say so. */
const unclearStatuses = new Set([408, 409]);

/**
 * Asks a service to rotate a value (spec section 4.1).
 *
 * A failure says whether the service may have acted all the same: then the value may be dead, and only the same key
 * can bring the answer back.
 */
export async function askRotation(
  caller: ServiceCaller,
  wanted: {
    readonly baseUrl: string;
    readonly value: string;
    readonly idempotencyKey: string;
    readonly timeLimitMs: number;
    readonly nowMs: number;
  },
): Promise<Result<RotatedValue, FailedAttempt>> {
  const { baseUrl, value, idempotencyKey, timeLimitMs, nowMs } = wanted;
  const heard = await caller.call({
    method: 'POST',
    baseUrl,
    path: '/v1/auth/rotate',
    bearer: value,
    idempotencyKey,
    timeLimitMs,
  });
  const service = originOf(baseUrl);
  if (heard.kind === 'not_sent') {
    return heard.isUnsafe
      ? failed('unsafe', `${service} cannot be trusted: ${heard.reason}. The token was not sent.`)
      : failed('unreachable', `${service} could not be reached: ${heard.reason}.`);
  }
  if (heard.kind === 'lost') {
    return failed('unreachable', `${service} was asked, but ${heard.reason}.`, { mayHaveActed: true });
  }
  return readAnswer(heard, { service, value, nowMs });
}

function readAnswer(
  heard: Extract<Heard, { kind: 'answer' }>,
  { service, value, nowMs }: { service: string; value: string; nowMs: number },
): Result<RotatedValue, FailedAttempt> {
  const { status, body, headers } = heard;
  const said = wordsOf(body, value);
  const quoted = said === null ? '' : `: “${said}”`;
  if (status >= 200 && status < 300) {
    const reply = Rotated.safeParse(body);
    if (reply.success && reply.data.access_token !== value) {
      return done({ value: reply.data.access_token, validityDays: reply.data.validity_days });
    }
    return failed('service_failed', `${service} answered ${status}, but not with a new token.`, {
      mayHaveActed: true,
    });
  }
  if (status >= 300 && status < 400) {
    return failed(
      'unsafe',
      `${service} sends on to ${originOf(headers['location'] ?? '', 'another address')}. The token was not sent there; see whether base_url is right.`,
    );
  }
  if (status === 401 || status === 403) {
    const kind = meaningOfRefusal(status, said);
    const words = {
      expired: `${service} says that the token has expired.`,
      invalid: `${service} does not know the token (401${quoted}).`,
      blacklisted: `${service} has blacklisted the token.`,
      suspended: `${service} says that the token is suspended. Resume it there; it is tried again.`,
      refused: `${service} refuses for now (403${quoted}). It is tried again.`,
    };
    return failed(kind, words[kind]);
  }
  if (hasNoEndpoint(status)) {
    return failed('no_endpoint', `${service} has no rotate endpoint (${status}); check base_url.`);
  }
  const retryAfterMs = retryAfterOf(headers['retry-after'], nowMs);
  return failed('service_failed', `${service} answered ${status}${quoted}. It is tried again.`, {
    mayHaveActed: status >= 500 || unclearStatuses.has(status),
    retryAfterMs,
  });
}

function failed(
  kind: FailedAttempt['kind'],
  message: string,
  { mayHaveActed = false, retryAfterMs = null }: Partial<FailedAttempt> = {},
): Result<never, FailedAttempt> {
  return refused({ kind, message, mayHaveActed, retryAfterMs });
}

/** RFC 9110 section 10.2.3: seconds or a date. */
function retryAfterOf(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  const untilMs = /^\d{1,9}$/.test(header) ? nowMs + Number(header) * 1000 : outsideInstantMs(header);
  return untilMs !== null && untilMs > nowMs ? untilMs - nowMs : null;
}

/** Whether a service has a rotate endpoint, as far as could be found out without rotating anything. */
export interface EndpointFound {
  readonly outcome: 'can_rotate' | 'cannot_rotate' | 'unknown';
  /** A sentence for the person. */
  readonly message: string;
}

/** Statuses of a rotation call that say that there is no such endpoint. */
function hasNoEndpoint(status: number): boolean {
  return status === 404 || status === 405 || status === 410 || status === 501;
}

/**
 * Finds out whether a service can rotate, without rotating: it is sent one rotation call with a token that nobody issued.
 *
 * The spec (section 3.1) has such a call change nothing and answers it with 401 and a text of its own. Only that text counts as
 * a yes: many services ask for a valid token before they look at the path, so another 401 says nothing about the path.
 * The real token is not sent.
 */
// see decisions/ask-for-the-rotate-endpoint-with-a-token-that-nobody-issued.md
export async function findRotateEndpoint(
  caller: ServiceCaller,
  { baseUrl, timeLimitMs = 10_000 }: { readonly baseUrl: string; readonly timeLimitMs?: number },
): Promise<EndpointFound> {
  const bearer = `rvx_${randomBytes(32).toString('base64url')}`;
  const heard = await caller.call({ method: 'POST', baseUrl, path: '/v1/auth/rotate', bearer, timeLimitMs });
  const service = originOf(baseUrl);
  switch (heard.kind) {
    case 'not_sent':
    case 'lost':
      return unknown(heard.reason);
    case 'answer': {
      const { status, body } = heard;
      if (hasNoEndpoint(status)) {
        return {
          outcome: 'cannot_rotate',
          message: `${service} has no rotate endpoint (${status}); check base_url.`,
        };
      }
      return status === 401 && wordsOf(body, bearer) === problems.token_invalid.message
        ? { outcome: 'can_rotate', message: `${service} has a rotate endpoint.` }
        : unknown(`it answered ${status} to a rotation with a token that nobody issued`);
    }
    default:
      return unreachable(heard);
  }

  function unknown(reason: string): EndpointFound {
    return {
      outcome: 'unknown',
      message: `Whether ${service} can rotate tokens could not be found out: ${reason}. The first rotation shows it.`,
    };
  }
}
