import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { originOf } from '../../contract/address.ts';
import type { EndpointFinding, TokenReply } from '../../contract/credential/connection-finding.ts';
import { outsideInstantMs } from '../../core/iso-instant.ts';
import { done, refused, type Result } from '../../core/result.ts';
import { VaultUnavailable } from '../../core/vault.ts';
import { dayMs } from '../../core/token/token-record.ts';
import { believedMs, readExpiry } from '../http/read-expiry.ts';
import { retryAfterOf, untoldBy } from '../http/read-reply.ts';
import type { Answer, CallResult } from '../http/service-caller.ts';
import {
  type Attempt,
  CallingProvider,
  failed,
  failedAnswer,
  failedBy,
  type FailedRotation,
  guardianOf,
  type HeldWithOthers,
  type Inspection,
  inspectionOf,
  type MintedToken,
  type Provider,
  replyByExpiry,
  type TokenEnd,
  type TokenToEnd,
} from '../provider-port.ts';
import { vaultApproleFacts } from './facts.ts';
import { namespacePath, vaultErrorIn } from '../vault/calls.ts';

const seconds = z.number().nonnegative();
/** `data` of a lookup. */
const LookedUp = z.object({
  data: z.object({
    secret_id_accessor: z.string().min(1),
    /** 0: it never expires. */
    secret_id_ttl: seconds,
    creation_time: z.iso.datetime({ offset: true }).nullable().catch(null),
    /** The year 1 where it never expires. */
    expiration_time: z.iso.datetime({ offset: true }),
  }),
});
type LookedUp = z.infer<typeof LookedUp>['data'];

const Created = z.object({
  data: z.object({ secret_id: z.string(), secret_id_accessor: z.string().min(1), secret_id_ttl: seconds }),
});

/** 256 bits. */
const secretBytes = 32;

/**
 * Secret ids of AppRole in Vault and OpenBao (https://developer.hashicorp.com/vault/api-docs/auth/approle). The token of another
 * credential, the guardian, makes every call, because a secret id can only log in, and a login creates a token and may use it up.
 *
 * The value is chosen here (`custom-secret-id`) and written down before it is sent, so a lost reply is harmless: looking up the
 * same value tells whether it exists. The new one is created beside the old one, which is destroyed by its accessor.
 */
export class VaultApproleProvider extends CallingProvider implements Provider {
  readonly traits = vaultApproleFacts.traits;
  readonly endsBy = ['id'] as const;

  async inspect(held: HeldWithOthers): Promise<Inspection> {
    const guardian = await guardianOf(held).catch((error: unknown) => {
      // A locked vault is reported by the steps that need it; asking about a token does not fail.
      if (error instanceof VaultUnavailable) return refused(null);
      throw error;
    });
    if (!guardian.ok) return { reply: { kind: 'not_told', reason: { code: 'nothing_known' } }, skewMs: null };
    const heard = await this.#lookUp(held, guardian.value, held.token);
    return inspectionOf(heard, this.clock(), (answer, skewMs) =>
      this.#replyOf(answer, guardian.value, skewMs),
    );
  }

  async inspectRotation(held: HeldWithOthers): Promise<EndpointFinding> {
    const service = originOf(held.baseUrl);
    const guardian = await guardianOf(held);
    if (!guardian.ok) return { outcome: 'unknown', service, reason: { code: 'stopping' } };
    const heard = await this.#lookUp(held, guardian.value, held.token);
    if (heard.kind !== 'answer') return { outcome: 'unknown', service, reason: heard.failure };
    const { status } = heard;
    if (status === 200) return { outcome: 'can_rotate', service };
    // The guardian may not look up, and so it could not find out what happened after a lost reply.
    if (status === 403 || status === 404 || status === 405) {
      return { outcome: 'cannot_rotate', service, reason: { code: 'no_endpoint', status } };
    }
    return { outcome: 'unknown', service, reason: { code: 'answered', status } };
  }

