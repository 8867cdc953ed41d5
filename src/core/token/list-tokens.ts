import type { TokenId, TokenStatus, TokenView } from '../../contract/token.ts';
import type { State } from '../state.ts';
import { statusAt } from './token.ts';
import { viewToken } from './view-token.ts';

export interface TokenFilter {
  readonly status?: TokenStatus | undefined;
  readonly familyId?: string | undefined;
  /** The page begins after this token. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** A page of tokens, newest first, and where the next one begins. */
export function listTokens(
  state: State,
  filter: TokenFilter,
  nowMs: number,
): { tokens: TokenView[]; next_after: string | null } {
  const start =
    filter.after === undefined
      ? state.tokens.size
      : (state.tokens.get(filter.after as TokenId)?.ordinal ?? state.tokens.size);
  const tokens: TokenView[] = [];
  for (let ordinal = start - 1; ordinal >= 0; ordinal -= 1) {
    const token = state.tokens.at(ordinal);
    if (token === undefined) continue;
    if (filter.familyId !== undefined && token.familyId !== filter.familyId) continue;
    if (filter.status !== undefined && statusAt(token, nowMs) !== filter.status) continue;
    if (tokens.length === filter.limit) return { tokens, next_after: tokens.at(-1)?.id ?? null };
    tokens.push(viewToken(state, token, nowMs));
  }
  return { tokens, next_after: null };
}
