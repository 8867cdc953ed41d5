import { originOf } from '../../contract/address.ts';
import type { AddCredential, ReplaceValue } from '../../contract/credential/credential.ts';
import { defaultProvider } from '../../contract/credential/provider.ts';
import type { CredentialRefusal } from '../../core/credential/find-credential.ts';
import type { StoredToken } from '../../core/credential/store-token.ts';
import { isoInstant } from '../../core/iso-instant.ts';
import { done, refused, type Result } from '../../core/result.ts';
import { dayMs } from '../../core/token/token-record.ts';
import { invariant } from '../../core/unreachable.ts';
import { isAssisted, isRefreshed, isSignedIn } from '../../providers/catalogue.ts';
import { believedMs } from '../../providers/http/read-expiry.ts';
import { jwtExpiryMs } from '../../providers/http/read-reply.ts';
import { type MintedToken, partsOf } from '../../providers/provider-port.ts';
import type { InspectionPorts } from '../ports.ts';
import { idIn, inspectLimitMs } from '../rotation/learn-lifetime.ts';
import type { OfService, Services } from '../services.ts';
import type { Answer } from './answer-for.ts';

/** A secret as it goes into the vault, and what is known of it. */
export interface NewSecret {
  readonly secret: string;
  readonly stored: StoredToken;
}

export interface EnteredToken {
  readonly value: string;
  readonly validity_days?: number | undefined;
  readonly expires_at?: string | undefined;
}

/** What a person entered, as it goes into the vault: a token, or a client secret with the access token that it obtains. */
export async function enteredSecret(
  ports: InspectionPorts,
  of: OfService,
  entered: EnteredToken & Pick<ReplaceValue, 'password'>,
  before: string | null = null,
): Promise<Result<NewSecret, CredentialRefusal>> {
  const { provider } = of;
  if (!isRefreshed(provider)) {
    const inspected = await inspectToken(ports, of, entered);
    return inspected.ok ? done({ secret: entered.value, stored: inspected.value }) : inspected;
  }
  if (isSignedIn(provider)) return refused({ problem: 'conflict', reason: { code: 'sign_in_needed' } });
  const { services, fingerprints, clock } = ports;
  const at = services.providerOf(of);
  const { value, password, expires_at: end } = entered;
  const expiresAtMs = end === undefined ? null : Date.parse(end);
  if (password !== undefined && !provider.inputs['email']) {
    const field = 'provider.inputs.email';
    return refused({ problem: 'bad_request', field, reason: { code: 'email_needed' } });
  }
  const secret = at.secret?.first({ value, password, expiresAtMs }, before) ?? null;
  if (secret === null) {
    return refused({ problem: 'bad_request', field: 'value', reason: { code: 'not_a_key' } });
  }
  if (partsOf(at, secret).accessToken !== null) {
    const inspected = await inspectToken(ports, of, entered);
    if (inspected.ok) {
      return done({
        secret,
        stored: { ...inspected.value, ...(await fingerprints.of(secret, of.baseUrl)) },
      });
    }
    // With a login, a token that has ended is no obstacle.
    if (password === undefined) return inspected;
  }
  const nowMs = clock();
  invariant(at.obtain !== undefined, 'a secret that is no token obtains one');
  const minted = await at.obtain(services.held(of, secret, inspectLimitMs));
  if (minted.ok) return done(await newSecretOf(ports, of.baseUrl, minted.value, nowMs));
  const { trouble } = minted.refusal;
  const reason = { code: 'client_not_accepted', trouble } as const;
  return refused({
    problem: trouble.code === 'client_refused' ? 'conflict' : 'other_service_failed',
    reason,
  });
}

/** What a service has returned, as it goes into the vault. */
export async function newSecretOf(
  { fingerprints }: Pick<InspectionPorts, 'fingerprints'>,
  baseUrl: string | null,
  { token, expiresAtMs, expiryAssumed = null }: MintedToken,
  obtainedAtMs: number,
): Promise<NewSecret> {
  const lifetime = { obtainedAtMs, expiresAtMs: expiresAtMs ?? obtainedAtMs };
  return {
    secret: token,
    stored: { ...(await fingerprints.of(token, baseUrl)), lifetime, expiryAssumed, validityDays: null },
  };
}

