import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { originOf } from '../../contract/address.ts';
import type {
  EndpointFinding,
  NotToldReason,
  TokenReply,
} from '../../contract/credential/connection-finding.ts';
import { GivenBearerToken, withoutBearer } from '../../contract/credential/credential.ts';
import { longestValidityDays } from '../../contract/credential/provider.ts';
import { validityHeader } from '../../contract/token/token.ts';
import { outsideInstantMs } from '../../core/iso-instant.ts';
import { done, refused, type Result } from '../../core/result.ts';
import { readExpiry } from '../http/read-expiry.ts';
import {
  cleanText,
  fieldsWithToken,
  isUnclear,
  meaningOfRefusal,
  messageIn,
  redirectOrigin,
  retryAfterOf,
  tokenProblemOf,
} from '../http/read-reply.ts';
import type { Answer } from '../http/service-caller.ts';
import {
  type Attempt,
  CallingProvider,
  failed,
  failedAnswer,
  type FailedRotation,
  type HeldToken,
  type Inspection,
  inspectionOf,
  type MintedToken,
  type Provider,
  replyByExpiry,
} from '../provider-port.ts';
import { rotavoxFacts } from './facts.ts';

/** Another program's reply: only the required fields are validated. */
const Self = z.object({
  name: z.string().nullable().catch(null),
  status: z.string().nullable().catch(null),
  expires_at: z.unknown(),
  created_at: z.iso.datetime({ offset: true }).optional().catch(undefined),
  validity_days: z.int().positive().max(longestValidityDays).optional().catch(undefined),
});

/** With an invalid validity a token is rotated too early rather than too late, in days. */
const shortestValidityDays = 1;

/**
 * The reply to a rotation (spec section 2.2): only the necessary fields are required, because the token exists nowhere else.
 */
const Rotated = z.object({
  access_token: GivenBearerToken,
  validity_days: z.int().min(1).max(longestValidityDays).catch(shortestValidityDays),
});

const Refused = z.object({ success: z.literal(false) });

/** A service with `/v1/auth/rotate`: this program, here or elsewhere, or another that implements the spec. */
export class RotavoxProvider extends CallingProvider implements Provider {
  readonly traits = rotavoxFacts.traits;
  readonly endsBy = [];

  /**
   * Asks a service when a token expires (`GET /v1/auth/token`).
   *
   * The instants are converted to this machine's clock: if the reply's `Date` shows that the service's clock differs,
   * the difference is subtracted, because our clock decides when an instant has come. An instant that is implausible
   * before or after that is ignored.
   */
  async inspect({ baseUrl, token, timeLimitMs }: HeldToken): Promise<Inspection> {
    const heard = await this.caller.call({
      method: 'GET',
      baseUrl,
      path: '/v1/auth/token',
      token,
      timeLimitMs,
    });
    const nowMs = this.clock();
    return inspectionOf(heard, nowMs, (answer, skewMs) => readSelf(answer, token, { nowMs, skewMs }));
  }

  /**
   * Asks a service to rotate a token (spec section 4.1). If it may have acted, the token may no longer work, and only the
   * same key can return the reply again.
   */
  async rotate({
    baseUrl,
    token,
    idempotencyKey,
    timeLimitMs,
    mostDays,
  }: Attempt): Promise<Result<MintedToken, FailedRotation>> {
    const heard = await this.caller.call({
      method: 'POST',
      baseUrl,
      path: '/v1/auth/rotate',
      token,
      idempotencyKey,
      timeLimitMs,
      ...(mostDays === undefined ? {} : { headers: { [validityHeader]: String(mostDays) } }),
    });
    const service = originOf(baseUrl);
    if (heard.kind !== 'answer') {
      const mayHaveActed = heard.kind === 'lost';
      return failed({ code: 'call_failed', service, failure: heard.failure }, { mayHaveActed });
    }
    return readRotated(heard, { service, token, nowMs: this.clock() });
  }

