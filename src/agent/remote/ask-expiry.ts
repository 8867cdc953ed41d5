import { z } from 'zod';
import { problems } from '../../contract/problems.ts';
import type { NotToldReason, TokenReply } from '../../contract/connection-finding.ts';
import { outsideInstantMs } from '../../core/iso-instant.ts';
import { cleanText, meaningOfRefusal, messageIn, redirectOrigin } from './read-reply.ts';
import type { CallResult, ServiceCaller } from './service-caller.ts';

const instant = z.iso.datetime({ offset: true });
/** Another program's reply: only the required fields are validated. */
const Self = z.object({
  name: z.string().nullable().catch(null),
  status: z.string().nullable().catch(null),
  expires_at: instant,
  created_at: instant.optional(),
  validity_days: z.int().positive().optional(),
});

/** The time limit of the call, which asks only for an instant. */
const usualTimeLimitMs = 10_000;
/** A smaller difference of the clocks, in milliseconds, is the delay of the reply and not a wrong clock. */
const tolerableSkewMs = 5_000;

/**
 * Asks a service when a token expires.
 *
 * The instants are converted to this machine's clock: if the reply's `Date` shows that the service's clock differs,
 * the difference is subtracted, because our clock decides when an instant has come. An instant that is implausible
 * before or after that is ignored.
 */
export async function askExpiry(
  caller: ServiceCaller,
  {
    baseUrl,
    token,
    timeLimitMs = usualTimeLimitMs,
    clock,
  }: { baseUrl: string; token: string; timeLimitMs?: number; clock: () => number },
): Promise<TokenReply> {
  const heard = await caller.call({
    method: 'GET',
    baseUrl,
    path: '/v1/auth/token',
    bearer: token,
    timeLimitMs,
  });
  if (heard.kind !== 'answer') return { kind: 'unreachable', failure: heard.failure };
  const { status, body, headers } = heard;
  if (status === 401 || status === 403) {
    const said = messageIn(body, token) ?? problems.token_invalid.message;
    return { kind: 'refused', why: meaningOfRefusal(status, said), said };
  }
  if (status >= 500 || status === 429) return { kind: 'unreachable', failure: { code: 'answered', status } };
  const self = Self.safeParse(body);
  if (status !== 200 || !self.success) return { kind: 'not_told', reason: unknownExpiryReason(heard) };
  const skewMs = skewOf(headers['date'], clock()) ?? 0;
  const onOurClock = (said: string) => outsideInstantMs(Date.parse(said) - skewMs);
  const { name, status: state, created_at: createdAt } = self.data;
  const { expires_at: expiresAt, validity_days: validityDays } = self.data;
  const expiresAtMs = onOurClock(expiresAt);
  if (expiresAtMs === null) return { kind: 'not_told', reason: { code: 'expiry_not_credible' } };
  return {
    kind: 'known',
    name: name === null ? null : cleanText(name, token),
    status: state === null ? null : cleanText(state, token),
    createdAtMs: createdAt === undefined ? null : onOurClock(createdAt),
    expiresAtMs,
    validityDays: validityDays ?? null,
  };
}

/** How far a service's clock is ahead of ours, in milliseconds; null if it sends no date. Any answer will do. */
export async function askClockSkew(
  caller: ServiceCaller,
  { baseUrl, token, clock }: { baseUrl: string; token: string; clock: () => number },
): Promise<number | null> {
  const heard = await caller.call({
    method: 'GET',
    baseUrl,
    path: '/v1/auth/token',
    bearer: token,
    timeLimitMs: usualTimeLimitMs,
  });
  return heard.kind === 'answer' ? skewOf(heard.headers['date'], clock()) : null;
}

function unknownExpiryReason({ status, headers }: Extract<CallResult, { kind: 'answer' }>): NotToldReason {
  if (status >= 300 && status < 400) return { code: 'redirected', to: redirectOrigin(headers['location']) };
  return status === 200 ? { code: 'nothing_known' } : { code: 'no_such_call', status };
}

function skewOf(date: string | undefined, nowMs: number): number | null {
  const theirsMs = date === undefined ? null : outsideInstantMs(date);
  if (theirsMs === null) return null;
  const skewMs = theirsMs - nowMs;
  return Math.abs(skewMs) > tolerableSkewMs ? skewMs : 0;
}

/**
 * When a JWT expires (`exp`, RFC 7519 section 4.1.4), in milliseconds since the epoch; null if the text is no JWT.
 *
 * The signature is not verified: the time is only used to decide when to rotate.
 */
export function jwtExpiryMs(token: string): number | null {
  const parts = token.split('.');
  if (parts.length !== 3) return null;
  try {
    const payload = JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString()) as {
      exp?: unknown;
    } | null;
    const seconds = payload?.exp;
    return typeof seconds === 'number' ? outsideInstantMs(seconds * 1000) : null;
  } catch {
    return null; // three parts, but no JWT
  }
}
