import type { EventDraft } from '../../contract/audit-event.ts';
import type { TokenId } from '../../contract/token.ts';
import type { Decision } from '../ledger.ts';
import type { State } from '../state.ts';
import { statusAt } from './token.ts';
import { isoInstant } from '../iso-instant.ts';

/** Records, once for each, that time has ended these tokens. Those that it has not, or that are recorded, are left. */
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
