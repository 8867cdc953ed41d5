import type { TroubleKind } from '../../contract/credential/credential-view.ts';
import type {
  AssumedExpiry,
  ChangePolicy,
  CredentialId,
  DeliveryTarget,
  RotationPolicy,
  TargetId,
} from '../../contract/credential/credential.ts';
import type { LifeEnd } from '../../contract/window/lifeline.ts';
import type { ProviderChoice } from '../../contract/credential/provider.ts';
import type { TokenLifetime } from '../rotation/due-at.ts';
import { dayMs } from '../token/token-record.ts';

/** A rotation that has started and not finished: the intent that a restart continues. */
export interface OpenRotation {
  /** Sent as `Idempotency-Key` with every attempt, so that a service that supports it acts once. */
  readonly idempotencyKey: string;
  readonly begunAtMs: number;
  readonly cause: 'due' | 'owner';
  /** Whether the service may have acted on an attempt whose reply was lost. */
  readonly mayHaveActed: boolean;
}

/** Why a credential is not rotated at the moment, as far as its plan depends on it. */
export interface TroubleFacts {
  readonly kind: TroubleKind;
  readonly sinceMs: number;
  /** The number of consecutive failed attempts. */
  readonly attempts: number;
  /** When the last of them failed; null in records written before this field existed. */
  readonly lastTryMs: number | null;
  /** Null: a person has to act. */
  readonly nextTryMs: number | null;
  /** The other origin to which the service redirects. */
  readonly redirectedTo?: string;
}

/** The same as it was recorded, with the sentence of that time. */
export interface Trouble extends TroubleFacts {
  readonly message: string;
}

/** A delivery target and its receipt. */
export interface Target {
  readonly id: TargetId;
  readonly target: DeliveryTarget;
  /** The generation of the token that it has; 0 for none. */
  readonly generation: number;
  readonly deliveredAtMs: number | null;
  /** The output of the target then, without the token; null without output. */
  readonly note: string | null;
  readonly failure: {
    readonly message: string;
    readonly attempts: number;
    /** As in `Trouble`. */
    readonly lastTryMs: number | null;
    /** Null: a retry cannot help until the token or the target changes. */
    readonly nextTryMs: number | null;
  } | null;
}

/** A token of the same owner that works beside the current one. A rotation replaces it, and the former current token takes its place. */
export interface StandbyToken {
  /** What it is recognised by (agent/vault/token-fingerprints.ts). */
  readonly fingerprint: string;
  readonly lifetime: TokenLifetime;
}

/** An older token that still works at its service: the overlap of a service where new tokens are created beside old ones. */
export interface RetiringToken {
  /** Its number. */
  readonly generation: number;
  /** The service's id of it; null: unknown. */
  readonly upstreamId: string | null;
  /** A person may enter it again. */
  readonly fingerprint: string;
  readonly lifetime: TokenLifetime;
  /** Since when a newer one is current. */
  readonly sinceMs: number;
  /** When it is deleted whatever the targets have. */
  readonly retireByMs: number;
  /** As of a target. */
  readonly failure: Target['failure'];
}

