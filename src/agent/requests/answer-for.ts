import type { CredentialProblem } from '../../contract/credential/rotation-trouble.ts';
import type { Credential } from '../../core/credential/credential-state.ts';
import { deriveCredential } from '../../core/credential/derive-credential.ts';
import { type CredentialRefusal, findCredential } from '../../core/credential/find-credential.ts';
import { refused, type Result } from '../../core/result.ts';
import { VaultUnavailable } from '../../core/vault.ts';
import type { Records, Refresh } from '../ports.ts';
import { lockKeyOf, runExclusive } from '../run-exclusive.ts';

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

/** Acts with a credential, or refuses because there is none of this name. */
export function withCredential<T>(
  { ledger }: Pick<Records, 'ledger'>,
  name: string,
  act: (credential: Credential) => Answer<T>,
): Answer<T> {
  return answerFor(async () => {
    const found = findCredential(ledger.state, name);
    return found.ok ? act(found.value) : found;
  });
}

/** The same after an access token that has ended was replaced. */
export function withFresh<T>(
  ports: Pick<Records, 'ledger'> & { readonly refresh: Refresh },
  name: string,
  act: (credential: Credential) => Answer<T>,
): Answer<T> {
  return answerFor(async () => {
    const refresh = ports.refresh(name);
    // Who has nothing to wait for keeps its turn.
    if (refresh !== null) await refresh;
    return withCredential(ports, name, act);
  });
}

/** Acts in the turn of a credential. Reads it again after waiting for the lock: it may have changed, or been removed. */
export function exclusively<T>(
  records: Pick<Records, 'ledger'>,
  { id, name }: Credential,
  act: (credential: Credential) => Answer<T>,
): Answer<T> {
  return runExclusive(lockKeyOf(id), () => withCredential(records, name, act));
}

/** Acts with a token unless it is known not to work; then it is refused with the reason. */
export function withUsable<T>(
  records: Records,
  name: string,
  act: (credential: Credential) => Answer<T>,
): Answer<T> {
  return withCredential(records, name, async (credential) => {
    const { ledger, clock } = records;
    const { unusable } = deriveCredential(ledger.state, credential, clock());
    return unusable === null ? act(credential) : refused(unusableNow(records, unusable));
  });
}

/**
 * Changes what is stored of a credential, in its turn. Refused while the data may also be in use elsewhere: there the same token
 * counts, perhaps in the same keychain.
 */
export function inTurnOf<T>(
  records: Records,
  name: string,
  act: (credential: Credential) => Answer<T>,
): Answer<T> {
  return withCredential(records, name, async (credential) => {
    const waiting = waitsForMove(records);
    return waiting === null ? exclusively(records, credential, act) : refused(waiting);
  });
}

/** The refusal of a request that ends or replaces a token, while the data may also be in use elsewhere; null: they are not. */
export function waitsForMove({ movedFrom }: Pick<Records, 'movedFrom'>): CredentialRefusal | null {
  const from = movedFrom();
  return from === null ? null : { problem: 'data_moved', reason: { code: 'moved', from } };
}

/** The refusal of a request that needs a token that works. One that could be replaced but for that wait is refused with its reason. */
export function unusableNow(
  records: Pick<Records, 'movedFrom'>,
  problem: CredentialProblem,
): CredentialRefusal {
  const waiting = waitsForMove(records);
  if (waiting !== null && (problem.code === 'access_ended' || problem.code === 'expired')) return waiting;
  return { problem: 'token_unusable', reason: { code: 'token_unusable', problem } };
}

/** The refusal of a request that needs the current token: it is missing, or the vault has another one. */
export function noCurrentToken(
  { name, rotation }: Pick<Credential, 'name' | 'rotation'>,
  { isGone = false } = {},
): CredentialRefusal {
  const has = isGone ? 'nothing' : 'another';
  return {
    problem: 'conflict',
    reason: { code: 'no_current_token', name, has, isRotating: rotation !== null },
  };
}

/** The refusal of a request that would have to wait for an open rotation. */
export function rotationOpen(name: string): CredentialRefusal {
  return { problem: 'conflict', reason: { code: 'rotation_open', name } };
}
