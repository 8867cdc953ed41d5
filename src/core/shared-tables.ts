/** What a statement is given; PostgreSQL gets it as text, an array too. */
export type SqlValue = string | number | boolean | null | Uint8Array | readonly (string | number | null)[];

export type SqlRow = Readonly<Record<string, unknown>>;

/**
 * The port to the tables that the hosts of a team share apart from the journal. `store` implements it over PostgreSQL.
 *
 * Each call is one statement. It rejects with `StoreUnavailable` when the database refuses or cannot be reached; a write that was
 * not answered may have been carried out, or may still be.
 */
// see decisions/team-host.md
export interface SharedTables {
  /** The address of the database without a password. For messages. */
  readonly place: string;
  query(sql: string, values?: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  /**
   * Changes tables, only while this host leads; otherwise it rejects with `StoreUnavailable` and changes nothing.
   *
   * `changes` are the parts of a `with`, whose table `lead` has one row while this host leads and none otherwise: each change takes
   * its rows `from lead`, or compares with it. `lead.epoch` and `lead.number` grow with each write, in the order of the calls:
   * a table whose rows could be changed by a statement that arrives late compares them. The values begin at `$3`. Resolves
   * with what the expression `result` is after it.
   */
  write(changes: string, values: readonly SqlValue[], result?: string): Promise<unknown>;
}
