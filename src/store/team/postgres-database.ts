import type { DatabaseFault } from '../../contract/service/store-problem.ts';
import type { SqlRow, SqlValue } from '../../core/shared-tables.ts';
import { subjectOfText } from '../journal-line.ts';
import { assertReadable, currentFormat } from '../formats.ts';
import { StoreError } from '../store-error.ts';
import { ConnectionPool, DatabaseConnection, patience } from './database-connection.ts';
import { invariant } from '../../core/unreachable.ts';
import { migrate } from './database-schema.ts';
import type { TeamQueries } from './fenced-tables.ts';
import type { JournalKey, MarkedLine } from './journal-key.ts';
import {
  type Candidate,
  DatabaseRefused,
  DatabaseUnreachable,
  type HostReport,
  type Leadership,
  type StoredLine,
  type TeamDatabase,
} from './team-database.ts';

/** How long a call may take, in milliseconds. */
export interface DatabaseTiming {
  readonly connectMs: number;
  /** For looks, renewals and a takeover. */
  readonly watchMs: number;
  readonly appendMs: number;
  readonly readMs: number;
}

/** What a host reported, and how long ago. */
export interface SeenHost extends HostReport {
  readonly secondsAgo: number;
}

/** Shorter than a lease, so that a leader that was cut off knows it before another host leads. */
const defaultTiming: DatabaseTiming = { connectMs: 2_000, watchMs: 2_000, appendMs: 2_500, readMs: 30_000 };

/** For the leader's renewals, of which some can be without an answer, and the look or the takeover beside them. */
const watchConnections = 4;
const readConnections = 4;

const deadlineMs = '(extract(epoch from deadline) * 1000)::float8';
const leadership = `epoch::float8, host, address, head_seq::float8 as "headSeq", head, format,
  ${deadlineMs} as deadline,
  (case deadline when '-infinity' then '-infinity' else extract(epoch from deadline - clock_timestamp()) * 1000 end)::float8 as "remainingMs"`;

/**
 * PostgreSQL as the database of a team.
 *
 * Appends, watching and reading have connections of their own: a renewal never waits for a large read or an append. A call is one
 * statement and its own transaction; `clock_timestamp()` is the time at which a row is changed, also after a wait for its lock.
 */
export class PostgresDatabase implements TeamDatabase, TeamQueries {
  readonly place: string;
  readonly #appends: ConnectionPool;
  readonly #watches: ConnectionPool;
  readonly #reads: ConnectionPool;
  #key: JournalKey | null = null;

  private constructor(url: string, { connectMs, watchMs, appendMs, readMs }: DatabaseTiming) {
    this.place = withoutPassword(url);
    const poolOf = (most: number, replyMs: number) =>
      new ConnectionPool(most, { url, name: 'rotavox', connectMs, replyMs });
    this.#appends = poolOf(1, appendMs);
    this.#watches = poolOf(watchConnections, watchMs);
    this.#reads = poolOf(readConnections, readMs);
  }

  /**
   * Connects, makes the tables or brings them up to date. `url`: `postgres://user@host/database`; what is missing comes from the
   * variables and files that node-postgres reads, such as PGPASSWORD.
   *
   * Throws `StoreError` for a database that cannot be used, and when it cannot be reached.
   */
  static async open(url: string, timing: Partial<DatabaseTiming> = {}): Promise<PostgresDatabase> {
    const all = { ...defaultTiming, ...timing };
    const database = new PostgresDatabase(url, all);
    const { place } = database;
    try {
      // Making an index on a large journal can take long.
      const connection = await DatabaseConnection.open({
        url,
        name: 'rotavox',
        connectMs: patience * all.connectMs,
        replyMs: 3_600_000,
      });
      try {
        await migrate(connection, place);
      } finally {
        if (!connection.isEnded) await connection.close();
      }
      const { format } = await database.look();
      assertReadable(format, place);
      return database;
    } catch (cause) {
      await database.close();
      if (cause instanceof DatabaseRefused)
        throw unusable(place, { kind: 'refused', sql_state: cause.code }, cause);
      if (cause instanceof DatabaseUnreachable)
        throw unusable(place, { kind: 'unreachable', system_code: cause.code }, cause);
      throw cause;
    }
  }

  /** Needed for everything of the journal and its checkpoints: its own lines get a mark, and those of nobody are refused. */
  useKey(key: JournalKey): void {
    this.#key = key;
  }

