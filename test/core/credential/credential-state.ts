import type { CredentialProblem } from '../../../src/contract/credential/rotation-trouble.ts';
import type { EventDraft } from '../../../src/contract/history/audit-event.ts';
import { applyEvent } from '../../../src/core/apply-event.ts';
import type { Credential } from '../../../src/core/credential/credential-state.ts';
import { credentialNamed } from '../../../src/core/credential/find-credential.ts';
import { deriveCredential, type DerivedCredential } from '../../../src/core/credential/derive-credential.ts';
import { isoInstant } from '../../../src/core/iso-instant.ts';
import { State } from '../../../src/core/state.ts';
import { noon } from '../../fixtures/make-events.ts';

/** A state in which these events have happened, all at noon. */
export function stateAfter(...drafts: EventDraft[]): State {
  const state = new State();
  apply(state, drafts);
  return state;
}

export function apply(state: State, drafts: readonly EventDraft[], atMs = noon): void {
  for (const draft of drafts) applyEvent(state, { ...draft, seq: 1, at: isoInstant(atMs) });
}

/** The credential of that name, which must exist. */
export function credentialIn(state: State, name = 'a'): Credential {
  const credential = credentialNamed(state, name);
  if (credential === undefined) throw new Error(`There is no credential ${name} in this state`);
  return credential;
}

/** The same with the state of its token at noon. */
export function derivedIn(state: State, name = 'a'): DerivedCredential {
  return deriveCredential(state, credentialIn(state, name), noon);
}

/** A problem as its codes, in place of a sentence. */
export function describeProblem(problem: CredentialProblem): string {
  const code = problem.code === 'recorded' ? problem.message : problem.code;
  const after = 'after' in problem ? problem.after : null;
  return after === null ? code : `${code} after: ${describeProblem(after)}`;
}
