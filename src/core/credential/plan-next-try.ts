import { type FailedAttempt, retryAt, shortestWaitMs } from '../rotation/retry-at.ts';
import type { ValueLife } from '../rotation/value-life.ts';
import { credibleTryMs } from './next-action.ts';

/**
 * When an attempt that has just failed is followed by the next one.
 *
 * One that was made before its time, because the owner asked or the machine woke, leaves the plan as it was: a laptop
 * that is opened ten times without a network would otherwise wait an hour for it afterwards. Only the service itself
 * (`Retry-After`) may change it.
 */
export function planNextTry(
  failed: FailedAttempt & { readonly life: ValueLife },
  plannedMs: number | null,
): number {
  const { life, nowMs, retryAfterMs } = failed;
  const keptMs = credibleTryMs(plannedMs, life, nowMs);
  if (keptMs === null || keptMs <= nowMs || retryAfterMs !== null) return retryAt(failed);
  return Math.max(keptMs, nowMs + Math.ceil(shortestWaitMs(life, nowMs)));
}
