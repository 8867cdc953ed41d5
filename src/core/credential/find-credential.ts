import { done, refused, type Result } from '../result.ts';
import type { State } from '../state.ts';
import type { Credential } from './credential.ts';

/** Why an owner's wish cannot be done, for the answer. */
export interface CredentialRefusal {
  readonly problem:
    | 'not_found'
    | 'conflict'
    | 'bad_request'
    | 'token_unusable'
    | 'cannot_rotate'
    | 'vault_unavailable'
    | 'other_service_failed';
  readonly message: string;
  /** The field of the body that it is about. */
  readonly field?: string;
}

/** A credential by the name that people use. There are few enough to look through. */
export function credentialNamed(state: State, name: string): Credential | undefined {
  for (const credential of state.credentials.values()) if (credential.name === name) return credential;
  return undefined;
}

/** Whether a new credential may not have this name. Some keychains do not tell upper from lower case. */
export function isNameTaken(state: State, name: string): boolean {
  for (const credential of state.credentials.values()) {
    if (credential.name.toLowerCase() === name.toLowerCase()) return true;
  }
  return false;
}

/** The same, or the refusal that says so. */
export function findCredential(state: State, name: string): Result<Credential, CredentialRefusal> {
  const credential = credentialNamed(state, name);
  return credential === undefined ? refused(noSuchCredential(name)) : done(credential);
}

function noSuchCredential(name: string): CredentialRefusal {
  return {
    problem: 'not_found',
    message: `There is no credential “${name.slice(0, 63)}”. \`rotavox credential list\` shows the names.`,
  };
}
