import type { RotationPolicy } from '../../contract/credential.ts';
import { dueAt } from './due-at.ts';
import type { ValueLife } from './value-life.ts';
import type { ZoneOffset } from './zone-offset.ts';

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
const maxPlanned = 2000;

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
  while (planned.length < maxPlanned) {
    const atMs = Math.max(dueAt({ life, policy, seed: seedOf(generation) }, zone), from.nowMs);
    if (atMs > from.untilMs) break;
    planned.push(atMs);
    if (!(nextLifeMs > 0)) break;
    life = { obtainedAtMs: atMs, expiresAtMs: atMs + nextLifeMs };
    generation += 1;
  }
  return planned;
}
