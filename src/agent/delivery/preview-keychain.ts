import type { DeliveryTargetOf } from '../../contract/credential.ts';
import { type DeliveryPreview, maskedValue } from '../../contract/credential-checks.ts';
import { type Vault, VaultUnavailable } from '../../core/vault.ts';
import { entryWords, whyNoEntry } from './deliver-to-keychain.ts';

/** What `deliverToKeychain` would do. */
export async function previewKeychain(
  target: DeliveryTargetOf<'keychain'>,
  value: string,
  vault: Vault,
): Promise<DeliveryPreview> {
  const place = entryWords(target);
  const impossible = (message: string): DeliveryPreview => ({
    possible: false,
    message,
    place,
    exists: false,
    lines: [],
  });
  const obstacle = whyNoEntry(target, vault);
  if (obstacle !== null) return impossible(obstacle);
  try {
    const { service, account } = target;
    const present = await vault.read({ service, account });
    const exists = present !== null;
    const message =
      present === value
        ? `The ${place} has the present value already: nothing would change.`
        : exists
          ? `The ${place} is there: its value is replaced.`
          : `There is no ${place} yet: it is made.`;
    const line = { number: null, before: exists ? maskedValue : null, after: maskedValue };
    return { possible: true, message, place, exists, lines: present === value ? [] : [line] };
  } catch (error) {
    if (error instanceof VaultUnavailable)
      return impossible(`The ${place} cannot be read now: ${error.message}`);
    throw error;
  }
}