  async rotate(attempt: Attempt): Promise<Result<MintedToken, FailedRotation>> {
    const guardian = await guardianOf(attempt);
    if (!guardian.ok) return guardian;
    if (attempt.note !== null) {
      const found = await this.#findEarlier(attempt, guardian.value, attempt.note);
      if (!found.ok || found.value !== null) return found as Result<MintedToken, FailedRotation>;
    }
    const secretId = attempt.note ?? randomBytes(secretBytes).toString('base64url');
    // Written down first: without it nobody could tell whether the call was made.
    if (attempt.note === null) await attempt.remember(secretId);
    const ttl = await this.#ttlFor(attempt, guardian.value);
    const heard = await this.#call(attempt, guardian.value, 'custom-secret-id', {
      secret_id: secretId,
      metadata: JSON.stringify({ created_by: attempt.label }),
      ...(ttl === null ? {} : { ttl }),
    });
    if (heard.kind !== 'answer') {
      const trouble = {
        code: 'call_failed',
        service: originOf(attempt.baseUrl),
        failure: heard.failure,
      } as const;
      return failed(trouble, { mayHaveActed: heard.kind === 'lost' });
    }
    const created = Created.safeParse(heard.body);
    if (heard.status !== 200 || !created.success || created.data.data.secret_id !== secretId) {
      return refused(this.#failureOf(heard, attempt, guardian.value));
    }
    const { secret_id_accessor: upstreamId, secret_id_ttl: ttlSeconds } = created.data.data;
    const nowMs = this.clock();
    const expiresAtMs = ttlSeconds === 0 ? null : believedMs(nowMs + ttlSeconds * 1000, nowMs);
    return done({ token: secretId, ...validityOf(ttlSeconds, attempt), expiresAtMs, upstreamId });
  }

  /** The id of a secret id is its accessor. */
  async end(held: HeldWithOthers, which: TokenToEnd): Promise<Result<TokenEnd, FailedRotation>> {
    if (which.by !== 'id') return done('no_call');
    const guardian = await guardianOf(held);
    if (!guardian.ok) return guardian;
    const service = originOf(held.baseUrl);
    const body = { secret_id_accessor: which.id };
    const heard = await this.#call(held, guardian.value, 'secret-id-accessor/destroy', body);
    if (heard.kind !== 'answer') return failed({ code: 'call_failed', service, failure: heard.failure });
    if (heard.status === 200 || heard.status === 204) return done('deleted');
    // An accessor that is gone is answered like a failure of the server. Only a lookup says it by a status.
    const looked = await this.#call(held, guardian.value, 'secret-id-accessor/lookup', body);
    if (looked.kind === 'answer' && looked.status === 404 && heard.status !== 404)
      return done('already_gone');
    return refused({ ...this.#failureOf(heard, held, guardian.value), mayHaveActed: false });
  }

  /** What an earlier call of this attempt created; null: nothing. */
  async #findEarlier(
    attempt: Attempt,
    guardian: string,
    secretId: string,
  ): Promise<Result<MintedToken | null, FailedRotation>> {
    const heard = await this.#lookUp(attempt, guardian, secretId);
    if (heard.kind !== 'answer') {
      const service = originOf(attempt.baseUrl);
      return failed({ code: 'call_failed', service, failure: heard.failure });
    }
    if (heard.status === 204) return done(null);
    const looked = LookedUp.safeParse(heard.body);
    if (heard.status !== 200 || !looked.success) {
      return refused({ ...this.#failureOf(heard, attempt, guardian), mayHaveActed: false });
    }
    const { secret_id_accessor: upstreamId, secret_id_ttl: ttlSeconds } = looked.data.data;
    const { reply } = inspectionOf(heard, this.clock(), (answer, skewMs) =>
      this.#replyOf(answer, guardian, skewMs),
    );
    const expiresAtMs = reply.kind === 'known' ? reply.expiresAtMs : null;
    return done({ token: secretId, ...validityOf(ttlSeconds, attempt), expiresAtMs, upstreamId });
  }

  /**
   * The lifetime to ask for: as long as that of the one before, also where the role allows longer, or shorter where the owner wants
   * that. Where it has no end, as many days as the credential has. Null: as the role has it.
   */
  async #ttlFor(attempt: Attempt, guardian: string): Promise<string | null> {
    const heard = await this.#lookUp(attempt, guardian, attempt.token);
    const looked = heard.kind === 'answer' && heard.status === 200 ? LookedUp.safeParse(heard.body) : null;
    if (looked?.success !== true) return null;
    const { secret_id_ttl: ttlSeconds } = looked.data.data;
    const wantedSeconds = (attempt.wantedDays * dayMs) / 1000;
    if (ttlSeconds === 0) return `${wantedSeconds}s`;
    return `${attempt.mostDays === undefined ? ttlSeconds : Math.min(ttlSeconds, wantedSeconds)}s`;
  }

  #replyOf({ status, body, headers }: Answer, guardian: string, skewMs: number): TokenReply {
    const said = vaultErrorIn(body, guardian) ?? String(status);
    // Nothing is known by this value.
    if (status === 204) return { kind: 'refused', why: 'invalid', said };
    // 401 and 403 are about the token of the guardian.
    if (status !== 200) return untoldBy({ status, headers });
    const looked = LookedUp.safeParse(body);
    if (!looked.success) return { kind: 'not_told', reason: { code: 'nothing_known' } };
    return this.#knownReply(looked.data.data, guardian, skewMs);
  }

  #knownReply(looked: LookedUp, guardian: string, skewMs: number): TokenReply {
    const { secret_id_accessor: upstreamId, secret_id_ttl: ttlSeconds, expiration_time: end } = looked;
    const endMs = Date.parse(end) - skewMs;
    if (ttlSeconds === 0 && endMs <= 0) {
      return { kind: 'not_told', reason: { code: 'never_expires' }, upstreamId };
    }
    // It is found until it is tidied up, but cannot log in.
    if (endMs <= this.clock()) return { kind: 'refused', why: 'expired', said: 'expired' };
    const { creation_time: begun } = looked;
    return replyByExpiry(readExpiry(end, { nowMs: this.clock(), skewMs }), guardian, {
      name: null,
      status: null,
      createdAtMs: begun === null ? null : outsideInstantMs(Date.parse(begun) - skewMs),
      validityDays: null,
      upstreamId,
    });
  }

  #failureOf({ status, body, headers }: Answer, held: HeldWithOthers, guardian: string): FailedRotation {
    const service = originOf(held.baseUrl);
    const said = vaultErrorIn(body, guardian);
    const retryAfterMs = retryAfterOf(headers['retry-after'], this.clock());
    if (status >= 200 && status < 300) {
      return failedBy({ code: 'no_new_token', service, status }, { mayHaveActed: true });
    }
    if (status === 401) {
      return failedBy({ code: 'no_guardian', service, name: held.inputs['guardian'] ?? '' });
    }
    // Vault answers 403 to a token that it does not know, and to one whose policies do not allow the call.
    if (status === 403) return failedBy({ code: 'refused', service, said }, { retryAfterMs });
    const mayHaveActed = status === 408 || status >= 500;
    return failedAnswer({ status, headers }, { service, said }, { mayHaveActed, retryAfterMs });
  }

  #lookUp(held: HeldWithOthers, guardian: string, secretId: string): Promise<CallResult> {
    return this.#call(held, guardian, 'secret-id/lookup', { secret_id: secretId });
  }

  #call(
    { baseUrl, inputs, timeLimitMs }: HeldWithOthers,
    guardian: string,
    call: string,
    body: Readonly<Record<string, string>>,
  ): Promise<CallResult> {
    const { slot } = vaultApproleFacts;
    const mount = namespacePath(inputs['mount'] ?? 'approle');
    const role = encodeURIComponent(inputs['role'] ?? '');
    const path = `/v1/${namespacePath(inputs['namespace'])}auth/${mount}role/${role}/${call}`;
    return this.caller.call({ method: 'POST', baseUrl, path, token: guardian, slot, timeLimitMs, body });
  }
}

/** Null: it is told by its end. */
function validityOf(
  ttlSeconds: number,
  { wantedDays }: Attempt,
): Pick<MintedToken, 'validityDays' | 'expiryAssumed'> {
  if (ttlSeconds === 0) return { validityDays: wantedDays, expiryAssumed: 'never' };
  const days = (ttlSeconds * 1000) / dayMs;
  return { validityDays: Number.isInteger(days) ? days : null };
}
