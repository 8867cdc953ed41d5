import type { FamilyId } from '../../contract/token.ts';
import { holdsNewest, tokenOf } from '../credential/present-credential.ts';
import type { State } from '../state.ts';

/**
 * The names of the credentials that rotate token families of the embedded service.
 *
 * Not one whose token another program has rotated, or that is blacklisted: nothing is rotated by it any more.
 */
export function keptFreshBy(state: State): Map<FamilyId, string> {
  const names = new Map<FamilyId, string>();
  for (const credential of state.credentials.values()) {
    const token = tokenOf(state, credential);
    if (token === undefined || token.status === 'Blacklisted') continue;
    if (holdsNewest(state, token, credential)) names.set(token.familyId, credential.name);
  }
  return names;
}
