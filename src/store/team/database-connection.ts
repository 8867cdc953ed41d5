import type { Client, ClientConfig, QueryResult } from 'pg';
import type { SqlRow, SqlValue } from '../../core/shared-tables.ts';
import { DatabaseRefused, DatabaseUnreachable } from './team-database.ts';

export interface Statement {
  readonly text: string;
  readonly values?: readonly SqlValue[];
  /** Prepared once for each connection under this name. */
  readonly name?: string;
}

export interface Reply {
  readonly rows: readonly SqlRow[];
  /** How many rows were changed or returned. */
  readonly count: number;
}

export interface ConnectionOptions {
  readonly url: string;
  /** Shown by PostgreSQL in its list of connections. */
  readonly name: string;
  readonly connectMs: number;
  /** The longest time to wait for the reply to a statement. The database gives up a little earlier. */
  readonly replyMs: number;
}

/** How much earlier the database gives up than we do, so that it mostly says so itself, and for a lock as long again. */
const earlierMs = 250;

/**
 * Ours are short transactions of one statement; what a role or a database has as its default could be otherwise. With fewer digits a
 * deadline that was read would never be equal to the one that is stored.
 *
 * `earlier` is not null when the session was ours before: then a pooler between us and the server gives each statement another
 * session, so no setting is certain to hold, such as the one that makes a commit durable.
 */
const settings = `
  select current_setting('rotavox.connection', true) as earlier, set_config('rotavox.connection', 'own', false),
    set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false),
    set_config('default_transaction_isolation', 'read committed', false), set_config('extra_float_digits', '1', false),
    case when current_setting('synchronous_commit') in ('off', 'local', 'remote_write')
      then set_config('synchronous_commit', 'on', false) end`;

/**
 * One connection to PostgreSQL, for one statement after the other.
 *
 * A statement that has no reply in time ends the connection: a machine that was cut off is noticed by nothing else. `DatabaseRefused`
 * means that the server is ready for the next statement, so it rolled this one back; with a connection that ended it is `DatabaseUnreachable`.
 */
export class DatabaseConnection {
  readonly #client: Client;
  readonly #replyMs: number;
  readonly #ended = Promise.withResolvers<undefined>();
  #isEnded = false;
  #endedBy: unknown = null;

  private constructor(client: Client, replyMs: number) {
    this.#client = client;
    this.#replyMs = replyMs;
    client.on('error', (error) => {
      this.#endedBy ??= error;
    });
    client.once('end', () => {
      this.#isEnded = true;
      this.#ended.resolve(undefined);
    });
  }

