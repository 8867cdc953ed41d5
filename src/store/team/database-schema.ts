import type { DatabaseFault } from '../../contract/service/store-problem.ts';
import type { SqlRow } from '../../core/shared-tables.ts';
import { StoreError } from '../store-error.ts';
import type { DatabaseConnection } from './database-connection.ts';
import { DatabaseRefused } from './team-database.ts';

/**
 * The tables that hosts share besides the journal, in the schema `rotavox`.
 *
 * `epoch` and `number` of a row are those of its last write (see `SharedTables`): a statement that arrives late changes nothing.
 */
const sharedTables: readonly string[] = [
  // `value` is null after a removal, until a later epoch: by then no write from before it can arrive.
  `create table rotavox.entry (
    place text not null, name text not null, value text, epoch bigint not null, number bigint not null,
    primary key (place, name)
  )`,
  `create table rotavox.recording (
    digest text not null, format text not null, bytes bytea not null, epoch bigint not null, number bigint not null,
    primary key (digest, format)
  )`,
  // Audio is compressed already, and a part of it is read without the rest.
  'alter table rotavox.recording alter column bytes set storage external',
  // Its only row orders the writes of the tables of calls, which follow.
  'create table rotavox.call_write (epoch bigint not null, number bigint not null, is_only boolean primary key default true check (is_only))',
  'insert into rotavox.call_write values (0, 0)',
  `create table rotavox.call_record (
    seq bigint generated always as identity primary key, id text not null unique, pbx text not null, ivr text not null,
    draft text, caller text, started bigint not null, ended bigint not null, keys text not null, end_kind text not null,
    end_detail text not null, moments text not null, menu_names text not null
  )`,
  'create index call_record_caller on rotavox.call_record (caller) where caller is not null',
  'create index call_record_started on rotavox.call_record (started)',
  'create table rotavox.call_menu (id text primary key, name text not null)',
  `create table rotavox.call_traffic (
    span integer not null, at integer not null, menu text not null, what text not null, count bigint not null,
    primary key (span, at, menu, what)
  )`,
  'create table rotavox.call_flow (hash text primary key, text text not null)',
  'create table rotavox.call_under_way (id text primary key, flow text not null, call text not null)',
];

/**
 * The tables of the schema `rotavox`, as steps from one version to the next. A step that was released is never changed.
 *
 * `leadership` has one row; each batch and each renewal changes it, so its page has room for the versions of that row.
 * `journal.line` has the same bytes as a line of the journal's files, without the newline.
 */
const steps: readonly (readonly string[])[] = [
  [
    `create table rotavox.leadership (
      epoch bigint not null, host text, address text, deadline timestamptz not null,
      head_seq bigint not null, head text not null, format integer not null,
      is_only boolean primary key default true check (is_only)
    ) with (fillfactor = 20)`,
    `insert into rotavox.leadership values (0, null, null, '-infinity', 0, repeat('0', 43), 1)`,
    `create table rotavox.journal (seq bigint primary key, subject text collate "C" not null, line text not null)`,
    'create index journal_subject on rotavox.journal (subject, seq)',
    `create table rotavox.checkpoint (
      id text primary key, epoch bigint not null, seq bigint not null, head text not null, pieces integer
    )`,
    `create table rotavox.checkpoint_piece (
      checkpoint text not null references rotavox.checkpoint on delete cascade, piece integer not null,
      content text not null, primary key (checkpoint, piece)
    )`,
    `create table rotavox.host (
      host text primary key, name text not null, address text not null, version text not null, seq bigint not null,
      seen_at timestamptz not null
    )`,
    ...sharedTables,
  ],
  // The mark of the host that wrote it (`journal-key.ts`); null for what is older than marks.
  ['alter table rotavox.journal add column mac text', 'alter table rotavox.checkpoint add column mac text'],
];

/** What no other program uses as the key of an advisory lock: the first eight bytes of the SHA-256 of `rotavox`. */
const lockKey = '-2651459232008686001';
const oldestServer = 130_000;

/**
 * Makes the tables, or brings those of an older version up to date, in one transaction and one host at a time. The connection is closed after it.
 *
 * Throws `StoreError` for a database that cannot be used; then nothing was changed. A role that may not change tables is enough for a
 * database that is up to date.
 */
export async function migrate(connection: DatabaseConnection, place: string): Promise<void> {
  const [server] = await rowsOf(
    connection,
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
      current_setting('server_encoding') as encoding, current_user as role, current_database() as database`,
  );
  const { number, version, encoding, role, database } = server as {
    readonly number: number;
    readonly version: string;
    readonly encoding: string;
    readonly role: string;
    readonly database: string;
  };
  if (number < oldestServer)
    throw unusable(place, { kind: 'too_old', version, oldest: oldestServer / 10_000 });
  if (encoding !== 'UTF8') throw unusable(place, { kind: 'encoding', encoding });
  try {
    if ((await versionOf(connection, place)) === steps.length) return;
    // Before the transaction, whose cache of the catalogue would not have what was made while it waited; it ends with the connection.
    await rowsOf(connection, `select pg_advisory_lock(${lockKey})`);
    await connection.run({ text: 'begin' });
    const from = await versionOf(connection, place);
    if (from === 0) {
      await connection.run({ text: 'create schema if not exists rotavox' });
      await connection.run({ text: 'create table rotavox.version (version integer not null)' });
      await connection.run({ text: 'insert into rotavox.version values (0)' });
    }
    for (const text of steps.slice(from).flat()) await connection.run({ text });
    await connection.run({ text: 'update rotavox.version set version = $1', values: [steps.length] });
    await connection.run({ text: 'commit' });
  } catch (error) {
    if (!connection.isEnded) await connection.run({ text: 'rollback' });
    if (error instanceof DatabaseRefused && error.code === noRight)
      throw unusable(place, { kind: 'rights', role, database });
    throw error;
  }
}

/** PostgreSQL's `insufficient_privilege`. */
const noRight = '42501';

/** 0 without tables. */
async function versionOf(connection: DatabaseConnection, place: string): Promise<number> {
  const [found] = await rowsOf(connection, `select to_regclass('rotavox.version') is not null as exists`);
  if (found?.['exists'] !== true) return 0;
  const [row] = await rowsOf(connection, 'select version from rotavox.version');
  const version = row?.['version'] as number;
  if (version > steps.length)
    throw unusable(place, { kind: 'schema_too_new', version, newest: steps.length });
  return version;
}

async function rowsOf(connection: DatabaseConnection, text: string): Promise<readonly SqlRow[]> {
  return (await connection.run({ text })).rows;
}

function unusable(place: string, fault: DatabaseFault): StoreError {
  return new StoreError({ code: 'DATABASE_UNUSABLE', place, fault });
}
