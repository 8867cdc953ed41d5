import type { TroubleKind } from '../../contract/credential/credential-view.ts';
import type { CredentialId } from '../../contract/credential/credential.ts';
import { isRefreshed } from '../../providers/catalogue.ts';
import { isoInstantOrNull } from '../iso-instant.ts';
import type { Decision } from '../ledger.ts';
import type { TokenLifetime, ZoneOffset } from '../rotation/due-at.ts';
import { type FailedAttempt as FailedTry, retryAt, shortestWaitMs } from '../rotation/retry-at.ts';
import type { State } from '../state.ts';
import {
  isPaused,
  type OpenRotation,
  type PlannedCredential,
  seedOf,
  type Target,
} from './credential-state.ts';
import { plausibleRetryMs, isObtainedAhead, nextRotationMs } from './next-action.ts';
import { deriveCredential, type DerivedCredential } from './derive-credential.ts';

export interface BegunRotation {
  readonly credential: DerivedCredential;
  readonly idempotencyKey: string;
}

/**
 * Why an attempt is made: it is due, the owner asked, the machine woke up, the clock was set and is known to be right, or a
 * program needs a token and the current one has ended.
 */
export type AttemptCause = OpenRotation['cause'] | 'woken' | 'clock_set' | 'needed';

/**
 * Records the intent of a rotation before anything is sent, with the key that every attempt carries. An open intent is
 * continued.
 *
 * Null when there is nothing to do: the credential was removed, the rotation is not due and was not requested, or
 * this service itself refuses the token (because it is suspended, for example). A wake starts no rotation; it only
 * makes the next attempt of an open one earlier.
 */
export function beginRotation(
  state: State,
  id: CredentialId,
  wanted: {
    readonly idempotencyKey: string;
    readonly cause: AttemptCause;
    readonly zone: ZoneOffset;
  },
  nowMs: number,
): Decision<BegunRotation | null> {
  const record = state.credentials.get(id);
  if (record === undefined) return { events: [], value: null };
  const credential = deriveCredential(state, record, nowMs);
  const { generation, rotation } = credential;
  if (credential.isRefusedHere) return { events: [], value: null };
  const isReached = (atMs: number | null): boolean => atMs !== null && atMs <= nowMs;
  const isWanted =
    wanted.cause === 'owner' ||
    isReached(nextRotationMs(credential, nowMs, wanted.zone)) ||
    (wanted.cause === 'woken' && isReached(rotationAfterWakingMs(credential, nowMs))) ||
    (wanted.cause === 'needed' && isReached(refreshOnDemandMs(credential, nowMs))) ||
    (wanted.cause === 'clock_set' && isObtainedAhead(credential, nowMs));
  if (!isWanted) return { events: [], value: null };
  if (rotation !== null) {
    return { events: [], value: { credential, idempotencyKey: rotation.idempotencyKey } };
  }
  const cause = wanted.cause === 'owner' ? 'owner' : 'due';
  return {
    events: [
      {
        kind: 'credential.rotation_begun',
        subject: id,
        actor: { kind: cause === 'owner' ? 'owner' : 'system' },
        data: { credential_id: id, generation, cause },
        sealed: { idempotency_key: wanted.idempotencyKey },
      },
    ],
    value: { credential, idempotencyKey: wanted.idempotencyKey },
  };
}

export interface FailedAttempt {
  readonly kind: TroubleKind;
  readonly message: string;
  readonly mayHaveActed: boolean;
  /** The other origin to which the service redirects. */
  readonly redirectedTo?: string;
  /** The delay that the service asked for (`Retry-After`). */
  readonly retryAfterMs: number | null;
  /** Whether our own stop ended it. */
  readonly isStopped?: boolean;
}

/** Troubles that no further attempt can solve: a person has to act. */
const needsPerson: ReadonlySet<TroubleKind> = new Set([
  'invalid',
  'blacklisted',
  'expired',
  'reply_lost',
  'value_missing',
  'superseded',
  'no_endpoint',
]);

export function isUpToPerson(kind: TroubleKind): boolean {
  return needsPerson.has(kind);
}

/**
 * Records that an attempt failed and when the next one is made. The intent stays open with its key.
 *
 * An attempt that our own stop ended is no failure: as after a kill, the open intent says that the next start continues it at once.
 * Only where an earlier attempt failed and the next one is planned for later, that is recorded.
 */
