import type { RotationPolicy } from '../../contract/credential/credential.ts';
import type { TokenLifetime, ZoneOffset } from '../rotation/due-at.ts';
import { dayMs } from '../token/token-record.ts';
import { seedOf } from './credential-state.ts';
import { dueOfBoth, nextRotationMs } from './next-action.ts';
import type { DerivedCredential } from './derive-credential.ts';

/** How far the dry run looks ahead. */
const plannedMs = 90 * dayMs;
/** The most planned instants that are returned: a token valid for a few seconds would have a million. */
const maxPlanned = 200;

/**
 * The planned rotations of a credential in the next 90 days.
 *
 * The first is the next attempt. The list is empty while a person has to act. For a token that is known not to work it
 * contains that attempt only, because what follows cannot be known. Many credentials of one service that are due together take turns;
 * that changes the plan by minutes, and is not in it. `heldMs`: until when its service asks to wait.
 */
export function planRotations(
  credential: DerivedCredential,
  nowMs: number,
  zone: ZoneOffset,
  heldMs: number | null = null,
): number[] {
  const { id, lifetime, standby, policy, generation, validityDays, unusable } = credential;
  const nextMs = nextRotationMs(credential, nowMs, zone);
  if (nextMs === null) return [];
  const nextLifetimeMs =
    validityDays === null ? lifetime.expiresAtMs - lifetime.obtainedAtMs : validityDays * dayMs;
  const firstMs = Math.max(nextMs, nowMs, heldMs ?? nowMs);
  if (firstMs > nowMs + plannedMs) return [];
  if (unusable !== null) return [firstMs];
  const later = plannedRotations(
    {
      lifetime: { obtainedAtMs: firstMs, expiresAtMs: firstMs + nextLifetimeMs },
      standby: standby === null ? null : lifetime,
      policy,
      seedOf: (one) => seedOf(id, one),
      generation: generation + 1,
      nextLifetimeMs,
    },
    { nowMs: firstMs, untilMs: nowMs + plannedMs },
    zone,
  );
  return [firstMs, ...later].slice(0, maxPlanned);
}

export interface CredentialToPlan {
  readonly lifetime: TokenLifetime;
  /** Of the token beside it. */
  readonly standby: TokenLifetime | null;
  readonly policy: RotationPolicy;
  readonly seedOf: (generation: number) => string;
  /** The generation of the current token. */
  readonly generation: number;
  /** The lifetime of the tokens to come. */
  readonly nextLifetimeMs: number;
}

/** A token valid for ten seconds would be replaced more than a million times in 90 days. */
const mostPlanned = 2000;

/**
 * Plans the rotations up to and including `untilMs`, with the function that the loop uses.
 *
 * An overdue rotation is planned for now, and each following token is obtained at the instant planned for it. The plan
 * assumes that every rotation succeeds at once. It stops after 2,000 entries, and before tokens without a lifetime.
 */
export function plannedRotations(
  credential: CredentialToPlan,
  from: { readonly nowMs: number; readonly untilMs: number },
  zone: ZoneOffset,
): number[] {
  const { policy, seedOf, nextLifetimeMs } = credential;
  const planned: number[] = [];
  let { lifetime, standby, generation } = credential;
  while (planned.length < mostPlanned) {
    const dueMs = dueOfBoth({ lifetime, standby, policy, seed: seedOf(generation) }, zone);
    const atMs = Math.max(dueMs, from.nowMs);
    if (atMs > from.untilMs) break;
    planned.push(atMs);
    if (!(nextLifetimeMs > 0)) break;
    if (standby !== null) standby = lifetime;
    lifetime = { obtainedAtMs: atMs, expiresAtMs: atMs + nextLifetimeMs };
    generation += 1;
  }
  return planned;
}
