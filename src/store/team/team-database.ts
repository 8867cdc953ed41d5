/** What the row `leadership` says. */
export interface Leadership {
  /** Raised by each takeover. 0: nobody has led yet. */
  readonly epoch: number;
  /** The id of the process that leads or led last; null at epoch 0. */
  readonly host: string | null;
  /** Where other hosts reach it, signed with the key of the cluster; null at epoch 0. */
  readonly address: string | null;
  /**
   * How long the leader may lead from now on, in milliseconds, by the clock of the database; negative: since when it may not;
   * `-Infinity`: it has resigned, or nobody has led yet.
   */
  readonly remainingMs: number;
  /** That instant by the clock of the database, in milliseconds: another value after each renewal. -Infinity: the leader resigned. */
  readonly deadline: number;
  /** The last event of the journal and its hash. */
  readonly headSeq: number;
  readonly head: string;
  /** The newest format that a leader could write (`formats.ts`). Who does not know it neither replays the journal nor leads. */
  readonly format: number;
}

export interface Candidate {
  readonly host: string;
  readonly address: string;
  readonly leaseMs: number;
  /** The deadline that it has waited for by its own clock: the lead is not taken when that was moved since. */
  readonly afterDeadline?: number;
}

/** One line of the journal with its number, without its newline. */
export interface StoredLine {
  readonly seq: number;
  readonly line: string;
}

/** What every host reports of itself, once a second. */
export interface HostReport {
  readonly host: string;
  readonly name: string;
  readonly address: string;
  readonly version: string;
  /** The last event in its memory. */
  readonly seq: number;
}

/**
 * The port to the database that hosts share, as far as the protocol of leading and following needs it (see
 * decisions/team-host.md). Adapters: `postgres-database.ts`, and the one of the simulation in the tests.
 *
 * Each call is one statement. A call rejects with `DatabaseRefused` when the database answered with an error: then it changed
 * nothing. It rejects with `DatabaseUnreachable` when there was no answer in time or the connection broke: then what it
 * asked for was done, was not done, or will still be done.
 */
export interface TeamDatabase {
  readonly place: string;
  look(): Promise<Leadership>;
  /**
   * Takes the lead: the next epoch, with a new deadline. Null when the epoch is not `epoch` any more, or when another host
   * leads and its deadline is not over. Waits for an append that is running.
   */
  lead(epoch: number, candidate: Candidate): Promise<Leadership | null>;
  /** Moves the deadline, and writes the address, which can be another one by now. False when the epoch is over. */
  renew(epoch: number, candidate: Pick<Candidate, 'address' | 'leaseMs'>): Promise<boolean>;
  /** Ends the deadline now, so that another host can lead at once. Nothing when the epoch is over. */
  resign(epoch: number): Promise<void>;
  /** Appends lines after `afterSeq` and moves the head. False when the epoch is over or the head is another: nothing was appended. */
  append(epoch: number, afterSeq: number, lines: readonly StoredLine[], head: string): Promise<boolean>;
  /** The lines after an event, oldest first, `limit` at most. */
  readAfter(seq: number, limit: number): Promise<StoredLine[]>;
  /** Says that a host runs. Also removes the hosts that have not reported for a week. */
  report(host: HostReport): Promise<void>;
  /** Removes a host that has stopped. */
  removeHost(host: string): Promise<void>;
}

/** The database answered with an error. `code`: its SQLSTATE. */
export class DatabaseRefused extends Error {
  readonly code: string;

  constructor(code: string, options?: { cause: unknown }) {
    super(code, options);
    this.name = 'DatabaseRefused';
    this.code = code;
  }
}

/** There was no answer. `code`: the system's, such as ECONNREFUSED, or `TIMEOUT`. */
export class DatabaseUnreachable extends Error {
  readonly code: string;

  constructor(code: string, options?: { cause: unknown }) {
    super(code, options);
    this.name = 'DatabaseUnreachable';
    this.code = code;
  }
}
