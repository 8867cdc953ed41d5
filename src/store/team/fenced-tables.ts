import { StoreUnavailable } from '../../core/ledger.ts';
import type { SharedTables, SqlRow, SqlValue } from '../../core/shared-tables.ts';
import { DatabaseRefused, DatabaseUnreachable } from './team-database.ts';

/**
 * The port to the database as statements. `postgres-database.ts` implements it.
 *
 * A call is one statement and its own transaction. It rejects with `DatabaseRefused` or `DatabaseUnreachable`.
 */
export interface TeamQueries {
  readonly place: string;
  query(sql: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]>;
}

/** Of this process: an epoch belongs to one process, so no two writes have the same epoch and number. */
let lastNumber = 0;

/** Tables of which only the leader may change anything: every write requires its epoch in the same statement. */
export class FencedTables implements SharedTables {
  readonly #database: TeamQueries;
  readonly #epoch: () => number | null;

  /** `epoch`: null while this host does not lead. */
  constructor(database: TeamQueries, epoch: () => number | null) {
    this.#database = database;
    this.#epoch = epoch;
  }

  get place(): string {
    return this.#database.place;
  }

  async query(sql: string, values: readonly SqlValue[] = []): Promise<readonly SqlRow[]> {
    try {
      return await this.#database.query(sql, values);
    } catch (cause) {
      throw this.#unavailable(cause);
    }
  }

  async write(changes: string, values: readonly SqlValue[], result = 'null'): Promise<unknown> {
    const epoch = this.#epoch();
    if (epoch === null) throw this.#notLeading();
    lastNumber += 1;
    // A takeover waits for the lock, and who waits for a takeover finds no row afterwards.
    const sql = `
      with lead as materialized (
        select epoch, $2::bigint as number from rotavox.leadership where epoch = $1::bigint for share
      ), ${changes}
      select (select count(*) from lead)::int as leads, (${result}) as result`;
    const [row] = await this.query(sql, [epoch, lastNumber, ...values]);
    if (row?.['leads'] !== 1) throw this.#notLeading();
    return row['result'];
  }

  #notLeading(): StoreUnavailable {
    return new StoreUnavailable({ code: 'NOT_LEADING', path: this.place });
  }

  #unavailable(cause: unknown): unknown {
    const isOfDatabase = cause instanceof DatabaseRefused || cause instanceof DatabaseUnreachable;
    return isOfDatabase ? new StoreUnavailable({ code: cause.code, path: this.place }, { cause }) : cause;
  }
}
