import { VaultUnavailable } from '../../core/vault.ts';
import {
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
  /** The cost of both keys. Default: that of format 1. */
  readonly cost?: ScryptCost | undefined;
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
  { passphrase, newPassphrase, cost = scryptCost }: PassphraseChange,
): Promise<ChangedKeys | null> {
  const old = await VaultKey.derive(passphrase, saltOf(head), cost);
  if (opens(old, head)) {
    const salt = newSalt();
    const changed = await VaultKey.derive(newPassphrase, salt, cost);
    return { old, changed, head: vaultHeadOf(changed, salt, cost) };
  }
  if (opens(await VaultKey.derive(newPassphrase, saltOf(head), cost), head)) return null;
  throw new VaultUnavailable({ code: 'wrong_passphrase', path });
}
