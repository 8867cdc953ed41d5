import type { HistoryEvent } from '../../contract/history/audit-event.ts';
import type { CredentialId } from '../../contract/credential/credential.ts';
import type { IvrId } from '../../contract/menu/ivr.ts';
import type { DraftId } from '../../contract/menu/ivr-draft.ts';
import type { FamilyId, TokenId } from '../../contract/token/token.ts';
import type { State } from '../state.ts';
import type { TokenFamily } from '../token/token-record.ts';
import { credentialNamesByFamily } from '../token/view-token.ts';

/**
 * Finds the current name of the subject of an event; undefined if it was removed or never had a name.
 *
 * A token that a credential rotates has the name of the credential, with its own beside it where that differs.
 */
export function subjectNames(state: State): (subject: string) => string | undefined {
  let credentials: ReadonlyMap<FamilyId, string> | undefined;
  return (subject) => {
    const family = state.tokens.family(subject as FamilyId) ?? familyOfToken(state, subject);
    if (family !== undefined) {
      const { name } = family.configuration;
      const credential = (credentials ??= credentialNamesByFamily(state)).get(family.id);
      return credential === undefined || credential === name ? name : `${credential} (${name})`;
    }
    return (
      state.credentials.get(subject as CredentialId)?.name ??
      state.ivrs.get(subject as IvrId)?.name ??
      state.drafts.get(subject as DraftId)?.document.name
    );
  };
}

function familyOfToken({ tokens }: State, id: string): TokenFamily | undefined {
  const token = tokens.get(id as TokenId);
  return token === undefined ? undefined : tokens.family(token.familyId);
}

/** The names of the subjects of several events. */
export function namesOfSubjects(state: State, events: readonly HistoryEvent[]): Record<string, string> {
  const nameOf = subjectNames(state);
  const named = events.flatMap(({ subject }) => {
    const name = nameOf(subject);
    return name === undefined ? [] : [[subject, name] as const];
  });
  return Object.fromEntries(named);
}
