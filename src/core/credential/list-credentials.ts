import type { CredentialOutline, CredentialView } from '../../contract/credential-view.ts';
import { credentialStates } from '../../contract/credential-view.ts';
import { instantMs } from '../iso-instant.ts';
import type { State } from '../state.ts';
import { outlineCredential, viewCredential, type ViewContext } from './view-credential.ts';

/** Every credential, the most pressing first: by state, then by what expires sooner, then by name. */
export function listCredentials(state: State, context: ViewContext): CredentialView[] {
  return byPressure([...state.credentials.values()].map((one) => viewCredential(state, one, context)));
}

/** The same, without the dry runs. */
export function outlineCredentials(state: State, context: ViewContext): CredentialOutline[] {
  return byPressure([...state.credentials.values()].map((one) => outlineCredential(state, one, context)));
}

function byPressure<T extends CredentialOutline>(credentials: T[]): T[] {
  return credentials
    .map((view) => ({
      view,
      pressing: credentialStates.indexOf(view.state),
      expiresAtMs: instantMs(view.expires_at),
    }))
    .sort(
      (a, b) =>
        a.pressing - b.pressing || a.expiresAtMs - b.expiresAtMs || (a.view.name < b.view.name ? -1 : 1),
    )
    .map(({ view }) => view);
}
