import type { CredentialId } from '../../contract/credential.ts';
import type { CredentialOutline, CredentialView } from '../../contract/credential-view.ts';
import { credentialStates } from '../../contract/credential-view.ts';
import { instantMs } from '../iso-instant.ts';
import type { State } from '../state.ts';
import { outlineCredential, viewCredential, type ViewContext } from './view-credential.ts';

/** Which credentials, and whether with their dry runs, which are nearly all the work and most of the bytes. */
interface Wanted {
  readonly ids?: readonly string[] | undefined;
  readonly isPlanned: boolean;
}

/** Every credential that is wanted, the most pressing first: by state, then by what expires sooner, then by name. */
export function listCredentials(
  state: State,
  context: ViewContext,
  { ids, isPlanned }: Wanted = { isPlanned: true },
): CredentialView[] {
  const wanted =
    ids === undefined
      ? [...state.credentials.values()]
      : [...new Set(ids)].flatMap((id) => state.credentials.get(id as CredentialId) ?? []);
  return byPressure(
    wanted.map((one) =>
      isPlanned
        ? viewCredential(state, one, context)
        : { ...outlineCredential(state, one, context), planned: [] },
    ),
  );
}

/** The same, without the dry runs. */
export function outlineCredentials(state: State, context: ViewContext): CredentialOutline[] {
  return byPressure([...state.credentials.values()].map((one) => outlineCredential(state, one, context)));
}

/** In the order of the list. */
export function byPressure<T extends CredentialOutline>(credentials: T[]): T[] {
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
