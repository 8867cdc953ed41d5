import { deliveryAfterWakingMs, rotationAfterWakingMs } from '../core/credential/after-waking.ts';
import type { Credential, Target } from '../core/credential/credential.ts';
import { nextDeliveryMs, nextRotationMs } from '../core/credential/next-action.ts';
import type { ZoneOffset } from '../core/rotation/zone-offset.ts';
import { deliveryKey, rotationKey } from './work-key.ts';

/**
 * When a piece of work is next to be done: as `core` planned it, or sooner where a wake allows it.
 *
 * A wake allows one attempt out of turn of whatever failed; whether there is a reason for it, and from when on, is for
 * `after-waking.ts` to say. So the second of two wakes is not lost (a machine says that it is awake before its network
 * is there), and a hundred of them are no more than one attempt each time that two may follow each other.
 */
export class WokenPlan {
  readonly #zone: ZoneOffset;
  /** Keys of the work whose attempt out of turn has not been begun. */
  readonly #allowed = new Set<string>();

  constructor(zone: ZoneOffset) {
    this.#zone = zone;
  }

  /** Also what is under way: it may have begun, and yet fail, before the network is back or the vault is open. */
  wake(credentials: Iterable<Credential>): void {
    this.#allowed.clear();
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

  /** An attempt is made: whatever comes of it, it was the one that was allowed. */
  begin(key: string): void {
    this.#allowed.delete(key);
  }

  /** Infinity while there is nothing to wait for. */
  rotationMs(credential: Credential, nowMs: number): number {
    const plannedMs = nextRotationMs(credential, nowMs, this.#zone) ?? Infinity;
    if (!this.allows(rotationKey(credential.id))) return plannedMs;
    return Math.min(plannedMs, rotationAfterWakingMs(credential, nowMs) ?? Infinity);
  }

  /** Infinity while there is nothing to wait for. */
  deliveryMs(credential: Credential, target: Target, nowMs: number): number {
    const plannedMs = nextDeliveryMs(credential, target, nowMs) ?? Infinity;
    if (!this.allows(deliveryKey(credential.id, target.id))) return plannedMs;
    return Math.min(plannedMs, deliveryAfterWakingMs(credential, target, nowMs) ?? Infinity);
  }
}