export function failRotation(
  state: State,
  id: CredentialId,
  failed: FailedAttempt,
  nowMs: number,
): Decision<null> {
  const credential = state.credentials.get(id);
  if (credential === undefined) return { events: [], value: null };
  const { trouble, lifetime, generation } = credential;
  const plannedMs = trouble?.nextTryMs ?? null;
  if (failed.isStopped === true && (trouble === null || (plannedMs !== null && plannedMs <= nowMs))) {
    return { events: [], value: null };
  }
  const nextTry = (): number | null => {
    if (failed.isStopped === true) return nowMs;
    if (needsPerson.has(failed.kind)) return null;
    const attempt = (trouble?.attempts ?? 0) + 1;
    const { retryAfterMs } = failed;
    return planNextTry({ lifetime, attempt, nowMs, retryAfterMs, seed: seedOf(id, generation) }, plannedMs);
  };
  return {
    events: [
      {
        kind: 'credential.rotation_failed',
        subject: id,
        actor: { kind: 'system' },
        data: {
          credential_id: id,
          kind: failed.kind,
          message: failed.message,
          ...(failed.redirectedTo === undefined ? {} : { redirected_to: failed.redirectedTo }),
          may_have_acted: failed.mayHaveActed,
          next_try_at: isoInstantOrNull(nextTry()),
        },
      },
    ],
    value: null,
  };
}

/**
 * When the next attempt is made after one that failed.
 *
 * An attempt before its time, because the owner asked or the machine woke up, does not change the plan: otherwise a
 * laptop that is opened ten times without a network would wait an hour afterwards. Only the service itself
 * (`Retry-After`) can change it.
 */
export function planNextTry(
  failed: FailedTry & { readonly lifetime: TokenLifetime },
  plannedMs: number | null,
): number {
  const { lifetime, nowMs, retryAfterMs } = failed;
  const keptMs = plausibleRetryMs(plannedMs, lifetime, nowMs);
  if (keptMs === null || keptMs <= nowMs || retryAfterMs !== null) return retryAt(failed);
  return Math.max(keptMs, nowMs + Math.ceil(shortestWaitMs(lifetime, nowMs)));
}

/** Troubles that may be over once the machine is awake, unlocked or connected again. */
const mayBeOver: ReadonlySet<TroubleKind> = new Set(['unreachable', 'vault']);

/**
 * The earliest instant at which a failed rotation may be attempted again because the machine has woken up.
 *
 * Null where the plan does not change: the trouble has nothing to do with sleep, or rotation is paused. A service that
 * asked for a delay did answer, so a wake never shortens that delay.
 */
export function rotationAfterWakingMs(credential: PlannedCredential, nowMs: number): number | null {
  const { rotation, trouble, lifetime } = credential;
  if (rotation === null || trouble === null || isPaused(credential, nowMs)) return null;
  return mayBeOver.has(trouble.kind) ? earliestMs(trouble.lastTryMs, lifetime, nowMs) : null;
}

/**
 * From when on an access token that has ended is replaced because a program needs one, also before its next planned attempt.
 * Null where no attempt helps: rotation is paused, a person has to act, or the token still works.
 */
export function refreshOnDemandMs(credential: PlannedCredential, nowMs: number): number | null {
  const { provider, lifetime, trouble, canRotate } = credential;
  if (!isRefreshed(provider) || nowMs < lifetime.expiresAtMs - endsSoonMs(lifetime)) return null;
  if (isPaused(credential, nowMs) || canRotate === false) return null;
  if (trouble === null) return nowMs;
  if (trouble.nextTryMs === null) return null;
  return mayBeOver.has(trouble.kind) ? earliestMs(trouble.lastTryMs, lifetime, nowMs) : trouble.nextTryMs;
}

/** A program that gets a token needs a moment to use it: half a minute, or a tenth of its lifetime. */
function endsSoonMs({ obtainedAtMs, expiresAtMs }: TokenLifetime): number {
  return Math.min(30_000, Math.max(expiresAtMs - obtainedAtMs, 0) / 10);
}

/** The same for a delivery to a keychain, which may be unlocked now. Sleep does not affect files. */
export function deliveryAfterWakingMs(
  { lifetime }: Pick<PlannedCredential, 'lifetime'>,
  { target, failure }: Target,
  nowMs: number,
): number | null {
  if (failure === null || target.kind !== 'keychain') return null;
  return failure.nextTryMs === null ? null : earliestMs(failure.lastTryMs, lifetime, nowMs);
}

/**
 * At least the shortest interval after the last attempt. A last attempt in the future was recorded by a clock that has
 * been set back since.
 */
function earliestMs(lastTryMs: number | null, lifetime: TokenLifetime, nowMs: number): number {
  return lastTryMs === null || lastTryMs > nowMs
    ? nowMs
    : lastTryMs + Math.ceil(shortestWaitMs(lifetime, nowMs));
}
