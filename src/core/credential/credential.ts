import type { TroubleKind } from '../../contract/credential-view.ts';
import type {
  ChangePolicy,
  CredentialId,
  DeliveryTarget,
  RotationPolicy,
  TargetId,
} from '../../contract/credential.ts';
import type { LifeEnd } from '../../contract/lifeline.ts';
import type { ValueLife } from '../rotation/due-at.ts';
import { dayMs } from '../token/token.ts';

/** The rotation that was begun and not yet finished: the intent that a restart takes up again. */
export interface OpenRotation {
  /** Sent as `Idempotency-Key` on every attempt, so that a service that knows keys acts once. */
  readonly idempotencyKey: string;
  readonly begunAtMs: number;
  readonly cause: 'due' | 'owner';
  /** Whether the service may have acted on an attempt whose answer never came. */
  readonly mayHaveActed: boolean;
}

/** Why a credential is not rotated at the moment, as far as its plan depends on it. */
export interface TroubleFacts {
  readonly kind: TroubleKind;
  readonly sinceMs: number;
  /** Failed attempts in a row. */
  readonly attempts: number;
  /** When the last of them failed; null where that was written down before it was kept. */
  readonly lastTryMs: number | null;
  /** Null: it waits for a person. */
  readonly nextTryMs: number | null;
}

/** The same as it was recorded, with the sentence of then. */
export interface Trouble extends TroubleFacts {
  readonly message: string;
}

/** A delivery target and its receipt. */
export interface Target {
  readonly id: TargetId;
  readonly target: DeliveryTarget;
  /** The generation that it has; 0 for none. */
  readonly generation: number;
  readonly deliveredAtMs: number | null;
  /** What the target said then, without the value; null where it said nothing. */
  readonly note: string | null;
  readonly failure: {
    readonly message: string;
    readonly attempts: number;
    /** As in `Trouble`. */
    readonly lastTryMs: number | null;
    /** Null: trying again cannot help until the value or the target changes. */
    readonly nextTryMs: number | null;
  } | null;
}

/** A token that Rotavox rotates automatically. The token itself is in the vault; here is what is known about it. */
export interface Credential {
  readonly id: CredentialId;
  readonly name: string;
  /** Null: the embedded service, wherever it listens. */
  readonly baseUrl: string | null;
  readonly policy: RotationPolicy;
  /** As the service last said, or the owner. */
  readonly validityDays: number | null;
  /** Counts the values that it has had. */
  readonly generation: number;
  /** SHA-256 of the current token, base64url. */
  readonly fingerprint: string;
  readonly life: ValueLife;
  /** Whether its service has a rotate endpoint; null while that is not known. Without one no rotation is planned. */
  readonly canRotate: boolean | null;
  /** The values before, oldest first and without a gap; of the last 90 days, and 200 at most. */
  readonly pastLives: readonly PastLife[];
  readonly pause: { readonly untilMs: number | null } | null;
  readonly rotation: OpenRotation | null;
  readonly trouble: Trouble | null;
  readonly lastRotatedAtMs: number | null;
  readonly targets: readonly Target[];
}

/** What the plan of a credential depends on: its trouble is a recorded one, or follows from the state of its token. */
export interface PlannedCredential extends Omit<Credential, 'trouble'> {
  readonly trouble: TroubleFacts | null;
}

/** What fixes the jitter of one value's rotation. */
export function seedOf(id: CredentialId, generation: number): string {
  return `${id}:${generation}`;
}

export function isPaused({ pause }: Pick<Credential, 'pause'>, nowMs: number): boolean {
  return pause !== null && (pause.untilMs === null || nowMs < pause.untilMs);
}

/** A policy with what is requested changed, and the rest as it was. */
export function changedPolicy(before: RotationPolicy, wanted: ChangePolicy | undefined): RotationPolicy {
  return {
    fraction: wanted?.fraction ?? before.fraction,
    preferred_hours: wanted?.preferred_hours === undefined ? before.preferred_hours : wanted.preferred_hours,
  };
}

/** A value that a credential had before its present one. */
export interface PastLife extends ValueLife {
  readonly endedAtMs: number;
  readonly end: Exclude<LifeEnd, 'present'>;
}

/** As far back as anybody is shown: the journal has the rest. */
const keptMs = 90 * dayMs;
const maxKept = 200;

/** When and how the current token ended by itself, as far as is known at an instant; null while it is good. */
export function endOfPresent(
  { life, trouble }: Pick<PlannedCredential, 'life' | 'trouble'>,
  nowMs: number,
): Pick<PastLife, 'endedAtMs' | 'end'> | null {
  const kind = trouble?.kind;
  if (
    trouble !== null &&
    (kind === 'blacklisted' || kind === 'superseded') &&
    trouble.sinceMs < life.expiresAtMs
  )
    return { endedAtMs: trouble.sinceMs, end: kind };
  return nowMs < life.expiresAtMs ? null : { endedAtMs: life.expiresAtMs, end: 'expired' };
}

/** The past lives of a credential once another value has taken the place of its present one. */
export function withPresentEnded(
  before: Pick<PlannedCredential, 'life' | 'trouble' | 'pastLives'>,
  how: 'superseded' | 'replaced',
  atMs: number,
): readonly PastLife[] {
  const ended = endOfPresent(before, atMs) ?? { endedAtMs: atMs, end: how };
  return [...before.pastLives, { ...before.life, ...ended }]
    .filter(({ endedAtMs }) => endedAtMs > atMs - keptMs)
    .slice(-maxKept);
}
