import type { CredentialRefusal } from '../core/credential/find-credential.ts';
import { refused, type Result } from '../core/result.ts';
import { VaultUnavailable } from '../core/vault.ts';

/** The result of an owner's request. */
export type Answer<T> = Promise<Result<T, CredentialRefusal>>;

/** An unusable vault is a result, not an exception. */
export async function answerFor<T>(act: () => Answer<T>): Answer<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof VaultUnavailable)) throw error;
    return refused({ problem: 'vault_unavailable', reason: { code: 'vault', problem: error.problem } });
  }
}
