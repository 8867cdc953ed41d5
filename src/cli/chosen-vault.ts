import { resolve } from 'node:path';
import { askSecret, canAsk } from './read-token.ts';
import { vaultText } from '../text/cli/cli-service.ts';
import { wrongUsage } from './command-failure.ts';

/** On one machine. */
export const vaultKinds = ['keychain', 'file'] as const;
export const serveVaultKinds = [...vaultKinds, 'postgres'] as const;
type VaultKind = (typeof serveVaultKinds)[number];

export interface VaultOptions {
  readonly vault?: VaultKind;
  readonly vaultPassphraseFile?: string;
}

interface WithPassphrase<K extends VaultKind> {
  readonly kind: K;
  readonly passphraseFile?: string;
  readonly passphrase?: string;
}

/** What opens the encrypted file that a data folder is known to have. */
export type RecordedVault = 'key file' | 'passphrase' | null;

/** Where `serve` stores tokens on one machine. */
export type ChosenVault = { readonly kind: 'keychain' } | WithPassphrase<'file'>;

/** Where a host of a team stores them. */
export type ChosenTeamVault = WithPassphrase<'postgres'>;

/**
 * The vault that the options choose, otherwise the environment; undefined where neither does, and the data folder decides. `recorded`:
 * what opens the file in that folder.
 *
 * The passphrase of a file vault comes from a file, or is asked for on a terminal; it is never an argument and never in the
 * environment. Throws wrong usage.
 */
export async function chosenVault(
  options: VaultOptions,
  environment: NodeJS.ProcessEnv,
  recorded: RecordedVault = null,
): Promise<ChosenVault | undefined> {
  const kind = chosenKind(options, environment) ?? (recorded === 'passphrase' ? 'file' : undefined);
  if (kind === 'postgres') throw wrongUsage(vaultText.needsJournal);
  if (kind === 'file') {
    // It has no passphrase that could be asked for.
    if (recorded === 'key file' && passphraseFileOf(options, environment) === '') return { kind };
    return withPassphrase(kind, options, environment);
  }
  if (options.vaultPassphraseFile === undefined) return kind === undefined ? undefined : { kind };
  throw wrongUsage(vaultText.fileOptionOnly);
}

/** As `chosenVault`, for a host whose journal is in PostgreSQL: its vault is there too. */
export async function chosenTeamVault(
  options: VaultOptions,
  environment: NodeJS.ProcessEnv,
): Promise<ChosenTeamVault> {
  const kind = chosenKind(options, environment) ?? 'postgres';
  if (kind !== 'postgres') throw wrongUsage(vaultText.needsPostgres(kind));
  return withPassphrase(kind, options, environment);
}

/** The passphrase of a vault of this kind, from a file or a terminal. Throws wrong usage. */
export async function withPassphrase<K extends 'file' | 'postgres'>(
  kind: K,
  options: VaultOptions,
  environment: NodeJS.ProcessEnv,
): Promise<WithPassphrase<K>> {
  if (options.vaultPassphraseFile === '') throw wrongUsage(vaultText.noFile);
  const file = passphraseFileOf(options, environment);
  if (file !== '') return { kind, passphraseFile: resolve(file) };
  return { kind, passphrase: await askPassphrase(kind) };
}

function passphraseFileOf(options: VaultOptions, environment: NodeJS.ProcessEnv): string {
  return options.vaultPassphraseFile ?? environment['ROTAVOX_VAULT_PASSPHRASE_FILE'] ?? '';
}

function chosenKind(options: VaultOptions, environment: NodeJS.ProcessEnv): VaultKind | undefined {
  const text = environment['ROTAVOX_VAULT'] ?? '';
  if (options.vault !== undefined || text === '') return options.vault;
  const kind = serveVaultKinds.find((one) => one === text);
  if (kind === undefined) throw wrongUsage(vaultText.kindVariable(serveVaultKinds));
  return kind;
}

async function askPassphrase(kind: 'file' | 'postgres'): Promise<string> {
  if (!canAsk()) throw wrongUsage(vaultText.noTerminal(kind));
  const passphrase = await askSecret(vaultText.question(kind));
  if (passphrase === '') throw wrongUsage(vaultText.noPassphrase(kind));
  return passphrase;
}
