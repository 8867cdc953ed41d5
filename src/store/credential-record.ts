import type { TroubleKind } from '../contract/credential/credential-view.ts';
import type {
  AssumedExpiry,
  CredentialId,
  DeliveryTarget,
  RotationPolicy,
  TargetId,
} from '../contract/credential/credential.ts';
import { defaultProvider, isDefaultProvider, type ProviderChoice } from '../contract/credential/provider.ts';
import type { Credential, PastToken, RetiringToken, Target } from '../core/credential/credential-state.ts';
import { instantMs, instantMsOrNull, isoInstant, isoInstantOrNull } from '../core/iso-instant.ts';

type Nullable = string | null;

/** A credential in the state file. Its token is only in the vault. */
export interface CredentialRecord {
  id: CredentialId;
  name: string;
  /** Older records do not have it. */
  provider?: ProviderChoice;
  base_url: Nullable;
  policy: RotationPolicy;
  validity_days: number | null;
  generation: number;
  fingerprint: string;
  obtained_at: string;
  expires_at: string;
  /** Older records do not have it. */
  expiry_assumed?: AssumedExpiry;
  /** Only of a renewed token. */
  held_since?: string;
  /** Older records do not have it, nor the next field. */
  upstream_id?: string;
  retiring?: RetiringRecord[];
  /** Older records do not have it. */
  standby?: { fingerprint: string; obtained_at: string; expires_at: string };
  /** Older records do not have it, nor the next field. */
  can_rotate?: boolean | null;
  past_lives?: PastTokenRecord[];
  pause: { until: Nullable } | null;
  rotation: {
    idempotency_key: string;
    begun_at: string;
    cause: 'due' | 'owner';
    may_have_acted: boolean;
  } | null;
  trouble: {
    kind: TroubleKind;
    message: string;
    since: string;
    attempts: number;
    /** Older records do not have it, here and in a target's failure. */
    last_try_at?: Nullable;
    next_try_at: Nullable;
    /** Older records do not have it. */
    redirected_to?: string;
  } | null;
  last_rotated_at: Nullable;
  targets: TargetRecord[];
}

interface PastTokenRecord {
  obtained_at: string;
  expires_at: string;
  ended_at: string;
  end: PastToken['end'];
  /** Older records do not have it. */
  overlaps?: true;
}

interface RetiringRecord {
  generation: number;
  upstream_id: Nullable;
  fingerprint: string;
  obtained_at: string;
  expires_at: string;
  since: string;
  retire_by: string;
  failure: FailureRecord | null;
}

interface FailureRecord {
  message: string;
  attempts: number;
  last_try_at?: Nullable;
  next_try_at: Nullable;
}

interface TargetRecord {
  id: TargetId;
  target: DeliveryTarget;
  generation: number;
  delivered_at: Nullable;
  /** Older records do not have it. */
  note?: Nullable;
  failure: FailureRecord | null;
}

export function credentialRecordOf(credential: Credential): CredentialRecord {
  const { pause, rotation, trouble, lifetime } = credential;
  return {
    id: credential.id,
    name: credential.name,
    ...(isDefaultProvider(credential.provider) ? {} : { provider: credential.provider }),
    base_url: credential.baseUrl,
    policy: credential.policy,
    validity_days: credential.validityDays,
    generation: credential.generation,
    fingerprint: credential.fingerprint,
    obtained_at: isoInstant(lifetime.obtainedAtMs),
    expires_at: isoInstant(lifetime.expiresAtMs),
    ...(credential.expiryAssumed === null ? {} : { expiry_assumed: credential.expiryAssumed }),
    ...(credential.heldSinceMs === null ? {} : { held_since: isoInstant(credential.heldSinceMs) }),
    ...(credential.upstreamId === null ? {} : { upstream_id: credential.upstreamId }),
    ...(credential.retiring.length === 0 ? {} : { retiring: credential.retiring.map(retiringRecordOf) }),
    ...(credential.standby === null
      ? {}
      : {
          standby: {
            fingerprint: credential.standby.fingerprint,
            obtained_at: isoInstant(credential.standby.lifetime.obtainedAtMs),
            expires_at: isoInstant(credential.standby.lifetime.expiresAtMs),
          },
        }),
    can_rotate: credential.canRotate,
    past_lives: credential.pastTokens.map(({ obtainedAtMs, expiresAtMs, endedAtMs, end, overlaps }) => ({
      obtained_at: isoInstant(obtainedAtMs),
      expires_at: isoInstant(expiresAtMs),
      ended_at: isoInstant(endedAtMs),
      end,
      ...(overlaps === undefined ? {} : { overlaps }),
    })),
    pause: pause === null ? null : { until: isoInstantOrNull(pause.untilMs) },
    rotation:
      rotation === null
        ? null
        : {
            idempotency_key: rotation.idempotencyKey,
            begun_at: isoInstant(rotation.begunAtMs),
            cause: rotation.cause,
            may_have_acted: rotation.mayHaveActed,
          },
    trouble:
      trouble === null
        ? null
        : {
            kind: trouble.kind,
            message: trouble.message,
            since: isoInstant(trouble.sinceMs),
            attempts: trouble.attempts,
            last_try_at: isoInstantOrNull(trouble.lastTryMs),
            next_try_at: isoInstantOrNull(trouble.nextTryMs),
            ...(trouble.redirectedTo === undefined ? {} : { redirected_to: trouble.redirectedTo }),
          },
    last_rotated_at: isoInstantOrNull(credential.lastRotatedAtMs),
    targets: credential.targets.map(({ id, target, generation, deliveredAtMs, note, failure }) => ({
      id,
      target,
      generation,
      delivered_at: isoInstantOrNull(deliveredAtMs),
      note,
      failure: failureRecordOf(failure),
    })),
  };
}

