import { z } from 'zod';
import { originOf } from '../../contract/address.ts';
import type { EndpointFinding, TokenReply } from '../../contract/credential/connection-finding.ts';
import { longestValidityDays } from '../../contract/credential/provider.ts';
import { isoInstant, outsideInstantMs } from '../../core/iso-instant.ts';
import { done, refused, type Result } from '../../core/result.ts';
import { dayMs } from '../../core/token/token-record.ts';
import { readExpiry } from '../http/read-expiry.ts';
import { cleanText, retryAfterOf, skewOf, untoldBy } from '../http/read-reply.ts';
import type { Answer, CallResult } from '../http/service-caller.ts';
import {
  type Attempt,
  CallingProvider,
  failed,
  failedAnswer,
  failedBy,
  type FailedRotation,
  type HeldToken,
  type Inspection,
  inspectionOf,
  type MintedToken,
  type Provider,
  replyByExpiry,
  type TokenEnd,
} from '../provider-port.ts';
import { vaultFacts } from './facts.ts';

const instant = z.iso.datetime({ offset: true });
const seconds = z.number().nonnegative();
/** `data` of `GET /v1/auth/token/lookup-self`. */
const LookedUp = z.object({
  data: z.object({
    display_name: z.string().nullable().catch(null),
    /** Null: it never expires. */
    expire_time: instant.nullable(),
    issue_time: instant.nullable().catch(null),
    last_renewal: instant.nullable().catch(null),
    explicit_max_ttl: seconds.catch(0),
    creation_ttl: seconds.catch(0),
    /** Absent for a root token. */
    renewable: z.boolean().catch(false),
    ttl: seconds,
  }),
});
type LookedUp = z.infer<typeof LookedUp>['data'];

/** `auth` of the reply to a renewal. */
const Renewed = z.object({ auth: z.object({ lease_duration: seconds, renewable: z.boolean().catch(true) }) });

const Errors = z.object({ errors: z.array(z.string()) });

/** Vault counts whole seconds, and a call takes time. */
const toleranceSeconds = 2;
/** A renewal sooner than this after the one before it says nothing about the limit. */
const tellingSeconds = 10;

/**
 * Tokens of HashiCorp Vault and OpenBao. A renewal gives the same token a later end, and may be repeated.
 *
 * The end is bounded by the token's own limit (`explicit_max_ttl`), which it tells, or by the limit of the server or the mount,
 * which it does not: then the first renewal that brings nothing shows it. No `increment` is sent, so that each renewal is for the
 * lifetime with which the token was created.
 */
export class VaultProvider extends CallingProvider implements Provider {
  readonly traits = vaultFacts.traits;
  readonly endsBy = ['itself'] as const;

