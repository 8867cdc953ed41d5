import { createHmac, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Clock, StoreUnavailable } from '../core/ledger.ts';
import type { SealedFrom, SharedEntries } from '../core/shared-entries.ts';
import type { SharedVault } from '../agent/vault/shared-vault.ts';
import type { SharedTables } from '../core/shared-tables.ts';
import { VaultUnavailable } from '../core/vault.ts';
import type { Store } from '../store/store.ts';
import { StoreError, systemCodeOf } from '../store/store-error.ts';
import { BrowserEntry } from '../store/browser-file.ts';
import { openTermStore } from '../store/team/postgres-journal.ts';
import type { PostgresDatabase } from '../store/team/postgres-database.ts';
import { openRecordingTable } from '../store/team/recording-table.ts';
import { ReplayKeyEntries } from '../store/team/replay-key-entries.ts';
import type { JournalKey } from '../store/team/journal-key.ts';
import type { JournalHead, Replica } from '../store/team/replica.ts';
import type { Term as LeadTerm } from '../store/team/term.ts';
import { callRecordsText, checkpointFailedText, storeRefusalText } from '../text/service/store-text.ts';
import { replaceFileSync } from '../store/durable-file.ts';
import { knownSealText } from '../text/service/host-text.ts';
import { HostCallRecords } from './host-call-records.ts';
import { closeAll } from './close-all.ts';
import { HostError, messageOf } from './host-error.ts';
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

/**
 * Format 1 of `team-seal.json`: from where on this host has seen that every line of its team's journal has a mark. Nothing in it is
 * secret.
 */
const SealFile = z.strictObject({
  format: z.literal(1),
  /** Of the key that the marks are made with: another team, or another passphrase, has another one. */
  key: z.string(),
  seq: z.int().nonnegative(),
  head: z.string().regex(/^[\w-]{43}$/),
});
type SealFile = z.infer<typeof SealFile>;

/**
 * What a host remembers of the seal of its team's journal, outside of the database.
 *
 * Who can write to the database may have the vault's key of before the seal, and put it back: the lines without marks that follow would
 * be taken for those of an older version. Once this host has seen the seal, it needs marks, whatever the database says.
 */
// see decisions/team-host.md
export class KnownSeal {
  readonly path: string;
  readonly #keyId: string;
  readonly #say: (message: string) => void;
  #from: SealedFrom | null;

  /** `key`: with which the hosts mark lines. Throws `HostError` for a file that cannot be read: without it, anything would be believed. */
  constructor(dataDir: string, key: KeyObject, say: (message: string) => void) {
    this.path = join(dataDir, 'team-seal.json');
    this.#keyId = createHmac('sha256', key).update('rotavox marks\n').digest('base64url');
    this.#say = say;
    const file = readSeal(this.path);
    this.#from = file?.key === this.#keyId ? { seq: file.seq, head: file.head } : null;
  }

  /** Null: never seen. */
  get from(): SealedFrom | null {
    return this.#from;
  }

  /** Remembers the first one that is seen: for one key there is no other. A folder that cannot be written to now is said. */
  see(from: SealedFrom | null): void {
    if (from === null || this.#from !== null) return;
    this.#from = from;
    const { seq, head } = from;
    const file: SealFile = { format: 1, key: this.#keyId, seq, head };
    try {
      replaceFileSync(this.path, `${JSON.stringify(file)}\n`);
    } catch (error) {
      this.#say(knownSealText.refused(this.path, systemCodeOf(error)));
    }
  }
}

function readSeal(path: string): SealFile | null {
  try {
    return SealFile.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    if (systemCodeOf(cause) === 'ENOENT') return null;
    throw new HostError('DATA_DIR_UNUSABLE', knownSealText.unreadable(path), { cause });
  }
}
