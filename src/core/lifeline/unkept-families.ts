import type { FamilyId } from '../../contract/token.ts';
import { familyOf } from '../credential/view-credential.ts';
import type { State } from '../state.ts';
import type { Token, TokenFamily } from '../token/token.ts';

/** A family of the embedded service that no credential keeps fresh. */
export interface UnkeptFamily {
  readonly family: TokenFamily;
  readonly newest: Token;
}

/** All of them, in the order in which they began. */
export function* unkeptFamilies(state: State): Generator<UnkeptFamily> {
  const kept = new Set<FamilyId>();
  for (const credential of state.credentials.values()) {
    const family = familyOf(state, credential);
    if (family !== undefined) kept.add(family.id);
  }
  const { tokens } = state;
  for (const family of tokens.families()) {
    if (kept.has(family.id)) continue;
    const newest = tokens.ofFamily(family.id, tokens.generationsOf(family.id));
    if (newest !== undefined) yield { family, newest };
  }
}
