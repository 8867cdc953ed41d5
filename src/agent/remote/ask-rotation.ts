import { z } from 'zod';
import { TokenValue } from '../../contract/credential.ts';
import type { FailedAttempt } from '../../core/credential/attempt-rotation.ts';
import { outsideInstantMs } from '../../core/iso-instant.ts';
import { done, refused, type Result } from '../../core/result.ts';
import { hasNoEndpoint } from './find-rotate-endpoint.ts';
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
  wish: {
    readonly baseUrl: string;
    readonly value: string;
    readonly idempotencyKey: string;
    readonly timeLimitMs: number;
    readonly nowMs: number;
  },
): Promise<Result<RotatedValue, FailedAttempt>> {
  const { baseUrl, value, idempotencyKey, timeLimitMs, nowMs } = wish;
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
