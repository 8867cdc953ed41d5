import type { TroubleKind } from '../../contract/credential-view.ts';
import { shortestWaitMs } from '../rotation/retry-at.ts';
import type { ValueLife } from '../rotation/value-life.ts';
import { type Credential, isPaused, type Target } from './credential.ts';

/** Troubles that may be over once the machine is awake, unlocked or on its network again. */
const mayBeOver: ReadonlySet<TroubleKind> = new Set(['unreachable', 'vault']);

/**
 * From when on a rotation that failed may be attempted before its time, because the machine has woken since.
 *
 * Null where the plan stands: its trouble has nothing to do with sleep, or it is paused. A service that asked to be left
 * alone did answer, so it is never asked sooner for this.
 */
export function rotationAfterWakingMs(credential: Credential, nowMs: number): number | null {
  const { rotation, trouble, life } = credential;
  if (rotation === null || trouble === null || isPaused(credential, nowMs)) return null;
  return mayBeOver.has(trouble.kind) ? earliestMs(trouble.lastTryMs, life, nowMs) : null;
}

/** The same for a delivery: of a target in a keychain, which may be unlocked now. A file does not mind sleep. */
export function deliveryAfterWakingMs(
  { life }: Credential,
  { target, failure }: Target,
  nowMs: number,
): number | null {
  if (failure === null || target.kind !== 'keychain') return null;
  return failure.nextTryMs === null ? null : earliestMs(failure.lastTryMs, life, nowMs);
}

/** As far from the last attempt as any two are. One that lies ahead was noted by a clock that has been set back since. */
function earliestMs(lastTryMs: number | null, life: ValueLife, nowMs: number): number {
  return lastTryMs === null || lastTryMs > nowMs ? nowMs : lastTryMs + Math.ceil(shortestWaitMs(life, nowMs));
}