  get key(): JournalKey {
    invariant(this.#key !== null, 'the journal is read and written with its key');
    return this.#key;
  }

  get markedFrom(): number | null {
    return this.key.markedFrom;
  }

  async look(): Promise<Leadership> {
    const { rows } = await this.#watches.run({
      name: 'look',
      text: `select ${leadership} from rotavox.leadership`,
    });
    return this.#checkedEnd(rows[0] as unknown as Leadership);
  }

  #checkedEnd<L extends Leadership | null>(found: L): L {
    if (found !== null) this.#key?.assertReaches(found.headSeq);
    return found;
  }

  async lead(
    epoch: number,
    { host, address, leaseMs, afterDeadline }: Candidate,
  ): Promise<Leadership | null> {
    const { rows } = await this.#watches.run({
      name: 'lead',
      text: `update rotavox.leadership set epoch = epoch + 1, host = $2, address = $3,
          deadline = clock_timestamp() + $4 * interval '1 millisecond', format = greatest(format, $5)
        where epoch = $1 and (host is null or host = $2 or deadline <= clock_timestamp()) and format <= $5
          and ($6::float8 is null or ${deadlineMs} = $6)
        returning ${leadership}`,
      values: [epoch, host, address, leaseMs, currentFormat, afterDeadline ?? null],
    });
    return this.#checkedEnd((rows[0] ?? null) as Leadership | null);
  }

  async renew(epoch: number, { address, leaseMs }: Pick<Candidate, 'address' | 'leaseMs'>): Promise<boolean> {
    const { count } = await this.#watches.run({
      name: 'renew',
      text: `update rotavox.leadership set address = $2, deadline = clock_timestamp() + $3 * interval '1 millisecond'
        where epoch = $1`,
      values: [epoch, address, leaseMs],
    });
    return count > 0;
  }

  async resign(epoch: number): Promise<void> {
    await this.#watches.run({
      name: 'resign',
      text: `update rotavox.leadership set deadline = '-infinity' where epoch = $1`,
      values: [epoch],
    });
  }

  /**
   * Subjects, lines and marks are sent as three texts, because a line has no newline in it: as arrays, every quote in them would have to be
   * escaped here and read again there.
   */
  async append(
    epoch: number,
    afterSeq: number,
    lines: readonly StoredLine[],
    head: string,
  ): Promise<boolean> {
    const { count } = await this.#appends.run({
      name: 'append',
      text: `with moved as (
          update rotavox.leadership set head_seq = $3, head = $4 where epoch = $1 and head_seq = $2 returning 1
        )
        insert into rotavox.journal (seq, subject, line, mac)
        select $2::bigint + added.place, added.subject, added.line, added.mac
        from moved, unnest(string_to_array($5, e'\\n'), string_to_array($6, e'\\n'), string_to_array($7, e'\\n'))
          with ordinality as added (subject, line, mac, place)`,
      values: [
        epoch,
        afterSeq,
        afterSeq + lines.length,
        head,
        lines.map(({ line }) => subjectOfText(line)).join('\n'),
        lines.map(({ line }) => line).join('\n'),
        lines.map(({ line }) => this.key.macOfLine(line)).join('\n'),
      ],
    });
    return count > 0;
  }

  /** Throws `StoreError` for a line that no host wrote, as `readLines` does. */
  async readAfter(seq: number, limit: number): Promise<StoredLine[]> {
    return this.#checkedLines(
      await this.query(
        'select seq::float8, line, mac from rotavox.journal where seq > $1 and seq <= $2 order by seq',
        [seq, seq + limit],
      ),
    );
  }

  #checkedLines(rows: readonly SqlRow[]): StoredLine[] {
    return (rows as unknown as readonly MarkedLine[]).map((row) => {
      this.key.assertLine(row);
      return { seq: row.seq, line: row.line };
    });
  }

  /** The events of a subject up to `newest`, newest first. */
  async seqsOf(subject: string, newest: number): Promise<number[]> {
    const rows = await this.query(
      'select seq::float8 from rotavox.journal where subject = $1 and seq <= $2 order by seq desc',
      [subject, newest],
    );
    return rows.map(({ seq }) => seq as number);
  }

  /** The lines of some events, newest first, without those that are missing. */
  async readLines(seqs: readonly number[]): Promise<StoredLine[]> {
    return this.#checkedLines(
      await this.query(
        'select seq::float8, line, mac from rotavox.journal where seq = any($1::bigint[]) order by seq desc',
        [seqs],
      ),
    );
  }

  /** The first event up to `newest` that the column `subject`, by which events are found, says another subject of; null without any. */
  async findOtherSubject(after: number, newest: number): Promise<number | null> {
    const [row] = await this.query(
      `select seq::float8 from rotavox.journal
      where seq > $1 and seq <= $2 and subject is distinct from substring(line from '"subject":"([^"]*)"') order by seq limit 1`,
      [after, newest],
    );
    return row === undefined ? null : (row['seq'] as number);
  }

  async report({ host, name, address, version, seq }: HostReport): Promise<void> {
    await this.#reads.run({
      name: 'report',
      text: `with lost as (
          delete from rotavox.host where host <> $1 and seen_at < clock_timestamp() - interval '7 days'
        )
        insert into rotavox.host (host, name, address, version, seq, seen_at)
        values ($1, $2, $3, $4, $5, clock_timestamp())
        on conflict (host) do update set name = $2, address = $3, version = $4, seq = $5, seen_at = clock_timestamp()`,
      values: [host, name, address, version, seq],
    });
  }

  async removeHost(host: string): Promise<void> {
    await this.#reads.run({
      name: 'remove_host',
      text: 'delete from rotavox.host where host = $1',
      values: [host],
    });
  }

  /** The newest report first. */
  async hosts(): Promise<SeenHost[]> {
    const { rows } = await this.#reads.run({
      name: 'hosts',
      text: `select host, name, address, version, seq::float8,
          extract(epoch from clock_timestamp() - seen_at)::float8 as "secondsAgo"
        from rotavox.host order by seen_at desc limit 100`,
    });
    return rows as unknown as SeenHost[];
  }

  /** Writes something that changes nothing: whether the database takes changes at all. */
  async tryToWrite(): Promise<void> {
    await this.#reads.run({ text: 'update rotavox.leadership set epoch = epoch' });
  }

  /**
   * One statement beside appends and watching. It is planned each time: a plan that was made for a small table is the wrong one for
   * the same table when it is large.
   */
  async query(text: string, values: readonly SqlValue[] = []): Promise<readonly SqlRow[]> {
    return (await this.#reads.run({ text, values })).rows;
  }

  async close(): Promise<void> {
    await Promise.all([this.#appends, this.#watches, this.#reads].map((pool) => pool.close()));
  }
}

function unusable(place: string, fault: DatabaseFault, cause: unknown): StoreError {
  return new StoreError({ code: 'DATABASE_UNUSABLE', place, fault }, { cause });
}

/** As people write it, for messages. */
function withoutPassword(url: string): string {
  const parsed = new URL(url);
  parsed.password = '';
  parsed.searchParams.delete('password');
  return parsed.href;
}
