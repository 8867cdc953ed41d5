import { maxGenerationsShown, type TokenFamilyView } from '../../contract/token-family.ts';
import type { FamilyId, TokenId } from '../../contract/token.ts';
import { isoInstant } from '../iso-instant.ts';
import type { State } from '../state.ts';
import { keptFreshBy } from './kept-fresh-by.ts';
import type { Reuse } from './token.ts';
import { viewToken } from './view-token.ts';

/** A family as the owner sees it at an instant, without what the journal recorded when it was issued; null where there is none. */
export function viewFamily(
  state: State,
  familyId: string,
  nowMs: number,
): Omit<TokenFamilyView, 'issued'> | null {
  const members = state.tokens.membersOf(familyId as FamilyId);
  if (members === undefined) return null;
  const { family, ordinals } = members;
  return {
    id: family.id,
    configuration: family.configuration,
    generations: ordinals.length,
    tokens: ordinals
      .slice(-maxGenerationsShown)
      .flatMap((ordinal) => state.tokens.at(ordinal) ?? [])
      .map((token) => viewToken(state, token, nowMs)),
    last_reuse: family.lastReuse === null ? null : viewReuse(state, family.lastReuse),
    kept_fresh_by: keptFreshBy(state).get(family.id) ?? null,
  };
}

function viewReuse(
  state: State,
  { tokenId, atMs, address, userAgent }: Reuse,
): NonNullable<TokenFamilyView['last_reuse']> {
  return {
    token_id: tokenId,
    at: isoInstant(atMs),
    address,
    user_agent: userAgent,
    successor_id: successorOf(state, tokenId),
  };
}

function successorOf(state: State, tokenId: TokenId): TokenId | null {
  const token = state.tokens.get(tokenId);
  if (token === undefined) return null;
  return state.tokens.ofFamily(token.familyId, token.generation + 1)?.id ?? null;
}
