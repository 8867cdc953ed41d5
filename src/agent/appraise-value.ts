import type { CredentialRefusal } from '../core/credential/find-credential.ts';
import type { HeldValue } from '../core/credential/hold-value.ts';
import { done, refused, type Result } from '../core/result.ts';
import { dayMs } from '../core/token/token.ts';
import type { AgentParts } from './agent-parts.ts';
import { fingerprintOf } from './fingerprint.ts';
import { originOf } from './remote/answer-words.ts';
import { askExpiry } from './remote/ask-expiry.ts';
import { jwtExpiryMs } from './remote/jwt-expiry.ts';

export interface BroughtValue {
  readonly value: string;
  readonly validity_days?: number | undefined;
  readonly expires_at?: string | undefined;
}

/**
 * What is to be known of a value that a person brings, or why it cannot be kept.
 *
 * The service's own word goes before what the person says. One that says no to the value is believed; one that cannot be
 * reached, or does not tell, leaves it to the given end or the JWT's `exp`, whichever comes sooner, then to the given
 * validity; with none of them nobody would know when to rotate, and the value is refused.
 */
export async function appraiseValue(
  { caller, clock }: Pick<AgentParts, 'caller' | 'clock'>,
  baseUrl: string,
  brought: BroughtValue,
): Promise<Result<HeldValue, CredentialRefusal>> {
  const { value, validity_days: givenDays } = brought;
  const fingerprint = fingerprintOf(value);
  const told = await askExpiry(caller, { baseUrl, value, clock });
  const nowMs = clock();
  if (told.kind === 'refused') {
    return refused({
      problem: 'bad_request',
      field: 'value',
      message: `is not a token that can be kept fresh: ${told.message}`,
    });
  }
  if (told.kind === 'told') {
    const { createdAtMs, expiresAtMs } = told;
    const life = { obtainedAtMs: Math.min(createdAtMs ?? nowMs, nowMs), expiresAtMs };
    return done({ fingerprint, life, validityDays: told.validityDays ?? givenDays ?? null });
  }
  const ends = [
    brought.expires_at === undefined ? null : Date.parse(brought.expires_at),
    jwtExpiryMs(value),
  ].filter((end) => end !== null);
  if (ends.length === 0 && givenDays !== undefined) ends.push(nowMs + givenDays * dayMs);
  const expiresAtMs = ends.length === 0 ? null : Math.min(...ends);
  if (expiresAtMs === null) {
    const way = 'Say when the token expires, with --expires-at or --validity.';
    return told.kind === 'unreachable'
      ? refused({
          problem: 'other_service_failed',
          message: `${told.message} Try again when it answers. ${way}`,
        })
      : refused({
          problem: 'bad_request',
          field: 'expires_at',
          message: `is needed: ${originOf(baseUrl)} does not say it. ${way}`,
        });
  }
  if (expiresAtMs <= nowMs) {
    return refused({ problem: 'bad_request', field: 'expires_at', message: 'must be in the future' });
  }
  return done({
    fingerprint,
    life: { obtainedAtMs: nowMs, expiresAtMs },
    validityDays: givenDays ?? null,
  });
}