  /** Rejects with `DatabaseUnreachable`, also when the server does not let us in: `code` is its SQLSTATE then. */
  static async open({ url, name, connectMs, replyMs }: ConnectionOptions): Promise<DatabaseConnection> {
    // Only a host of a team loads it.
    const { Client: PgClient } = await import('pg');
    const client = newClient(PgClient, {
      connectionString: url,
      application_name: name,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5_000,
    });
    const connection = new DatabaseConnection(client, replyMs);
    const late = setTimeout(() => {
      connection.destroy(new DatabaseUnreachable('TIMEOUT'));
    }, connectMs);
    try {
      await Promise.race([client.connect(), connection.#ended.promise]);
      if (connection.#isEnded) throw connection.#unreachable(null);
      const { rows } = await connection.run({
        text: settings,
        values: [String(replyMs - earlierMs), String(Math.max(replyMs - 2 * earlierMs, 1))],
      });
      if (rows[0]?.['earlier'] === 'own') throw new DatabaseUnreachable('SHARED_CONNECTION');
      return connection;
    } catch (error) {
      const cause =
        codeOf(error) === null && !connection.#isEnded
          ? new DatabaseUnreachable(lackOf(client), { cause: error })
          : error;
      connection.destroy(cause);
      throw connection.#unreachable(cause);
    } finally {
      clearTimeout(late);
    }
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  async run(statement: Statement): Promise<Reply> {
    const late = setTimeout(() => {
      this.destroy(new DatabaseUnreachable('TIMEOUT'));
    }, this.#replyMs);
    try {
      return await this.#run(statement);
    } finally {
      clearTimeout(late);
    }
  }

  async #run({ text, values = [], name }: Statement): Promise<Reply> {
    let refusal: unknown;
    const ready = new Promise<undefined>((resolve) => {
      this.#client.once('drain', () => {
        resolve(undefined);
      });
    });
    const reply = this.#client
      .query({ text, values: [...values], ...(name === undefined ? {} : { name }) })
      .catch((error: unknown) => {
        refusal = error;
        return null;
      });
    const result: QueryResult<SqlRow> | null | undefined = await Promise.race([reply, this.#ended.promise]);
    if (result !== null && result !== undefined) {
      await Promise.race([ready, this.#ended.promise]);
      return { rows: result.rows, count: result.rowCount ?? 0 };
    }
    // The server says `ready` after it has rolled back. A fatal error ends the connection instead.
    const code = codeOf(refusal);
    if (code !== null && (await Promise.race([ready.then(() => true), this.#ended.promise])) === true)
      throw new DatabaseRefused(code, { cause: refusal });
    this.destroy(refusal);
    throw this.#unreachable(refusal);
  }

  /** Closes the connection at once; a statement that runs has no reply. */
  destroy(cause: unknown): void {
    this.#endedBy ??= cause;
    this.#isEnded = true;
    this.#ended.resolve(undefined);
    socketOf(this.#client).destroy();
  }

  /** Says goodbye to the server. Not while a statement runs. */
  async close(): Promise<void> {
    const late = setTimeout(() => {
      this.destroy(null);
    }, this.#replyMs);
    this.#isEnded = true;
    await Promise.race([this.#client.end().catch(() => undefined), this.#ended.promise]);
    clearTimeout(late);
  }

  #unreachable(error: unknown): DatabaseUnreachable {
    const cause = this.#endedBy ?? error;
    return cause instanceof DatabaseUnreachable
      ? cause
      : new DatabaseUnreachable(codeOf(cause) ?? codeOf(error) ?? 'ECONNRESET', { cause });
  }
}

/** It reads the files that the address names. */
function newClient(PgClient: typeof Client, config: ClientConfig): Client {
  try {
    return new PgClient(config);
  } catch (cause) {
    throw new DatabaseUnreachable('UNREADABLE_FILE', { cause });
  }
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** What the package itself reports without a code, before a connection is made. */
function lackOf(client: Client): 'NO_TLS' | 'NO_PASSWORD' | 'UNKNOWN' {
  const { ssl, password } = client as unknown as { readonly ssl: unknown; readonly password: unknown };
  if (Boolean(ssl) && socketOf(client).encrypted !== true) return 'NO_TLS';
  return password === null || password === '' ? 'NO_PASSWORD' : 'UNKNOWN';
}

/** The package's `end` waits for the server, which may be gone. */
function socketOf(client: Client): { destroy(): void; readonly encrypted?: boolean } {
  return (client as unknown as { connection: { stream: { destroy(): void; encrypted?: boolean } } })
    .connection.stream;
}

/** Fewer are those of a network that loses what is sent: there another attempt helps, and soon. */
const mostTooLate = 3;
/** How much more time an attempt gets then, and the first of a host. */
export const patience = 5;

/**
 * A few connections to the same database, opened when they are needed.
 *
 * A statement takes one that is free, or a new one, or waits for the first that becomes free. A database that is busy may need longer for a
 * connection than for a statement (brianc/node-postgres#2262): after some that were too late the next ones get more time, or none would
 * ever be there.
 */
export class ConnectionPool {
  readonly #options: ConnectionOptions;
  readonly #most: number;
  readonly #idle: DatabaseConnection[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #open = new Set<DatabaseConnection>();
  #inUse = 0;
  #isClosed = false;
  /** In a row. The first attempt has time: nothing waits for it yet. */
  #tooLate = mostTooLate;

  constructor(most: number, options: ConnectionOptions) {
    this.#most = most;
    this.#options = options;
  }

  run(statement: Statement): Promise<Reply> {
    return this.use((connection) => connection.run(statement));
  }

  /** For several statements on one connection. */
  async use<T>(act: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    if (this.#inUse >= this.#most) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    } else this.#inUse += 1;
    let connection: DatabaseConnection | undefined;
    try {
      connection = await this.#take();
      return await act(connection);
    } finally {
      if (connection !== undefined) await this.#giveBack(connection);
      const next = this.#waiting.shift();
      if (next === undefined) this.#inUse -= 1;
      else next();
    }
  }

  async #take(): Promise<DatabaseConnection> {
    if (this.#isClosed) throw new DatabaseUnreachable('CLOSED');
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (!idle.isEnded) return idle;
      this.#open.delete(idle);
    }
    const connection = await this.#connect();
    this.#open.add(connection);
    return connection;
  }

  async #connect(): Promise<DatabaseConnection> {
    const { connectMs } = this.#options;
    const isBusy = this.#tooLate >= mostTooLate;
    try {
      const connection = await DatabaseConnection.open({
        ...this.#options,
        connectMs: isBusy ? patience * connectMs : connectMs,
      });
      this.#tooLate = 0;
      return connection;
    } catch (error) {
      const isTooLate = error instanceof DatabaseUnreachable && error.code === 'TIMEOUT';
      this.#tooLate = isTooLate ? this.#tooLate + 1 : 0;
      throw error;
    }
  }

  async #giveBack(connection: DatabaseConnection): Promise<void> {
    if (connection.isEnded) this.#open.delete(connection);
    else if (this.#isClosed) await connection.close();
    else this.#idle.push(connection);
  }

  /** Statements that run are finished; later ones are refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#idle.splice(0).map((connection) => connection.close()));
  }
}
