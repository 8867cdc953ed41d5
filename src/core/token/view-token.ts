import { maxGenerationsShown, type TokenFamilyView } from '../../contract/token/token-list.ts';
import type { FamilyId, TokenUse, TokenView } from '../../contract/token/token.ts';
import { holdsNewest, tokenOf } from '../credential/derive-credential.ts';
import { isoInstant, isoInstantOrNull } from '../iso-instant.ts';
import type { State } from '../state.ts';
import { invariant } from '../unreachable.ts';
import { viewReuses } from './reuse.ts';
import { changedAtMs, statusAt, type Token, type TokenFamily, tokenIdOf } from './token-record.ts';

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
    first_used_at: isoInstantOrNull(token.isOnlyChecked ? null : token.firstUsedAtMs),
    checked_at: isoInstantOrNull(token.isOnlyChecked ? token.firstUsedAtMs : null),
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

/** By token family: the name of the credential that rotates it. */
export type CredentialNames = ReadonlyMap<FamilyId, string>;

/**
 * The names of the credentials that rotate token families of the embedded service.
 *
 * Without credentials whose token another program has rotated, or is blacklisted: they rotate nothing.
 */
export function credentialNamesByFamily(state: State): CredentialNames {
  const names = new Map<FamilyId, string>();
  for (const credential of state.credentials.values()) {
    const token = tokenOf(state, credential);
    if (token === undefined || token.status === 'Blacklisted') continue;
    if (holdsNewest(state, token, credential)) names.set(token.familyId, credential.name);
  }
  return names;
}

/** A family of the embedded service whose newest token is not in a credential. */
export interface UnrotatedFamily {
  readonly family: TokenFamily;
  readonly newest: Token;
}

/** All of them, in the order of creation. */
export function* unrotatedFamilies(state: State): Generator<UnrotatedFamily> {
  const kept = new Set<FamilyId>();
  for (const credential of state.credentials.values()) {
    const token = tokenOf(state, credential);
    if (token !== undefined && holdsNewest(state, token, credential)) kept.add(token.familyId);
  }
  const { tokens } = state;
  for (const family of tokens.families()) {
    if (kept.has(family.id)) continue;
    const newest = tokens.ofFamily(family.id, tokens.generationsOf(family.id));
    if (newest !== undefined) yield { family, newest };
  }
}

/**
 * A family as the owner sees it at an instant, without what the journal recorded when it was issued; null if it does
 * not exist.
 */
export function viewFamily(
  state: State,
  familyId: string,
  nowMs: number,
): Omit<TokenFamilyView, 'issued'> | null {
  const members = state.tokens.membersOf(familyId as FamilyId);
  if (members === undefined) return null;
  const { family, ordinals } = members;
  const reuses = viewReuses(state, family);
  const [last] = reuses;
  return {
    id: family.id,
    configuration: family.configuration,
    generations: ordinals.length,
    tokens: ordinals
      .slice(-maxGenerationsShown)
      .flatMap((ordinal) => state.tokens.at(ordinal) ?? [])
      .map((token) => viewToken(state, token, nowMs)),
    last_reuse: last === undefined ? null : lastReuseOf(last),
    reuses,
    kept_fresh_by: credentialNamesByFamily(state).get(family.id) ?? null,
  };
}

function lastReuseOf({
  token_id,
  successor_id,
  address,
  user_agent,
  last_at: at,
}: TokenUse): NonNullable<TokenFamilyView['last_reuse']> {
  return { token_id, at, address, user_agent, successor_id };
}
