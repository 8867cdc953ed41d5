import { type Clock, StoreUnavailable } from '../core/ledger.ts';
import type { SharedEntries } from '../core/shared-entries.ts';
import type { SharedVault } from '../agent/vault/shared-vault.ts';
import type { SharedTables } from '../core/shared-tables.ts';
import type { Store } from '../store/store.ts';
import { BrowserEntry } from '../store/team/browser-entry.ts';
import { openTermStore } from '../store/team/open-term-store.ts';
import type { PostgresDatabase } from '../store/team/postgres-database.ts';
import { openRecordingTable } from '../store/team/recording-table.ts';
import { ReplayKeyEntries } from '../store/team/replay-key-entries.ts';
import type { Replica } from '../store/team/replica.ts';
import type { Term as LeadTerm } from '../store/team/term.ts';
import { callRecordsText, checkpointFailedText, storeRefusalText } from '../text/store.ts';
import { HostCallRecords } from './call-records.ts';
import { closeAll } from './close-all.ts';
import { messageOf } from './host-error.ts';
import type { TermStorage } from './term.ts';

/** What a host of a team has open for as long as it runs. */
export interface TeamPlace {
  readonly database: PostgresDatabase;
  readonly tables: SharedTables;
  readonly entries: SharedEntries;
  readonly vault: SharedVault;
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

/** Opens what a term of a host that leads stores. Rejects with `StoreUnavailable`; then nothing is left open. */
export async function openTeamStorage(
  { database, tables, entries, vault }: TeamPlace,
  parts: TermParts,
): Promise<TermStorage & { readonly ledger: Store }> {
  const { clock, say, term, replica, checkpointSeq, onAppend } = parts;
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
  const callRecords = new HostCallRecords({
    ledger,
    clock,
    load: async () => {
      const { RecordTable } = await import('../calls/record-table.ts');
      return new RecordTable(tables, (notice) => say(callRecordsText(notice)));
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
