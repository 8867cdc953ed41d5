import type { AuditEvent } from '../contract/history/audit-event.ts';
import type { JournalCheck } from '../contract/service/store-problem.ts';
import type { Checkpoint } from './checkpoint-file.ts';

/** Events that become durable together, or not at all. */
export interface JournalBatch {
  readonly firstSeq: number;
  readonly events: readonly AuditEvent[];
  /** One for each event, with its newline (`journal-line.ts`). */
  readonly lines: readonly string[];
  /** The hash of the last line. */
  readonly head: string;
}

export interface EventLine {
  readonly seq: number;
  /** As it is in the journal, without its newline. */
  readonly line: string;
}

/**
 * The port to the log of events. Adapters: `file-journal.ts` and `postgres-journal.ts`; both pass one suite.
 *
 * Events are numbered from 1 without gaps, and each line has the hash of the one before it. One batch is appended at a time.
 */
export interface Journal {
  /** The folder, or the address of the database without a password. For messages. */
  readonly place: string;
  /** The last event that is known to be durable. */
  readonly lastSeq: number;
  /** Whether the state should be written before its number of events is reached. */
  readonly isCheckpointDue: boolean;
  /** Throws `StoreUnavailable` while the state in memory may be older than what another host has written. */
  assertCurrent(): void;
  /** Throws `StoreUnavailable` when what would be read may not be this journal, or not all of it. */
  assertReadable(): void;
  /**
   * Makes a batch durable: when it returns undefined, or when its promise resolves.
   *
   * Throws or rejects what refused it; then no event of it is in the journal, and none will be. With an unknown outcome it stays
   * pending until the outcome is known.
   */
  append(batch: JournalBatch): Promise<void> | undefined;
  /** Throws the error that an append would meet now, as far as that is known; `byWriting` tries. */
  probe(options: { readonly byWriting: boolean }): void;
  /**
   * Called before the state as of the last durable event is written: adds to the checkpoint what belongs to the journal.
   *
   * `checkpoint` still has the values of the one before; the new state's are `seq` and `head`.
   */
  beginCheckpoint(checkpoint: Checkpoint, at: { readonly seq: number; readonly head: string }): void;
  endCheckpoint(isWritten: boolean): void;
  /** The events of a subject up to `newest`, newest first. */
  seqsOf(subject: string, newest: number): Iterable<number> | Promise<Iterable<number>>;
  /** The lines of these events, which descend; some at a time, so that other requests are answered in between. */
  readLines(seqs: Iterable<number>): AsyncIterable<EventLine[]>;
  /** Reads everything up to the last durable event and checks every hash and every link. */
  verify(): Promise<JournalCheck>;
  /** Releases what is open. Throws what kept the end of the journal from being recorded; it is released nevertheless. */
  close(): void;
}
