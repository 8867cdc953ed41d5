import type { CredentialId } from '../../contract/credential.ts';
import type { TroubleKind } from '../../contract/credential-view.ts';
import { isoInstantOrNull } from '../iso-instant.ts';
import type { Decision } from '../ledger.ts';
import type { State } from '../state.ts';
import type { ZoneOffset } from '../rotation/zone-offset.ts';
import { rotationAfterWakingMs } from './after-waking.ts';
import { type Credential, type OpenRotation, seedOf } from './credential.ts';
import { isObtainedAhead, nextRotationMs } from './next-action.ts';
import { planNextTry } from './plan-next-try.ts';
import { presentCredential } from './present-credential.ts';

export interface BegunRotation {
  readonly credential: Credential;
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
  wish: {
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
    wish.cause === 'owner' ||
    isReached(nextRotationMs(credential, nowMs, wish.zone)) ||
    (wish.cause === 'woken' && isReached(rotationAfterWakingMs(credential, nowMs))) ||
    (wish.cause === 'clock_set' && isObtainedAhead(credential, nowMs));
  if (!isWanted) return { events: [], value: null };
  if (rotation !== null) {
    return { events: [], value: { credential, idempotencyKey: rotation.idempotencyKey } };
  }
  const cause = wish.cause === 'owner' ? 'owner' : 'due';
  return {
    events: [
      {
        kind: 'credential.rotation_begun',
        subject: id,
        actor: { kind: cause === 'owner' ? 'owner' : 'system' },
        data: { credential_id: id, generation, cause },
        sealed: { idempotency_key: wish.idempotencyKey },
      },
    ],
    value: { credential, idempotencyKey: wish.idempotencyKey },
  };
}

export interface FailedAttempt {
  readonly kind: TroubleKind;
  readonly message: string;
  readonly mayHaveActed: boolean;
  /** What the service asked for (`Retry-After`). */
  readonly retryAfterMs: number | null;
}

/** Troubles that no further attempt can mend: a person has to bring a value. */
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
