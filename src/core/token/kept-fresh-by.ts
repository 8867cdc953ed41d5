import type { FamilyId } from '../../contract/token.ts';
import type { State } from '../state.ts';
import { familyOf } from '../credential/view-credential.ts';

/** The names of the credentials that keep token families of the embedded service fresh. */
export function keptFreshBy(state: State): Map<FamilyId, string> {
  const names = new Map<FamilyId, string>();
  for (const credential of state.credentials.values()) {
    const family = familyOf(state, credential);
    if (family !== undefined) names.set(family.id, credential.name);
  }
  return names;
}
