import type { TokenView } from '../../contract/token.ts';
import type { State } from '../state.ts';
import { invariant } from '../unreachable.ts';
import { changedAtMs, statusAt, type Token, tokenIdOf } from './token.ts';
import { isoInstant, isoInstantOrNull } from '../iso-instant.ts';

/** A token as the owner sees it at an instant. */
export function viewToken(state: State, token: Token, nowMs: number): TokenView {
  const family = state.tokens.family(token.familyId);
  invariant(family !== undefined, `token ${token.id} has a family`);
  const status = statusAt(token, nowMs);
  const endedAtMs = token.endedAtMs ?? (status === 'Expired' ? token.expiresAtMs : null);
  return {
    ...family.configuration,
    id: token.id,
    family_id: token.familyId,
    generation: token.generation,
    status,
    created_at: isoInstant(token.createdAtMs),
    expires_at: isoInstant(token.expiresAtMs),
    first_used_at: isoInstantOrNull(token.firstUsedAtMs),
    changed_at: isoInstantOrNull(changedAtMs(token, nowMs)),
    ended_at: isoInstantOrNull(endedAtMs),
    reason: token.reason,
    predecessor_id: token.generation > 1 ? tokenIdOf(family.id, token.generation - 1) : null,
    successor_id:
      token.generation < state.tokens.generationsOf(family.id)
        ? tokenIdOf(family.id, token.generation + 1)
        : null,
  };
}
