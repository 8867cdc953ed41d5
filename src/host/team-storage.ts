import { type Clock, StoreUnavailable } from '../core/ledger.ts';
import type { SharedEntries } from '../core/shared-entries.ts';
import type { SharedVault } from '../agent/vault/shared-vault.ts';
import type { SharedTables } from '../core/shared-tables.ts';
import { VaultUnavailable } from '../core/vault.ts';
import type { Store } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';
import { BrowserEntry } from '../store/team/browser-entry.ts';
import { openTermStore } from '../store/team/open-term-store.ts';
import type { PostgresDatabase } from '../store/team/postgres-database.ts';
import { openRecordingTable } from '../store/team/recording-table.ts';
import { ReplayKeyEntries } from '../store/team/replay-key-entries.ts';
import type { JournalKey } from '../store/team/journal-key.ts';
import type { JournalHead, Replica } from '../store/team/replica.ts';
import type { Term as LeadTerm } from '../store/team/term.ts';
import { callRecordsText, checkpointFailedText, storeRefusalText } from '../text/service/store-text.ts';
import { HostCallRecords } from './host-call-records.ts';
import { closeAll } from './close-all.ts';
import { messageOf } from './host-error.ts';
import type { KnownSeal } from './known-seal.ts';
import type { TermStorage } from './host-term.ts';

/**
 * Only who leads can change the passphrase, so a key that is right at the beginning of a term is right until its end. A vault that
 * is damaged prevents no term: most of what the service does needs no tokens of credentials.
 */
async function assertPassphrase(vault: SharedVault, place: string): Promise<void> {
  try {
    await vault.contact();
  } catch (cause) {
    if (!(cause instanceof VaultUnavailable)) throw cause;
    if (cause.problem.code === 'wrong_passphrase')
      throw new StoreError({ code: 'PASSPHRASE_CHANGED', place }, { cause });
    if (cause.problem.code === 'vault_database_unusable') throw cause;
  }
}

/**
 * Has every line from here on marked by hosts: for a journal from before there were marks. First in the history, so that it says when,
 * also if this is interrupted.
 */
async function sealJournal(
  ledger: Store,
  {
    last,
    vault,
    journalKey,
    seal,
  }: Pick<TeamPlace, 'vault' | 'journalKey' | 'seal'> & { readonly last: JournalHead },
): Promise<void> {
  if (vault.sealedFrom === null && seal.from === null) {
    await ledger.transact(() => ({
      events: [
        { kind: 'journal.sealed', subject: 'journal', actor: { kind: 'system' }, data: { events: last.seq } },
      ],
      value: undefined,
    }));
  }
  // Also for the other hosts, where the database was set back to before it.
  if (vault.sealedFrom === null) await vault.noteSealed(seal.from ?? last);
  seal.see(vault.sealedFrom);
  if (seal.from !== null) journalKey.sealFrom(seal.from);
}

/** What a host of a team has open for as long as it runs. */
export interface TeamPlace {
  readonly database: PostgresDatabase;
  readonly tables: SharedTables;
  readonly entries: SharedEntries;
  readonly vault: SharedVault;
  /** That of `database`. */
  readonly journalKey: JournalKey;
  readonly seal: KnownSeal;
  /** The epoch in which this host may write to the tables; null while it does not lead. */
  readonly epoch: { current: () => number | null };
}

interface TermParts {
  readonly clock: Clock;
  readonly say: (message: string) => void;
  readonly term: LeadTerm;
  readonly replica: Replica;
  readonly checkpointSeq: number;
  readonly onAppend: (ms: number, events: number) => void;
}

/**
 * Opens what a term of a host that leads stores. Rejects with `StoreUnavailable`, and with `StoreError` for a passphrase that was changed;
 * then nothing is left open.
 */
export async function openTeamStorage(
  { database, tables, entries, vault, journalKey, seal }: TeamPlace,
  parts: TermParts,
): Promise<TermStorage & { readonly ledger: Store }> {
  const { clock, say, term, replica, checkpointSeq, onAppend } = parts;
  await assertPassphrase(vault, database.place);
  const recordingFiles = await openRecordingTable(tables, replica.state);
  const browsers = await BrowserEntry.open(entries, vault.sealer);
  const replayKeys = await ReplayKeyEntries.open(entries, vault.sealer, clock);
  const ledger = openTermStore({
    database,
    term,
    replica,
    checkpointSeq,
    clock,
    onAppend,
    onTrouble: ({ refusal, cause }) => {
      const message = refusal === null ? checkpointFailedText : storeRefusalText(refusal);
      // That another host leads is said by who notices it.
      if (refusal?.code === 'NOT_LEADING') return;
      say(cause instanceof StoreUnavailable ? message : `${message} (${messageOf(cause)})`);
    },
  });
  await sealJournal(ledger, { last: term.last, vault, journalKey, seal });
  const callRecords = new HostCallRecords({
    ledger,
    clock,
    load: async () => {
      const { RecordTable } = await import('../calls/record-table.ts');
      return new RecordTable(tables, (notice) => {
        // The calls of a host that no longer leads are those of the next one, which records them.
        if (notice.kind === 'not_written' && notice.code === 'NOT_LEADING') return;
        say(callRecordsText(notice));
      });
    },
  });
  return {
    ledger,
    recordingFiles,
    replayKeys,
    browsers,
    vault,
    openCallRecords: callRecords.open,
    close: () =>
      closeAll(
        () => callRecords.close(),
        // The state goes on to be used by the replica, and the next leader has everything in the journal.
        async () => {
          await ledger.abandon();
        },
      ),
  };
}