/**
 * The properties of a token that a person enters, or why it cannot be added.
 *
 * The service's reply takes precedence over what the person entered. If the service refuses the token, that is final.
 * If it cannot be reached, or does not say, the entered expiry or the JWT's `exp` is used, whichever is earlier, then
 * the entered validity; without any of them it would be unknown when to rotate, and the token is refused.
 */
export async function inspectToken(
  { services, fingerprints, clock }: InspectionPorts,
  of: OfService,
  entered: EnteredToken,
): Promise<Result<StoredToken, CredentialRefusal>> {
  const { value: token, validity_days: givenDays } = entered;
  const held = services.held(of, token, inspectLimitMs);
  const { reply: told } = await services.providerOf(of).inspect(held);
  const nowMs = clock();
  const service = originOf(held.baseUrl);
  if (told.kind === 'refused') {
    const reason = { code: 'token_refused', service, said: told.said } as const;
    return refused({ problem: 'bad_request', field: 'value', reason });
  }
  if (told.kind === 'known') {
    const { createdAtMs, expiresAtMs } = told;
    if (expiresAtMs < nowMs - earliestReadingMs) return refused(endedBefore(service, expiresAtMs));
    const lifetime = { obtainedAtMs: Math.min(createdAtMs ?? nowMs, nowMs), expiresAtMs };
    const validityDays = told.validityDays ?? givenDays ?? null;
    return done({
      ...(await fingerprints.of(token, of.baseUrl)),
      lifetime,
      validityDays,
      upstreamId: idIn(told),
    });
  }
  const ownEndMs = believedMs(jwtExpiryMs(token), nowMs);
  if (ownEndMs !== null && ownEndMs <= nowMs) return refused(endedBefore(null, ownEndMs));
  const ends = [entered.expires_at === undefined ? null : Date.parse(entered.expires_at), ownEndMs].filter(
    (end) => end !== null,
  );
  if (ends.length === 0 && givenDays !== undefined) ends.push(nowMs + givenDays * dayMs);
  const expiresAtMs = ends.length === 0 ? null : Math.min(...ends);
  if (expiresAtMs === null) {
    return told.kind === 'unreachable'
      ? refused({
          problem: 'other_service_failed',
          reason: { code: 'expiry_unknown', service, failure: told.failure },
        })
      : refused({
          problem: 'bad_request',
          field: 'expires_at',
          reason: { code: 'expiry_unknown', service, failure: null, told: told.reason },
        });
  }
  if (expiresAtMs <= nowMs) {
    return refused({ problem: 'bad_request', field: 'expires_at', reason: { code: 'not_in_future' } });
  }
  if (believedMs(expiresAtMs, nowMs) === null) {
    return refused({ problem: 'bad_request', field: 'expires_at', reason: { code: 'too_far' } });
  }
  return done({
    ...(await fingerprints.of(token, of.baseUrl)),
    lifetime: { obtainedAtMs: nowMs, expiresAtMs },
    validityDays: givenDays ?? null,
    upstreamId: idIn(told),
  });
}

/** A date without a time of day is read as the earliest instant that it may mean: the token may work for a day after that. */
const earliestReadingMs = dayMs + 3_600_000 * 2;

function endedBefore(service: string | null, atMs: number): CredentialRefusal {
  const reason = { code: 'ended_before', service, at: isoInstant(atMs) } as const;
  return { problem: 'bad_request', field: 'value', reason };
}

/** Whether the service of a new credential can rotate; null: not found out. Refused if it cannot and the owner did not agree. */
export async function inspectEndpoint(
  services: Services,
  of: OfService,
  { base_url: baseUrl, provider = defaultProvider, value, remind_only: isReminder }: AddCredential,
): Answer<boolean | null> {
  if (isAssisted(provider)) return done(false);
  if (baseUrl === null) return done(null);
  const held = services.held(of, value, inspectLimitMs);
  const endpoint = await services.providerOf({ provider }).inspectRotation(held);
  if (endpoint.outcome === 'can_rotate') return done(true);
  if (isReminder) return done(false);
  if (endpoint.outcome === 'unknown') return done(null);
  return refused({ problem: 'cannot_rotate', reason: { code: 'cannot_rotate', endpoint } });
}
