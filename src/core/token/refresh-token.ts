import type { Actor } from '../../contract/audit-event.ts';
import type { Decision } from '../ledger.ts';
import type { Bearer } from './admit-bearer.ts';
import { isoInstant } from '../iso-instant.ts';

/** The longest life of an access token, in seconds. */
const accessTokenSeconds = 3600;

export interface RefreshCommand {
  /** Makes a fresh access token and gives its digest. */
  readonly mint: () => string;
  readonly actor: Actor;
}

/**
 * A new access token under the API token that calls, which stays Active and as it was (interfaces.md).
 *
 * The value is the access token's life in seconds, never beyond its parent's.
 */
export function refreshToken(
  { token, family }: Bearer,
  command: RefreshCommand,
  nowMs: number,
): Decision<number> {
  const expiresAtMs = Math.min(nowMs + accessTokenSeconds * 1000, token.expiresAtMs);
  return {
    events: [
      {
        kind: 'token.refreshed',
        subject: family.id,
        actor: command.actor,
        data: { token_id: token.id, expires_at: isoInstant(expiresAtMs) },
        sealed: { digest: command.mint() },
      },
    ],
    value: Math.floor((expiresAtMs - nowMs) / 1000),
  };
}
