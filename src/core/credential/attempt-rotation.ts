import type { CredentialId } from '../../contract/credential.ts';
import type { TroubleKind } from '../../contract/credential-view.ts';
import { isoInstantOrNull } from '../iso-instant.ts';
import type { Decision } from '../ledger.ts';
import { retryAt } from '../rotation/retry-at.ts';
import type { State } from '../state.ts';
import type { ZoneOffset } from '../rotation/zone-offset.ts';
import { type Credential, type OpenRotation, seedOf } from './credential.ts';
import { nextRotationMs } from './next-action.ts';

export interface BegunRotation {
  readonly credential: Credential;
  readonly idempotencyKey: string;
}

/**
 * The intent, before anything is sent: the key that every attempt carries. One that is open already is taken up again.
 *
 * Null when there is nothing to do: the credential is gone, or it is not its time and nobody asked.
 */
export function beginRotation(
  state: State,
  id: CredentialId,
  wish: {
    readonly idempotencyKey: string;
    readonly cause: OpenRotation['cause'];
    readonly zone: ZoneOffset;
  },
  nowMs: number,
): Decision<BegunRotation | null> {
  const credential = state.credentials.get(id);
  if (credential === undefined) return { events: [], value: null };
  const { generation, rotation } = credential;
  const nextMs = nextRotationMs(credential, nowMs, wish.zone);
  if (wish.cause === 'due' && (nextMs === null || nextMs > nowMs)) return { events: [], value: null };
  if (rotation !== null) {
    return { events: [], value: { credential, idempotencyKey: rotation.idempotencyKey } };
  }
  return {
    events: [
      {
        kind: 'credential.rotation_begun',
        subject: id,
        actor: wish.cause === 'owner' ? { kind: 'owner' } : { kind: 'system' },
        data: { credential_id: id, generation, cause: wish.cause },
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
    : retryAt({
        life: credential.life,
        attempt: (credential.trouble?.attempts ?? 0) + 1,
        nowMs,
        retryAfterMs: failed.retryAfterMs,
        seed: seedOf(id, credential.generation),
      });
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
