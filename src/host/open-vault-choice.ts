import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readVaultOutline } from '../agent/vault/file-vault.ts';
import { hasKeychain, type Surroundings } from '../agent/vault/has-keychain.ts';
import { keyFileName, openKeyFile, removeKeyFile } from '../agent/vault/key-file.ts';
import { openVault } from '../agent/vault/open-vault.ts';
import { SharedVault } from '../agent/vault/shared-vault.ts';
import { faultOfPassphrase, readPassphraseFile } from '../agent/vault/read-passphrase-file.ts';
import { keyFileCost, type ScryptCost, vaultFileName } from '../agent/vault/vault-file.ts';
import type { SharedEntries } from '../core/shared-entries.ts';
import { type Vault, type VaultEntry, VaultUnavailable } from '../core/vault.ts';
import { passphraseFaultText, vaultProblemText } from '../text/credential/vault-text.ts';
import { hostText } from '../text/service/host-text.ts';
import type { VaultKind } from '../contract/credential/credential-view.ts';
import { moveProblem } from '../text/cli/cli-vault.ts';
import { HostError } from './host-error.ts';
import { moveVault, removeLeftover } from './move-vault.ts';
import {
  readVaultChoice,
  recordedPlace,
  vaultChoiceFileName,
  type VaultPlace,
  writeVaultChoice,
} from './vault-choice-file.ts';
import { lockFolder } from './folder-lock.ts';
import { assertUsedHere } from './open-folder-origin.ts';
import { openFolder } from './open-folder.ts';
import { allEntriesOf, keychainTargetsOf, vaultEntriesOf } from './vault-entries.ts';

/** A vault that is encrypted with a passphrase. */
export interface WithPassphrase {
  readonly passphrase?: string | undefined;
  /** A file whose first line is the passphrase. */
  readonly passphraseFile?: string | undefined;
  /** The cost of its key. Default: that of format 1. */
  readonly cost?: ScryptCost | undefined;
}

/** Where tokens are stored on one machine, if an option or a variable says so: the OS keychain, or a file in the data folder. */
export type HostVault = { readonly kind: 'keychain' } | ({ readonly kind: 'file' } & WithPassphrase);

/** Where the hosts of a team store tokens: in PostgreSQL, beside the journal. */
export type TeamVault = { readonly kind: 'postgres' } & WithPassphrase;

interface FolderFacts {
  readonly dataDir: string;
  /** The entries that the state of the folder needs. */
  readonly entries: readonly VaultEntry[];
  readonly say: (message: string) => void;
  /** Default: this machine's. */
  readonly surroundings?: Surroundings | undefined;
  /** Default: this machine's. */
  readonly keychain?: Vault | undefined;
}

/** Whether a first start would store tokens in a keychain. */
export const hasKeychainHere = hasKeychain;

/**
 * Opens the vault of a data folder, or throws `HostError` with what to do.
 *
 * What an option says counts, unless the tokens are known to be elsewhere. Without one it is the recorded place. Where nothing is
 * recorded it is the keychain; only where this machine has none, and no token could be in one, a file with a key file is made, and recorded.
 */
// see decisions/where-tokens-are-stored.md
export async function openVaultChoice(choice: HostVault | undefined, folder: FolderFacts): Promise<Vault> {
  const { dataDir } = folder;
  return orVaultError(async () => {
    await removeLeftover(folder);
    const recorded = await settledPlace(dataDir, choice);
    if (choice !== undefined && recorded !== null && choice.kind !== recorded.kind)
      throw new HostError('VAULT_UNUSABLE', hostText.vaultElsewhere(recorded.kind, choiceFileOf(dataDir)));
    if (recorded?.kind === 'file' && recorded.key === 'file') return openWithKeyFile(folder, choice);
    const place = choice ?? recorded ?? (await usualPlace(folder));
    if (place.kind === 'keychain') return folder.keychain ?? openVault(place);
    if ('key' in place && place.key === 'file') {
      // First, so that a crash leaves a record without a vault, never a vault that no start looks for.
      writeVaultChoice(dataDir, { place });
      return openWithKeyFile(folder, choice);
    }
    if (choice?.kind !== 'file')
      throw new HostError('VAULT_UNUSABLE', hostText.passphraseOfFolder(join(dataDir, vaultFileName)));
    const passphrase = await passphraseOf(choice);
    return openVault({ kind: 'file', path: dataDir, passphrase, cost: choice.cost });
  });
}

/**
 * The recorded place, after a change of what opens the file was finished that was killed.
 *
 * The vault itself says what opens it, because it is replaced as a whole. The record follows, and then the key file, which opens nothing
 * any more.
 */
