import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FileVault, readVaultOutline } from '../agent/vault/file-vault.ts';
import { keyFileName, openKeyFile } from '../agent/vault/key-file.ts';
import {
  keyFileCost,
  type PassphraseChange,
  scryptCost,
  type ScryptCost,
  vaultFileName,
} from '../agent/vault/vault-file.ts';
import { SharedVault } from '../agent/vault/shared-vault.ts';
import { StoreUnavailable } from '../core/ledger.ts';
import { VaultUnavailable } from '../core/vault.ts';
import { copyHost, DatabaseLines, keepLead, readToEnd } from '../store/copy-lines.ts';
import { FencedTables } from '../store/team/fenced-tables.ts';
import { JournalKey } from '../store/team/journal-key.ts';
import { PostgresDatabase } from '../store/team/postgres-database.ts';
import { TableEntries } from '../store/team/table-entries.ts';
import { DatabaseRefused, DatabaseUnreachable } from '../store/team/team-database.ts';
import { assertOfDatabase } from '../store/team/term.ts';
import { type PassphraseChanged, passphraseProblem } from '../text/cli/cli-vault.ts';
import { hostText } from '../text/service/host-text.ts';
import { notWhole } from './copy-journal.ts';
import { lockFolder } from './folder-lock.ts';
import { HostError } from './host-error.ts';
import { asHostError } from './open-folder.ts';
import { orVaultError, passphraseOf, settleFile, type WithPassphrase } from './open-vault-choice.ts';
import { recordedPlace } from './vault-choice-file.ts';

export interface PassphraseOrder {
  /** `url`: `postgres://user@host/database` */
  readonly place:
    | { readonly kind: 'file'; readonly dataDir: string }
    | { readonly kind: 'postgres'; readonly url: string };
  /** The passphrase until now; null where a key file opens the vault. Its cost is that of both. */
  readonly old: WithPassphrase | null;
  readonly changed: Omit<WithPassphrase, 'cost'>;
}

/** Leads the database like a host while its passphrase is changed. The same for each change, so that it can be tried again at once. */
export const passphraseHost = 'vault passphrase';
/** How long hosts wait after a change that was killed. The change itself needs no lease: a host that takes over makes it fail. */
const leaseMs = 10_000;

/**
 * Seals everything that is sealed with the passphrase of a vault with another one, all of it or nothing, also when this is killed.
 *
 * It holds the lock of the data folder, or the lead of the database, so that no host uses the vault meanwhile. Throws `HostError`;
 * then nothing was changed, unless it says otherwise.
 */
export async function changePassphrase({ place, old, changed }: PassphraseOrder): Promise<PassphraseChanged> {
  if (old === null) {
    if (place.kind !== 'file') throw refused(hostText.passphraseMissing);
    const newPassphrase = await orVaultError(() => passphraseOf(changed));
    return orVaultError(() => setInsteadOfKeyFile(place.dataDir, newPassphrase));
  }
  const change = await orVaultError(async () => ({
    passphrase: await passphraseOf(old),
    newPassphrase: await passphraseOf(changed),
    cost: old.cost,
  }));
  if (change.passphrase.normalize('NFC') === change.newPassphrase.normalize('NFC'))
    throw refused(passphraseProblem.same);
  return orVaultError(() =>
    place.kind === 'file' ? changeInFolder(place.dataDir, change) : changeInDatabase(place.url, change),
  );
}

function refused(message: string, cause?: unknown): HostError {
  return new HostError('VAULT_UNUSABLE', message, { cause });
}

/** What opens the file vault of a folder; null where it has none. Throws `HostError`. */
export async function whatOpensFolder(dataDir: string): Promise<'file' | 'passphrase' | null> {
  if (existsSync(join(dataDir, keyFileName))) return 'file'; // also where it was replaced and not yet removed
  return (await orVaultError(() => readVaultOutline(dataDir)))?.openedBy ?? null;
}

/** The passphrase of its own opens a vault that a key file opened. Killed at any point, the next start or the same command finishes it. */
function setInsteadOfKeyFile(dataDir: string, newPassphrase: string): Promise<PassphraseChanged> {
  return withFileVault(dataDir, () => sealWithPassphrase(dataDir, newPassphrase));
}

