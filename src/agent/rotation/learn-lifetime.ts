import type { TokenReply } from '../../contract/credential/connection-finding.ts';
import { longestValidityDays } from '../../contract/credential/provider.ts';
import type { Credential } from '../../core/credential/credential-state.ts';
import type { StoredToken } from '../../core/credential/store-token.ts';
import { dayMs } from '../../core/token/token-record.ts';
import { jwtExpiryMs } from '../../providers/http/read-reply.ts';
import type { InspectionPorts } from '../ports.ts';
import type { UnsavedToken } from './attempt-memory.ts';

/** The time limit of a call that only asks about a token. */
export const inspectLimitMs = 10_000;

/** The service's id of a token, where it told it. */
export function idIn(reply: TokenReply): string | null {
  return reply.kind === 'known' || reply.kind === 'not_told' ? (reply.upstreamId ?? null) : null;
}

/**
 * The properties of a token that a rotation has just returned.
 *
 * First from the service (which also shows that the token works), then from its reply or a JWT, then from the validity in
 * the reply, counted from the call. An expiry in the past by our clock means a wrong clock and is ignored, because the
 * token would be rotated again and again. An expiry beyond the longest validity is ignored too, because the token would
 * never be rotated.
 */
export async function learnLifetime(
  { services, clock, fingerprints }: InspectionPorts,
  credential: Pick<Credential, 'baseUrl' | 'provider'>,
  { minted, askedAtMs }: Pick<UnsavedToken, 'minted' | 'askedAtMs'>,
): Promise<StoredToken> {
  const { token, validityDays, expiresAtMs, expiryAssumed = null } = minted;
  const held = services.held(credential, token, inspectLimitMs);
  const { reply } = await services.providerOf(credential).inspect(held);
  const fallbackMs =
    validityDays === null ? (expiresAtMs ?? askedAtMs + dayMs) : askedAtMs + validityDays * dayMs;
  const saidMs =
    reply.kind === 'known' ? reply.expiresAtMs : (expiresAtMs ?? jwtExpiryMs(token) ?? fallbackMs);
  const leftMs = saidMs - clock();
  const isBelieved = leftMs > 0 && leftMs <= longestValidityDays * dayMs;
  const endMs = isBelieved ? saidMs : fallbackMs;
  const isSaid =
    isBelieved && (reply.kind === 'known' ? reply.isEndNoted !== true : endMs === jwtExpiryMs(token));
  const unsaid = validityDays === null && expiresAtMs === null ? 'not_said' : expiryAssumed;
  const isEndless = reply.kind === 'not_told' && reply.reason.code === 'never_expires';
  const assumed = isEndless ? 'never' : unsaid;
  return {
    ...(await fingerprints.of(token, credential.baseUrl)),
    validityDays,
    lifetime: { obtainedAtMs: askedAtMs, expiresAtMs: endMs },
    expiryAssumed: isSaid || unsaid === null ? null : assumed,
    upstreamId: minted.upstreamId ?? idIn(reply),
  };
}