function retiringRecordOf(one: RetiringToken): RetiringRecord {
  return {
    generation: one.generation,
    upstream_id: one.upstreamId,
    fingerprint: one.fingerprint,
    obtained_at: isoInstant(one.lifetime.obtainedAtMs),
    expires_at: isoInstant(one.lifetime.expiresAtMs),
    since: isoInstant(one.sinceMs),
    retire_by: isoInstant(one.retireByMs),
    failure: failureRecordOf(one.failure),
  };
}

function failureRecordOf(failure: Target['failure']): FailureRecord | null {
  if (failure === null) return null;
  const { message, attempts, lastTryMs, nextTryMs } = failure;
  return {
    message,
    attempts,
    last_try_at: isoInstantOrNull(lastTryMs),
    next_try_at: isoInstantOrNull(nextTryMs),
  };
}

export function credentialOfRecord(record: CredentialRecord): Credential {
  const { pause, rotation, trouble } = record;
  return {
    id: record.id,
    name: record.name,
    provider: record.provider ?? defaultProvider,
    baseUrl: record.base_url,
    policy: record.policy,
    validityDays: record.validity_days,
    generation: record.generation,
    fingerprint: record.fingerprint,
    lifetime: { obtainedAtMs: instantMs(record.obtained_at), expiresAtMs: instantMs(record.expires_at) },
    expiryAssumed: record.expiry_assumed ?? null,
    heldSinceMs: instantMsOrNull(record.held_since ?? null),
    upstreamId: record.upstream_id ?? null,
    retiring: (record.retiring ?? []).map(retiringOf),
    standby:
      record.standby === undefined
        ? null
        : {
            fingerprint: record.standby.fingerprint,
            lifetime: {
              obtainedAtMs: instantMs(record.standby.obtained_at),
              expiresAtMs: instantMs(record.standby.expires_at),
            },
          },
    canRotate: record.can_rotate ?? null,
    pastTokens: (record.past_lives ?? []).map((past) => ({
      obtainedAtMs: instantMs(past.obtained_at),
      expiresAtMs: instantMs(past.expires_at),
      endedAtMs: instantMs(past.ended_at),
      end: past.end,
      ...(past.overlaps === undefined ? {} : { overlaps: past.overlaps }),
    })),
    pause: pause === null ? null : { untilMs: instantMsOrNull(pause.until) },
    rotation:
      rotation === null
        ? null
        : {
            idempotencyKey: rotation.idempotency_key,
            begunAtMs: instantMs(rotation.begun_at),
            cause: rotation.cause,
            mayHaveActed: rotation.may_have_acted,
          },
    trouble:
      trouble === null
        ? null
        : {
            kind: trouble.kind,
            message: trouble.message,
            sinceMs: instantMs(trouble.since),
            attempts: trouble.attempts,
            lastTryMs: instantMsOrNull(trouble.last_try_at ?? null),
            nextTryMs: instantMsOrNull(trouble.next_try_at),
            ...(trouble.redirected_to === undefined ? {} : { redirectedTo: trouble.redirected_to }),
          },
    lastRotatedAtMs: instantMsOrNull(record.last_rotated_at),
    targets: record.targets.map(targetOf),
  };
}

function targetOf(record: TargetRecord): Target {
  const { id, target, generation, delivered_at: deliveredAt, note = null, failure } = record;
  return {
    id,
    target,
    generation,
    deliveredAtMs: instantMsOrNull(deliveredAt),
    note,
    failure: failureOf(failure),
  };
}

function retiringOf(record: RetiringRecord): RetiringToken {
  return {
    generation: record.generation,
    upstreamId: record.upstream_id,
    fingerprint: record.fingerprint,
    lifetime: { obtainedAtMs: instantMs(record.obtained_at), expiresAtMs: instantMs(record.expires_at) },
    sinceMs: instantMs(record.since),
    retireByMs: instantMs(record.retire_by),
    failure: failureOf(record.failure),
  };
}

function failureOf(record: FailureRecord | null): Target['failure'] {
  if (record === null) return null;
  const { message, attempts, last_try_at: lastTryAt = null, next_try_at: nextTryAt } = record;
  return { message, attempts, lastTryMs: instantMsOrNull(lastTryAt), nextTryMs: instantMsOrNull(nextTryAt) };
}
