import type { CredentialId, TargetId } from '../../contract/credential/credential.ts';
import {
  type AttemptCause,
  deliveryAfterWakingMs,
  rotationAfterWakingMs,
} from '../../core/credential/attempt-rotation.ts';
import type { Credential, Target } from '../../core/credential/credential-state.ts';
import { isObtainedAhead, nextDeliveryMs, nextRotationMs } from '../../core/credential/next-action.ts';
import { nextRetireMs } from '../../core/credential/retirement.ts';
import type { DerivedCredential } from '../../core/credential/derive-credential.ts';
import type { ZoneOffset } from '../../core/rotation/due-at.ts';

/** How often the clock is compared with a service's, while it is wrong or the service does not answer. */
const clockAskedEveryMs = 10 * 60_000;

/**
 * When a piece of work is due next: as planned by `core`, or sooner after a wake or a clock change.
 *
 * A wake allows one additional attempt of everything that failed; `attempt-rotation.ts` decides whether and when there is a
 * reason for it. So the second of two wakes is not lost (a machine may report that it is awake before its network works),
 * and a hundred wakes cause at most one attempt each time that two may follow each other.
 */
export class WokenPlan {
  readonly #zone: ZoneOffset;
  /** Keys of the work whose additional attempt has not started. */
  readonly #allowed = new Set<string>();

  constructor(zone: ZoneOffset) {
    this.#zone = zone;
  }

  /** When each service was last asked whether the clock is right, by credential. */
  readonly #clockAskedMs = new Map<CredentialId, number>();

  /** Also for work in progress: it may have started, and fail, before the network is back or the vault is unlocked. */
  wake(credentials: Iterable<Credential>): void {
    this.#allowed.clear();
    this.#clockAskedMs.clear();
    for (const { id, rotation, targets } of credentials) {
      if (rotation !== null) this.#allowed.add(rotationKey(id));
      for (const { id: targetId, failure } of targets) {
        if (failure !== null) this.#allowed.add(deliveryKey(id, targetId));
      }
    }
  }

  allows(key: string): boolean {
    return this.#allowed.has(key);
  }

  /** An attempt is made: whatever the result, it was the additional one. */
  begin(key: string): void {
    this.#allowed.delete(key);
  }

  /** A rotation that is due is attempted. Returns why. */
  beginRotation(credential: DerivedCredential, nowMs: number): AttemptCause {
    if (isObtainedAhead(credential, nowMs)) {
      this.#clockAskedMs.set(credential.id, nowMs);
      return 'clock_set';
    }
    return this.allows(rotationKey(credential.id)) ? 'woken' : 'due';
  }

  /** Infinity while there is nothing to wait for. */
  rotationMs(credential: DerivedCredential, nowMs: number): number {
    const plannedMs = nextRotationMs(credential, nowMs, this.#zone) ?? Infinity;
    if (plannedMs !== Infinity && isObtainedAhead(credential, nowMs)) {
      const askedMs = this.#clockAskedMs.get(credential.id) ?? -Infinity;
      return Math.min(plannedMs, askedMs > nowMs ? nowMs : Math.max(askedMs + clockAskedEveryMs, nowMs));
    }
    if (!this.allows(rotationKey(credential.id))) return plannedMs;
    return Math.min(plannedMs, rotationAfterWakingMs(credential, nowMs) ?? Infinity);
  }

  /** Infinity while there is nothing to wait for. */
  deliveryMs(credential: DerivedCredential, target: Target, nowMs: number): number {
    const plannedMs = nextDeliveryMs(credential, target, nowMs) ?? Infinity;
    if (credential.unusable !== null || !this.allows(deliveryKey(credential.id, target.id))) return plannedMs;
    return Math.min(plannedMs, deliveryAfterWakingMs(credential, target, nowMs) ?? Infinity);
  }
}

/** When the next old token is deleted; null while there is nothing to wait for. */
export function retirementMs(credential: DerivedCredential): number | null {
  const instants = credential.retiring.map((one) => nextRetireMs(credential, one) ?? Infinity);
  const soonestMs = Math.min(...instants);
  return soonestMs === Infinity ? null : soonestMs;
}

/** Names a piece of the loop's work, of which at most one runs. */
export function rotationKey(id: CredentialId): string {
  return `rotate ${id}`;
}

export function retirementKey(id: CredentialId): string {
  return `retire ${id}`;
}

export function deliveryKey(id: CredentialId, targetId: TargetId): string {
  return `deliver ${id} ${targetId}`;
}
