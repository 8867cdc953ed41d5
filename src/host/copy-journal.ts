import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { isFingerprintKey } from '../agent/vault/token-fingerprints.ts';
import type { CallLog } from '../calls/call-log.ts';
import { RecordTable } from '../calls/record-table.ts';
import type { CallId } from '../contract/calls/call.ts';
import type { CallRecords } from '../core/calls/telephony.ts';
import type { RecordingFiles } from '../core/recording/recording-files.ts';
import { StoreUnavailable } from '../core/ledger.ts';
import type { State } from '../core/state.ts';
import type { Vault } from '../core/vault.ts';
import {
  copyHost,
  copyLines,
  DatabaseLines,
  FolderLines,
  keepLead,
  LedLines,
  JournalsDiffer,
  NewFolderLines,
} from '../store/copy-lines.ts';
import { syncFolder } from '../store/durable-file.ts';
import { ReplayKeys } from '../store/replay-keys.ts';
import { damaged, StoreError } from '../store/store-error.ts';
import { CheckpointTable } from '../store/team/checkpoint-table.ts';
import { FencedTables } from '../store/team/fenced-tables.ts';
import { JournalKey } from '../store/team/journal-key.ts';
import { PostgresDatabase } from '../store/team/postgres-database.ts';
import { RecordingTable } from '../store/team/recording-table.ts';
import type { JournalHead } from '../store/team/replica.ts';
import { ReplayKeyEntries } from '../store/team/replay-key-entries.ts';
import { TableEntries } from '../store/team/table-entries.ts';
import { DatabaseRefused, DatabaseUnreachable, type Leadership } from '../store/team/team-database.ts';
import { assertOfDatabase } from '../store/team/term.ts';
import { type Copied, journalProblem } from '../text/cli/cli-journal.ts';
import { callRecordsText, storeProblemText } from '../text/service/store-text.ts';
import { lockFolder } from './folder-lock.ts';
import { assertUsedHere } from './open-folder-origin.ts';
import { HostError } from './host-error.ts';
import { type OpenedFolder, openFolder } from './open-folder.ts';
import { type HostVault, openTeamVault, openVaultChoice, type TeamVault } from './open-vault-choice.ts';
import { allEntriesOf, vaultEntriesOf } from './vault-entries.ts';
import { replacePathSync } from '../system/replace-path.ts';

export interface JournalCopy {
  readonly folder: string;
  /** `postgres://user@host/database` */
  readonly url: string;
  readonly direction: 'into database' | 'into folder';
  /** Of the folder. Default: as for a host. */
  readonly vault: HostVault | undefined;
  readonly teamVault: TeamVault;
  /** Called with the number of the last event that was copied. */
  readonly onCopied: (seq: number) => void;
  /** Reports what the store repaired. */
  readonly say: (message: string) => void;
}

/**
 * Moves everything that a host stores into the database of a team, or back into a new folder, and verifies the journal there.
 *
 * It holds both meanwhile: the lock of the folder, and the lead of the database, which nobody else can take before the copy is
 * complete. A copy that was interrupted goes on when it is made again. Throws `HostError`.
 */
export async function copyJournal(copy: JournalCopy): Promise<Copied> {
  const { folder, url } = copy;
  const isIntoDatabase = copy.direction === 'into database';
  if (isIntoDatabase && !existsSync(folder)) throw refused(journalProblem.noFolder(folder));
  if (!isIntoDatabase && existsSync(folder)) throw refused(journalProblem.folderExists(folder));
  try {
    const database = await PostgresDatabase.open(url);
    try {
      return await (isIntoDatabase ? copyIntoDatabase : copyIntoFolder)(copy, database);
    } finally {
      await database.close();
    }
  } catch (cause) {
    if (cause instanceof StoreError)
      throw new HostError('JOURNAL_DAMAGED', storeProblemText(cause.problem), { cause });
    if (cause instanceof JournalsDiffer) throw refused(journalProblem.differs(cause.place, cause.seq));
    if (
      cause instanceof DatabaseRefused ||
      cause instanceof DatabaseUnreachable ||
      cause instanceof StoreUnavailable
    )
      throw new HostError('DATA_DIR_UNUSABLE', journalProblem.interrupted(cause.code), { cause });
    throw cause;
  }
}

