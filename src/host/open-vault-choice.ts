import { type VaultChoice, openVault } from '../agent/vault/open-vault.ts';
import { SharedVault } from '../agent/vault/shared-vault.ts';
import { faultOfPassphrase, readPassphraseFile } from '../agent/vault/read-passphrase-file.ts';
import type { ScryptCost } from '../agent/vault/vault-file.ts';
import type { SharedEntries } from '../core/shared-entries.ts';
import { type Vault, VaultUnavailable } from '../core/vault.ts';
import { passphraseFaultText, vaultProblemText } from '../text/vault.ts';
import { hostText } from '../text/host.ts';
import { HostError } from './host-error.ts';

/** A vault that is encrypted with a passphrase. */
export interface WithPassphrase {
  readonly passphrase?: string | undefined;
  /** A file whose first line is the passphrase. */
  readonly passphraseFile?: string | undefined;
  /** The cost of its key. Default: that of format 1. */
  readonly cost?: ScryptCost | undefined;
}

/** Where tokens are stored on one machine: the OS keychain, or, if a person chose it, a file in the data folder. */
export type HostVault = { readonly kind: 'keychain' } | ({ readonly kind: 'file' } & WithPassphrase);

/** Where the hosts of a team store tokens: in PostgreSQL, beside the journal. */
export type TeamVault = { readonly kind: 'postgres' } & WithPassphrase;

/** Opens the chosen vault, or throws `HostError` with what to do. Never falls back to another one. */
export function openVaultChoice(choice: HostVault, dataDir: string): Promise<Vault> {
  return orVaultError(async () => openVault(await completed(choice, dataDir)));
}

/** As `openVaultChoice`, for a team: every host opens it, and the first one creates it. */
export function openTeamVault(choice: TeamVault, entries: SharedEntries): Promise<SharedVault> {
  return orVaultError(async () => {
    const passphrase = await passphraseOf(choice);
    return SharedVault.open({ entries, passphrase, cost: choice.cost });
  });
}

async function completed(choice: HostVault, dataDir: string): Promise<VaultChoice> {
  if (choice.kind === 'keychain') return choice;
  return { kind: 'file', path: dataDir, passphrase: await passphraseOf(choice), cost: choice.cost };
}

export async function passphraseOf({ passphrase, passphraseFile }: WithPassphrase): Promise<string> {
  if (passphrase !== undefined) {
    const fault = faultOfPassphrase(passphrase);
    if (fault === null) return passphrase;
    throw new HostError('VAULT_UNUSABLE', hostText.passphraseRefused(passphraseFaultText(fault)));
  }
  if (passphraseFile === undefined) throw new HostError('VAULT_UNUSABLE', hostText.passphraseMissing);
  return readPassphraseFile(passphraseFile);
}

export async function orVaultError<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (cause) {
    if (!(cause instanceof VaultUnavailable)) throw cause;
    throw new HostError('VAULT_UNUSABLE', vaultProblemText(cause.problem), { cause });
  }
}
