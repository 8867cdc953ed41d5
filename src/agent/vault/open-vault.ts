/*
 * The vault: where secrets are stored. The OS keychain through keytar, or an encrypted file; or, for a team, encrypted
 * entries of a table.
 *
 * Here: the adapters of the port, and how a passphrase is read from a file. Not here: what is stored under which
 * name and in which order; `rotate-credential.ts` decides that; nor which vault is used, which `host/open-vault-choice.ts` decides. A
 * vault that cannot be used reports it. Start reading here, then keychain-vault.ts (with call-queue.ts and keychain-trouble.ts),
 * file-vault.ts or shared-vault.ts.
 */
import type { Vault } from '../../core/vault.ts';
import { unreachable } from '../../core/unreachable.ts';
import { FileVault, type FileVaultOptions } from './file-vault.ts';
import { KeychainVault } from './keychain-vault.ts';

export type VaultChoice = { readonly kind: 'keychain' } | ({ readonly kind: 'file' } & FileVaultOptions);

/**
 * Opens the vault that was chosen on one machine.
 *
 * The keychain is first called when it is first used, so that no prompt appears at start. A file vault rejects
 * with `VaultUnavailable` here, before anything else begins.
 */
export async function openVault(choice: VaultChoice): Promise<Vault> {
  switch (choice.kind) {
    case 'keychain':
      return new KeychainVault();
    case 'file':
      return FileVault.open(choice);
    default:
      return unreachable(choice);
  }
}
