import type { DeliveryTargetOf } from '../../contract/credential/credential.ts';
import { dueAt, type TokenLifetime, type ZoneOffset } from '../rotation/due-at.ts';
import { dayMs } from '../token/token-record.ts';
import { isPaused, type PlannedCredential, seedOf, type Target } from './credential-state.ts';
import type { DerivedCredential } from './derive-credential.ts';

/**
 * When the loop next attempts a rotation; null when a person has to act.
 *
 * A rotation that has started is always finished, because the previous token may no longer work. No rotation starts for
 * a token that the service is known to refuse, or where it has no rotate endpoint. Call this with a
 * `DerivedCredential`: the record alone does not contain the state of a token of this service.
 */
export function nextRotationMs(
  credential: PlannedCredential,
  nowMs: number,
  zone: ZoneOffset,
): number | null {
  const { rotation, trouble, pause, lifetime, standby, policy, id, generation, canRotate } = credential;
  if (rotation !== null)
    return trouble === null ? nowMs : plausibleRetryMs(trouble.nextTryMs, lifetime, nowMs);
  if (canRotate === false || trouble?.nextTryMs === null) return null;
  const dueMs = dueOfBoth(
    { lifetime, standby: standby?.lifetime ?? null, policy, seed: seedOf(id, generation) },
    zone,
  );
  if (pause === null || !isPaused(credential, nowMs)) return dueMs;
  return pause.untilMs === null ? null : Math.max(dueMs, pause.untilMs);
}

/** When a token or the one beside it is due: whichever is first, because the one beside it is replaced before it ends. */
export function dueOfBoth(
  { standby, ...current }: Parameters<typeof dueAt>[0] & { readonly standby: TokenLifetime | null },
  zone: ZoneOffset,
): number {
  const dueMs = dueAt(current, zone);
  return standby === null ? dueMs : Math.min(dueMs, dueAt({ ...current, lifetime: standby }, zone));
}

/**
 * When a target next gets the current token; null when it has it, or when a retry cannot help.
 *
 * A target that had the token and then failed may have lost it, so it is retried like any other. A token that is known
 * not to work is not delivered, and a command that waits is run when the last target that it waits for has the token.
 */
export function nextDeliveryMs(credential: DerivedCredential, target: Target, nowMs: number): number | null {
  const { failure, generation } = target;
  if (credential.unusable !== null || waitsFor(credential, target).length > 0) return null;
  if (failure !== null) return plausibleRetryMs(failure.nextTryMs, credential.lifetime, nowMs);
  return generation >= credential.generation ? null : nowMs;
}

/**
 * The targets that have to have the current token before this one gets it.
 *
 * A command may make a program read a file or an entry of a keychain again, so it runs after all of them. Of several targets with
 * the same command the first runs it.
 */
// see decisions/deliveries.md
export function waitsFor(
  { targets, generation }: Pick<PlannedCredential, 'targets' | 'generation'>,
  { id, target }: Pick<Target, 'id' | 'target'>,
): readonly Target[] {
  if (target.kind !== 'hook') return [];
  const run = runKeyOf(target);
  let isBefore = true;
  return targets.filter((other) => {
    if (other.id === id) isBefore = false;
    const isFirst = other.target.kind !== 'hook' || (isBefore && runKeyOf(other.target) === run);
    return isFirst && other.id !== id && (other.generation < generation || other.failure !== null);
  });
}

/** What two commands have in common that do the same. */
export function runKeyOf({ command, pass, variable, part }: DeliveryTargetOf<'hook'>): string {
  return JSON.stringify([command, pass, pass === 'env' ? variable : null, part ?? 'access_token']);
}

/**
 * The planned next attempt, or now when it is further ahead than `retryAt` ever plans.
 *
 * Such a plan was made by a clock that has been set back since; waiting for it could outlast the token.
 */
export function plausibleRetryMs(
  plannedMs: number | null,
  lifetime: TokenLifetime,
  nowMs: number,
): number | null {
  if (plannedMs === null) return null;
  return plannedMs - nowMs > longestWaitMs(lifetime, nowMs) ? nowMs : plannedMs;
}

/** How far the clock may be off before an expiry that it recorded is doubted: a share of the token's lifetime. */
const tolerableShare = 0.05;

/** The same for one token, in milliseconds. */
export function tolerableClockErrorMs({ obtainedAtMs, expiresAtMs }: TokenLifetime): number {
  return Math.max(expiresAtMs - obtainedAtMs, 0) * tolerableShare;
}

/**
 * Whether a token of another service was obtained while the clock was ahead: its recorded expiry is too late by the
 * same time.
 *
 * It is rotated once the clock is known to be right; see decisions/rotate-after-a-wrong-clock.md
 */
export function isObtainedAhead(credential: PlannedCredential, nowMs: number): boolean {
  const { baseUrl, rotation, lifetime } = credential;
  if (baseUrl === null || rotation !== null || isPaused(credential, nowMs)) return false;
  return lifetime.obtainedAtMs - nowMs > tolerableClockErrorMs(lifetime);
}

/** The longest wait that `retryAt` returns: half of the remaining lifetime, but 30 s at least and a day at most. */
function longestWaitMs({ expiresAtMs }: TokenLifetime, nowMs: number): number {
  const leftMs = expiresAtMs - nowMs;
  return leftMs > 0 ? Math.min(Math.max(Math.ceil(leftMs / 2), 30_000), dayMs) : dayMs;
}
