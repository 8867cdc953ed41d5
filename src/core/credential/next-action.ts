import { dueAt, type ValueLife, type ZoneOffset } from '../rotation/due-at.ts';
import { dayMs } from '../token/token.ts';
import { isPaused, type PlannedCredential, seedOf, type Target } from './credential.ts';
import type { PresentCredential } from './present-credential.ts';

/**
 * When the loop next attempts a rotation of it; null when that waits for a person.
 *
 * A rotation that was begun is finished whatever else is true: the old value may be dead already. None is begun for a
 * token that the service is known to refuse, or where it has no rotate endpoint. Ask with a `PresentCredential`: the record
 * alone does not know what became of a token of this service.
 */
export function nextRotationMs(
  credential: PlannedCredential,
  nowMs: number,
  zone: ZoneOffset,
): number | null {
  const { rotation, trouble, pause, life, policy, id, generation, canRotate } = credential;
  if (rotation !== null) return trouble === null ? nowMs : credibleTryMs(trouble.nextTryMs, life, nowMs);
  if (canRotate === false || (trouble !== null && trouble.nextTryMs === null)) return null;
  const dueMs = dueAt({ life, policy, seed: seedOf(id, generation) }, zone);
  if (pause === null || !isPaused(credential, nowMs)) return dueMs;
  return pause.untilMs === null ? null : Math.max(dueMs, pause.untilMs);
}

/**
 * When a target next gets the current token; null when it has it, or when trying again cannot help.
 *
 * One that had it and failed when it was brought again may have lost it, so that is tried again like any other. A token that
 * is known not to work is delivered nowhere.
 */
export function nextDeliveryMs(credential: PresentCredential, target: Target, nowMs: number): number | null {
  const { failure, generation } = target;
  if (credential.unusable !== null) return null;
  if (failure !== null) return credibleTryMs(failure.nextTryMs, credential.life, nowMs);
  return generation >= credential.generation ? null : nowMs;
}

/**
 * The next attempt as it was planned, or now when it lies further ahead than `retryAt` plans any.
 *
 * It was planned by a clock that has been set back since; waiting for it could outlast the value.
 */
export function credibleTryMs(plannedMs: number | null, life: ValueLife, nowMs: number): number | null {
  if (plannedMs === null) return null;
  return plannedMs - nowMs > longestWaitMs(life, nowMs) ? nowMs : plannedMs;
}

/** How far the clock may be off before an end that was noted by it is doubted: a share of the token's life. */
const tolerableShare = 0.05;

/** The same for one token, in milliseconds. */
export function tolerableClockErrorMs({ obtainedAtMs, expiresAtMs }: ValueLife): number {
  return Math.max(expiresAtMs - obtainedAtMs, 0) * tolerableShare;
}

/**
 * Whether a token of another service was obtained by a clock that was ahead: its end is noted too late by as much.
 *
 * It is rotated once the clock is known to be right; see decisions/rotate-after-a-wrong-clock.md
 */
export function isObtainedAhead(credential: PlannedCredential, nowMs: number): boolean {
  const { baseUrl, rotation, life } = credential;
  if (baseUrl === null || rotation !== null || isPaused(credential, nowMs)) return false;
  return life.obtainedAtMs - nowMs > tolerableClockErrorMs(life);
}

/** What no wait of `retryAt` exceeds: half of what is left of the life, but 30 s at least and a day at most. */
function longestWaitMs({ expiresAtMs }: ValueLife, nowMs: number): number {
  const leftMs = expiresAtMs - nowMs;
  return leftMs > 0 ? Math.min(Math.max(Math.ceil(leftMs / 2), 30_000), dayMs) : dayMs;
}
