import { type VaultChoice, openVault } from '../agent/vault/open-vault.ts';
import { faultOfPassphrase, readPassphraseFile } from '../agent/vault/read-passphrase-file.ts';
import type { ScryptCost } from '../agent/vault/vault-file.ts';
import { type Vault, VaultUnavailable } from '../core/vault.ts';
import { passphraseFaultText, vaultProblemText } from '../text/vault.ts';
import { hostText } from '../text/host.ts';
import { HostError } from './host-error.ts';

/** Where tokens are stored: the OS keychain, or, if a person chose it, a file in the data folder. */
export type HostVault =
  | { readonly kind: 'keychain' }
  | {
      readonly kind: 'file';
      readonly passphrase?: string | undefined;
      /** A file whose first line is the passphrase. */
      readonly passphraseFile?: string | undefined;
      /** The cost of its key. Default: that of format 1. */
      readonly cost?: ScryptCost | undefined;
    };

/** Opens the chosen vault, or throws `HostError` with what to do. Never falls back to another one. */
export async function openVaultChoice(choice: HostVault, dataDir: string): Promise<Vault> {
  try {
    return await openVault(await completed(choice, dataDir));
  } catch (cause) {
    if (!(cause instanceof VaultUnavailable)) throw cause;
    throw new HostError('VAULT_UNUSABLE', vaultProblemText(cause.problem), { cause });
  }
}

async function completed(choice: HostVault, dataDir: string): Promise<VaultChoice> {
  if (choice.kind === 'keychain') return choice;
  const { passphrase, passphraseFile, cost } = choice;
  if (passphrase !== undefined) {
    const fault = faultOfPassphrase(passphrase);
    if (fault === null) return { kind: 'file', path: dataDir, passphrase, cost };
    throw new HostError('VAULT_UNUSABLE', hostText.passphraseRefused(passphraseFaultText(fault)));
  }
  if (passphraseFile === undefined) {
    throw new HostError('VAULT_UNUSABLE', hostText.passphraseMissing);
  }
  return { kind: 'file', path: dataDir, passphrase: await readPassphraseFile(passphraseFile), cost };
}
