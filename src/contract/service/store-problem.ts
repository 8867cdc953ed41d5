/** What can be wrong with the data folder and with the files in it, as codes and parameters. `text/service/store-text.ts` has the sentences. */

/** Why the store cannot be opened. Nothing on disk was changed. */
export type StoreProblem =
  | ({ readonly code: 'JOURNAL_DAMAGED' } & JournalPlace)
  | {
      readonly code: 'FORMAT_TOO_NEW';
      readonly file: string;
      readonly format: number;
      /** The newest format that this program reads. */
      readonly newest: number;
    }
  | { readonly code: 'FOLDER_UNUSABLE'; readonly folder: string; readonly fault: FolderFault }
  /** `place`: the address of the database without a password. */
  | { readonly code: 'DATABASE_UNUSABLE'; readonly place: string; readonly fault: DatabaseFault }
  /** While this host ran: it has the key of the old passphrase. */
  | { readonly code: 'PASSPHRASE_CHANGED'; readonly place: string };

/** A line of the journal, counted from 1, and what is wrong there. */
export interface JournalPlace {
  /** Or the address of a database. */
  readonly file: string;
  /** In a database: the number of the event. */
  readonly line: number;
  readonly damage: JournalDamage;
}

export type JournalDamage =
  | {
      readonly kind:
        | 'file_missing'
        | 'file_empty'
        | 'file_replaced'
        | 'no_header'
        | 'not_an_event'
        | 'line_end_changed'
        | 'line_not_ended'
        | 'hash_differs'
        | 'link_differs'
        | 'segment_differs'
        | 'state_differs'
        // in a database
        | 'line_missing'
        | 'subject_differs'
        | 'not_by_host';
    }
  | { readonly kind: 'segment_missing'; readonly after_seq: number }
  | { readonly kind: 'file_cut'; readonly missing_bytes: number }
  | { readonly kind: 'event_missing'; readonly seq: number; readonly found_seq: number }
  /** A database that ended with `found_seq` after a host had read events up to `seen_seq` in it. */
  | { readonly kind: 'went_back'; readonly seen_seq: number; readonly found_seq: number }
  /** `known_by`: the files that record them. */
  | {
      readonly kind: 'end_missing';
      readonly from_seq: number;
      readonly to_seq: number;
      readonly known_by: readonly string[];
    };

export type FolderFault =
  /** `system_code`: such as EACCES. `path`: what the system refused, in the folder or the folder itself. */
  | { readonly kind: 'refused'; readonly system_code: string; readonly path: string }
  /** Other accounts can put another folder in its place, because they may write in `parent`. */
  | { readonly kind: 'replaceable'; readonly parent: string }
  | { readonly kind: 'foreign'; readonly uid: number }
  /** Other accounts may write in `path`: the folder, or one in it. */
  | { readonly kind: 'writable'; readonly path: string };

export type DatabaseFault =
  /** `system_code`: such as ECONNREFUSED, the SQLSTATE with which it lets nobody in, `TIMEOUT`, `NO_PASSWORD`, `NO_TLS`, `SHARED_CONNECTION` or `UNREADABLE_FILE`. */
  | { readonly kind: 'unreachable'; readonly system_code: string }
  | { readonly kind: 'refused'; readonly sql_state: string }
  /** The role may not create tables, or not use them. */
  | { readonly kind: 'rights'; readonly role: string; readonly database: string }
  | { readonly kind: 'encoding'; readonly encoding: string }
  /** `oldest`: the major version that is enough. */
  | { readonly kind: 'too_old'; readonly version: string; readonly oldest: number }
  | { readonly kind: 'schema_too_new'; readonly version: number; readonly newest: number };

/** Why a change cannot be made durable. */
export interface StoreRefusal {
  /**
   * The system's, such as ENOSPC, or `CLOSED`, `DATA_FOLDER_MOVED` or `LOCK_LOST`. Of a database: its SQLSTATE, `TIMEOUT`, or
   * `NOT_LEADING`.
   */
  readonly code: string;
  /** The data folder, or the file in it that was moved or replaced, or the address of the database. */
  readonly path: string;
}

/** Why the history cannot be read. */
export type HistoryProblem =
  | { readonly kind: 'file_cut'; readonly file: string; readonly byte: number }
  | { readonly kind: 'unreadable'; readonly folder: string; readonly refusal: StoreRefusal };

/** Why the state file cannot be used. The journal has everything that it held. */
export type StateFileFault = 'not_json' | 'no_format' | 'end_missing' | 'checksum_differs';

/** What the store repaired when it opened. */
export type StoreRepair =
  | { readonly kind: 'journal_end_rewritten' }
  | {
      readonly kind: 'state_rebuilt';
      readonly fault: StateFileFault;
      readonly last_seq: number;
      readonly kept_as: string;
    }
  | ({ readonly kind: 'torn_write' } & TornWrite);

/** A last write that was cut short, and removed. It was never acknowledged. */
export interface TornWrite {
  readonly file: string;
  readonly bytes_cut: number;
  readonly kept_as: string;
}

/** Whether changes can be made durable, as of the last change or check. */
export type StoreState =
  | { readonly status: 'ok'; readonly last_seq: number }
  | ({ readonly status: 'refusing'; readonly last_seq: number; readonly since: string } & StoreRefusal);

/** What checking the whole journal found. */
export type JournalCheck =
  | {
      readonly status: 'intact';
      /** Every event up to this one was read from disk, and its hash and its link checked. */
      readonly verified_to: number;
      readonly head: string;
      /** The files of the journal; 0 when it is in a database. */
      readonly segments: number;
      /**
       * In a database: the first event from which on every line has the mark of a host with the passphrase; null while the journal is
       * not sealed. The events before it have the hashes that the sealed ones continue.
       */
      readonly marked_from?: number | null;
    }
  | {
      readonly status: 'damaged';
      readonly verified_to: number;
      readonly problem: Extract<StoreProblem, { code: 'JOURNAL_DAMAGED' | 'FORMAT_TOO_NEW' }>;
    };

/** What happened to the records of calls. */
export type CallRecordsNotice =
  /** The file could not be read. It was renamed, and a new one was begun. */
  | { readonly kind: 'damaged'; readonly file: string; readonly kept_as: string }
  /** Records could not be written; they wait in memory. Told once until it works again. */
  | ({ readonly kind: 'not_written' } & StoreRefusal);
