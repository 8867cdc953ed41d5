import type { FamilyId } from '../../contract/token.ts';
import { holdsNewest, tokenOf } from '../credential/present-credential.ts';
import type { State } from '../state.ts';
import type { Token, TokenFamily } from '../token/token.ts';

/** A family of the embedded service of which no credential holds the newest token. */
export interface UnkeptFamily {
  readonly family: TokenFamily;
  readonly newest: Token;
}

/** All of them, in the order in which they began. */
export function* unkeptFamilies(state: State): Generator<UnkeptFamily> {
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
