import { providerFacts } from '../../providers/catalogue.ts';
import type { DerivedCredential } from '../credential/derive-credential.ts';
import { nextRotationMs } from '../credential/next-action.ts';
import { defaultOverlapMs } from '../credential/retirement.ts';
import type { ZoneOffset } from '../rotation/due-at.ts';

/** A token is asked for because it is used at once: it is never said to be over already, only because its rotation is late. */
const leastMs = 60_000;

/**
 * Until when a tool may keep the current token: to its expiry, or until a planned rotation ends it, whichever is first.
 *
 * Tools keep an answer as long as it says (kubectl, cargo, Bazel). A service where the old token works beside the new one ends it when all
 * targets have the new one, which takes a minute, or without targets when the overlap is over.
 */
export function usableUntilMs(credential: DerivedCredential, nowMs: number, zone: ZoneOffset): number {
  const { lifetime, provider, targets, standby } = credential;
  const { oldEnds, overlapHours, shape } = providerFacts(provider.id).traits;
  const rotatesMs = nextRotationMs(credential, nowMs, zone);
  // A renewal leaves the token, and so does the rotation of the one beside it.
  if (rotatesMs === null || oldEnds === 'never' || shape === 'renew' || standby !== null)
    return lifetime.expiresAtMs;
  const overlapMs = overlapHours === undefined ? defaultOverlapMs : overlapHours * 3_600_000;
  const withTargetsMs = targets.length === 0 ? overlapMs : Math.min(overlapMs, leastMs);
  const endsMs = rotatesMs + (oldEnds === 'at_once' ? 0 : withTargetsMs);
  return Math.min(lifetime.expiresAtMs, Math.max(endsMs, nowMs + leastMs));
}