/** The same in a folder that this process holds. Resolves with the number of entries, or with null when it has that passphrase already. */
export async function sealWithPassphrase(
  dataDir: string,
  newPassphrase: string,
  newCost: ScryptCost = scryptCost,
): Promise<number | null> {
  const outline = await readVaultOutline(dataDir);
  // The passphrase of nobody: the vault has another one already, which the new one has to be.
  const passphrase = outline?.openedBy === 'file' ? (await openKeyFile(dataDir)).key : '';
  const change = { passphrase, newPassphrase, cost: keyFileCost, newCost };
  const entries = await FileVault.changePassphrase(dataDir, change);
  await settleFile(dataDir, 'passphrase');
  return entries;
}

function changeInFolder(dataDir: string, change: PassphraseChange): Promise<PassphraseChanged> {
  return withFileVault(dataDir, () => FileVault.changePassphrase(dataDir, change));
}

/** Why there is no passphrase to change in a folder without a vault file. */
export function noVaultIn(folder: string): HostError {
  const isInKeychain = existsSync(join(folder, 'journal')) && recordedPlace(folder)?.kind !== 'file';
  return refused(isInKeychain ? passphraseProblem.inKeychain(folder) : passphraseProblem.noFileVault(folder));
}

/** Does something with the file vault of a folder that no host uses meanwhile. */
async function withFileVault(
  folder: string,
  changeVault: () => Promise<number | null>,
): Promise<PassphraseChanged> {
  const path = join(folder, vaultFileName);
  if (!existsSync(path)) throw noVaultIn(folder);
  const lock = lockFolder(folder);
  try {
    return { place: path, entries: await changeVault() };
  } catch (cause) {
    if (cause instanceof VaultUnavailable && cause.problem.code === 'vault_file_unusable')
      throw refused(passphraseProblem.fileRefused(path, cause.problem.systemCode), cause);
    throw cause;
  } finally {
    lock.release();
  }
}

async function changeInDatabase(url: string, change: PassphraseChange): Promise<PassphraseChanged> {
  let place = '';
  try {
    const database = await PostgresDatabase.open(url);
    ({ place } = database);
    try {
      return { place, entries: await changeAsLeader(database, change) };
    } finally {
      await database.close();
    }
  } catch (cause) {
    throw databaseProblem(cause, place) ?? asHostError(cause);
  }
}

async function changeAsLeader(database: PostgresDatabase, change: PassphraseChange): Promise<number | null> {
  const { place } = database;
  const before = await database.look();
  const lead = await database.lead(before.epoch, { host: passphraseHost, address: '', leaseMs });
  if (lead === null)
    throw refused(
      before.host === copyHost ? passphraseProblem.copyUnfinished(place) : passphraseProblem.hostsRun(place),
    );
  try {
    const entries = new TableEntries(new FencedTables(database, () => lead.epoch));
    if ((await entries.all()).length === 0) throw refused(passphraseProblem.noSharedVault(place));
    return await keepLead(database, { epoch: lead.epoch, leaseMs }, () =>
      SharedVault.changePassphrase(entries, change, async (key, from) => {
        database.useKey(new JournalKey(key, from, place));
        const end = await readToEnd(new DatabaseLines(database));
        if (end.seq !== lead.headSeq || end.head !== lead.head) throw notWhole(place, lead.headSeq, end.seq);
        return end;
      }),
    );
  } finally {
    // Hosts wait for the end of the lease otherwise.
    await database.resign(lead.epoch).catch(assertOfDatabase);
  }
}

/** Null for what is no answer of the database, or none at all. */
function databaseProblem(error: unknown, place: string): HostError | null {
  const cause = error instanceof StoreUnavailable ? (error.cause ?? error) : error;
  if (cause instanceof StoreUnavailable) return refused(passphraseProblem.lostLead(place), cause);
  if (cause instanceof DatabaseRefused)
    return refused(passphraseProblem.databaseRefused(place, cause.code), cause);
  if (cause instanceof DatabaseUnreachable)
    return refused(passphraseProblem.outcomeUnknown(place, cause.code), cause);
  return null;
}
