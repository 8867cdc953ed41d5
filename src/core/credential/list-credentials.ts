import type { CredentialView } from '../../contract/credential-view.ts';
import { credentialStates } from '../../contract/credential-view.ts';
import type { State } from '../state.ts';
import { viewCredential, type ViewContext } from './view-credential.ts';

/** Every credential, the most pressing first: by state, then by what expires sooner, then by name. */
export function listCredentials(state: State, context: ViewContext): CredentialView[] {
  const found = [...state.credentials.values()].map((one) => {
    const view = viewCredential(state, one, context);
    return { view, pressing: credentialStates.indexOf(view.state), expiresAtMs: one.life.expiresAtMs };
  });
  found.sort(
    (a, b) =>
      a.pressing - b.pressing || a.expiresAtMs - b.expiresAtMs || (a.view.name < b.view.name ? -1 : 1),
  );
  return found.map(({ view }) => view);
}
