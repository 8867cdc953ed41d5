import type { EventDraft } from '../../contract/history/audit-event.ts';
import type { TokenId, TokenStatus } from '../../contract/token/token.ts';
import { isoInstant } from '../iso-instant.ts';
import type { Decision } from '../ledger.ts';
import { done, refused, type Result } from '../result.ts';
import type { State } from '../state.ts';
import { statusAt } from './token-record.ts';

/** The status changes that the owner can make, with the statuses from which each is allowed. */
const moves = {
  suspend: { from: ['Active'], kind: 'token.suspended' },
  resume: { from: ['Suspended'], kind: 'token.resumed' },
  blacklist: { from: ['Active', 'Suspended'], kind: 'token.blacklisted' },
} as const satisfies Record<string, { from: readonly TokenStatus[]; kind: string }>;

export type TokenMove = keyof typeof moves;

export type MoveRefusal =
  | { readonly problem: 'not_found' }
  | { readonly problem: 'conflict'; readonly status: TokenStatus; readonly allowed: readonly TokenStatus[] };

export function moveToken(
  state: State,
  command: { readonly tokenId: string; readonly move: TokenMove; readonly reason: string | null },
  nowMs: number,
): Decision<Result<TokenId, MoveRefusal>> {
  const token = state.tokens.get(command.tokenId as TokenId);
  if (token === undefined) return { events: [], value: refused({ problem: 'not_found' }) };
  const move = moves[command.move];
  const status = statusAt(token, nowMs);
  if (!(move.from as readonly TokenStatus[]).includes(status)) {
    return { events: [], value: refused({ problem: 'conflict', status, allowed: move.from }) };
  }
  return {
    events: [
      {
        kind: move.kind,
        subject: token.familyId,
        actor: { kind: 'owner' },
        data: { token_id: token.id, reason: command.reason },
      },
    ],
    value: done(token.id),
  };
}

/** Records that these tokens have expired, once for each. Others, and those already recorded, are skipped. */
export function expireTokens(state: State, tokenIds: readonly TokenId[], nowMs: number): Decision<number> {
  const events: EventDraft<'token.expired'>[] = [];
  for (const tokenId of tokenIds) {
    const token = state.tokens.get(tokenId);
    if (token === undefined || token.status === 'Expired' || statusAt(token, nowMs) !== 'Expired') continue;
    events.push({
      kind: 'token.expired',
      subject: token.familyId,
      actor: { kind: 'system' },
      data: { token_id: token.id, expired_at: isoInstant(token.expiresAtMs) },
    });
  }
  return { events, value: events.length };
}
