import type { TroubleKind } from '../../contract/credential-view.ts';
import type { CredentialId } from '../../contract/credential.ts';
import { isoInstantOrNull } from '../iso-instant.ts';
import type { Decision } from '../ledger.ts';
import type { ValueLife, ZoneOffset } from '../rotation/due-at.ts';
import { type FailedAttempt as FailedTry, retryAt, shortestWaitMs } from '../rotation/retry-at.ts';
import type { State } from '../state.ts';
import { isPaused, type OpenRotation, type PlannedCredential, seedOf, type Target } from './credential.ts';
import { credibleTryMs, isObtainedAhead, nextRotationMs } from './next-action.ts';
import { presentCredential, type PresentCredential } from './present-credential.ts';

export interface BegunRotation {
  readonly credential: PresentCredential;
  readonly idempotencyKey: string;
}

/**
 * Why an attempt is made: it is due, the owner asks, the machine has woken and it may succeed now, or the clock was set and is
 * known to be right.
 */
export type AttemptCause = OpenRotation['cause'] | 'woken' | 'clock_set';

/**
 * The intent, before anything is sent: the key that every attempt carries. One that is open already is taken up again.
 *
 * Null when there is nothing to do: the credential is gone, it is not its time and nobody asked, or this service itself
 * refuses the token (it is suspended, say). A wake begins nothing that is not due; it only has what is open tried again sooner.
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
  const credential = presentCredential(state, record, nowMs);
  const { generation, rotation } = credential;
  if (credential.isRefusedHere) return { events: [], value: null };
  const isReached = (atMs: number | null): boolean => atMs !== null && atMs <= nowMs;
  const isWanted =
    wanted.cause === 'owner' ||
    isReached(nextRotationMs(credential, nowMs, wanted.zone)) ||
    (wanted.cause === 'woken' && isReached(rotationAfterWakingMs(credential, nowMs))) ||
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
  /** What the service asked for (`Retry-After`). */
  readonly retryAfterMs: number | null;
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

/** Writes down that an attempt failed and when the next one is; the intent stays open with its key. */
export function failRotation(
  state: State,
  id: CredentialId,
  failed: FailedAttempt,
  nowMs: number,
): Decision<null> {
  const credential = state.credentials.get(id);
  if (credential === undefined) return { events: [], value: null };
  const nextTryMs = needsPerson.has(failed.kind)
    ? null
    : planNextTry(
        {
          life: credential.life,
          attempt: (credential.trouble?.attempts ?? 0) + 1,
          nowMs,
          retryAfterMs: failed.retryAfterMs,
          seed: seedOf(id, credential.generation),
        },
        credential.trouble?.nextTryMs ?? null,
      );
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
          may_have_acted: failed.mayHaveActed,
          next_try_at: isoInstantOrNull(nextTryMs),
        },
      },
    ],
    value: null,
  };
}

/**
 * When an attempt that has just failed is followed by the next one.
 *
 * One that was made before its time, because the owner asked or the machine woke, leaves the plan as it was: a laptop
 * that is opened ten times without a network would otherwise wait an hour for it afterwards. Only the service itself
 * (`Retry-After`) may change it.
 */
export function planNextTry(
  failed: FailedTry & { readonly life: ValueLife },
  plannedMs: number | null,
): number {
  const { life, nowMs, retryAfterMs } = failed;
  const keptMs = credibleTryMs(plannedMs, life, nowMs);
  if (keptMs === null || keptMs <= nowMs || retryAfterMs !== null) return retryAt(failed);
  return Math.max(keptMs, nowMs + Math.ceil(shortestWaitMs(life, nowMs)));
}

/** Troubles that may be over once the machine is awake, unlocked or on its network again. */
const mayBeOver: ReadonlySet<TroubleKind> = new Set(['unreachable', 'vault']);

/**
 * From when on a rotation that failed may be attempted before its time, because the machine has woken since.
 *
 * Null where the plan stands: its trouble has nothing to do with sleep, or it is paused. A service that asked to be left
 * alone did answer, so it is never asked sooner for this.
 */
export function rotationAfterWakingMs(credential: PlannedCredential, nowMs: number): number | null {
  const { rotation, trouble, life } = credential;
  if (rotation === null || trouble === null || isPaused(credential, nowMs)) return null;
  return mayBeOver.has(trouble.kind) ? earliestMs(trouble.lastTryMs, life, nowMs) : null;
}

/** The same for a delivery: of a target in a keychain, which may be unlocked now. A file does not mind sleep. */
export function deliveryAfterWakingMs(
  { life }: Pick<PlannedCredential, 'life'>,
  { target, failure }: Target,
  nowMs: number,
): number | null {
  if (failure === null || target.kind !== 'keychain') return null;
  return failure.nextTryMs === null ? null : earliestMs(failure.lastTryMs, life, nowMs);
}

/** As far from the last attempt as any two are. One that lies ahead was noted by a clock that has been set back since. */
function earliestMs(lastTryMs: number | null, life: ValueLife, nowMs: number): number {
  return lastTryMs === null || lastTryMs > nowMs ? nowMs : lastTryMs + Math.ceil(shortestWaitMs(life, nowMs));
}
