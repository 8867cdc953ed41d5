import { type DeliveryTargetOf, isOwnService } from '../../contract/credential.ts';
import { type Vault, VaultUnavailable } from '../../core/vault.ts';
import { delivered, type DeliveryOutcome, undeliverable, undelivered } from './delivery-outcome.ts';

/**
 * Writes the entry that another program looks for, and reads it back.
 *
 * Only where the vault is a keychain: an entry in our encrypted file would be found by nobody.
 */
export async function deliverToKeychain(
  target: DeliveryTargetOf<'keychain'>,
  value: string,
  vault: Vault,
): Promise<DeliveryOutcome> {
  const { service, account } = target;
  const entry = `The ${entryWords(target)}`;
  const obstacle = whyNoEntry(target, vault);
  if (obstacle !== null) return undeliverable(obstacle);
  try {
    await vault.write({ service, account }, value);
    if ((await vault.read({ service, account })) === value) return delivered();
  } catch (error) {
    if (error instanceof VaultUnavailable) return undelivered(`${entry} was not written: ${error.message}`);
    throw error;
  }
  return undelivered(
    `${entry} was written, but something else was read back. See whether another program writes the same entry.`,
  );
}

/** Why an entry can never be written here, and what to do; null where it can. */
export function whyNoEntry(
  target: DeliveryTargetOf<'keychain'>,
  { kind }: Pick<Vault, 'kind'>,
): string | null {
  const entry = `The ${entryWords(target)}`;
  if (isOwnService(target.service)) {
    return `${entry} is among those that Rotavox keeps for itself. Choose another service for this target.`;
  }
  if (kind === 'file') {
    return (
      `${entry} cannot be written, because this host keeps values in an encrypted file instead of an OS keychain. ` +
      'Use a file, dotenv or hook target here.'
    );
  }
  return null;
}

/** How an entry is named to a person. */
export function entryWords({ service, account }: DeliveryTargetOf<'keychain'>): string {
  return `keychain entry of service “${service}”, account “${account}”`;
}
