import type { HeldValue } from '../core/credential/hold-value.ts';
import { dayMs } from '../core/token/token.ts';
import type { AgentParts, ValueInHand } from './agent-parts.ts';
import { fingerprintOf } from './fingerprint.ts';
import { askExpiry } from './remote/ask-expiry.ts';
import { longestValidityDays } from './remote/ask-rotation.ts';
import { jwtExpiryMs } from './remote/jwt-expiry.ts';

/**
 * What is to be known of a value that a rotation has just given.
 *
 * The service's own word first (`GET /v1/auth/token`, which also shows that the value works), then what a JWT says, then
 * the validity of the reply counted from the moment of asking. An end that lies in the past by our clock is a
 * wrong clock and not believed: it would have the value replaced again at once, for ever. One further off than any
 * validity is not believed either: it would never be replaced.
 */
export async function learnLife(
  { caller, clock }: Pick<AgentParts, 'caller' | 'clock'>,
  baseUrl: string,
  { rotated, askedAtMs }: ValueInHand,
): Promise<HeldValue> {
  const { value, validityDays } = rotated;
  const told = await askExpiry(caller, { baseUrl, value, clock });
  const fallbackMs = askedAtMs + validityDays * dayMs;
  const saidMs = told.kind === 'told' ? told.expiresAtMs : (jwtExpiryMs(value) ?? fallbackMs);
  const leftMs = saidMs - clock();
  const isBelieved = leftMs > 0 && leftMs <= longestValidityDays * dayMs;
  return {
    fingerprint: fingerprintOf(value),
    validityDays,
    life: { obtainedAtMs: askedAtMs, expiresAtMs: isBelieved ? saidMs : fallbackMs },
  };
}
