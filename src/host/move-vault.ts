import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { attempt, FileVault } from '../agent/vault/file-vault.ts';
import { KeychainVault } from '../agent/vault/keychain-vault.ts';
import { openKeyFile, removeKeyFile } from '../agent/vault/key-file.ts';
import { keyFileCost, vaultFileName } from '../agent/vault/vault-file.ts';
import { writeAndReadBack } from '../agent/vault/token-entries.ts';
import { type Vault, type VaultEntry, VaultUnavailable } from '../core/vault.ts';
import { moveProblem } from '../text/cli/cli-vault.ts';
import { vaultProblemText } from '../text/credential/vault-text.ts';
import { HostError } from './host-error.ts';
import { readVaultChoice, type VaultPlace, writeVaultChoice } from './vault-choice-file.ts';
import { type KeychainTarget, type KnownValue, valuesOf } from './vault-entries.ts';

export interface VaultMove {
  readonly dataDir: string;
  readonly to: 'keychain' | 'file';
  /** What the tokens are in now. */
  readonly from: Vault;
  /** What may be in it; of a file vault everything is moved. */
  readonly entries: readonly VaultEntry[];
  /** What could not be delivered any more after a move to a file. */
  readonly keychainTargets: readonly KeychainTarget[];
  readonly say: (message: string) => void;
  /** Default: this machine's. */
  readonly keychain?: Vault | undefined;
  /** Called before each change that lasts. */
  readonly onStep?: (() => void) | undefined;
}

export interface Moved {
  readonly vault: Vault;
  /** How many entries. */
  readonly moved: number;
}

/**
 * Moves every entry of a vault to the other place: all are written there, read back and compared before the first is removed here.
 *
 * The record in the data folder names the entries first, then the new place, and nothing more when the old one is cleared. A move that
 * was killed is taken back or finished by the next start (`removeLeftover`). Nobody may use the vault meanwhile. Throws `HostError`; then
 * the tokens are where they were.
 */
export async function moveVault(move: VaultMove): Promise<Moved> {
  try {
    return await moveAll(move);
  } catch (cause) {
    if (!(cause instanceof VaultUnavailable)) throw cause;
    throw refused(moveProblem.stayed(vaultProblemText(cause.problem)), cause);
  }
}

async function moveAll(move: VaultMove): Promise<Moved> {
  const { dataDir, to, from, onStep = () => undefined } = move;
  if (from.kind === to) throw refused(moveProblem.there(to));
  if (from.kind !== 'keychain' && from.kind !== 'file') throw refused(moveProblem.ofTeam);
  const [target] = to === 'file' ? move.keychainTargets : [];
  if (target !== undefined) throw refused(moveProblem.keychainTarget(target));
  await removeLeftover(move);
  if (readVaultChoice(dataDir)?.leftover !== undefined) throw refused(moveProblem.unfinished);
  const place: VaultPlace =
    from.kind === 'keychain' ? { kind: 'keychain' } : { kind: 'file', key: from.openedBy ?? 'passphrase' };
  const next: VaultPlace = to === 'keychain' ? { kind: 'keychain' } : { kind: 'file', key: 'file' };
  if (to === 'file' && existsSync(join(dataDir, vaultFileName)))
    throw refused(moveProblem.fileExists(join(dataDir, vaultFileName)));

  // Of a file everything: it is deleted as a whole, so nothing in it may stay behind.
  const values = await valuesOf(move);
  const keychain = move.keychain ?? new KeychainVault();
  if (to === 'keychain') await assertFree(keychain, values);
  const entries = values.map(({ entry }) => entry);
  const before = readVaultChoice(dataDir);
  let vault: Vault;
  try {
    onStep();
    writeVaultChoice(dataDir, { place, leftover: { place: next, entries } });
    onStep();
    vault = to === 'keychain' ? keychain : await makeFile(dataDir);
    for (const { entry, value } of values) {
      onStep();
      await writeAndReadBack(vault, entry, value);
    }
    onStep();
    writeVaultChoice(dataDir, { place: next, leftover: { place, entries } });
  } catch (error) {
    onStep();
    writeVaultChoice(dataDir, { place, leftover: { place: next, entries } });
    await removeLeftover(move);
    if (before === null) await forgetChoice(dataDir, place);
    throw error;
  }
  await removeLeftover(move);
  return { vault, moved: entries.length };
}

/** A folder whose place nobody recorded goes on without a record. */
async function forgetChoice(dataDir: string, place: VaultPlace): Promise<void> {
  if (place.kind !== 'keychain' || readVaultChoice(dataDir)?.leftover !== undefined) return;
  await rm(join(dataDir, 'vault-choice.json'), { force: true });
}

/** An entry of another data folder, or of another program, is not replaced. */
async function assertFree(keychain: Vault, values: readonly KnownValue[]): Promise<void> {
  await keychain.contact();
  for (const { entry, value } of values) {
    const other = await keychain.read(entry);
    if (other !== null && other !== value) throw refused(moveProblem.taken(entry));
  }
}

async function makeFile(dataDir: string): Promise<Vault> {
  const { path: keyFile, key: passphrase } = await openKeyFile(dataDir);
  return FileVault.open({ path: dataDir, passphrase, keyFile, cost: keyFileCost });
}

/**
 * Removes what a move has left in the place that is not the recorded one: copies of a move that was killed before it was recorded, or
 * what was moved. Where it cannot be reached now, that is said, and the next start tries again.
 */
export async function removeLeftover({
  dataDir,
  keychain = new KeychainVault(),
  say,
  onStep = () => undefined,
}: Pick<VaultMove, 'dataDir' | 'keychain' | 'say' | 'onStep'>): Promise<void> {
  const choice = readVaultChoice(dataDir);
  if (choice?.leftover === undefined) return;
  const { place, entries } = choice.leftover;
  try {
    if (place.kind === 'file') {
      const path = join(dataDir, vaultFileName);
      onStep();
      await attempt(path, () => rm(path, { force: true }));
      onStep();
      await removeKeyFile(dataDir); // syncs the folder, too
    } else {
      for (const entry of entries) {
        onStep();
        await keychain.remove(entry);
      }
    }
    onStep();
    writeVaultChoice(dataDir, { place: choice.place });
  } catch (error) {
    if (error instanceof VaultUnavailable)
      say(moveProblem.notCleared(place.kind, vaultProblemText(error.problem)));
    else if (error instanceof HostError) say(error.message);
    else throw error;
  }
}

function refused(message: string, cause?: unknown): HostError {
  return new HostError('VAULT_UNUSABLE', message, { cause });
}