  /**
   * Finds out whether a service can rotate, without rotating: sends one rotation call with a token that was never issued.
   *
   * By the spec (section 3.1) such a call changes nothing and is answered with 401 and a specific text. Only that text means
   * yes: many services ask for a valid token before they look at the path, so another 401 says nothing about the path.
   * The real token is not sent.
   */
  // see decisions/ask-for-the-rotate-endpoint-with-a-token-that-nobody-issued.md
  async inspectRotation({ baseUrl, timeLimitMs }: HeldToken): Promise<EndpointFinding> {
    const token = `rvx_${randomBytes(32).toString('base64url')}`;
    const path = '/v1/auth/rotate';
    const heard = await this.caller.call({ method: 'POST', baseUrl, path, token, timeLimitMs });
    const service = originOf(baseUrl);
    if (heard.kind !== 'answer') return { outcome: 'unknown', service, reason: heard.failure };
    const { status, body } = heard;
    if (hasNoEndpoint(status))
      return { outcome: 'cannot_rotate', service, reason: { code: 'no_endpoint', status } };
    return tokenProblemOf(status, messageIn(body, token)) === 'token_invalid'
      ? { outcome: 'can_rotate', service }
      : { outcome: 'unknown', service, reason: { code: 'answered', status } };
  }
}

function readSelf(
  heard: Answer,
  token: string,
  { nowMs, skewMs }: { readonly nowMs: number; readonly skewMs: number },
): TokenReply {
  const { status, body } = heard;
  if (status === 401 || status === 403) {
    const said = messageIn(body, token);
    return { kind: 'refused', why: meaningOfRefusal(status, said), said: said ?? String(status) };
  }
  if (status >= 500 || status === 429) return { kind: 'unreachable', failure: { code: 'answered', status } };
  const self = Self.safeParse(body);
  if (status !== 200 || !self.success) return { kind: 'not_told', reason: unknownExpiryReason(heard) };
  const { name, status: state, created_at: createdAt } = self.data;
  const { expires_at: expiresAt, validity_days: validityDays } = self.data;
  return replyByExpiry(readExpiry(expiresAt, { nowMs, skewMs }), token, {
    name: name === null ? null : cleanText(name, token),
    status: state === null ? null : cleanText(state, token),
    createdAtMs: createdAt === undefined ? null : outsideInstantMs(Date.parse(createdAt) - skewMs),
    validityDays: validityDays ?? null,
  });
}

function unknownExpiryReason({ status, headers }: Answer): NotToldReason {
  if (status >= 300 && status < 400) return { code: 'redirected', to: redirectOrigin(headers['location']) };
  return status === 200 ? { code: 'nothing_known' } : { code: 'no_such_call', status };
}

function readRotated(
  heard: Answer,
  { service, token, nowMs }: { service: string; token: string; nowMs: number },
): Result<MintedToken, FailedRotation> {
  const { status, body, headers } = heard;
  const said = messageIn(body, token);
  if (status >= 200 && status < 300) {
    const reply = Rotated.safeParse(fieldsWithToken(body, [token]));
    if (reply.success && reply.data.access_token !== withoutBearer(token)) {
      const { access_token: minted, validity_days: validityDays } = reply.data;
      return done({ token: minted, validityDays, expiresAtMs: null });
    }
    // Some servers answer everything with 200, and say in the body what is wrong.
    const isFailure = said !== null && Refused.safeParse(body).success;
    return failed(
      isFailure
        ? { code: 'service_failed', service, status, said }
        : { code: 'no_new_token', service, status },
      { mayHaveActed: true },
    );
  }
  if (status === 401 || status === 403) {
    return failed({ code: meaningOfRefusal(status, said), service, said });
  }
  if (hasNoEndpoint(status)) return failed({ code: 'no_endpoint', service, status, isRetried: false });
  const retryAfterMs = retryAfterOf(headers['retry-after'], nowMs);
  const mayHaveActed = isUnclear(status);
  return refused(failedAnswer(heard, { service, said }, { mayHaveActed, retryAfterMs }));
}

/** Statuses of a rotation call that mean that there is no such endpoint. */
function hasNoEndpoint(status: number): boolean {
  return status === 404 || status === 405 || status === 410 || status === 501;
}
