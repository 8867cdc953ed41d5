import type { RunningTool } from '../../contract/credential/use.ts';
import { providerFacts } from '../../providers/catalogue.ts';
import type { PlannedCredential } from '../credential/credential-state.ts';
import type { DerivedCredential } from '../credential/derive-credential.ts';
import { nextRotationMs } from '../credential/next-action.ts';
import { latestInstantMs, type ZoneOffset } from '../rotation/due-at.ts';

/** The longest time that a planned rotation waits for tools, in milliseconds. */
const longestMs = 15 * 60_000;

/** A planned rotation that waits for tools to end, and until when at most. */
export interface ToolWait {
  readonly untilMs: number;
  readonly tools: readonly RunningTool[];
}

/** Whether a rotation ends the token that programs have at once, so that those which run with it fail. */
export function endsAtOnce({ provider, standby }: Pick<PlannedCredential, 'provider' | 'standby'>): boolean {
  // A standby token is replaced beside the one in use.
  return standby === null && providerFacts(provider.id).traits.oldEnds === 'at_once';
}

/**
 * Until when the rotation that is due now may wait for tools that run with the token; null: it may not.
 *
 * 15 minutes at most from its planned time, or from the end of a pause that was later, and never in the last tenth of the lifetime, which is
 * for repeated attempts. One that was begun is always finished, and a token that is known not to work breaks nothing.
 */
// see decisions/connections.md
export function mayWaitUntilMs(
  credential: DerivedCredential,
  nowMs: number,
  zone: ZoneOffset,
): number | null {
  const { rotation, unusable, pause, lifetime } = credential;
  if (!endsAtOnce(credential) || rotation !== null || unusable !== null) return null;
  const dueMs = nextRotationMs(credential, nowMs, zone);
  if (dueMs === null || dueMs > nowMs) return null;
  const plannedMs = Math.max(dueMs, pause?.untilMs ?? dueMs);
  const untilMs = Math.min(plannedMs + longestMs, latestInstantMs(lifetime));
  return untilMs > nowMs ? untilMs : null;
}
