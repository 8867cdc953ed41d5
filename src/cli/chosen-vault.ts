import { resolve } from 'node:path';
import { askSecret, canAsk } from './read-token-value.ts';
import { wrongUsage } from './command-failure.ts';

export const vaultKinds = ['keychain', 'file'] as const;
type VaultKind = (typeof vaultKinds)[number];

export interface VaultOptions {
  readonly vault?: VaultKind;
  readonly vaultPassphraseFile?: string;
}

/** Where `serve` is to keep values. */
export type ChosenVault =
  | { readonly kind: 'keychain' }
  | { readonly kind: 'file'; readonly passphraseFile: string }
  | { readonly kind: 'file'; readonly passphrase: string };

/**
 * The vault that options choose, or else the environment, or else the OS keychain.
 *
 * The passphrase of a file vault comes from a file, or is asked for on a terminal; it is never an argument and never in the
 * environment. Throws wrong usage.
 */
export async function chosenVault(
  options: VaultOptions,
  environment: NodeJS.ProcessEnv,
): Promise<ChosenVault> {
  const kind = options.vault ?? kindOf(environment['ROTAVOX_VAULT'] ?? '');
  if (kind === 'keychain') {
    if (options.vaultPassphraseFile === undefined) return { kind };
    throw wrongUsage('--vault-passphrase-file belongs to a file vault: add --vault file.');
  }
  if (options.vaultPassphraseFile === '') throw wrongUsage('--vault-passphrase-file needs a file.');
  const file = options.vaultPassphraseFile ?? environment['ROTAVOX_VAULT_PASSPHRASE_FILE'] ?? '';
  if (file !== '') return { kind, passphraseFile: resolve(file) };
  return { kind, passphrase: await askPassphrase() };
}

function kindOf(text: string): VaultKind {
  if (text === '') return 'keychain';
  const kind = vaultKinds.find((one) => one === text);
  if (kind === undefined) throw wrongUsage(`ROTAVOX_VAULT must be ${vaultKinds.join(' or ')}.`);
  return kind;
}

async function askPassphrase(): Promise<string> {
  const advice =
    'Put it into the first line of a file that only you may read, and name that with --vault-passphrase-file.';
  if (!canAsk()) {
    throw wrongUsage(`A file vault needs its passphrase, and there is no terminal to ask on. ${advice}`);
  }
  const passphrase = await askSecret('Passphrase of the file vault (not shown while you type): ');
  if (passphrase === '') throw wrongUsage(`A file vault needs its passphrase. Type it when asked. ${advice}`);
  return passphrase;
}