function refused(message: string): HostError {
  return new HostError('DATA_DIR_UNUSABLE', message);
}

/** Hosts must not start on half of the data, however long it takes until the copy is made again. */
const untilCompleteMs = 10 * 365 * 24 * 3_600_000;
/** While it is read: a copy that was killed keeps the hosts away for so long. Renewed more often. */
const readingMs = 120_000;

async function copyIntoDatabase(copy: JournalCopy, database: PostgresDatabase): Promise<Copied> {
  const { folder, onCopied } = copy;
  const lock = lockFolder(folder);
  try {
    await assertUsedHere(folder, { lock, say: copy.say });
    const opened = await openFolder(folder, { clock: Date.now, lock, say: copy.say });
    try {
      const { epoch } = await takeLead(database, untilCompleteMs);
      // Its key marks the lines.
      const team = await openTeam(copy, database, epoch);
      const target = new LedLines(database, epoch, () => {
        throw refused(journalProblem.lostLead(database.place));
      });
      const end = await copyLines(new FolderLines(folder), target, onCopied);
      const from = await contentsOf(opened, copy, folder);
      const copied = await copyContents(opened.ledger.state, from, team);
      const state = { ...end, segments: [], state: opened.ledger.state };
      // So that the hosts need not replay everything when they start.
      await new CheckpointTable(database, () => epoch).write(state);
      await database.resign(epoch);
      return { ...copied, events: end.seq, head: end.head };
    } finally {
      await opened.close();
    }
  } finally {
    lock.release();
  }
}

async function copyIntoFolder(copy: JournalCopy, database: PostgresDatabase): Promise<Copied> {
  const { folder, onCopied } = copy;
  const { epoch, headSeq, head } = await takeLead(database, readingMs);
  // Its name says what it is until it is complete.
  const unfinished = `${folder}.unfinished`;
  try {
    const copied = await keepLead(database, { epoch, leaseMs: readingMs }, () => fillFolder(unfinished));
    if (!(await database.renew(epoch, { address: '', leaseMs: readingMs })))
      throw refused(journalProblem.lostLead(database.place));
    replacePathSync(unfinished, folder);
    syncFolder(dirname(folder));
    return copied;
  } finally {
    await database.resign(epoch).catch(assertOfDatabase);
  }

  async function fillFolder(dataDir: string): Promise<Copied> {
    const lock = lockFolder(dataDir);
    try {
      const target = new NewFolderLines(dataDir);
      const team = await openTeam(copy, database, epoch);
      const end: JournalHead = await copyLines(new DatabaseLines(database), target, onCopied);
      if (end.seq !== headSeq || end.head !== head) throw notWhole(database.place, headSeq, end.seq);
      const opened = await openFolder(dataDir, { clock: Date.now, lock, say: copy.say });
      try {
        const to = await contentsOf(opened, copy, dataDir);
        return { ...(await copyContents(opened.ledger.state, team, to)), events: end.seq, head: end.head };
      } finally {
        await opened.close();
      }
    } finally {
      lock.release();
    }
  }
}

/** The rows that were read are not the journal whose end the database knows. */
export function notWhole(place: string, headSeq: number, endSeq: number): StoreError {
  if (endSeq >= headSeq) return damaged(place, headSeq, { kind: 'state_differs' });
  const known_by = ['rotavox.leadership'];
  return damaged(place, endSeq + 1, { kind: 'end_missing', from_seq: endSeq + 1, to_seq: headSeq, known_by });
}