  async inspect(held: HeldToken): Promise<Inspection> {
    const heard = await this.#lookUp(held);
    return inspectionOf(heard, this.clock(), (answer, skewMs) => this.#replyOf(answer, held, skewMs));
  }

  async inspectRotation(held: HeldToken): Promise<EndpointFinding> {
    const service = originOf(held.baseUrl);
    const heard = await this.#lookUp(held);
    if (heard.kind !== 'answer') return { outcome: 'unknown', service, reason: heard.failure };
    const looked = LookedUp.safeParse(heard.body);
    if (heard.status !== 200 || !looked.success) {
      return { outcome: 'unknown', service, reason: { code: 'answered', status: heard.status } };
    }
    if (mayGrow(looked.data.data)) return { outcome: 'can_rotate', service, by: 'renewal' };
    const { expire_time: end } = looked.data.data;
    const expiresAtMs = end === null ? null : Date.parse(end) - (this.#skewOf(heard) ?? 0);
    const until = expiresAtMs === null ? null : isoInstant(expiresAtMs);
    return { outcome: 'cannot_rotate', service, reason: { code: 'not_renewable', until } };
  }

  async renew(attempt: Attempt): Promise<Result<MintedToken, FailedRotation>> {
    const service = originOf(attempt.baseUrl);
    const heard = await this.#lookUp(attempt);
    const looked = heard.kind === 'answer' ? LookedUp.safeParse(heard.body) : null;
    if (heard.kind !== 'answer' || heard.status !== 200 || looked?.success !== true) {
      return refused(this.#failureOf(heard, attempt));
    }
    const before = looked.data.data;
    if (before.expire_time === null) return failed({ code: 'not_renewable', service, until: null });
    if (!mayGrow(before)) {
      const expiresAtMs = Date.parse(before.expire_time) - (this.#skewOf(heard) ?? 0);
      return done({ token: attempt.token, validityDays: usualDays(before), expiresAtMs, isLast: true });
    }
    const renewed = await this.#call(attempt, 'POST', 'renew-self');
    const reply = renewed.kind === 'answer' ? Renewed.safeParse(renewed.body) : null;
    if (renewed.kind !== 'answer' || renewed.status !== 200 || reply?.success !== true) {
      return refused(this.#failureOf(renewed, attempt));
    }
    const { lease_duration: leftSeconds } = reply.data.auth;
    // A token that has no end needs no renewal, and one of zero seconds would be renewed without a pause.
    if (leftSeconds === 0) return failed({ code: 'no_new_token', service, status: renewed.status });
    return done({
      token: attempt.token,
      validityDays: usualDays(before),
      expiresAtMs: this.clock() + Math.min(leftSeconds * 1000, longestValidityDays * dayMs),
      isLast: !reply.data.auth.renewable || didNotExtend(before, leftSeconds),
    });
  }

  #replyOf(heard: Answer, held: HeldToken, skewMs: number): TokenReply {
    const { status, body } = heard;
    const said = vaultErrorIn(body, held.token) ?? String(status);
    // Vault answers 403 to a token that it does not know, and to one whose policies do not allow the call.
    if (status === 401 || status === 403) {
      return { kind: 'refused', why: status === 401 ? 'invalid' : 'refused', said };
    }
    if (status !== 200) return untoldBy(heard);
    const looked = LookedUp.safeParse(body);
    if (!looked.success) return { kind: 'not_told', reason: { code: 'nothing_known' } };
    return knownReply(looked.data.data, held.token, { nowMs: this.clock(), skewMs });
  }

  /** A failed attempt has changed nothing that matters: the token is the same, and the call may be repeated. */
  #failureOf(heard: CallResult, { baseUrl, token }: HeldToken): FailedRotation {
    const service = originOf(baseUrl);
    if (heard.kind !== 'answer') {
      return failedBy({ code: 'call_failed', service, failure: heard.failure });
    }
    const { status, body, headers } = heard;
    const said = vaultErrorIn(body, token);
    const retryAfterMs = retryAfterOf(headers['retry-after'], this.clock());
    if (status >= 200 && status < 300) return failedBy({ code: 'no_new_token', service, status });
    if (status === 401) return failedBy({ code: 'invalid', service, said });
    if (status === 403) return failedBy({ code: 'refused', service, said }, { retryAfterMs });
    return failedAnswer(heard, { service, said }, { retryAfterMs });
  }

  #skewOf({ headers }: Answer): number | null {
    return skewOf(headers['date'], this.clock());
  }

  /** https://developer.hashicorp.com/vault/api-docs/auth/token#revoke-a-token-self: its children end with it. */
  async end(held: HeldToken): Promise<Result<TokenEnd, FailedRotation>> {
    const heard = await this.#call(held, 'POST', 'revoke-self');
    if (heard.kind === 'answer' && heard.status === 204) return done('deleted');
    return refused(this.#failureOf(heard, held));
  }

  #lookUp(held: HeldToken): Promise<CallResult> {
    return this.#call(held, 'GET', 'lookup-self');
  }

  /** A namespace may stand in the path: https://developer.hashicorp.com/vault/docs/enterprise/namespaces */
  #call(
    { baseUrl, inputs, token, timeLimitMs }: HeldToken,
    method: 'GET' | 'POST',
    call: string,
  ): Promise<CallResult> {
    const { slot } = vaultFacts;
    const path = `/v1/${namespacePath(inputs['namespace'])}auth/token/${call}`;
    return this.caller.call({ method, baseUrl, path, token, slot, timeLimitMs });
  }
}

/** `team/app` as the beginning of a path. */
export function namespacePath(namespace = ''): string {
  const parts = namespace.split('/').filter((part) => part !== '');
  return parts.map((part) => `${encodeURIComponent(part)}/`).join('');
}

/** Whether a renewal can bring a later end, as far as Vault tells. */
function mayGrow({ expire_time: end, issue_time: issued, explicit_max_ttl: limit, renewable }: LookedUp) {
  if (end === null || !renewable) return false;
  if (limit === 0 || issued === null) return true;
  return Date.parse(issued) + (limit - toleranceSeconds) * 1000 > Date.parse(end);
}

/** Whether a renewal left the end where it was, although the last one was long enough ago to tell. */
function didNotExtend(before: LookedUp, leftSeconds: number): boolean {
  const { expire_time: end, ttl, last_renewal: renewed, issue_time: issued } = before;
  const begun = renewed ?? issued;
  if (end === null || begun === null) return false;
  const sinceSeconds = (Date.parse(end) - Date.parse(begun)) / 1000 - ttl;
  return sinceSeconds >= tellingSeconds && leftSeconds <= ttl + toleranceSeconds;
}

function knownReply(
  looked: LookedUp,
  token: string,
  { nowMs, skewMs }: { readonly nowMs: number; readonly skewMs: number },
): TokenReply {
  const { expire_time: end, last_renewal: renewed, issue_time: issued } = looked;
  if (end === null) return { kind: 'not_told', reason: { code: 'never_expires' } };
  const begun = renewed ?? issued;
  return replyByExpiry(readExpiry(end, { nowMs, skewMs }), token, {
    name: looked.display_name === null ? null : cleanText(looked.display_name, token),
    status: null,
    createdAtMs: begun === null ? null : outsideInstantMs(Date.parse(begun) - skewMs),
    validityDays: usualDays(looked),
  });
}

/** The lifetime with which it was created, where that is a number of days. */
function usualDays({ creation_ttl: usualSeconds }: LookedUp): number | null {
  const days = (usualSeconds * 1000) / dayMs;
  return Number.isInteger(days) && days > 0 ? days : null;
}

/** Vault lists its errors: https://developer.hashicorp.com/vault/api-docs#error-response */
export function vaultErrorIn(body: unknown, token: string): string | null {
  const errors = Errors.safeParse(body);
  return errors.success ? cleanText(errors.data.errors.join(' '), token) : null;
}
