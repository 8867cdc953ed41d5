import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readVaultOutline } from '../../agent/vault/file-vault.ts';
import { isFingerprintKey } from '../../agent/vault/token-fingerprints.ts';
import { hasKeychain } from '../../agent/vault/has-keychain.ts';
import { KeychainVault } from '../../agent/vault/keychain-vault.ts';
import { vaultFileName } from '../../agent/vault/vault-file.ts';
import type { Clock } from '../../core/ledger.ts';
import type { Vault, VaultEntry } from '../../core/vault.ts';
import { privateFolder, replaceFileSync, syncFolder } from '../../store/durable-file.ts';
import { systemCodeOf } from '../../store/store-error.ts';
import { backupText } from '../../text/service/backup-text.ts';
import { moveProblem } from '../../text/cli/cli-vault.ts';
import { sealWithPassphrase } from '../change-passphrase.ts';
import { type FolderLock, restoreRecordName } from '../folder-lock.ts';
import { HostError } from '../host-error.ts';
import { moveVault, removeLeftover } from '../move-vault.ts';
import { openFolder } from '../open-folder.ts';
import { type HostVault, openVaultChoice, orVaultError, passphraseOf } from '../open-vault-choice.ts';
import { recordedPlace } from '../vault-choice-file.ts';
import { allEntriesOf } from '../vault-entries.ts';
import { stageName } from './stage-restore.ts';
import { removeFolder, replacePath } from '../../system/replace-path.ts';

/**
 * Format 1 of `restore.json`. `tokens`: nothing was moved yet; tokens of the data until now may be in the keychain. `aside`: those data
 * are being moved to the folder of that name. `in`: all of them are there, and the backup is being moved in.
 */
const RestoreFile = z.strictObject({
  format: z.literal(1),
  phase: z.enum(['tokens', 'aside', 'in']),
  aside: z.string().regex(/^before-restore-[0-9TZ]+$/),
});
type RestoreFile = z.infer<typeof RestoreFile>;

/** What a data folder is about: everything that a backup takes the place of. Files of this computer stay. */
const replaced =
  /^(?:journal|recordings|providers|(?:state|replay-keys|browsers|machine|vault|vault-choice)\.json(?:\..+)?|vault\.key|calls\.sqlite.*)$/;

/** Whether a folder holds anything that a backup would take the place of. */
export function hasData(dataDir: string): boolean {
  return existsSync(dataDir) && readdirSync(dataDir).some((name) => replaced.test(name));
}

/** Has a backup that is unpacked in a folder take its place, now or at the next start. Returns where the data until now will be. */
export function beginRestore(dataDir: string, nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const aside = `before-restore-${stamp}`;
  writeRecord(dataDir, { format: 1, phase: 'tokens', aside });
  return join(dataDir, aside);
}

export interface RestoreParts {
  readonly dataDir: string;
  readonly lock: FolderLock;
  readonly clock: Clock;
  readonly say: (message: string) => void;
  /** Where an option of the host says that tokens are. Default: in the keychain, where there is one. */
  readonly choice?: HostVault | undefined;
  /** Default: this machine's; null: it has none. */
  readonly keychain?: Vault | null | undefined;
  /** Called before each change that lasts. */
  readonly onStep?: (() => void) | undefined;
}

/**
 * Finishes a restore that was begun in a locked folder, also one that was killed. False where none was.
 *
 * The tokens of the data until now go to an encrypted file first, so that they are all in the folder that is kept. Then one folder takes
 * the place of the other, name by name, and at last the tokens of the backup go to the keychain, where there is one.
 *
 * Throws `HostError`; then the next start goes on. With the code `VAULT_UNUSABLE` nothing was replaced yet.
 */
export async function finishRestore(parts: RestoreParts): Promise<boolean> {
  const { dataDir, lock, onStep = () => undefined } = parts;
  const record = readRecord(dataDir);
  // Unpacked, and then nobody went on; or begun, and then the backup was removed: its place is not taken by nothing.
  if (record === null || (record.phase === 'tokens' && !existsSync(join(dataDir, stageName)))) {
    await cancelRestore(dataDir);
    return false;
  }
  const keychain = parts.keychain === undefined ? await keychainHere() : parts.keychain;
  // Before anything is replaced: without it the tokens of the backup could not be put where the host looks for them.
  const { choice } = parts;
  const passphrase = choice?.kind === 'file' ? await orVaultError(() => passphraseOf(choice)) : null;
  const cost = choice?.kind === 'file' ? choice.cost : undefined;
  const step = (): void => {
    lock.assertHeld();
    onStep();
  };
  try {
    if (record.phase === 'tokens') {
      if (keychain !== null) await takeTokensAlong(keychain, parts);
      step();
      writeRecord(dataDir, { ...record, phase: 'aside' });
    }
    if (record.phase !== 'in') {
      const aside = join(dataDir, record.aside);
      step();
      if (hasData(dataDir)) {
        await mkdir(aside, { recursive: true, mode: privateFolder });
        await moveNames(dataDir, aside, step);
      }
      step();
      writeRecord(dataDir, { ...record, phase: 'in' });
    }
    const stage = join(dataDir, stageName);
    if (existsSync(stage)) await moveNames(stage, dataDir, step);
    step();
    await removeFolder(stage);
    step();
    await rm(join(dataDir, restoreRecordName), { force: true });
    syncFolder(dataDir);
  } catch (cause) {
    const code = systemCodeOf(cause);
    if (cause instanceof HostError || code === 'UNKNOWN') throw cause;
    throw new HostError('DATA_DIR_UNUSABLE', backupText.notReplaced(dataDir, code), { cause });
  }
  // They came in a file with a key file, and are put where the host looks for them.
  if (passphrase !== null) await orVaultError(() => sealWithPassphrase(dataDir, passphrase, cost));
  else if (keychain !== null) await toKeychain(keychain, parts);
  return true;
}