async function settledPlace(dataDir: string, choice: HostVault | undefined): Promise<VaultPlace | null> {
  const recorded = recordedPlace(dataDir);
  if (recorded?.kind !== 'file') return recorded;
  const outline = await readVaultOutline(dataDir, choice?.kind === 'file' ? choice.cost : undefined);
  if (outline === null) return recorded;
  const isSettled = outline.openedBy === 'file' || !existsSync(join(dataDir, keyFileName));
  if (outline.openedBy === recorded.key && isSettled) return recorded;
  return settleFile(dataDir, outline.openedBy);
}

/** Records what opens the file, and removes a key file that does not. */
export async function settleFile(dataDir: string, key: 'file' | 'passphrase'): Promise<VaultPlace> {
  const place = { kind: 'file', key } as const;
  writeVaultChoice(dataDir, { ...readVaultChoice(dataDir), place });
  if (key === 'passphrase') await removeKeyFile(dataDir);
  return place;
}

/** Where tokens are stored that nobody chose a place for. */
async function usualPlace({ dataDir, entries, surroundings }: FolderFacts): Promise<VaultPlace> {
  const outline = await readVaultOutline(dataDir).catch(nullIfDamaged);
  const isInFile = (entry: VaultEntry): boolean =>
    outline?.entries.some(
      ({ service, account }) => service === entry.service && account === entry.account,
    ) === true;
  // A file vault whose option is missing this time.
  if (outline !== null && entries.some(isInFile)) return { kind: 'file', key: outline.openedBy };
  if (entries.length > 0 || (await hasKeychain(surroundings))) return { kind: 'keychain' };
  return { kind: 'file', key: outline?.openedBy ?? 'file' };
}

/** A damaged file is met where it is used. */
function nullIfDamaged(error: unknown): null {
  if (error instanceof VaultUnavailable && error.problem.code === 'vault_file_damaged') return null;
  throw error;
}

async function openWithKeyFile(folder: FolderFacts, choice: HostVault | undefined): Promise<Vault> {
  const { dataDir, say } = folder;
  const isNew = !existsSync(join(dataDir, vaultFileName));
  if (choice?.kind === 'file' && (choice.passphrase ?? choice.passphraseFile) !== undefined && !isNew)
    throw new HostError('VAULT_UNUSABLE', hostText.opensWithKeyFile(dataDir));
  const { path: keyFile, key, wasOpen } = await openKeyFile(dataDir);
  const vault = await openVault({ kind: 'file', path: dataDir, passphrase: key, keyFile, cost: keyFileCost });
  if (isNew) say(hostText.keyFileMade(join(dataDir, vaultFileName), keyFile));
  if (wasOpen) say(hostText.keyFileWasOpen(keyFile));
  return vault;
}

function choiceFileOf(dataDir: string): string {
  return join(dataDir, vaultChoiceFileName);
}

/** As `openVaultChoice`, for a team: every host opens it, and the first one creates it. */
export function openTeamVault(choice: TeamVault, entries: SharedEntries): Promise<SharedVault> {
  return orVaultError(async () => {
    const passphrase = await passphraseOf(choice);
    return SharedVault.open({ entries, passphrase, cost: choice.cost });
  });
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

export interface FolderMove {
  readonly dataDir: string;
  readonly to: 'keychain' | 'file';
  /** What opens its vault now. Default: as for a host. */
  readonly choice: HostVault | undefined;
  readonly say: (message: string) => void;
}

/** Moves the tokens of a data folder that no host uses, and holds its lock meanwhile. Throws `HostError`. */
export async function moveInFolder({
  dataDir,
  to,
  choice,
  say,
}: FolderMove): Promise<{ moved: number; vault: VaultKind }> {
  if (!existsSync(dataDir)) throw new HostError('DATA_DIR_UNUSABLE', moveProblem.noFolder(dataDir));
  const lock = lockFolder(dataDir);
  try {
    await assertUsedHere(dataDir, { lock, say });
    const opened = await openFolder(dataDir, { clock: Date.now, lock, say });
    try {
      const { state } = opened.ledger;
      const from = await openVaultChoice(choice, { dataDir, entries: vaultEntriesOf(state), say });
      const entries = allEntriesOf(state);
      const keychainTargets = keychainTargetsOf(state);
      const { moved, vault } = await moveVault({ dataDir, to, from, entries, keychainTargets, say });
      const { kind, openedBy: key } = vault;
      return { moved, vault: { kind, ...(key === undefined ? {} : { key }) } };
    } finally {
      await opened.close();
    }
  } finally {
    lock.release();
  }
}
