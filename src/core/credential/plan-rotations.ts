import { plannedRotations } from '../rotation/planned-rotations.ts';
import type { ZoneOffset } from '../rotation/zone-offset.ts';
import { dayMs } from '../token/token.ts';
import { seedOf } from './credential.ts';
import { nextRotationMs } from './next-action.ts';
import type { PresentCredential } from './present-credential.ts';

/** How far the dry run looks ahead. */
const plannedMs = 90 * dayMs;
/** As many planned instants as anybody reads: a value of a few seconds would have a million. */
const maxPlanned = 200;

/**
 * The dry run of a credential: the instants of its rotations in the next 90 days.
 *
 * It begins with the next attempt, and is empty while that waits for a person. Of a token that is known not to work it has
 * that attempt only: what follows cannot be known.
 */
export function planRotations(credential: PresentCredential, nowMs: number, zone: ZoneOffset): number[] {
  const { id, life, policy, generation, validityDays, unusable } = credential;
  const nextMs = nextRotationMs(credential, nowMs, zone);
  if (nextMs === null) return [];
  const nextLifeMs = validityDays === null ? life.expiresAtMs - life.obtainedAtMs : validityDays * dayMs;
  const firstMs = Math.max(nextMs, nowMs);
  if (firstMs > nowMs + plannedMs) return [];
  if (unusable !== null) return [firstMs];
  const later = plannedRotations(
    {
      life: { obtainedAtMs: firstMs, expiresAtMs: firstMs + nextLifeMs },
      policy,
      seedOf: (one) => seedOf(id, one),
      generation: generation + 1,
      nextLifeMs,
    },
    { nowMs: firstMs, untilMs: nowMs + plannedMs },
    zone,
  );
  return [firstMs, ...later].slice(0, maxPlanned);
}
