import type { HistoryEvent } from '../../contract/audit-event.ts';
import type { CredentialId } from '../../contract/credential.ts';
import type { IvrId } from '../../contract/ivr.ts';
import type { DraftId } from '../../contract/ivr-draft.ts';
import type { FamilyId } from '../../contract/token.ts';
import type { State } from '../state.ts';

/** The current name of the subject of an event; undefined if it was removed or never had a name. */
export function nameOfSubject(state: State, subject: string): string | undefined {
  return (
    state.tokens.family(subject as FamilyId)?.configuration.name ??
    state.credentials.get(subject as CredentialId)?.name ??
    state.ivrs.get(subject as IvrId)?.name ??
    state.drafts.get(subject as DraftId)?.document.name
  );
}

/** The names of the subjects of several events. */
export function namesOfSubjects(state: State, events: readonly HistoryEvent[]): Record<string, string> {
  const named = events.flatMap(({ subject }) => {
    const name = nameOfSubject(state, subject);
    return name === undefined ? [] : [[subject, name] as const];
  });
  return Object.fromEntries(named);
}
