import {
  type CredentialOutline,
  credentialStates,
  type CredentialView,
} from '../../contract/credential/credential-view.ts';
import type { CredentialRefusalReason } from '../../contract/credential/credential-refusal.ts';
import type { ChangePolicy, CredentialId } from '../../contract/credential/credential.ts';
import { originOf } from '../../contract/address.ts';
import { providerFacts, takesValidity } from '../../providers/catalogue.ts';
import { instantMs } from '../iso-instant.ts';
import { done, refused, type Result } from '../result.ts';
import type { State } from '../state.ts';
import type { Credential } from './credential-state.ts';
import { outlineCredential, type ViewContext, viewCredential } from './view-credential.ts';

/** Why an owner's request is refused. */
export interface CredentialRefusal {
  readonly problem:
    | 'not_found'
    | 'conflict'
    | 'data_moved'
    | 'bad_request'
    | 'token_unusable'
    | 'cannot_rotate'
    | 'vault_unavailable'
    | 'other_service_failed';
  readonly reason: CredentialRefusalReason;
  /** The field of the body that it is about. */
  readonly field?: string;
}

/** Finds a credential by name. There are few enough to search the list. */
export function credentialNamed(state: State, name: string): Credential | undefined {
  for (const credential of state.credentials.values()) if (credential.name === name) return credential;
  return undefined;
}

/** Whether a new credential cannot have this name. Some keychains do not distinguish upper and lower case. */
export function isNameTaken(state: State, name: string): boolean {
  for (const credential of state.credentials.values()) {
    if (credential.name.toLowerCase() === name.toLowerCase()) return true;
  }
  return false;
}

/** The credential, or the refusal that it does not exist. */
export function findCredential(state: State, name: string): Result<Credential, CredentialRefusal> {
  const credential = credentialNamed(state, name);
  return credential === undefined ? refused(noSuchCredential(name)) : done(credential);
}

/**
 * Why an input of a provider that names a credential cannot name that one; null: all can. It has to be of the same service:
 * its token is sent there.
 */
export function missingHelper(
  state: State,
  { baseUrl, provider }: Pick<Credential, 'baseUrl' | 'provider'>,
  embeddedUrl: string,
): CredentialRefusal | null {
  for (const { kind, name: input } of providerFacts(provider.id).inputs) {
    const name = provider.inputs[input];
    if (kind !== 'credential' || name === undefined) continue;
    const found = credentialNamed(state, name);
    // A guardian may be of another kind: its token is sent where it belongs.
    const isSameKind = input === 'guardian' || found?.provider.id === provider.id;
    if (isSameKind && found?.baseUrl === baseUrl) continue;
    const service = originOf(baseUrl ?? embeddedUrl);
    const field = `provider.inputs.${input}`;
    return { problem: 'bad_request', field, reason: { code: 'no_helper', name, service } };
  }
  return null;
}

/** Why a policy cannot ask the service for how long tokens are valid; null: it can, or does not. */
export function validityRefusal(
  { baseUrl, provider }: Pick<Credential, 'baseUrl' | 'provider'>,
  wanted: ChangePolicy | undefined,
  field: string,
): CredentialRefusal | null {
  // This service takes it.
  if (baseUrl === null || (wanted?.validity_days ?? null) === null || takesValidity(provider)) return null;
  return { problem: 'bad_request', field, reason: { code: 'no_validity', service: originOf(baseUrl) } };
}

/** The name comes from the request and may have any length. */
function noSuchCredential(name: string): CredentialRefusal {
  return { problem: 'not_found', reason: { code: 'no_credential', name: name.slice(0, longestName) } };
}

const longestName = 63;

/** Which credentials, and whether with their planned rotations, which are most of the work and of the bytes. */
interface Wanted {
  readonly ids?: readonly string[] | undefined;
  readonly isPlanned: boolean;
}

/** All selected credentials, the most urgent first: by state, then by expiry, then by name. */
export function listCredentials(
  state: State,
  context: ViewContext,
  { ids, isPlanned }: Wanted = { isPlanned: true },
): CredentialView[] {
  const wanted =
    ids === undefined
      ? [...state.credentials.values()]
      : [...new Set(ids)].flatMap((id) => state.credentials.get(id as CredentialId) ?? []);
  return byUrgency(
    wanted.map((one) =>
      isPlanned
        ? viewCredential(state, one, context)
        : { ...outlineCredential(state, one, context), planned: [] },
    ),
  );
}

/** The same, without the planned rotations. */
export function outlineCredentials(state: State, context: ViewContext): CredentialOutline[] {
  return byUrgency([...state.credentials.values()].map((one) => outlineCredential(state, one, context)));
}

/** Sorts in the order of the list. */
export function byUrgency<T extends CredentialOutline>(credentials: T[]): T[] {
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