/** A token that Rotavox rotates automatically. The token itself is in the vault; this is what is known about it. */
export interface Credential {
  readonly id: CredentialId;
  readonly name: string;
  /** The kind of its service. */
  readonly provider: ProviderChoice;
  /** Null: the embedded service, at whatever address it listens. */
  readonly baseUrl: string | null;
  readonly policy: RotationPolicy;
  /** The validity that the service last reported, or the owner entered. */
  readonly validityDays: number | null;
  /** Counts the tokens that it has had. */
  readonly generation: number;
  /** Of the current token. Where this service issued it, the digest by which the service knows it. */
  readonly fingerprint: string;
  /** Of a renewed token: since the renewal. */
  readonly lifetime: TokenLifetime;
  /** Why the end of that lifetime is assumed; null: it was said. */
  readonly expiryAssumed: AssumedExpiry | null;
  /** When a renewed token was obtained; null for any other. */
  readonly heldSinceMs: number | null;
  /** The service's id of the current token; not a secret. Null: it has none, or it is unknown. */
  readonly upstreamId: string | null;
  /** Oldest first. */
  readonly retiring: readonly RetiringToken[];
  /** Null: a rotation replaces the current token itself. */
  readonly standby: StandbyToken | null;
  /** Whether its service has a rotate endpoint; null while that is unknown. Without one no rotation is planned. */
  readonly canRotate: boolean | null;
  /** The previous tokens, oldest first and without a gap; of the last 90 days, and 200 at most. */
  readonly pastTokens: readonly PastToken[];
  readonly pause: { readonly untilMs: number | null } | null;
  readonly rotation: OpenRotation | null;
  readonly trouble: Trouble | null;
  readonly lastRotatedAtMs: number | null;
  readonly targets: readonly Target[];
}

/** What the plan of a credential depends on. Its trouble is recorded, or follows from the state of its token. */
export interface PlannedCredential extends Omit<Credential, 'trouble'> {
  readonly trouble: TroubleFacts | null;
}

/** The seed of the jitter of one token's rotation. */
export function seedOf(id: CredentialId, generation: number): string {
  return `${id}:${generation}`;
}

export function isPaused({ pause }: Pick<Credential, 'pause'>, nowMs: number): boolean {
  return pause !== null && (pause.untilMs === null || nowMs < pause.untilMs);
}

/** A policy with the requested changes. */
export function changedPolicy(before: RotationPolicy, wanted: ChangePolicy | undefined): RotationPolicy {
  const validityDays = wanted?.validity_days === undefined ? before.validity_days : wanted.validity_days;
  return {
    fraction: wanted?.fraction ?? before.fraction,
    preferred_hours: wanted?.preferred_hours === undefined ? before.preferred_hours : wanted.preferred_hours,
    ...(validityDays === undefined || validityDays === null ? {} : { validity_days: validityDays }),
  };
}

/** A token that a credential had before its current one. */
export interface PastToken extends TokenLifetime {
  readonly endedAtMs: number;
  readonly end: Exclude<LifeEnd, 'present'>;
  /** It went on working beside the next token. */
  readonly overlaps?: true;
}

/** How far back previous tokens are shown; the journal has the rest. */
const keptMs = 90 * dayMs;
const maxKept = 200;

/**
 * When and how the current token stopped working without being replaced, as known at an instant; null while it works.
 */
export function endOfCurrent(
  { lifetime, trouble }: Pick<PlannedCredential, 'lifetime' | 'trouble'>,
  nowMs: number,
): Pick<PastToken, 'endedAtMs' | 'end'> | null {
  const kind = trouble?.kind;
  if (
    trouble !== null &&
    (kind === 'blacklisted' || kind === 'superseded') &&
    trouble.sinceMs < lifetime.expiresAtMs
  )
    return { endedAtMs: trouble.sinceMs, end: kind };
  return nowMs < lifetime.expiresAtMs ? null : { endedAtMs: lifetime.expiresAtMs, end: 'expired' };
}

/** The previous tokens of a credential after a token of it was replaced. */
export function withEnded(
  before: Pick<PlannedCredential, 'lifetime' | 'heldSinceMs' | 'trouble' | 'pastTokens'>,
  how: 'superseded' | 'replaced',
  atMs: number,
): readonly PastToken[] {
  const ended = endOfCurrent(before, atMs) ?? { endedAtMs: atMs, end: how };
  const { lifetime, heldSinceMs } = before;
  const past = { ...lifetime, obtainedAtMs: heldSinceMs ?? lifetime.obtainedAtMs, ...ended };
  return [...before.pastTokens, past].filter(({ endedAtMs }) => endedAtMs > atMs - keptMs).slice(-maxKept);
}
