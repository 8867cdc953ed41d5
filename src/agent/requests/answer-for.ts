import type { CredentialProblem } from '../../contract/credential-problem.ts';
import type { CredentialRefusal } from '../../core/credential/find-credential.ts';
import { refused, type Result } from '../../core/result.ts';
import { VaultUnavailable } from '../../core/vault.ts';
import type { AgentParts } from '../agent-parts.ts';

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

/** The refusal of a request that ends or replaces a token, while the data may also be in use elsewhere; null: they are not. */
export function waitsForMove({ movedFrom }: Pick<AgentParts, 'movedFrom'>): CredentialRefusal | null {
  const from = movedFrom();
  return from === null ? null : { problem: 'data_moved', reason: { code: 'moved', from } };
}

/** The refusal of a request that needs a token that works. One that could be replaced but for that wait is refused with its reason. */
export function unusableNow(
  parts: Pick<AgentParts, 'movedFrom'>,
  problem: CredentialProblem,
): CredentialRefusal {
  const waiting = waitsForMove(parts);
  if (waiting !== null && (problem.code === 'access_ended' || problem.code === 'expired')) return waiting;
  return { problem: 'token_unusable', reason: { code: 'token_unusable', problem } };
}
