import { VaultUnavailable } from '../../core/vault.ts';
import {
  hasCost,
  newSalt,
  opens,
  saltOf,
  type ScryptCost,
  scryptCost,
  type VaultHead,
  vaultHeadOf,
  VaultKey,
} from './vault-file.ts';

export interface PassphraseChange {
  readonly passphrase: string;
  readonly newPassphrase: string;
  /** The cost of the old key. Default: that of format 1. */
  readonly cost?: ScryptCost | undefined;
  /** The cost of the new key. Default: that of the old one. */
  readonly newCost?: ScryptCost | undefined;
}

/** What was sealed with the key `old` is sealed with `changed`, which `head` says how to derive. */
interface ChangedKeys {
  readonly old: VaultKey;
  readonly changed: VaultKey;
  readonly head: VaultHead;
}

/**
 * The keys for a change of the passphrase of a vault; null when the new one opens it already: then a command that was killed, or got no
 * answer, had changed it.
 *
 * Throws `locked` when neither opens it.
 */
export async function keysOfChange(
  head: VaultHead,
  path: string,
  { passphrase, newPassphrase, cost = scryptCost, newCost = cost }: PassphraseChange,
): Promise<ChangedKeys | null> {
  const old = hasCost(head, cost) ? await VaultKey.derive(passphrase, saltOf(head), cost) : null;
  if (old !== null && opens(old, head)) {
    const salt = newSalt();
    const changed = await VaultKey.derive(newPassphrase, salt, newCost);
    return { old, changed, head: vaultHeadOf(changed, salt, newCost) };
  }
  if (hasCost(head, newCost) && opens(await VaultKey.derive(newPassphrase, saltOf(head), newCost), head))
    return null;
  throw new VaultUnavailable({ code: 'wrong_passphrase', path });
}
