import type { Actor, EventDraft } from '../../contract/history/audit-event.ts';
import { type FamilyId, maxReusesKept, type TokenUse } from '../../contract/token/token.ts';
import type { Decision } from '../ledger.ts';
import { isoInstant } from '../iso-instant.ts';
import { done, refused, type Result } from '../result.ts';
import type { State } from '../state.ts';
import { type Reuse, type Token, type TokenFamily, tokenIdOf } from './token-record.ts';

/** Who makes a call: an address and a program. Two programs that name themselves alike at one address are one. */
export interface TokenCaller {
  readonly address: string;
  readonly userAgent: string | null;
}

/** The uses of a family with one more. When there are too many callers, the one that called longest ago is dropped. */
export function withReuse(
  reuses: readonly Reuse[],
  { tokenId, atMs, address, userAgent }: Omit<Reuse, 'count' | 'firstAtMs'>,
): Reuse[] {
  const caller = { address, userAgent };
  const known = reuses.find((one) => isSameCaller(one, caller));
  const { count, firstAtMs } = known ?? { count: 0, firstAtMs: atMs };
  const use: Reuse = { tokenId, count: count + 1, firstAtMs, atMs, address, userAgent };
  return [...withoutCaller(reuses, caller), use].slice(-maxReusesKept);
}

export function withoutCaller(reuses: readonly Reuse[], caller: TokenCaller): Reuse[] {
  return reuses.filter((one) => !isSameCaller(one, caller));
}

function isSameCaller(a: TokenCaller, b: TokenCaller): boolean {
  return a.address === b.address && a.userAgent === b.userAgent;
}

/** The event that a caller, known for using a replaced token, has now used the current one; null where that is no news. */
export function endOfReuse(state: State, token: Token, actor: Actor): EventDraft<'token.reuse_ended'> | null {
  const { id, familyId, generation } = token;
  const reuses = state.tokens.family(familyId)?.reuses ?? [];
  if (reuses.length === 0 || actor.kind !== 'bearer') return null;
  if (generation !== state.tokens.generationsOf(familyId)) return null;
  const caller = { address: actor.address, userAgent: actor.user_agent };
  if (!reuses.some((one) => isSameCaller(one, caller))) return null;
  return { kind: 'token.reuse_ended', subject: familyId, actor, data: { token_id: id } };
}

/** The owner dismisses the uses known so far; a later one is reported again. Without any there is nothing to record. */
export function dismissReuse(state: State, id: string): Decision<Result<FamilyId, { problem: 'not_found' }>> {
  const familyId = familyIdOf(state, id);
  const family = familyId === null ? undefined : state.tokens.family(familyId);
  if (family === undefined) return { events: [], value: refused({ problem: 'not_found' }) };
  const last = lastReuse(family);
  const value = done(family.id);
  if (last === null) return { events: [], value };
  return {
    events: [
      {
        kind: 'token.reuse_dismissed',
        subject: family.id,
        actor: { kind: 'owner' },
        data: { token_id: last.tokenId, callers: family.reuses.length },
      },
    ],
    value,
  };
}

/** The id of a family, or of the family of a token. */
function familyIdOf(state: State, id: string): FamilyId | null {
  return state.tokens.get(id as Token['id'])?.familyId ?? (id as FamilyId);
}

export function lastReuse({ reuses }: TokenFamily): Reuse | null {
  return reuses.at(-1) ?? null;
}

/** The uses as the owner sees them, the latest first. */
export function viewReuses(state: State, { id, reuses }: TokenFamily): TokenUse[] {
  return reuses.toReversed().map((use) => {
    const token = state.tokens.get(use.tokenId);
    const successorId = token === undefined ? null : tokenIdOf(id, token.generation + 1);
    return {
      token_id: use.tokenId,
      successor_id: successorId,
      address: use.address,
      user_agent: use.userAgent,
      count: use.count,
      first_at: isoInstant(use.firstAtMs),
      last_at: isoInstant(use.atMs),
    };
  });
}