async function takeLead(database: PostgresDatabase, leaseMs: number): Promise<Leadership> {
  const { epoch } = await database.look();
  const lead = await database.lead(epoch, { host: copyHost, address: '', leaseMs });
  if (lead === null) throw refused(journalProblem.hostsRun(database.place));
  return lead;
}

/** What is stored apart from the journal. */
interface Contents {
  readonly vault: Vault;
  readonly recordingFiles: RecordingFiles;
  readonly calls: CallRecords & CallLog;
  readonly replayKeys: {
    readonly all: ReadonlyMap<string, Buffer>;
    adopt(keys: ReadonlyMap<string, Buffer>): Promise<void> | void;
  };
}

async function contentsOf(
  { ledger, recordingFiles, openCallRecords }: OpenedFolder,
  { vault: choice, direction, say }: JournalCopy,
  dataDir: string,
): Promise<Contents> {
  const replayKeys = new ReplayKeys(dataDir);
  const calls = await openCallRecords();
  // A new folder has none yet, whatever its journal names.
  const entries = direction === 'into folder' ? [] : vaultEntriesOf(ledger.state);
  const vault = await openVaultChoice(choice, { dataDir, entries, say });
  return { vault, recordingFiles, calls, replayKeys };
}

async function openTeam(copy: JournalCopy, database: PostgresDatabase, epoch: number): Promise<Contents> {
  const tables = new FencedTables(database, () => epoch);
  const entries = new TableEntries(tables);
  const vault = await openTeamVault(copy.teamVault, entries);
  database.useKey(new JournalKey(vault.journalKey(), vault.sealedFrom, database.place));
  return {
    vault,
    recordingFiles: new RecordingTable(tables),
    calls: new RecordTable(tables, (notice) => copy.say(callRecordsText(notice))),
    replayKeys: await ReplayKeyEntries.open(entries, vault.sealer),
  };
}

async function copyContents(
  state: State,
  from: Contents,
  to: Contents,
): Promise<Omit<Copied, 'events' | 'head'>> {
  let tokens = 0;
  for (const entry of allEntriesOf(state)) {
    const value = await from.vault.read(entry);
    if (value === null) continue;
    await to.vault.write(entry, value);
    if (!isFingerprintKey(entry)) tokens += 1;
  }
  await to.replayKeys.adopt(from.replayKeys.all);
  for (const recording of state.recordings.values()) {
    const bytes = await from.recordingFiles.read(recording, { start: 0, end: recording.bytes - 1 });
    const audio = bytes === null ? null : await wholeOf(bytes);
    // What is not that audio any more counts as lost, like what is not there.
    if (audio !== null && hash('sha256', audio, 'hex') === recording.digest)
      await to.recordingFiles.keep(recording, audio);
  }
  return { tokens, recordings: state.recordings.size, calls: await copyCalls(from.calls, to.calls) };
}

/** How many records are written before the copy waits for them. */
const callsAtOnce = 500;

/** Oldest first, as they ended. Those that are there already stay. Throws `HostError` when some could not be written. */
async function copyCalls(from: Contents['calls'], to: Contents['calls']): Promise<number> {
  const ids = (await idsOf(from)).reverse();
  for (let place = 0; place < ids.length; place += callsAtOnce) {
    const details = await Promise.all(ids.slice(place, place + callsAtOnce).map((id) => from.read(id)));
    to.save(...details.filter((detail) => detail !== null));
    await to.underWay(); // reading waits for what was written before
  }
  for (const call of await from.underWay()) {
    const text = await from.flow(call.flow);
    if (text !== null) to.keepFlow(call.flow, text);
    to.keep(call);
  }
  await to.underWay();
  const copied = new Set(await idsOf(to));
  if (!ids.every((id) => copied.has(id))) throw refused(journalProblem.callsNotCopied);
  return ids.length;
}

async function idsOf(calls: Contents['calls']): Promise<CallId[]> {
  const ids: CallId[] = [];
  for await (const records of calls.all({})) ids.push(...records.map(({ id }) => id));
  return ids;
}

async function wholeOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
