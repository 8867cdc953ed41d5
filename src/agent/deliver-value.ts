import type { CredentialId, TargetId } from '../contract/credential.ts';
import { presentCredential } from '../core/credential/present-credential.ts';
import { type DeliveryResult, recordDelivery } from '../core/credential/record-delivery.ts';
import { VaultUnavailable } from '../core/vault.ts';
import type { AgentParts } from './agent-parts.ts';
import { deliver } from './delivery/deliver.ts';
import { inTurn } from './in-turn.ts';
import { noPresentValue, readPresentValue } from './value-entries.ts';
import { unforeseen } from './rotation-progress.ts';

/** What happens to one credential's entries in the vault happens one after the other. */
export function turnOf(id: CredentialId): string {
  return `credential ${id}`;
}

/** Brings the present value to one target and writes down the receipt, or why there is none. */
export async function deliverValue(parts: AgentParts, id: CredentialId, targetId: TargetId): Promise<void> {
  const { ledger, vault, ownPlaces, stopping, steps } = parts;
  const credential = ledger.state.credentials.get(id);
  const target = credential?.targets.find((one) => one.id === targetId)?.target;
  if (credential === undefined || target === undefined) return;

  // In turn, so that it never sees a value that has not yet got its record.
  const read = await inTurn(turnOf(id), () => readCurrent(parts, id));
  if (read === null) return;
  const { name } = credential;
  const { generation } = read;
  const of = { id, name, targetId };
  steps.tell(of, 'deliver');
  await steps.tellEnd(of, async () => {
    const result: DeliveryResult =
      'trouble' in read
        ? { ok: false, message: read.trouble, retry: true }
        : await deliver(target, read.value, {
            credential: name,
            generation,
            vault,
            ownPlaces,
            signal: stopping,
          }).catch((error: unknown) => ({ ok: false, message: troubleOf(parts, error), retry: true }));
    await ledger.transact((state, nowMs) =>
      recordDelivery(state, { credentialId: id, targetId, generation, result }, nowMs),
    );
    return result.ok ? null : result.message;
  });
}

type Read =
  | { readonly generation: number; readonly value: string }
  | { readonly generation: number; readonly trouble: string };

/** Null when the credential has gone meanwhile, or when its token is known not to work any more. */
async function readCurrent(parts: AgentParts, id: CredentialId): Promise<Read | null> {
  const { ledger, clock } = parts;
  const credential = ledger.state.credentials.get(id);
  if (credential === undefined) return null;
  if (presentCredential(ledger.state, credential, clock()).unusable !== null) return null;
  const { name, generation } = credential;
  try {
    const value = await readPresentValue(parts.vault, credential);
    return value === null ? { generation, trouble: noPresentValue(name) } : { generation, value };
  } catch (error) {
    return { generation, trouble: troubleOf(parts, error) };
  }
}

/** For the receipt: also a bug of ours is written down as a failure, or the target would keep an old token with no word of it. */
function troubleOf({ onFailure }: AgentParts, error: unknown): string {
  if (error instanceof VaultUnavailable) return error.message;
  onFailure(error);
  return unforeseen;
}