/** As `finishRestore`, for a host: while the tokens until now cannot be taken along, it goes on with the data until now, and says so. */
export async function finishRestoreOrSay(parts: RestoreParts): Promise<void> {
  try {
    if (await finishRestore(parts)) parts.say(backupText.restored);
  } catch (error) {
    if (!(error instanceof HostError) || error.code !== 'VAULT_UNUSABLE') throw error;
    parts.say(backupText.waits(error.message));
  }
}

/** Gives a restore up that was begun, before anything was replaced. */
export async function cancelRestore(dataDir: string): Promise<void> {
  await rm(join(dataDir, restoreRecordName), { force: true });
  await removeFolder(join(dataDir, stageName));
}

async function keychainHere(): Promise<Vault | null> {
  return (await hasKeychain()) ? new KeychainVault() : null;
}

/** Moves the tokens of the data until now, where they are in the keychain, to a file beside these data. */
async function takeTokensAlong(keychain: Vault, parts: RestoreParts): Promise<void> {
  const { dataDir, say, onStep } = parts;
  // Of a move that was killed, ours perhaps.
  await removeLeftover({ dataDir, keychain, say, onStep });
  if (existsSync(join(dataDir, vaultFileName)) || isInFile(dataDir)) return;
  const entries = await entriesUntilNow(parts);
  if ((await foundIn(keychain, entries)) === null) return;
  await moveVault({
    dataDir,
    to: 'file',
    from: keychain,
    entries,
    keychainTargets: [],
    keychain,
    say,
    onStep,
  });
}

/** A record that cannot be read says nothing. */
function isInFile(dataDir: string): boolean {
  try {
    return recordedPlace(dataDir)?.kind === 'file';
  } catch (error) {
    if (error instanceof HostError) return false;
    throw error;
  }
}

/** The first of these entries that the keychain has. */
function foundIn(keychain: Vault, entries: readonly VaultEntry[]): Promise<VaultEntry | null> {
  return orVaultError(async () => {
    for (const entry of entries) if ((await keychain.read(entry)) !== null) return entry;
    return null;
  });
}

/** A backup often takes the place of data that cannot be opened any more: then it tells the names of their tokens. */
async function entriesUntilNow({ dataDir, lock, clock }: RestoreParts): Promise<readonly VaultEntry[]> {
  if (!existsSync(join(dataDir, 'journal'))) return [];
  try {
    const opened = await openFolder(dataDir, { clock, lock, say: () => undefined });
    const entries = allEntriesOf(opened.ledger.state);
    await opened.close();
    return entries;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return (await readVaultOutline(join(dataDir, stageName)))?.entries ?? [];
  }
}

async function moveNames(from: string, to: string, step: () => void): Promise<void> {
  for (const name of readdirSync(from).filter((one) => replaced.test(one))) {
    step();
    await replacePath(join(from, name), join(to, name));
  }
  syncFolder(to);
  syncFolder(from);
}

/** Where that is not possible the tokens stay in the file, which says so. */
async function toKeychain(keychain: Vault, { dataDir, say, onStep }: RestoreParts): Promise<void> {
  try {
    const { entries } = (await readVaultOutline(dataDir)) ?? { entries: [] };
    // Of another folder with the same data: both would use, and remove, the same entries. A key alone is one that was left behind.
    const taken = await foundIn(
      keychain,
      entries.filter((entry) => !isFingerprintKey(entry)),
    );
    if (taken !== null) throw new HostError('VAULT_UNUSABLE', moveProblem.taken(taken));
    const vault = await openVaultChoice(undefined, { dataDir, entries: [], say, keychain });
    await moveVault({
      dataDir,
      to: 'keychain',
      from: vault,
      entries: [],
      keychainTargets: [],
      keychain,
      say,
      onStep,
    });
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    say(backupText.staysInFile(error.message));
  }
}

function readRecord(dataDir: string): RestoreFile | null {
  const path = join(dataDir, restoreRecordName);
  try {
    return RestoreFile.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    if (systemCodeOf(cause) === 'ENOENT') return null;
    throw new HostError('DATA_DIR_UNUSABLE', backupText.recordUnreadable(path), { cause });
  }
}

function writeRecord(dataDir: string, record: RestoreFile): void {
  replaceFileSync(join(dataDir, restoreRecordName), `${JSON.stringify(record)}\n`);
}
