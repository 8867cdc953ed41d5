import type { RotationPolicy } from '../../contract/credential.ts';
import { dueAt, type ValueLife, type ZoneOffset } from '../rotation/due-at.ts';
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

export interface CredentialToPlan {
  readonly life: ValueLife;
  readonly policy: RotationPolicy;
  readonly seedOf: (generation: number) => string;
  /** The generation of the value that is held now. */
  readonly generation: number;
  /** How long the values to come will live. */
  readonly nextLifeMs: number;
}

/** A value of ten seconds would be replaced more than a million times in 90 days; nobody reads so far. */
const mostPlanned = 2000;

/**
 * The dry run: the instants of the rotations to come, up to and including `untilMs`, by the function the loop uses.
 *
 * What is overdue is planned for now, and each value to come is obtained at the instant planned for it. The plan
 * assumes that every rotation succeeds at once. It ends after 2,000 entries, and before values that would not live.
 */
export function plannedRotations(
  credential: CredentialToPlan,
  from: { readonly nowMs: number; readonly untilMs: number },
  zone: ZoneOffset,
): number[] {
  const { policy, seedOf, nextLifeMs } = credential;
  const planned: number[] = [];
  let { life, generation } = credential;
  while (planned.length < mostPlanned) {
    const atMs = Math.max(dueAt({ life, policy, seed: seedOf(generation) }, zone), from.nowMs);
    if (atMs > from.untilMs) break;
    planned.push(atMs);
    if (!(nextLifeMs > 0)) break;
    life = { obtainedAtMs: atMs, expiresAtMs: atMs + nextLifeMs };
    generation += 1;
  }
  return planned;
}
