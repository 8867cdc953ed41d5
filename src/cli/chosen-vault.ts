import { resolve } from 'node:path';
import { askSecret, canAsk } from './read-token.ts';
import { vaultText } from '../text/cli-service.ts';
import { wrongUsage } from './command-failure.ts';

export const vaultKinds = ['keychain', 'file'] as const;
type VaultKind = (typeof vaultKinds)[number];

export interface VaultOptions {
  readonly vault?: VaultKind;
  readonly vaultPassphraseFile?: string;
}

/** Where `serve` stores tokens. */
export type ChosenVault =
  | { readonly kind: 'keychain' }
  | { readonly kind: 'file'; readonly passphraseFile: string }
  | { readonly kind: 'file'; readonly passphrase: string };

/**
 * The vault that the options choose, otherwise the environment, otherwise the OS keychain.
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
    throw wrongUsage(vaultText.fileOptionOnly);
  }
  if (options.vaultPassphraseFile === '') throw wrongUsage(vaultText.noFile);
  const file = options.vaultPassphraseFile ?? environment['ROTAVOX_VAULT_PASSPHRASE_FILE'] ?? '';
  if (file !== '') return { kind, passphraseFile: resolve(file) };
  return { kind, passphrase: await askPassphrase() };
}

function kindOf(text: string): VaultKind {
  if (text === '') return 'keychain';
  const kind = vaultKinds.find((one) => one === text);
  if (kind === undefined) throw wrongUsage(vaultText.kindVariable(vaultKinds));
  return kind;
}

async function askPassphrase(): Promise<string> {
  if (!canAsk()) throw wrongUsage(vaultText.noTerminal);
  const passphrase = await askSecret(vaultText.question);
  if (passphrase === '') throw wrongUsage(vaultText.noPassphrase);
  return passphrase;
}
